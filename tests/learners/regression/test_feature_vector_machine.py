"""Kernel regressions of columns on each other: the programme of the paper, solved sparsely."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.feature_vector_machine import FeatureVectorMachine
from structlearn.learners.regression.nodewise.feature_kernels import (
    StandardRows,
)
from structlearn.numerics.descent import lasso
from tests.oracles import likeness as oracle


def named(rows):
    return {f"x{j}": column for j, column in enumerate(rows.T)}


def standard(rows, weights=None):
    shares = np.full(len(rows), 1 / len(rows)) if weights is None else np.array(weights) / np.sum(weights)
    centred = rows - shares @ rows
    return StandardRows(centred / np.sqrt(shares @ centred**2), shares, float(len(rows)))


def test_the_programme_and_the_lasso_agree_on_a_worked_example():
    kernel, target = np.array([[4.0, 2.0], [2.0, 3.0]]), np.array([3.0, 2.5])

    found = lasso(kernel, target, penalty=1.0, tolerance=1e-12).coefficients
    assert found == pytest.approx([0.375, 0.25], abs=1e-6)
    assert oracle.feature_vectors(kernel, target, 1.0) == pytest.approx([0.375, 0.25], abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_each_regression_solves_the_programme_of_the_paper(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(30, 9)) @ (np.eye(9) + 0.4 * rng.normal(size=(9, 9)))
    kernel = np.corrcoef(rows.T)

    fitted = FeatureVectorMachine(kernel="linear", penalty=0.1).fit(named(rows))

    expected = oracle.feature_vectors(kernel[:8, :8], kernel[:8, 8], 0.1)
    exact = lasso(kernel[:8, :8], kernel[:8, 8], penalty=0.1, tolerance=1e-14, total=1.0).coefficients
    assert exact == pytest.approx(expected, abs=1e-6)
    # A gap of 1e-7 of the total leaves the coefficients known to about its root.
    assert fitted.coefficients_[8, :8] == pytest.approx(expected, abs=1e-3)
    assert 0 <= fitted.gap_ < 1e-7


def test_with_more_columns_than_rows_the_sparse_solution_is_returned():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(5, 9))
    rows = np.column_stack([features, features[:, 0] - features[:, 3]])
    kernel = np.corrcoef(rows.T)

    sparse = FeatureVectorMachine(kernel="linear", penalty=0.01).fit(named(rows)).coefficients_[9, :9]
    dense = oracle.feature_vectors(kernel[:9, :9], kernel[:9, 9], 0.01)

    assert np.count_nonzero(sparse) <= 5
    assert np.count_nonzero(np.abs(dense) > 1e-6) == 9
    exact = lasso(kernel[:9, :9], kernel[:9, 9], penalty=0.01, tolerance=1e-14, total=1.0).coefficients
    assert kernel[:9, :9] @ exact == pytest.approx(kernel[:9, :9] @ dense, abs=1e-6)
    assert kernel[:9, :9] @ sparse == pytest.approx(kernel[:9, :9] @ dense, abs=1e-3)


@pytest.mark.parametrize("seed", range(20))
def test_a_square_is_seen_by_dependence_and_not_by_correlation(seed):
    rows = np.random.default_rng(seed).uniform(-1, 1, (300, 10))
    table = {**named(rows), "y": rows[:, 0] ** 2}

    linear = FeatureVectorMachine(kernel="linear", alpha=0.05).fit(table)
    dependent = FeatureVectorMachine(kernel="hsic", penalty=0.05).fit(table)

    assert linear.coefficients_[-1, 0] == 0.0
    assert np.flatnonzero(dependent.coefficients_[-1]).tolist() == [0]
    assert dependent.graph_.undirected == (("x0", "y"),)


def test_the_linear_kernel_has_the_penalty_of_neighbourhood_selection():
    rows = np.random.default_rng(0).normal(size=(100, 50))

    # From docs/references/regression.md#neighborhood-selection: half of 0.8529781588, on the scale of
    # (1/2n)·SSE.
    assert FeatureVectorMachine(kernel="linear").fit(rows).penalty_ == pytest.approx(0.4264890794)


def test_a_constant_column_is_like_none():
    rows = np.random.default_rng(0).normal(size=(50, 3))
    rows[:, 1] = 2.5

    for kernel in ("linear", "polynomial", "rbf", "hsic"):
        with pytest.warns(sl.DataWarning, match="single value"):
            fitted = FeatureVectorMachine(kernel=kernel, penalty=0.001).fit(named(rows))
        assert not fitted.coefficients_[:, 1].any()
        assert not fitted.coefficients_[1].any()


def chain(n_rows=300, seed=0):
    return named(np.random.default_rng(seed).normal(size=(n_rows, 5)).cumsum(axis=1))


@pytest.mark.parametrize("kernel", ["linear", "polynomial", "rbf"])
def test_a_chain_is_found(kernel):
    fitted = FeatureVectorMachine(kernel=kernel).fit(chain())

    assert fitted.graph_.undirected == (("x0", "x1"), ("x1", "x2"), ("x2", "x3"), ("x3", "x4"))


def test_signs_are_kept_for_the_linear_kernel_only():
    table = chain()
    table["x1"] = -table["x1"]

    assert FeatureVectorMachine(kernel="linear").fit(table).graph_.edge("x0", "x1").weight < 0
    assert (FeatureVectorMachine(kernel="hsic", penalty=0.05).fit(table).coefficients_ >= 0).all()


def test_stable_graphs_are_found_along_a_path():
    fitted = FeatureVectorMachine(kernel="hsic", penalty="stars", n_penalties=8, random_state=0).fit(
        chain(150)
    )

    assert len(fitted.path_["penalty"]) == 8
    assert fitted.penalty_ in fitted.path_["penalty"]
    assert fitted.graph_.edge("x0", "x1") is not None


def test_a_second_fit_with_adaptive_weights_drops_weak_edges():
    once, twice = (
        FeatureVectorMachine(kernel="hsic", penalty=0.03, adaptive=adaptive).fit(chain()).graph_
        for adaptive in (False, True)
    )

    assert set(twice.undirected) < set(once.undirected)


def test_an_edge_can_be_forbidden():
    both = sl.Knowledge(forbidden=[("x0", "x1"), ("x1", "x0")])

    graph = FeatureVectorMachine(kernel="rbf", knowledge=both).fit(chain()).graph_

    assert graph.edge("x0", "x1") is None
    assert graph.edge("x1", "x2") is not None
