"""Covariance selection fits agree with proportional fitting, edge by edge."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.numerics.completed_covariance import completed_covariance
from tests.oracles.precision import fitted_by_edges, random_correlation

few = settings(max_examples=8, deadline=None)


def free_at_random(seed, size, share):
    is_free = np.triu(np.random.default_rng(seed).random((size, size)) < share, k=1)
    return is_free | is_free.T


@few
@given(st.integers(0, 10**6), st.integers(2, 5), st.floats(0.0, 1.0))
def test_the_fit_of_any_graph_is_that_of_proportional_fitting(seed, size, share):
    correlation, is_free = random_correlation(seed, size, 30), free_at_random(seed, size, share)

    found = completed_covariance(correlation, is_free)

    assert found == pytest.approx(fitted_by_edges(correlation, ~is_free), abs=1e-6)


@few
@given(st.integers(0, 10**6))
def test_the_start_does_not_matter_as_long_as_kept_entries_are_the_same(seed):
    correlation, is_free = random_correlation(seed, 5, 30), free_at_random(seed, 5, 0.3)
    fewer = is_free | free_at_random(seed + 1, 5, 0.3)

    by_steps = completed_covariance(completed_covariance(correlation, is_free), fewer)

    assert by_steps == pytest.approx(completed_covariance(correlation, fewer), abs=1e-8)
    smaller, larger = (
        np.linalg.slogdet(each)[1] for each in (completed_covariance(correlation, is_free), by_steps)
    )
    assert larger >= smaller - 1e-10


def test_a_chain_has_products_of_correlations_and_no_edges_have_none():
    chain = np.array([[1.0, 0.6, 0.9], [0.6, 1.0, 0.5], [0.9, 0.5, 1.0]])
    is_free = np.zeros((3, 3), dtype=bool)
    is_free[0, 2] = is_free[2, 0] = True

    assert completed_covariance(chain, is_free)[0, 2] == pytest.approx(0.6 * 0.5)
    assert completed_covariance(chain, ~np.eye(3, dtype=bool)) == pytest.approx(np.eye(3), abs=1e-8)
    assert (completed_covariance(chain, np.zeros((3, 3), dtype=bool)) == chain).all()


def test_nearly_singular_matrices_are_completed_too():
    close = np.full((4, 4), 0.999999) + 1e-6 * np.eye(4)
    is_free = free_at_random(3, 4, 0.5)

    found = completed_covariance(close, is_free)

    assert (found == close)[~is_free].all()
    inverse = np.linalg.inv(found)
    scale = np.sqrt(np.diag(inverse))
    assert np.abs(inverse / np.outer(scale, scale))[is_free].max(initial=0.0) < 1e-6
