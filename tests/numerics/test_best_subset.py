"""The best few columns, against all subsets."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.numerics.best_subset import BestSubsets, best_subsets


def problem(seed, n, p):
    rng = np.random.default_rng(seed)
    design = rng.normal(size=(n, p)) @ (np.eye(p) + 0.5 * rng.normal(size=(p, p)))
    return design, design[:, :3].sum(axis=1) + 2 * rng.normal(size=n)


def squares_left(design, response, subset):
    kept = design[:, list(subset)]
    return float(((response - kept @ np.linalg.lstsq(kept, response, rcond=None)[0]) ** 2).sum())


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 10_000), p=st.integers(1, 7))
def test_no_subset_of_the_same_size_is_better(seed, p):
    design, response = problem(seed, 15, p)

    found = best_subsets(design.T @ design, design.T @ response, total=response @ response)

    assert found.is_exact
    for size in range(p + 1):
        best = min(squares_left(design, response, subset) for subset in combinations(range(p), size))
        assert found.residuals[size] == pytest.approx(best, rel=1e-8)
        assert squares_left(design, response, found.subsets[size]) == pytest.approx(best, rel=1e-8)


def test_many_columns_are_searched_by_swaps_and_said_to_be():
    design, response = problem(0, 200, 40)
    design[:, 7] = response + 0.5 * np.random.default_rng(1).normal(size=200)

    found = best_subsets(design.T @ design, design.T @ response, total=response @ response, max_size=3)

    assert not found.is_exact
    assert found.subsets[1] == (7,)
    assert (np.diff(found.residuals) < 0).all()


def test_dependent_columns_add_nothing():
    design, response = problem(1, 30, 3)
    design = np.column_stack([design, design[:, 0] + design[:, 1]])

    found = best_subsets(design.T @ design, design.T @ response, total=response @ response)

    assert found.residuals[4] == pytest.approx(found.residuals[3])
    assert len(found.up_to(4)) == 3


def test_a_penalty_reaches_only_the_hull_and_a_limit_every_size():
    """From docs/references/regression.md#lasso: residuals 10, 9, 2, 1.9 for sizes 0 to 3."""
    found = BestSubsets(np.array([10.0, 9.0, 2.0, 1.9]), ((), (0,), (1, 2), (0, 1, 2)), is_exact=True)

    assert {len(found.penalised(penalty)) for penalty in np.geomspace(1e-3, 1e2, 2000)} == {0, 2, 3}
    assert [len(found.up_to(size)) for size in range(4)] == [0, 1, 2, 3]


def test_more_columns_than_there_are_cannot_be_asked_for():
    with pytest.raises(sl.OptionError, match="there are 2 columns"):
        best_subsets(np.eye(2), np.ones(2), total=3.0, max_size=3)
