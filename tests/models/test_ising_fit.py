"""A fitted Ising model has the means and products of the data, or the best ends of a pseudo-likelihood."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.models.ising_fit import fit_spins, refuse_empty_cells, refuse_infinite_couplings
from structlearn.models.spins import Spins
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.statistics import from_dataset

EDGES = np.array([[0, 1], [1, 2]])
STATES = np.array(list(itertools.product((0, 1), repeat=3)))


def random_codes(seed, n=60):
    """Three columns of 0 and 1 in which every two states of two columns occur."""
    codes = np.random.default_rng(seed).integers(0, 2, (n, 3))
    return np.concatenate([codes, STATES])


def indicators_of(codes):
    columns = {name: [str(code) for code in column] for name, column in zip("abc", codes.T, strict=True)}
    return Indicators.of(from_dataset(sl.Dataset(columns)))


def probabilities(spins):
    weights = np.exp(spins.log_weights(STATES))
    return weights / weights.sum()


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_a_fit_of_most_likelihood_matches_the_moments_of_the_data(seed):
    codes = random_codes(seed)

    spins, used = fit_spins(indicators_of(codes), EDGES, objective="exact", ridge=0.0, couplings=None)

    p = probabilities(spins)
    assert used == "exact"
    np.testing.assert_allclose(p @ STATES, codes.mean(axis=0), atol=1e-5)
    for a, b in EDGES.tolist():
        assert p @ (STATES[:, a] * STATES[:, b]) == pytest.approx(
            (codes[:, a] * codes[:, b]).mean(), abs=1e-5
        )


def test_couplings_that_are_given_stay_and_the_means_match():
    codes, couplings = random_codes(1), np.array([0.3, -0.2])

    spins, _ = fit_spins(indicators_of(codes), EDGES, objective="exact", ridge=0.0, couplings=couplings)

    np.testing.assert_allclose(spins.couplings, couplings, atol=1e-12)
    np.testing.assert_allclose(probabilities(spins) @ STATES, codes.mean(axis=0), atol=1e-5)


def test_a_pseudo_likelihood_has_no_better_neighbour():
    codes = random_codes(2)

    spins, used = fit_spins(indicators_of(codes), EDGES, objective="pseudo", ridge=0.0, couplings=None)

    assert used == "pseudo"
    best = spins.log_pseudo_likelihoods(codes).sum()
    for step in (1e-3, -1e-3):
        for j in range(3):
            moved = Spins(EDGES, spins.fields + step * np.eye(3)[j], spins.couplings)
            assert moved.log_pseudo_likelihoods(codes).sum() < best
        for j in range(2):
            moved = Spins(EDGES, spins.fields, spins.couplings + step * np.eye(2)[j])
            assert moved.log_pseudo_likelihoods(codes).sum() < best


def test_states_that_never_meet_are_refused_by_name():
    codes = np.array([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])

    with pytest.raises(
        sl.DataError, match="'a' and 'b' are joined, and some two of their states never occur"
    ):
        refuse_empty_cells(indicators_of(codes), ("a", "b", "c"), EDGES)
    refuse_empty_cells(indicators_of(random_codes(0)), ("a", "b", "c"), EDGES)


def test_states_that_meet_in_one_row_of_many_are_taken_and_in_one_that_counts_for_nothing_are_not():
    codes = np.array([[0, 0, 0]] * 20 + [[0, 1, 0], [1, 0, 0], [1, 1, 0]])
    columns = {name: codes[:, j].astype(str) for j, name in enumerate("ab")}
    refuse_empty_cells(Indicators.of(from_dataset(sl.Dataset(columns))), ("a", "b"), EDGES[:1])

    weights = np.where(codes[:, :2].all(axis=1), 0.0, 1.0)
    with pytest.raises(sl.DataError, match="'a' and 'b' are joined"):
        refuse_empty_cells(
            Indicators.of(from_dataset(sl.Dataset(columns, weights=weights))), ("a", "b"), EDGES[:1]
        )


def test_a_coupling_that_has_run_away_is_refused():
    refuse_infinite_couplings(Spins(EDGES, np.zeros(3), np.array([1.0, 3.7])), ("a", "b", "c"))
    with pytest.raises(sl.DataError, match="the coupling of 'b' and 'c' grows without limit"):
        refuse_infinite_couplings(Spins(EDGES, np.zeros(3), np.array([1.0, 3.8])), ("a", "b", "c"))
