"""Measures of cycles and losses have the values of their formulas, and gradients that differences confirm."""

import math

import numpy as np
import pytest
from scipy import linalg

from structlearn.numerics import acyclicity, dag_losses
from structlearn.numerics.products import product
from structlearn.numerics.varsortability import varsortability
from structlearn.run import OutOfTime
from tests.oracles.linear_models import DIAMOND, covariance_of

# docs/references/continuous.md, Measures of cycles
CYCLE = np.zeros((3, 3))
CYCLE[0, 1], CYCLE[1, 2], CYCLE[2, 0] = 1.5, -0.8, 0.3
MEASURES = {
    "exponential": acyclicity.exponential,
    "polynomial": acyclicity.polynomial,
    "log-determinant": lambda weights: acyclicity.log_determinant(weights, 1.0),
}


def slopes_by_differences(function, weights, step=1e-6):
    found = np.zeros_like(weights)
    for place in np.ndindex(*weights.shape):
        apart = np.zeros_like(weights)
        apart[place] = step
        found[place] = (function(weights + apart)[0] - function(weights - apart)[0]) / (2 * step)
    return found


@pytest.mark.parametrize(
    ("name", "value", "slopes"),
    [
        ("exponential", 0.0648700, (0.0865867, -0.1623501, 0.4329335)),
        ("polynomial", 0.0144, None),
        ("log-determinant", 0.1388024, (0.1985294, -0.3722426, 0.9926471)),
    ],
)
def test_a_cycle_of_three_has_the_values_by_hand(name, value, slopes):
    found, gradient = MEASURES[name](CYCLE)

    assert found == pytest.approx(value, abs=1e-7)
    if slopes is not None:
        assert [gradient[0, 1], gradient[1, 2], gradient[2, 0]] == pytest.approx(slopes, abs=1e-7)


def test_strong_cycles_are_outside_of_the_barrier():
    strong = np.array([[0.0, 2.0], [0.5, 0.0]])

    assert acyclicity.exponential(strong)[0] == pytest.approx(2 * math.cosh(1) - 2)
    assert acyclicity.log_determinant(strong, 1.0)[0] == math.inf
    assert acyclicity.log_determinant(CYCLE, 2.0)[0] == pytest.approx(0.0163327, abs=1e-7)
    twice = np.kron(np.eye(2), 1.5 * strong)  # two eigenvalues are negative, and the determinant is not
    assert acyclicity.log_determinant(twice, 1.0)[0] == math.inf


@pytest.mark.parametrize("name", MEASURES)
def test_a_dag_has_no_cycles_and_slopes_are_those_of_differences(name):
    rng = np.random.default_rng(0)
    weights = 0.3 * rng.normal(size=(4, 4))

    assert MEASURES[name](np.triu(5.0 * weights, k=1))[0] == pytest.approx(0.0, abs=1e-9)
    assert MEASURES[name](weights)[1] == pytest.approx(
        slopes_by_differences(MEASURES[name], weights), abs=1e-6
    )


@pytest.mark.parametrize("loss", dag_losses.LOSSES.values())
def test_slopes_of_losses_are_those_of_differences(loss):
    covariance = covariance_of(DIAMOND)
    weights = 0.2 * np.random.default_rng(0).normal(size=(4, 4))

    def at(point):
        return loss(point, covariance)

    assert at(weights)[1] == pytest.approx(slopes_by_differences(at, weights), abs=1e-6)


# y = 2x + e with unit variances: the covariance, x → y, y → x; as it is, standardised, and with y/3.
RAW = np.array([[1.0, 2.0], [2.0, 5.0]])
STANDARD = RAW / np.sqrt(np.outer([1, 5], [1, 5]))
SMALL = RAW / np.outer([1, 3], [1, 3])


def of_both_directions(loss, covariance):
    found = []
    for i, j in ((0, 1), (1, 0)):
        weights = np.zeros((2, 2))
        weights[i, j] = covariance[i, j] / covariance[i, i]
        found.append(loss(weights, covariance)[0])
    return found


@pytest.mark.parametrize(
    ("loss", "covariance", "values"),
    [
        (dag_losses.least_squares, RAW, (1.0, 2.6)),
        (dag_losses.least_squares, STANDARD, (0.6, 0.6)),
        (dag_losses.least_squares, SMALL, (0.5556, 0.3778)),
        (dag_losses.equal_variances, RAW, (0.6931472, 1.6486586)),
        (dag_losses.equal_variances, STANDARD, (0.1823216, 0.1823216)),
        (dag_losses.own_variances, RAW, (0.0, 0.0)),
    ],
)
def test_units_decide_the_direction_of_two_columns(loss, covariance, values):
    # docs/references/continuous.md, Units
    assert of_both_directions(loss, covariance) == pytest.approx(values, abs=5e-5)


@pytest.mark.parametrize(
    ("variances", "share"), [((1, 1.64, 1.25, 2.9316), 1.0), ((1, 1, 1, 1), 0.5), ((1, 0.5, 1.25, 2.9), 0.8)]
)
def test_the_share_of_paths_that_rise_is_counted_by_length(variances, share):
    assert varsortability(DIAMOND != 0.0, np.log(variances)) == pytest.approx(share)


def test_without_paths_nothing_is_sorted():
    assert varsortability(np.zeros((3, 3), dtype=bool), np.array([1.0, 2.0, 3.0])) == 0.5


def sparse_weights(p, n_arcs, seed=0):
    """Random weights, some in cycles and some not."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((p, p))
    weights[rng.integers(0, p, n_arcs), rng.integers(0, p, n_arcs)] = 0.3 * rng.normal(size=n_arcs)
    np.fill_diagonal(weights, 0.0)
    return weights


@pytest.mark.parametrize("n_arcs", [0, 8, 14, 40, 90])
@pytest.mark.parametrize("size", [1.0, 6.0])
def test_walks_within_parts_are_those_of_the_whole_matrix(n_arcs, size, monkeypatch):
    monkeypatch.setattr(acyclicity, "FEW", 1)
    weights = size * sparse_weights(12, n_arcs)
    walks = linalg.expm(np.square(weights))
    steps = np.linalg.matrix_power(np.eye(12) + np.square(weights) / 12, 11)

    value, slopes = acyclicity.exponential(weights)
    assert value == pytest.approx(np.trace(walks) - 12, rel=1e-9, abs=1e-12)
    assert slopes == pytest.approx(walks.T * 2 * weights, rel=1e-9, abs=1e-12)
    value, slopes = acyclicity.polynomial(weights)
    assert value == pytest.approx(np.trace(steps @ (np.eye(12) + np.square(weights) / 12)) - 12, abs=1e-9)
    assert slopes == pytest.approx(steps.T * 2 * weights, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("size", [0.0, 1e-6, 1.0, 9.0])
def test_the_series_of_large_matrices_has_the_exponential(size):
    squares = size * np.square(np.random.default_rng(0).normal(size=(6, 6)))

    assert acyclicity._exponential(squares, lambda: False) == pytest.approx(linalg.expm(squares), rel=1e-9)


@pytest.mark.parametrize("p", [5, 300])
def test_the_barrier_of_large_parts_is_that_of_the_whole_matrix(p):
    weights = sparse_weights(p, 4 * p) * 0.8
    matrix = 0.9 * np.eye(p) - np.square(weights)
    value, slopes = acyclicity.log_determinant(weights, 0.9)

    assert value == pytest.approx(p * np.log(0.9) - np.linalg.slogdet(matrix)[1], rel=1e-8)
    np.testing.assert_allclose(slopes, 2 * np.linalg.inv(matrix).T * weights, atol=1e-10)
    assert acyclicity.log_determinant(30.0 * weights, 0.9)[0] == math.inf


@pytest.mark.parametrize("name", MEASURES)
def test_large_products_look_at_the_clock(name, monkeypatch):
    def barrier(weights, must_stop):
        return acyclicity.log_determinant(weights, 1.0, must_stop)

    measures = {**MEASURES, "log-determinant": barrier}
    monkeypatch.setattr("structlearn.numerics.products.AT_ONCE", 10**6)
    weights = sparse_weights(300, 2000)

    with pytest.raises(OutOfTime):
        measures[name](weights, lambda: True)
    assert measures[name](np.triu(weights), lambda: True)[0] == 0.0  # nothing to multiply


def test_products_in_pieces_are_products(monkeypatch):
    monkeypatch.setattr("structlearn.numerics.products.AT_ONCE", 50)
    one, other = np.random.default_rng(0).normal(size=(2, 7, 7))

    assert product(one, other) == pytest.approx(one @ other)
    assert product(one[:2], other[:, :3]) == pytest.approx(one[:2] @ other[:, :3])
