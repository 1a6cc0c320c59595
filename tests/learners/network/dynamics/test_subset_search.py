"""The best sets of regulators: all are looked at, or a beam of them."""

import numpy as np
import pytest

from structlearn.learners.network.dynamics import subset_search
from structlearn.learners.network.dynamics.kernels.subsets import best_of_size
from structlearn.learners.network.dynamics.subset_search import best_sets
from tests.oracles.dynamics import best_subset

RNG = np.random.default_rng(0)
COLUMNS, TARGETS = RNG.normal(size=(20, 7)), RNG.normal(size=(20, 4))
NONE = np.zeros((7, 4), dtype=np.bool_)


def search(is_out=NONE, is_in=NONE, **options):
    return list(
        best_sets(COLUMNS, TARGETS, is_out, is_in, **{"max_size": 4, "n_kept": 1, "beam_width": 5} | options)
    )


def test_every_size_has_the_set_that_brute_force_finds():
    for size, found in enumerate(search(), start=1):
        assert found.is_exact
        for target in range(4):
            members = best_subset(COLUMNS, TARGETS[:, target], size)
            left = np.linalg.lstsq(COLUMNS[:, members], TARGETS[:, target], rcond=None)[1][0]
            assert tuple(found.sets[target, 0]) == members
            assert found.residuals[target, 0] == pytest.approx(left)


def test_a_shortlist_is_in_the_order_of_what_is_left():
    found = search(n_kept=6)[1]

    assert (np.diff(found.residuals, axis=1) >= 0).all()
    assert len({tuple(row) for row in found.sets[0].tolist()}) == 6
    assert tuple(found.sets[2, 0]) == best_subset(COLUMNS, TARGETS[:, 2], 2)


@pytest.mark.parametrize("most_sets", [10**6, 0], ids=["all", "beam"])
def test_what_must_be_there_is_and_what_may_not_is_not(most_sets, monkeypatch):
    monkeypatch.setattr(subset_search, "MOST_SETS", most_sets)
    is_out, is_in = NONE.copy(), NONE.copy()
    is_out[0], is_in[3, 1] = True, True

    for found in search(is_out, is_in)[1:]:
        assert 0 not in found.sets
        assert 3 in found.sets[1, 0]


def test_a_target_that_may_have_too_few_columns_has_no_set():
    is_out = NONE.copy()
    is_out[2:, 0] = True

    assert np.isinf(search(is_out)[2].residuals[0, 0])
    assert np.isfinite(search(is_out)[2].residuals[1, 0])


def test_a_wide_beam_finds_what_all_sets_have(monkeypatch):
    exact = search()
    monkeypatch.setattr(subset_search, "MOST_SETS", 0)

    wide, narrow = search(beam_width=40), search(beam_width=1)

    assert not wide[3].is_exact
    assert wide[3].sets[:, 0].tolist() == exact[3].sets[:, 0].tolist()
    assert (narrow[3].residuals[:, 0] >= exact[3].residuals[:, 0] - 1e-12).all()


def test_a_beam_keeps_as_many_sets_as_are_asked_for(monkeypatch):
    monkeypatch.setattr(subset_search, "MOST_SETS", 0)

    found = search(n_kept=6, beam_width=1)[1]

    assert len({tuple(row) for row in found.sets[0].tolist()}) == 6
    assert np.isfinite(found.residuals).all()


def test_columns_that_repeat_others_add_nothing():
    repeated = np.column_stack([COLUMNS[:, :3], COLUMNS[:, 0]])
    none = np.zeros((4, 4), dtype=np.bool_)

    *_, found = best_sets(repeated, TARGETS, none, none, max_size=2, n_kept=6, beam_width=5)

    both = [
        left for row, left in zip(found.sets[0].tolist(), found.residuals[0], strict=True) if row == [0, 3]
    ]
    alone = np.linalg.lstsq(COLUMNS[:, :1], TARGETS[:, 0], rcond=None)[1][0]
    assert both == [pytest.approx(alone)]


def test_the_kernel_fills_what_it_is_given():
    sets, residuals = np.zeros((4, 2, 2), dtype=np.int64), np.full((4, 2), np.inf)
    products, totals = np.ascontiguousarray(COLUMNS.T @ TARGETS), (TARGETS**2).sum(axis=0)

    best_of_size(COLUMNS.T @ COLUMNS, products, totals, 2, NONE, NONE, sets, residuals)

    assert tuple(sets[3, 0]) == best_subset(COLUMNS, TARGETS[:, 3], 2)
    assert (residuals[:, 0] < residuals[:, 1]).all()
