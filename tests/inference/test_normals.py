"""Joint normal distributions of regressions, and what evidence leaves of them, by the textbook formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

from structlearn.inference.gaussian import Normal, Regression, conditioned, joint_normal

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


@QUICK
@given(seed=SEEDS)
def test_regressions_make_the_joint_distribution_of_the_linear_system(seed):
    """x = a + B x + noise, so that x has the mean (I − B)⁻¹ a and covariance (I − B)⁻¹ D (I − B)⁻ᵀ."""
    regressions = random_regressions(seed)
    names = list(regressions)

    joint = joint_normal(regressions, 3)

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
    joint = joint_normal(random_regressions(seed), 3)
    evidence = {"x1": 0.3, "x3": -1.2}

    found, log_densities = conditioned(joint, evidence, ("x2", "x0"))

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
    joint = joint_normal(random_regressions(0), 3)

    found, log_densities = conditioned(joint, {}, ("x3", "x1"))

    assert found.names == ("x3", "x1")
    np.testing.assert_array_equal(found.mean, joint.mean[:, [3, 1]])
    np.testing.assert_array_equal(found.covariance[:, 0, 1], joint.covariance[:, 3, 1])
    assert log_densities.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("copy", "agrees"), [(2.0, True), (2.5, False)])
def test_evidence_that_repeats_itself_counts_once_and_must_agree(copy, agrees):
    """b is a itself: a = 2 has the density of a standard normal there, whatever b adds."""
    covariance = np.array([[[1.0, 1.0, 0.5], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0]]])
    joint = Normal(("a", "b", "c"), np.zeros((1, 3)), covariance)

    found, log_density = conditioned(joint, {"a": 2.0, "b": copy}, ("c",))

    if not agrees:
        assert log_density[0] == -np.inf
        return
    assert found.mean[0, 0] == pytest.approx(1.0)
    assert found.covariance[0, 0, 0] == pytest.approx(0.75)
    # The one free direction, (a + b) / √2 in units of deviations, has variance 2.
    assert log_density[0] == pytest.approx(-0.5 * (np.log(2 * np.pi * 2.0) + 8.0 / 2.0))
