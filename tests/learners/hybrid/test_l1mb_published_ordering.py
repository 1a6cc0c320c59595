"""Pruning by L1MB keeps more of the truth than other pruning, as its authors report.

Schmidt, Niculescu-Mizil and Murphy (2007) compare it with max-min tests and with the candidates of Sparse
Candidate, on structures of published networks with logistic distributions.
"""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

import structlearn as sl
from benchmarks.pruning import (
    PRUNINGS,
    description_length,
    every_pruning,
    logistic_rows,
    most_correlated,
    pruned,
)
from structlearn.statistics import from_dataset

FORK = sl.Graph(["a", "b", "c"], directed=[("a", "b"), ("a", "c"), ("b", "c")])


@pytest.mark.parametrize("family", [[0], [1, 0], [2, 0, 1]])
def test_a_description_is_what_a_general_optimiser_finds(family):
    data = logistic_rows(FORK, 300, seed=1)
    signs = 2.0 * np.column_stack([data.column(name).codes for name in FORK.nodes]) - 1.0
    own, others = signs[:, family[0]], signs[:, family[1:]]

    def loss(weights):
        return np.logaddexp(0.0, -own * (weights[0] + others @ weights[1:])).sum()

    expected = minimize(loss, np.zeros(len(family))).fun + 0.5 * len(family) * np.log(300)
    assert description_length(from_dataset(data), family) == pytest.approx(expected, rel=1e-6)


def test_rows_follow_a_logistic_regression_on_the_parents():
    data = logistic_rows(sl.Graph(["a", "b"], directed=[("a", "b")]), 200_000, seed=0)
    rng = np.random.default_rng(0)
    rng.random(200_000)  # those of a
    weight = rng.choice([-1.0, 1.0]) + rng.normal() / 4.0
    a, b = (2.0 * data.column(name).codes - 1.0 for name in data.names)

    assert (b[a == 1.0] == 1.0).mean() == pytest.approx(expit(weight), abs=0.01)
    assert (b[a == -1.0] == 1.0).mean() == pytest.approx(expit(-weight), abs=0.01)


def test_candidates_are_the_most_correlated_of_either_column():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 500)
    near, far = (a ^ (rng.random(500) < noise) for noise in (0.05, 0.3))
    data = sl.Dataset(
        {"a": a, "near": near, "far": far}, kinds=dict.fromkeys(("a", "near", "far"), "discrete")
    )

    assert set(most_correlated(data, 1).undirected) == {("a", "near"), ("a", "far")}
    assert len(most_correlated(data, 10).undirected) == 3


def test_a_pruning_is_compared_with_the_truth():
    data = logistic_rows(FORK, 300, seed=1)
    lengths = {}
    for name, kept, missed in (("all", FORK.skeleton(), 0), ("none", sl.Graph(FORK.nodes), 3)):
        found = pruned(data, FORK, lambda _, kept=kept: kept)
        assert (found.n_missed, found.n_extra) == (missed, 0)
        lengths[name] = found.length

    alone = sum(description_length(from_dataset(data), [column]) for column in range(3))
    assert lengths["none"] == pytest.approx(alone)
    assert lengths["all"] < alone


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("network", ["alarm", "insurance"])
def test_pruning_by_l1mb_misses_least_and_leads_to_the_shortest_description(network):
    found = dict(every_pruning(network, n_rows=5_000, n_seeds=5))
    missed, extra, length = (
        {name: np.mean([getattr(one, what) for one in ones]) for name, ones in found.items()}
        for what in ("n_missed", "n_extra", "length")
    )

    five, ten = "the 5 most correlated", "the 10 most correlated"
    assert missed["L1MB"] < min(missed["MMPC, level 0.05"], missed["MMPC, level 0.1"], missed[five])
    assert missed["L1MB"] <= missed[ten]
    assert extra["L1MB"] < extra[five] < extra[ten]
    assert length["L1MB"] == min(length[name] for name in PRUNINGS)
