"""Ordered regressions under a hierarchical prior: printed values, definitions, simulations."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.optimize import minimize

import structlearn as sl
from structlearn.learners.regression.ordered.column_orders import explained_last
from structlearn.learners.regression.ordered.regressions import (
    NodeData,
    VariancePrior,
    adaptive,
    coefficients_mode,
    most_probable,
    posterior_draws,
    precision_of,
)
from structlearn.learners.regression.regression_dag_gaussian import RegressionDAGGaussian
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


def test_the_best_explained_column_comes_last():
    for seed in range(5):
        correlation = oracle.random_correlation(seed, 6, 50)
        order = explained_last(correlation, n_rows=1e12)
        for end in range(5, 0, -1):
            left = order[: end + 1]
            unexplained = 1 / np.diag(np.linalg.inv(correlation[np.ix_(left, left)]))
            assert unexplained[end] == pytest.approx(unexplained.min(), abs=1e-9)


# The learner


def chain(p=6, strength=0.4):
    return np.eye(p) + strength * (np.eye(p, k=1) + np.eye(p, k=-1))


NAMES = ["e", "a", "d", "b", "c", "f"]


def chain_table(n_rows=500, seed=0):
    rows = oracle.draw(chain(), n_rows, seed) * [1, 5, 1, 0.2, 1, 1] + 3
    return dict(zip(NAMES, rows.T, strict=True))


CHAIN = sl.Graph(NAMES, undirected=list(itertools.pairwise(NAMES)))
SETTINGS = {
    "mode": {},
    "its own order": {"order": NAMES},
    "random orders": {"order": "random", "random_state": 0},
    "without a penalty": {"mode": "jeffreys", "threshold": 0.15},
    "draws": {"mode": "gibbs", "random_state": 0, "n_samples": 200, "burn_in": 50},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_way_finds_a_chain_and_a_precision_near_the_truth(name):
    learner = RegressionDAGGaussian(**SETTINGS[name]).fit(chain_table())

    assert learner.graph_ == CHAIN
    assert learner.graph_.nodes == tuple(NAMES)
    assert (np.linalg.eigvalsh(learner.precision_) > 0).all()
    strengths = [edge.weight for edge in learner.graph_.edges]
    assert np.mean(strengths) == pytest.approx(-0.4, abs=0.12)


def test_the_precision_is_that_of_the_regressions_in_the_order_of_the_columns():
    table = chain_table()
    learner = RegressionDAGGaussian(order=NAMES, penalty=100.0).fit(table)
    correlation = np.corrcoef(list(table.values()))

    assert learner.order_ == tuple(NAMES)
    assert not np.triu(learner.coefficients_).any()  # each depends on those before it only
    n = 500
    for place in range(6):
        prior = VariancePrior.of_place(place, penalty=100.0, degrees=3.0, scale=1.0)
        data = NodeData(
            n * correlation[:place, :place],
            n * correlation[:place, place],
            float(n),
            float(n),
            np.ones(place, dtype=bool),
        )
        expected = most_probable(data, prior)
        assert learner.coefficients_[place, :place] == pytest.approx(expected.coefficients, abs=1e-6)


def test_draws_are_kept_where_asked_for_and_reproduced():
    options = {"mode": "gibbs", "random_state": 1, "n_samples": 30, "burn_in": 5, "keep_samples": True}
    one, two = (RegressionDAGGaussian(**options).fit(chain_table()) for _ in range(2))

    assert one.samples_.shape == (30, 6, 6)
    assert (one.samples_ == two.samples_).all()
    np.testing.assert_allclose(one.samples_.mean(axis=0), one.precision_)
    scale = np.sqrt(np.diagonal(one.samples_, axis1=1, axis2=2))
    partial = np.abs(one.samples_[:, 0, 1] / (scale[:, 0] * scale[:, 1]))
    assert one.graph_.edge("e", "a").confidence == np.mean(partial > 0.1)


def test_a_refit_has_the_correlations_of_the_data_on_every_edge():
    table = chain_table()
    learner = RegressionDAGGaussian(refit=True).fit(table)
    correlation = np.corrcoef(list(table.values()))

    implied = np.linalg.inv(learner.precision_)
    assert np.diag(implied, k=1) == pytest.approx(np.diag(correlation, k=1), abs=1e-6)
    assert learner.precision_[0, 2] == 0.0


def test_the_criterion_takes_the_smallest_penalty_of_the_best_regressions():
    learner = RegressionDAGGaussian(order=NAMES).fit(chain_table())
    criterion = learner.trace_["criterion"]

    assert learner.penalty_ == learner.trace_["penalty"][np.flatnonzero(criterion == criterion.min())[-1]]
    assert learner.trace_["coefficients"][0] == 0


def test_more_columns_than_rows_are_fine_and_a_refit_that_is_not_is_warned_of():
    rows = np.random.default_rng(0).normal(size=(8, 12))

    assert np.isfinite(RegressionDAGGaussian().fit(rows).precision_).all()
    with pytest.warns(sl.DataWarning, match="too few rows to fit so many edges"):
        RegressionDAGGaussian(threshold=0.0, penalty=0.01, refit=True).fit(rows)


def test_an_order_that_is_not_one_of_the_columns_is_refused():
    with pytest.raises(sl.OptionError, match="each of the 6 columns is needed once"):
        RegressionDAGGaussian(order=["a", "b"]).fit(chain_table())


def test_forbidden_pairs_are_not_joined():
    both = sl.Knowledge(forbidden=[("e", "a"), ("a", "e")])
    learner = RegressionDAGGaussian(knowledge=both).fit(chain_table())

    assert learner.graph_.edge("e", "a") is None
    assert learner.coefficients_[0, 1] == learner.coefficients_[1, 0] == 0.0
