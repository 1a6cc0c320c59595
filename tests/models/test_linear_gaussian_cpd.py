"""Linear Gaussian regressions agree with least squares and with hand calculations."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from structlearn.data import Dataset
from structlearn.errors import DataError, DataWarning
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.linear_gaussian import LinearGaussianCPD
from structlearn.statistics import from_dataset

# Least squares by hand: y = 0.37 + 0.95 x + 0.40 z, residual sum of squares 0.223.
HAND = {"y": [2.2, 2.8, 4.6, 5.1, 7.4], "x": [1.0, 2, 3, 4, 5], "z": [2.0, 1, 4, 3, 5]}


def fitted(data, child="y", weights=None):
    dataset = Dataset(data, kinds=dict.fromkeys(data, "continuous"), weights=weights)
    parents = [name for name in dataset.names if name != child]
    positions = tuple(dataset.names.index(name) for name in parents)
    return LinearGaussianCPD.fit(Family(from_dataset(dataset), dataset.names.index(child), positions))


def means(cpd, data):
    return cpd.intercept + sum(slope * np.asarray(data[name]) for name, slope in cpd.coefficients.items())


@pytest.fixture
def noisy():
    rng = np.random.default_rng(3)
    x, z = rng.normal(5, 2, 200), rng.normal(-1, 1e-6, 200)
    return {"y": 1 + 2 * x - 3e5 * z + rng.normal(0, 0.7, 200), "x": x, "z": z}


def test_the_worked_example_comes_out():
    cpd = fitted(HAND)

    assert cpd.intercept == pytest.approx(0.37)
    assert cpd.coefficients == pytest.approx({"x": 0.95, "z": 0.40})
    assert cpd.variance == pytest.approx(0.223 / 5)
    assert cpd.n_parameters == 4
    total = cpd.log_probability(np.array(HAND["y"]), [np.array(HAND["x"]), np.array(HAND["z"])]).sum()
    assert total == pytest.approx(-2.5 * (math.log(2 * math.pi * 0.0446) + 1))


def test_a_fit_is_least_squares_whatever_the_parents_are_measured_in(noisy):
    cpd = fitted(noisy)

    design = np.column_stack([np.ones(200), noisy["x"], noisy["z"]])
    solution, residual, _, _ = np.linalg.lstsq(design, noisy["y"])
    assert [cpd.intercept, *cpd.coefficients.values()] == pytest.approx(solution, rel=1e-6)
    assert cpd.variance == pytest.approx(residual[0] / 200, rel=1e-8)


def test_a_weight_of_two_is_a_row_twice(noisy):
    weights = np.where(np.arange(200) < 50, 2.0, 1.0)
    doubled = {name: np.concatenate([values, values[:50]]) for name, values in noisy.items()}

    weighted, repeated = fitted(noisy, weights=weights), fitted(doubled)

    assert weighted.coefficients == pytest.approx(repeated.coefficients, rel=1e-8)
    assert weighted.variance == pytest.approx(repeated.variance, rel=1e-8)


def test_a_duplicated_parent_leaves_the_fitted_values_and_shares_the_slope():
    cpd, plain = fitted({**HAND, "x2": HAND["x"]}), fitted(HAND)

    assert cpd.rank == 2
    assert cpd.n_parameters == plain.n_parameters
    assert cpd.variance == pytest.approx(plain.variance)
    assert means(cpd, {**HAND, "x2": HAND["x"]}) == pytest.approx(means(plain, HAND))
    assert cpd.coefficients["x"] == pytest.approx(0.95 / 2)


@pytest.mark.parametrize("seed", range(5))
def test_parents_that_add_up_to_another_are_fitted_as_without_it(seed):
    rng = np.random.default_rng(seed)
    parents = rng.normal(3, 1, (3, 200))
    data = {"y": parents[0] - parents[2] + rng.normal(size=200), **dict(zip("uvw", parents, strict=True))}

    with_sum, plain = fitted({**data, "s": parents.sum(axis=0)}), fitted(data)

    assert with_sum.rank == 3
    assert with_sum.n_parameters == plain.n_parameters
    assert means(with_sum, {**data, "s": parents.sum(axis=0)}) == pytest.approx(means(plain, data))
    assert with_sum.variance == pytest.approx(plain.variance)


def test_a_constant_parent_gets_no_slope():
    cpd = fitted({**HAND, "c": [0.1] * 5})

    assert cpd.coefficients == pytest.approx({"x": 0.95, "z": 0.40, "c": 0.0})
    assert cpd.rank == 2


def test_a_constant_node_is_refused_by_name():
    with pytest.raises(DataError, match="'y' is constant"):
        fitted({"y": [0.1] * 7, "x": [1.0, 2, 3, 4, 5, 6, 8]})


def test_a_node_that_its_parents_determine_is_warned_of_and_keeps_a_finite_density():
    x = np.arange(30) * 0.37
    with pytest.warns(DataWarning, match="'y' is a linear function of its parents"):
        cpd = fitted({"y": 2 * x + 1, "x": x})

    assert cpd.variance == pytest.approx(1e-10 * np.var(2 * x + 1))
    assert cpd.coefficients["x"] == pytest.approx(2)
    assert np.isfinite(cpd.log_probability(2 * x + 1, [x])).all()


def test_densities_are_those_of_the_normal_distribution():
    cpd = LinearGaussianCPD(1.0, {"x": -2.0}, variance=2.25)
    values, parent = np.array([0.0, 1.5, -40.0]), np.array([0.3, -1.0, 2.0])

    expected = norm.logpdf(values, 1 - 2 * parent, 1.5)

    np.testing.assert_allclose(cpd.log_probability(values, [parent]), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("intercept", "coefficients", "variance", "reason"),
    [
        (0.0, {}, 0.0, "variance must be larger than 0"),
        (math.nan, {}, 1.0, "intercept must be a finite number"),
        (0.0, {"x": math.inf}, 1.0, "coefficient of 'x'"),
        (0.0, {"x": 10**400}, 1.0, "coefficient of 'x'"),
        (0.0, ["x"], 1.0, "mapping"),
        (0.0, {}, "1", "variance must be a finite number"),
    ],
)
def test_numbers_that_are_no_distribution_are_refused(intercept, coefficients, variance, reason):
    with pytest.raises(DataError, match=reason):
        LinearGaussianCPD(intercept, coefficients, variance=variance)


def test_regressions_are_equal_when_their_numbers_are():
    cpd = LinearGaussianCPD(1.0, {"x": 2.0}, variance=1.0)

    assert cpd == LinearGaussianCPD(1.0, {"x": 2.0}, variance=1.0)
    assert hash(cpd) == hash(LinearGaussianCPD(1.0, {"x": 2.0}, variance=1.0))
    assert cpd != LinearGaussianCPD(1.0, {"x": 2.5}, variance=1.0)
    assert cpd != "a regression"
