"""Penalties on groups and within them, beside a solver for convex programs and a plain proximal loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.numerics.grouped_targets import GroupedTargets

SHAPES = ("sparse-group", "hierarchical")


def paid(b, penalties, shape, acts):
    """The penalty of one target by its definition; `b` is (columns of a group, groups)."""
    total = 0.0
    for j in range(b.shape[1]):
        if shape == "sparse-group":
            total += (
                penalties[j]
                * 0.5
                * (np.linalg.norm(b[:, j]) + np.abs(b[:, j]).sum() / acts[:, j].sum() ** 0.5)
            )
        else:
            total += penalties[j] * sum(np.linalg.norm(b[lag:, j]) for lag in range(len(b)) if acts[lag, j])
    return total


def problem_of(seed, shape, n=30, k=3, groups=3):
    rng = np.random.default_rng(seed)
    z, y = rng.normal(size=(n, k * groups)), rng.normal(size=(n, 2))
    acts = np.ones((k, groups), dtype=np.bool_)
    acts[1:, 2] = False
    z *= acts.ravel()
    y[:, 0] += 0.8 * z[:, 0] + 0.5 * z[:, groups]
    return GroupedTargets(z.T @ z / n, z.T @ y / n, groups, shape, acts), acts


def objective(problem, b, target, penalties, acts):
    half = 0.5 * b @ problem.gram @ b - problem.cross[:, target] @ b
    return half + paid(b.reshape(acts.shape), penalties, problem.shape, acts)


@pytest.mark.parametrize("shape", SHAPES)
@given(seed=st.integers(0, 1000))
@settings(max_examples=6, deadline=None)
def test_no_point_near_or_far_is_better_than_the_optimum(shape, seed):
    problem, acts = problem_of(seed, shape)
    penalties = np.random.default_rng(seed).uniform(0.05, 0.3, size=(3, 2))
    penalties[1, 0], penalties[0, 1] = 0.0, np.inf

    found = problem.minimum(penalties, np.zeros((9, 2)), tolerance=1e-10)

    assert (found[0::3, 1] == 0.0).all()
    rng = np.random.default_rng(seed + 1)
    b, own = found[:, 0], penalties[:, 0]
    least = objective(problem, b, 0, own, acts)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(30):
            assert (
                objective(problem, b + size * rng.normal(size=9) * acts.ravel(), 0, own, acts)
                >= least - 1e-12
            )


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_the_optimum_is_that_of_a_solver_for_convex_programs(shape):
    cvxpy = pytest.importorskip("cvxpy")
    problem, acts = problem_of(5, shape)
    root = np.linalg.cholesky(problem.gram + 1e-12 * np.eye(9)).T
    b = cvxpy.Variable(9)
    norms = 0
    for j in range(3):
        mine = b[j::3]
        if shape == "sparse-group":
            norms += 0.1 * 0.5 * (cvxpy.norm(mine) + cvxpy.norm1(mine) / acts[:, j].sum() ** 0.5)
        else:
            norms += 0.1 * sum(cvxpy.norm(mine[lag:]) for lag in range(3) if acts[lag, j])
    cvxpy.Problem(cvxpy.Minimize(0.5 * cvxpy.sum_squares(root @ b) - problem.cross[:, 0] @ b + norms)).solve(
        solver="CLARABEL"
    )

    found = problem.minimum(np.full((3, 2), 0.1), np.zeros((9, 2)), tolerance=1e-10)

    assert found[:, 0] == pytest.approx(b.value * acts.ravel(), abs=1e-5)
    assert 0 < (found[:, 0] != 0.0).sum() < 7


@pytest.mark.parametrize("shape", SHAPES)
@given(seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_nothing_is_in_at_the_largest_penalty_and_something_just_below_it(shape, seed):
    problem, _ = problem_of(seed, shape)
    prices = np.random.default_rng(seed).uniform(0.5, 2.0, size=(3, 2))

    largest = problem.largest(prices)
    at, below = (
        problem.minimum(share * largest * prices, np.zeros((9, 2)), tolerance=1e-12)
        for share in (1.000001, 0.999)
    )

    assert not at.any()
    assert below.any(axis=0).all()


@given(seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_a_lag_is_in_only_with_those_before_it(seed):
    problem, acts = problem_of(seed, "hierarchical")

    found = problem.minimum(np.full((3, 2), 0.12), np.zeros((9, 2)), tolerance=1e-10).reshape(3, 3, 2)

    is_in = found != 0.0
    assert not (is_in[1:] & ~is_in[:-1] & acts[:-1, :, None]).any()


@pytest.mark.parametrize("shape", SHAPES)
def test_many_groups_have_the_optimum_of_all_of_them_at_once(shape, monkeypatch):
    rng = np.random.default_rng(0)
    z, y = rng.normal(size=(60, 40)), rng.normal(size=(60, 2))
    y[:, 0] += z[:, 3] + z[:, 23]
    problem = GroupedTargets(z.T @ z / 60, z.T @ y / 60, 20, shape)
    all_ = problem.minimum(np.full((20, 2), 0.2), np.zeros((40, 2)), tolerance=1e-9)
    monkeypatch.setattr("structlearn.numerics.grouped_targets.FEW_GROUPS", 5)

    some = problem.minimum(np.full((20, 2), 0.2), np.zeros((40, 2)), tolerance=1e-9)

    assert some == pytest.approx(all_, abs=1e-7)
    assert 0 < (all_ != 0.0).sum() < 60
