"""Criteria of penalties, by hand."""

import numpy as np
import pytest

from structlearn.learners.regression.penalties.criteria import instability
from structlearn.numerics.extended_bic import extended_bic


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


def test_instability_counts_pairs_that_come_and_go():
    # Of 10 pairs one is in both subsamples, two in one: 2·(2·½·½) / 10.
    found = [np.array([1, 2]), np.array([1, 7])]

    assert instability(found, n_pairs=10) == pytest.approx(0.1)
    assert instability([np.array([1]), np.array([1])], n_pairs=10) == 0.0
    assert instability([np.array([], dtype=int)], n_pairs=0) == 0.0
