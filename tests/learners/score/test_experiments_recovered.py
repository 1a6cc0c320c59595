"""Greedy search among interventional classes: the best of all DAGs, and the classes of random designs."""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.models import LinearGaussianCPD
from tests.oracles import graphs as oracle

NAMES = tuple("abcd")


def random_network(rng, names, n_arcs):
    """A linear Gaussian network with slopes between 0.5 and 1 of either sign, and variances of 1."""
    order = rng.permutation(names).tolist()
    pairs = [(order[i], order[j]) for i, j in combinations(range(len(order)), 2)]
    arrows = [pairs[k] for k in rng.choice(len(pairs), size=n_arcs, replace=False)]
    graph = sl.Graph(names, directed=arrows)
    slopes = {pair: rng.uniform(0.5, 1.0) * rng.choice([-1, 1]) for pair in arrows}
    cpds = {
        node: LinearGaussianCPD(0.0, {p: slopes[p, node] for p in graph.parents(node)}, variance=1.0)
        for node in names
    }
    return sl.BayesianNetwork(graph, cpds)


def rows_of_design(model, rng, targets, n):
    """As many rows of the model as of each experiment, in which nodes are set at random."""
    acted = [sl.Experiment(n, do={node: rng.normal(size=n) for node in nodes}) for nodes in targets]
    return sl.sample(model, [n, *acted], random_state=rng)


def local_bic(table, rows, child, parents):
    n = rows.sum()
    design = np.column_stack([np.ones(n), *(table[parent][rows] for parent in parents)])
    left = table[child][rows] - design @ np.linalg.lstsq(design, table[child][rows], rcond=None)[0]
    likelihood = -n / 2 * (np.log(2 * np.pi * np.mean(left**2)) + 1)
    return likelihood - (len(parents) + 2) / 2 * np.log(n)


def best_of_all_dags(data):
    """The best score of the 543 DAGs of four nodes, each family on the rows that did not set its child."""
    table = data.to_dict()
    local = {}
    for child in NAMES:
        others = [name for name in NAMES if name != child]
        rows = table["targets"] != child
        for size in range(4):
            for parents in combinations(others, size):
                local[child, frozenset(parents)] = local_bic(table, rows, child, parents)
    return max(
        sum(local[child, frozenset(NAMES[a] for a, b in dag if b == i)] for i, child in enumerate(NAMES))
        for dag in oracle.all_dags(4)
    )


def share_that_is_best(seeds, n):
    n_best = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        data = rows_of_design(random_network(rng, NAMES, rng.integers(2, 6)), rng, [("a",)], n)
        found, best = (
            sl.GreedyEquivalence(targets="targets", score="bic").fit(data).score_,
            best_of_all_dags(data),
        )
        assert found <= best + 1e-6
        n_best += found == pytest.approx(best, abs=1e-6)
    return n_best / len(seeds)


def test_the_score_is_at_most_that_of_the_best_of_all_dags_and_mostly_that():
    assert share_that_is_best(range(10, 20), n=100) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 1000])
def test_the_score_is_that_of_the_best_of_all_dags_in_nine_runs_of_ten(n):
    assert share_that_is_best(range(40), n) >= 0.9


def recovered(seeds, n):
    """How often the class found is that of the network, and how many of its edges experiments direct."""
    n_right, n_told = 0, 0
    names = tuple("abcdefgh")
    for seed in seeds:
        rng = np.random.default_rng(seed)
        model = random_network(rng, names, 9)
        targets = [("a",), ("b", "c"), ("d",)]
        found = sl.GreedyEquivalence(targets="targets", score="bic").fit(
            rows_of_design(model, rng, targets, n)
        )
        truth = model.graph.to_cpdag(targets=targets)
        n_right += found.graph_ == truth
        n_told += len(truth.directed) - len(model.graph.to_cpdag().directed)
    return n_right / len(seeds), n_told


def test_the_class_of_a_random_design_is_found():
    share, n_told = recovered(range(5), n=5000)

    assert share >= 0.6
    assert n_told > 5


@pytest.mark.slow
def test_the_classes_of_random_designs_are_found_four_times_in_five():
    assert recovered(range(40), n=20_000)[0] >= 0.8
