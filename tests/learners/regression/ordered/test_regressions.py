"""Regressions of an order under their prior: printed modes and means, and the density itself."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.optimize import minimize

from structlearn.learners.regression.ordered.regressions import (
    NodeData,
    VariancePrior,
    adaptive,
    coefficients_mode,
    most_probable,
    posterior_draws,
    precision_of,
)
from structlearn.numerics.blas_threads import threads_for
from tests.oracles import precision as oracle

# From docs/references/regression.md#regression-in-an-order: one regressor.
ONE = NodeData(np.array([[5.0]]), np.array([7.0]), total=10.0, n_rows=4.0, is_allowed=np.ones(1, dtype=bool))
PRIOR = VariancePrior(penalty=4.0, shape=2.0, rate=0.5)


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


def log_posterior(data, prior, coefficients, variance):
    """Likelihood, Laplace prior of the coefficients, Gamma prior of 1/ψ as a density of ψ."""
    residual = data.total - 2 * data.target @ coefficients + coefficients @ data.gram @ coefficients
    likelihood = -0.5 * data.n_rows * math.log(variance) - 0.5 * residual / variance
    laplace = 0.5 * len(coefficients) * math.log(prior.penalty / variance)
    laplace -= math.sqrt(prior.penalty / variance) * np.abs(coefficients).sum()
    return likelihood + laplace - (prior.shape + 1) * math.log(variance) - prior.rate / variance


def test_one_regressor_has_the_printed_mode():
    fit = most_probable(ONE, PRIOR)

    assert fit.coefficients[0] == pytest.approx(1.2075060, abs=1e-7)
    assert fit.variance == pytest.approx(0.2315871, abs=1e-7)
    assert log_posterior(ONE, PRIOR, fit.coefficients, fit.variance) == pytest.approx(0.7293616, abs=1e-7)
    assert coefficients_mode(ONE, PRIOR, 0.25, np.zeros(1))[0] == pytest.approx(1.2, abs=1e-9)


def test_the_adaptive_mode_is_the_printed_fixed_point_or_zero():
    assert adaptive(ONE, variance=0.25).coefficients[0] == pytest.approx(1.3633249581, abs=1e-9)
    assert adaptive(ONE, variance=3.0).coefficients[0] == 0.0  # 7² < 4 · 5 · 3


def test_the_means_of_draws_are_those_of_the_printed_posterior():
    draws = itertools.islice(posterior_draws(ONE, PRIOR, np.random.default_rng(0)), 500, 8_500)
    values = np.array([(draw.coefficients[0], draw.variance) for draw in draws])
    batches = values.reshape(80, 100, 2).mean(axis=1)
    error = batches.std(axis=0, ddof=1) / np.sqrt(80)

    assert (np.abs(values.mean(axis=0) - [1.1326695, 0.5118737]) < 4 * error).all()
    assert (error < 0.02).all()


def test_the_printed_means_are_those_of_the_density():
    def moment(power):
        value, _ = integrate.dblquad(
            lambda v, b: (b, v)[power] * math.exp(log_posterior(ONE, PRIOR, np.array([b]), v)),
            *(-1.0, 3.0, 0.02, 12.0),
            epsabs=1e-6,
        )
        return value

    whole, _ = integrate.dblquad(
        lambda v, b: math.exp(log_posterior(ONE, PRIOR, np.array([b]), v)), -1.0, 3.0, 0.02, 12.0, epsabs=1e-6
    )
    assert moment(0) / whole == pytest.approx(1.1326695, abs=2e-3)
    assert moment(1) / whole == pytest.approx(0.5118737, abs=2e-3)


def random_node(seed, k, n_rows):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(n_rows, k))
    y = columns @ (rng.normal(size=k) * (rng.random(k) < 0.5)) + rng.normal(size=n_rows)
    return NodeData(columns.T @ columns, columns.T @ y, float(y @ y), float(n_rows), np.ones(k, dtype=bool))


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(3, 30), st.floats(0.1, 50.0))
def test_no_other_point_is_more_probable_than_the_mode(seed, k, n_rows, penalty):
    data, prior = random_node(seed, k, n_rows), VariancePrior(penalty, 2.0, 0.5)
    fit = most_probable(data, prior)
    best = log_posterior(data, prior, fit.coefficients, fit.variance)

    def loss(point):
        return -log_posterior(data, prior, point[:-1], math.exp(point[-1]))

    start = np.append(np.linalg.lstsq(data.gram, data.target, rcond=None)[0], 0.0)
    other = minimize(loss, start, method="Nelder-Mead", options={"maxiter": 4000, "fatol": 1e-10})
    assert best >= -other.fun - 1e-6


def test_columns_that_may_not_enter_do_not():
    data = random_node(0, 4, 50)
    kept = np.array([True, False, True, False])
    some = NodeData(data.gram, data.target, data.total, data.n_rows, kept)
    alone = NodeData(data.gram[::2, ::2].copy(), data.target[::2], data.total, data.n_rows, kept[::2])

    for fit_of in (lambda node: most_probable(node, PRIOR), adaptive):
        fit, expected = fit_of(some), fit_of(alone)
        assert not fit.coefficients[~kept].any()
        assert fit.coefficients[kept] == pytest.approx(expected.coefficients)
        assert fit.variance == pytest.approx(expected.variance)


@pytest.mark.parametrize("seed", range(3))
def test_without_a_prior_the_precision_is_the_inverse_whatever_the_order(seed):
    # From docs/references/regression.md#regression-in-an-order: λ → 0, ψ = RSS / n.
    p = 6
    covariance = oracle.random_correlation(seed, p, 40)
    order = np.random.default_rng(seed).permutation(p)
    coefficients, variances = np.zeros((p, p)), np.zeros(p)
    for place, column in enumerate(order):
        before = order[:place]
        slopes = np.linalg.solve(covariance[np.ix_(before, before)], covariance[before, column])
        coefficients[column, before] = slopes
        variances[column] = covariance[column, column] - slopes @ covariance[before, column]

    found = precision_of(coefficients, variances)

    np.testing.assert_allclose(found, np.linalg.inv(covariance), atol=1e-8)
