"""Methods in time that are stopped: what they have found is what they would have, and the rest is told.

The clock moves with every look at it, so that each run ends at the same place.
"""

import math
import re
import time

import numpy as np
import pytest

import structlearn as sl
from structlearn.options.configured import copy_of
from structlearn.search.limits import Limits, count_families
from tests.learners.time.series import named

N_COLUMNS = 70  # more than are looked at together
LEARNERS = {
    "group lasso": sl.SparseVAR(),
    "penalty": sl.SparseVAR(penalty=0.25),
    "pcmci": sl.PCMCI(correction="none", alpha=0.01),
    "pcmci plus": sl.PCMCI(contemporaneous=True, alpha=0.001),
    "lingam": sl.VARLiNGAM(),
    "dynamic": sl.DynamicNetwork(score="bic-g", max_parents=2),
}
every_learner = pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS.keys())
TOLD = re.compile(r"(\d[\d,]*) of (\d[\d,]*) (variables|links|columns)|no (direction|time)|No link")


def pairs_that_follow(n_rows=120):
    """Every second column follows from the one before it."""
    rows = np.random.default_rng(0).uniform(-1, 1, size=(n_rows, N_COLUMNS))
    rows[1:, 1::2] += rows[:-1, ::2]
    return named(rows)


class Clock:
    """A clock that moves by one with every look at it."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


def fitted(learner, table, n_looks, monkeypatch):
    """The learner, fitted until a clock was looked at so often, and how often it was."""
    clock = Clock()
    monkeypatch.setattr("structlearn.run._clock", clock)
    return copy_of(learner).set_params(time_limit=n_looks).fit(table), clock.now


@every_learner
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_what_is_found_before_time_is_up_is_part_of_all_and_the_rest_is_told(learner, monkeypatch):
    monkeypatch.setattr("structlearn.learners.time.dynamic_network.MOST_COLUMNS", N_COLUMNS)
    table = pairs_that_follow()
    whole, n_looks = fitted(learner, table, 1e9, monkeypatch)
    assert len(whole.graph_.directed) >= 30
    for share in (0.01, 0.98):
        found, _ = fitted(learner, table, share * n_looks, monkeypatch)
        assert found.status_.startswith("Stopped at time_limit")
        assert TOLD.search(found.status_)
        assert set(found.graph_.directed) <= set(whole.graph_.directed)
        assert bool(found.graph_.directed) == (share > 0.5)


@every_learner
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_who_has_come_to_the_end_was_not_stopped_and_others_tell_what_is_left(learner, monkeypatch):
    monkeypatch.setattr("structlearn.learners.time.dynamic_network.MOST_COLUMNS", N_COLUMNS)
    table = pairs_that_follow()
    whole, n_looks = fitted(learner, table, 1e9, monkeypatch)
    for n_left in range(8):
        found, _ = fitted(learner, table, n_looks - n_left, monkeypatch)
        is_whole = found.graph_ == whole.graph_ and found.status_ == whole.status_
        assert is_whole or TOLD.search(found.status_), (n_left, found.status_)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_pcmci_tells_what_is_left_whenever_it_is_stopped(monkeypatch):
    table = pairs_that_follow()
    whole, n_looks = fitted(LEARNERS["pcmci"], table, 1e9, monkeypatch)
    stopped = [fitted(LEARNERS["pcmci"], table, limit, monkeypatch)[0] for limit in range(1, int(n_looks), 3)]

    assert all(TOLD.search(found.status_) for found in stopped if found.status_ != whole.status_)


def test_edges_within_a_step_have_no_direction_while_some_are_untested_but_for_what_is_known(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 6))
    for t in range(1, 400):
        x[t, :3] += 0.7 * x[t - 1, :3]
        x[t, 3:] += x[t, :3]
    learner = sl.PCMCI(contemporaneous=True, alpha=0.01, knowledge=sl.Knowledge(tiers=[["v0"], ["v3"]]))
    whole, n_looks = fitted(learner, named(x), 1e9, monkeypatch)
    assert {("v0[t]", "v3[t]"), ("v1[t]", "v4[t]"), ("v1[t-1]", "v1[t]")} <= set(whole.graph_.directed)

    found, _ = fitted(learner, named(x), 0.8 * n_looks, monkeypatch)

    assert "no direction, but for what is known" in found.status_
    assert {("v0[t]", "v3[t]"), ("v1[t-1]", "v1[t]")} <= set(found.graph_.directed)
    assert ("v1[t]", "v4[t]") in found.graph_.undirected


@pytest.mark.parametrize("most", [0, 1, 3, 9])
def test_families_are_counted_as_their_subsets_are(most):
    rng = np.random.default_rng(0)
    closed, frozen = rng.random((2, 7, 7)) < np.array([0.4, 0.1])[:, None, None]
    np.fill_diagonal(frozen, val=False)
    limits = Limits(frozen, closed & ~frozen, most)

    free = [len(limits.free_parents(child)) for child in range(7)]
    sizes = [min(n, max(most - int(row.sum()), 0)) for n, row in zip(free, frozen, strict=True)]
    by_hand = sum(
        math.comb(n, k) for n, most_free in zip(free, sizes, strict=True) for k in range(most_free + 1)
    )
    assert count_families(limits) == by_hand


def test_greedy_steps_find_the_parents_that_a_search_over_all_columns_finds(monkeypatch):
    table = pairs_that_follow()
    learner = sl.DynamicNetwork(score="bic-g", max_parents=2)
    searched = copy_of(learner).fit(table)
    monkeypatch.setattr("structlearn.learners.time.dynamic_network.MOST_COLUMNS", N_COLUMNS)

    greedy = copy_of(learner).fit(table)

    assert greedy.score_ == pytest.approx(searched.score_, rel=1e-3)
    follow = {(f"v{j}[t-1]", f"v{j + 1}[t]") for j in range(0, N_COLUMNS, 2)}
    assert follow <= set(greedy.graph_.directed) & set(searched.graph_.directed)
    assert not greedy.is_best_


def test_where_pairs_take_too_long_arcs_within_a_step_are_not_looked_for(monkeypatch):
    monkeypatch.setattr("structlearn.learners.time.dynamic_network.MOST_COLUMNS", N_COLUMNS)
    learner = sl.DynamicNetwork(contemporaneous=True, score="bic-g", max_parents=2)

    # Scoring a column takes one look at the clock, all 140 would take 140.
    soon, _ = fitted(learner, pairs_that_follow(), 200, monkeypatch)
    later, _ = fitted(learner, pairs_that_follow(), 1e6, monkeypatch)

    told = "There was no time to look for arcs within a step."
    assert (told in soon.status_, told in later.status_) == (True, False)
    assert {("v0[t-1]", "v1[t]"), ("v2[t-1]", "v3[t]")} <= set(soon.graph_.directed)
    assert all(source.endswith("[t-1]") for source, _ in soon.graph_.directed)


@pytest.mark.parametrize("module", ["momentary.links", "autoregression.sources"])
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_products_of_all_columns_are_not_begun_without_the_time_for_them(module, monkeypatch):
    monkeypatch.setattr(f"structlearn.learners.time.{module}.MANY_COLUMNS", 10)
    monkeypatch.setattr(f"structlearn.learners.time.{module}.COLUMNS_AT_ONCE", 1)
    learner = sl.PCMCI() if "links" in module else sl.SparseVAR(method="granger")
    table = pairs_that_follow()

    soon, n_looks = fitted(learner, table, 60, monkeypatch)
    whole, _ = fitted(learner, table, 1e6, monkeypatch)

    assert n_looks < 60  # it ends at once
    assert soon.status_.startswith("Stopped at time_limit")
    assert "0 of 70 variables" in soon.status_
    assert (len(soon.graph_.edges), len(whole.graph_.edges) >= N_COLUMNS // 2) == (0, True)
    assert np.isnan(getattr(soon, "residual_covariance_", np.nan)).all()


def test_tests_that_there_is_no_time_for_find_nothing(monkeypatch):
    whole, n_looks = fitted(sl.SparseVAR(method="granger"), pairs_that_follow(300), 1e6, monkeypatch)
    half, _ = fitted(sl.SparseVAR(method="granger"), pairs_that_follow(300), n_looks - 30, monkeypatch)

    is_tested = half.f_.any(axis=0)  # by source
    assert 0 < is_tested.sum() < N_COLUMNS
    assert np.array_equal(half.f_[:, is_tested], whole.f_[:, is_tested])
    assert (half.p_values_[:, ~is_tested] == 1.0).all()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize(
    ("learner", "n_rows"),
    [
        (sl.DynamicNetwork(contemporaneous=True), 100),
        (sl.PCMCI(lags=3), 100),
        (sl.SparseVAR(method="granger"), 4200),
    ],
    ids=str,
)
def test_a_time_limit_is_kept_by_two_thousand_columns_with_more_to_do(learner, n_rows, monkeypatch):
    monkeypatch.setattr("structlearn.run._clock", time.process_time)
    rows = np.random.default_rng(0).normal(size=(n_rows, 2000))
    rows[:, 1:] += 0.8 * rows[:, :-1]
    table = sl.Dataset(named(rows))
    copy_of(learner).set_params(time_limit=0.1).fit(named(rows[:60, :6]))
    started = time.process_time()

    found = copy_of(learner).set_params(time_limit=3.0).fit(table)

    assert time.process_time() - started < 3.0 + 1.5  # CPU seconds, with room for a busy machine
    assert re.search(r"\d of 2,000 variables", found.status_)
