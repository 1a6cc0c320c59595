"""The weights of families, summed over all orders, are those of the definition."""

import itertools
import math

import numpy as np
import pytest

from structlearn.learners.order.exact.family_posterior import FamilyPosterior
from structlearn.learners.order.exact.order_sums import OrderSums, bytes_needed
from structlearn.run import Run
from structlearn.search.parent_sets import ScoredSets
from tests.oracles import order_posterior as oracle


def random_weights(seed, n_nodes):
    """A log weight for every family, but some are impossible."""
    rng = np.random.default_rng(seed)
    weights = {}
    for child in range(n_nodes):
        others = [node for node in range(n_nodes) if node != child]
        for size in range(n_nodes):
            for parents in itertools.combinations(others, size):
                if not size or rng.random() < 0.8:
                    weights[child, parents] = float(rng.normal(scale=3.0) - 40.0)
    return weights


def scored_sets(weights, child, n_nodes):
    found = {parents: weight for (node, parents), weight in weights.items() if node == child}
    members = np.full((len(found), n_nodes - 1), -1, dtype=np.int64)
    for row, parents in zip(members, found, strict=True):
        row[: len(parents)] = parents
    return ScoredSets.of(members, np.array(list(found.values())))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("seed", "n_nodes"), [(0, 3), (1, 4), (2, 5)])
def test_families_have_the_probability_that_all_orders_give_them(seed, n_nodes, n_jobs):
    weights = random_weights(seed, n_nodes)
    sets = [scored_sets(weights, child, n_nodes) for child in range(n_nodes)]
    with Run("test") as run:
        sums = OrderSums(sets, run, n_jobs)
        probabilities = sums.probabilities()

    log_total, arcs = oracle.by_orders(weights, n_nodes)
    assert sums.total == pytest.approx(log_total)
    posterior = FamilyPosterior(sets, probabilities, sums.total)
    for (u, v), share in arcs.items():
        assert posterior.arcs()[u, v] == pytest.approx(share, abs=1e-12)
    for shares in probabilities:
        assert math.fsum(shares) == pytest.approx(1.0)


def test_likely_sets_are_listed_from_the_most_probable_down_without_the_negligible():
    sets = [
        ScoredSets.of(np.array([[-1], [1]]), np.array([0.0, -1.0])),
        ScoredSets.of(np.array([[-1], [0]]), np.zeros(2)),
    ]
    posterior = FamilyPosterior(sets, [np.array([0.25, 0.75]), np.array([0.9995, 0.0005])], 0.0)

    found = posterior.likely_sets(("a", "b"))

    assert list(found["a"].items()) == [(("b",), 0.75), ((), 0.25)]
    assert found["b"] == {(): 0.9995}


def test_memory_doubles_and_a_bit_more_with_every_column():
    # 8 bytes: n tables of half the subsets, and two of all.
    assert bytes_needed(4) == 8 * (4 * 8 + 2 * 16)
    assert bytes_needed(20) > 2 * bytes_needed(19)
