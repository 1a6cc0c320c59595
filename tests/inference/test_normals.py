"""Networks of regressions, and what evidence leaves of them, by the textbook formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from structlearn.inference.gaussian import LinearNetwork, Regression, conditioned
from structlearn.inference.predictions.normals import RowNormals
from tests.oracles import exact_normals as oracle

SEEDS = st.integers(0, 2**32 - 1)
QUICK = settings(deadline=None, max_examples=40)


def random_regressions(seed, n_nodes=4, n_regimes=3):
    rng = np.random.default_rng(seed)
    found = {}
    for i in range(n_nodes):
        parents = [f"x{j}" for j in range(i) if rng.random() < 0.6]
        slopes = {parent: rng.normal(size=n_regimes) for parent in parents}
        found[f"x{i}"] = Regression(rng.normal(size=n_regimes), slopes, rng.uniform(0.2, 2.0, n_regimes))
    return found


def whole(regressions, n_regimes):
    """The joint distribution of all nodes."""
    return conditioned(LinearNetwork.of(regressions, n_regimes), {}, tuple(regressions))[0]


@QUICK
@given(seed=SEEDS)
def test_regressions_make_the_joint_distribution_of_the_linear_system(seed):
    """x = a + B x + noise, so that x has the mean (I − B)⁻¹ a and covariance (I − B)⁻¹ D (I − B)⁻ᵀ."""
    regressions = random_regressions(seed)
    names = list(regressions)

    joint = whole(regressions, 3)

    for regime in range(3):
        slopes = np.zeros((4, 4))
        for i, node in enumerate(regressions.values()):
            for parent, values in node.slopes.items():
                slopes[i, names.index(parent)] = values[regime]
        inverse = np.linalg.inv(np.eye(4) - slopes)
        intercepts = np.array([node.intercepts[regime] for node in regressions.values()])
        noise = np.diag([node.variances[regime] for node in regressions.values()])
        np.testing.assert_allclose(joint.mean[regime], inverse @ intercepts, atol=1e-9)
        np.testing.assert_allclose(joint.covariance[regime], inverse @ noise @ inverse.T, atol=1e-9)


@QUICK
@given(seed=SEEDS)
def test_evidence_leaves_the_conditional_distribution_and_has_its_density(seed):
    regressions = random_regressions(seed)
    joint = whole(regressions, 3)
    evidence = {"x1": 0.3, "x3": -1.2}

    found, log_densities = conditioned(LinearNetwork.of(regressions, 3), evidence, ("x2", "x0"))

    given, asked = [1, 3], [2, 0]
    values = np.array(list(evidence.values()))
    for regime in range(3):
        mean, covariance = joint.mean[regime], joint.covariance[regime]
        among = covariance[np.ix_(given, given)]
        gain = covariance[np.ix_(asked, given)] @ np.linalg.inv(among)
        expected = covariance[np.ix_(asked, asked)] - gain @ covariance[np.ix_(given, asked)]
        np.testing.assert_allclose(found.mean[regime], mean[asked] + gain @ (values - mean[given]), atol=1e-8)
        np.testing.assert_allclose(found.covariance[regime], expected, atol=1e-8)
        density = multivariate_normal(mean[given], among).logpdf(values)
        assert log_densities[regime] == pytest.approx(density, abs=1e-8)


def test_without_evidence_nothing_changes():
    network = LinearNetwork.of(random_regressions(0), 3)
    joint = whole(random_regressions(0), 3)

    found, log_densities = conditioned(network, {}, ("x3", "x1"))

    assert found.names == ("x3", "x1")
    np.testing.assert_array_equal(found.mean, joint.mean[:, [3, 1]])
    np.testing.assert_array_equal(found.mean, network.means()[:, [3, 1]])
    np.testing.assert_array_equal(found.covariance[:, 0, 1], joint.covariance[:, 3, 1])
    assert log_densities.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("copy", "agrees"), [(2.0, True), (2.5, False)])
def test_evidence_that_repeats_itself_counts_once_and_must_agree(copy, agrees):
    """b is a itself: a = 2 has the density of a standard normal there, whatever b adds."""
    one, nothing = np.ones(1), np.zeros(1)
    regressions = {
        "a": Regression(nothing, {}, one),
        "b": Regression(nothing, {"a": one}, nothing),
        "c": Regression(nothing, {"b": 0.5 * one}, 0.75 * one),
    }

    found, log_density = conditioned(LinearNetwork.of(regressions, 1), {"a": 2.0, "b": copy}, ("c",))

    if not agrees:
        assert log_density[0] == -np.inf
        return
    assert found.mean[0, 0] == pytest.approx(1.0)
    assert found.covariance[0, 0, 0] == pytest.approx(0.75)
    assert log_density[0] == pytest.approx(-0.5 * (np.log(2 * np.pi) + 4.0))


def random_units(seed):
    """A network in units from 2^-30 to 2^30 whose residuals are up to 2^-30 of what the parents move."""
    rng = np.random.default_rng(seed)
    found, units = {}, np.ldexp(1.0, rng.integers(-30, 31, 5))
    for i in range(5):
        parents = [j for j in range(i) if rng.random() < 0.7]
        slopes = {f"x{j}": rng.normal(size=1) * units[i] / units[j] for j in parents}
        deviation = units[i] * np.ldexp(1.0, rng.integers(-30, 1)) if parents else units[i]
        found[f"x{i}"] = Regression(rng.normal(size=1) * units[i], slopes, np.full(1, deviation**2))
    return found


def drawn(regressions, seed):
    """A row of the network, some of it known."""
    rng, row = np.random.default_rng(seed), {}
    for name, node in regressions.items():
        mean = node.intercepts[0] + sum(slope[0] * row[parent] for parent, slope in node.slopes.items())
        row[name] = mean + np.sqrt(node.variances[0]) * rng.normal()
    return {name: value for name, value in row.items() if rng.random() < 0.6}


@QUICK
@given(seed=SEEDS)
def test_small_residuals_in_any_units_have_the_answers_of_fractions(seed):
    regressions = random_units(seed)
    evidence = drawn(regressions, seed)
    names = tuple(name for name in regressions if name not in evidence)
    network = LinearNetwork.of(regressions, 1)
    mean, covariance, log_density = oracle.conditional(regressions, evidence, names)

    found, log_densities = conditioned(network, evidence, names)

    # Numbers are rounded to 2^-53 of their size, which is 2^-23 of the smallest residual.
    spreads = np.sqrt(np.diag(covariance))
    of_spreads = np.outer(spreads, spreads)
    np.testing.assert_allclose((found.mean[0] - mean) / spreads, 0.0, atol=1e-5)
    np.testing.assert_allclose(found.covariance[0] / of_spreads, covariance / of_spreads, atol=1e-5)
    assert log_densities[0] == pytest.approx(log_density, abs=1e-5)
    numbers = np.array([[evidence.get(name, 0.0) for name in regressions]])
    unknown = np.array([[name not in evidence for name in regressions]])
    filled = RowNormals.of(network, tuple(regressions)).filled(numbers, unknown, None)[0, unknown[0]]
    np.testing.assert_allclose((filled - mean) / spreads, 0.0, atol=1e-5)


def test_a_vague_prior_leaves_all_digits_of_what_two_measurements_say():
    """x has the deviation 1e15; a = 1 and b = 1.5, each x and unit noise, leave N(1.25, 1/2) of it."""
    one, nothing = np.ones(1), np.zeros(1)
    measured = Regression(nothing, {"x": one}, one)
    network = LinearNetwork.of({"x": Regression(nothing, {}, 1e30 * one), "a": measured, "b": measured}, 1)

    found, log_density = conditioned(network, {"a": 1.0, "b": 1.5}, ("x",))

    assert found.mean[0, 0] == pytest.approx(1.25, rel=1e-14)
    assert found.covariance[0, 0, 0] == pytest.approx(0.5, rel=1e-14)
    # a has the variance 1e30 + 1, and b the variance 2 given a.
    expected = -0.5 * (2.0 * np.log(2.0 * np.pi) + np.log(1e30) + np.log(2.0) + 0.5**2 / 2.0)
    assert log_density[0] == pytest.approx(expected, rel=1e-14)


@QUICK
@given(seed=SEEDS)
def test_a_precision_matrix_is_a_network_from_its_last_node_up(seed):
    rng = np.random.default_rng(seed)
    units = np.ldexp(1.0, rng.integers(-30, 31, 4))
    half = rng.normal(size=(4, 5))
    precision, mean = half @ half.T / np.outer(units, units), rng.normal(size=4) * units

    network = LinearNetwork.of_precision(tuple("abcd"), mean, precision)

    joint = conditioned(network, {}, tuple("abcd"))[0]
    np.testing.assert_array_equal(joint.mean[0], mean)
    product = (joint.covariance[0] / np.outer(units, units)) @ (precision * np.outer(units, units))
    np.testing.assert_allclose(product, np.eye(4), atol=1e-6)
