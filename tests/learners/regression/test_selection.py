"""Rules that choose a penalty, by hand."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.selection import (
    extended_bic,
    folds,
    instability,
    penalty_path,
    predictive_choice,
    stable_choice,
    subsamples,
    warn_of_the_end,
)


def test_a_path_falls_by_the_same_share_at_each_step():
    assert penalty_path(8.0, n_penalties=4, smallest_share=1 / 8) == pytest.approx([8, 4, 2, 1])
    assert penalty_path(0.0, n_penalties=4, smallest_share=0.1).tolist() == [0.0]


def test_the_extended_bic_is_what_it_says_and_without_gamma_the_bic():
    likelihoods, sizes = np.array([-100.0, -90.0]), np.array([2.0, 5.0])

    bic = extended_bic(likelihoods, sizes, size=50, n_candidates=20, gamma=0.0)
    extended = extended_bic(likelihoods, sizes, size=50, n_candidates=20, gamma=0.5)

    assert (bic == -2 * likelihoods + sizes * np.log(50)).all()
    assert extended == pytest.approx(bic + sizes * np.log(20))


def test_a_likelihood_that_is_not_defined_is_never_the_best():
    scores = extended_bic(np.array([np.nan, -1e9]), np.array([3.0, 1.0]), size=9, n_candidates=4, gamma=0.5)

    assert scores[0] == np.inf
    assert np.isfinite(scores[1])


@pytest.mark.parametrize(("n_rows", "expected"), [(100, 80), (144, 115), (400, 200), (10_000, 1000)])
def test_subsamples_have_the_size_of_the_paper(n_rows, expected):
    drawn = subsamples(n_rows, n_subsamples=3, generator=np.random.default_rng(0))

    assert [len(set(rows.tolist())) for rows in drawn] == [expected] * 3
    assert (drawn[0] != drawn[1]).any()


def test_folds_hold_each_row_out_once():
    parts = folds(23, n_folds=5, generator=np.random.default_rng(0))

    assert sorted(np.concatenate(parts).tolist()) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}


def test_instability_counts_pairs_that_come_and_go():
    # Of 10 pairs one is in both subsamples, two in one: 2·(2·½·½) / 10.
    found = [np.array([1, 2]), np.array([1, 7])]

    assert instability(found, n_pairs=10) == pytest.approx(0.1)
    assert instability([np.array([1]), np.array([1])], n_pairs=10) == 0.0


def test_the_stable_choice_stops_at_the_first_unstable_penalty():
    assert stable_choice(np.array([0.0, 0.01, 0.2, 0.01])) == 1
    assert stable_choice(np.array([0.0, 0.01, 0.02])) == 2
    assert stable_choice(np.array([0.3, 0.0])) == 0


def test_prediction_takes_the_least_loss_or_the_largest_penalty_near_it():
    losses = np.array(
        [[5.0, 3.2, 3.0, 4.0], [7.0, 3.9, 3.6, 4.0]]
    )  # means 6, 3.55, 3.3, 4; error of the third .3

    assert predictive_choice(losses) == 2
    assert predictive_choice(losses, one_standard_error=True) == 1


def test_the_end_of_a_path_is_warned_of():
    with pytest.warns(sl.DataWarning, match="smaller smallest_share"):
        warn_of_the_end("Somebody", np.array([3, 9]), 10)
    warn_of_the_end("Somebody", np.array([3, 8]), 10)
