"""Ordered regressions make a Gaussian graphical model near the truth, whatever is taken of the posterior."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.regression.ordered.regressions import NodeData, VariancePrior, most_probable
from structlearn.learners.regression.regression_dag_gaussian import RegressionDAGGaussian
from structlearn.numerics.blas_threads import threads_for
from tests.oracles import precision as oracle


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


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


@pytest.mark.parametrize(("n_rows", "n_columns"), [(10, 40), (20, 60), (20, 100), (60, 60)])
def test_noise_of_few_rows_has_few_edges(n_rows, n_columns):
    for seed in range(3):
        noise = np.random.default_rng(seed).normal(size=(n_rows, n_columns))
        learner = RegressionDAGGaussian().fit(noise)

        assert len(learner.graph_.edges) <= 3 + n_columns / 10  # the bound of all searches
