"""Tail probabilities agree with scipy, and their logarithms go on where the probabilities end."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from structlearn.independence import tails


@settings(deadline=None)
@given(statistic=st.floats(0, 500), dof=st.floats(0.5, 300))
def test_tails_are_those_of_scipy(statistic, dof):
    x, k = np.array([statistic]), np.array([dof])

    assert tails.chi2_tail(x, k)[0] == pytest.approx(stats.chi2.sf(statistic, dof), rel=1e-9)
    assert tails.t_tails(x, k)[0] == pytest.approx(2 * stats.t.sf(statistic, dof), rel=1e-9)
    assert tails.normal_tails(x)[0] == pytest.approx(2 * stats.norm.sf(statistic), rel=1e-9)
    if stats.chi2.sf(statistic, dof) > 1e-280:
        assert tails.log_chi2_tail(x, k)[0] == pytest.approx(stats.chi2.logsf(statistic, dof), abs=1e-9)
    if stats.t.sf(statistic, dof) > 1e-280:
        assert tails.log_t_tails(x, k)[0] == pytest.approx(
            np.log(2) + stats.t.logsf(statistic, dof), abs=1e-9
        )


def log_tail_by_quadrature(log_density, start, width):
    """The logarithm of the integral of a density from `start`, relative to its value there."""
    area = integrate.quad(lambda u: np.exp(log_density(start + u) - log_density(start)), 0, width, limit=500)
    return log_density(start) + np.log(area[0])


@pytest.mark.parametrize("dof", [1, 2, 3.5, 40, 1000])
@pytest.mark.parametrize("statistic", [5e3, 1e5])
def test_logarithms_of_tiny_chi2_tails_are_those_of_the_integrated_density(dof, statistic):
    expected = log_tail_by_quadrature(lambda u: stats.chi2.logpdf(u, dof), statistic, 200)

    found = tails.log_chi2_tail(np.array([statistic]), np.array([float(dof)]))[0]

    assert stats.chi2.sf(statistic, dof) == 0.0
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("dof", [200, 5000, 10**7])
def test_logarithms_of_tiny_t_tails_are_those_of_the_integrated_density(dof):
    statistic = {200: 1e3, 5000: 60.0, 10**7: 45.0}[dof]
    expected = log_tail_by_quadrature(lambda u: stats.t.logpdf(u, dof), statistic, statistic)

    found = tails.log_t_tails(np.array([statistic]), np.array([float(dof)]))[0]

    assert found < -650
    assert found == pytest.approx(expected + np.log(2), rel=1e-9)


def test_two_degrees_of_freedom_have_an_exponential_tail_and_one_a_normal_one():
    x = np.array([10.0, 1e3, 1e6])

    np.testing.assert_allclose(tails.log_chi2_tail(x, np.full(3, 2.0)), -x / 2)
    np.testing.assert_allclose(tails.log_chi2_tail(x, np.ones(3)), tails.log_normal_tails(np.sqrt(x)))


def test_nothing_to_test_has_probability_one():
    zero = np.zeros(1)

    assert tails.chi2_tail(zero, zero) == tails.t_tails(zero, zero) == 1.0
    assert tails.log_chi2_tail(zero, zero) == tails.log_t_tails(zero, zero) == 0.0


@pytest.mark.parametrize("shape", [0.5, 3.0, 20.0, 150.0])
@pytest.mark.parametrize("times", [1.5, 2.0, 4.0])
def test_the_fraction_of_chi2_is_the_incomplete_gamma_function_where_that_is_a_float(shape, times):
    x = times * shape + 1.0

    found = tails._log_upper_gamma(np.array([shape]), np.array([x]))

    assert found[0] == pytest.approx(np.log(special.gammaincc(shape, x)), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("a", [0.5, 3.0, 20.0, 150.0])
@pytest.mark.parametrize("odds", [0.8, 2.0, 30.0])
def test_the_fraction_of_t_is_the_incomplete_beta_function_where_that_is_a_float(a, odds):
    found = tails._log_lower_beta(np.array([a]), np.array([odds]))

    expected = np.log(special.betainc(a, 0.5, 1 / (1 + odds)))
    assert found[0] == pytest.approx(expected, rel=1e-11, abs=1e-12)
