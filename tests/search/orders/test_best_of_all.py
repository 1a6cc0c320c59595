"""The best DAG of all orders is that of enumeration, within limits."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.search.kernels.last_nodes import write_last
from structlearn.search.limits import Limits
from structlearn.search.orders.best_of_all import best_arcs

NAMES = ("a", "b", "c", "d")
LIMITS = {
    "none": Limits.of(NAMES, Knowledge(), None),
    "two parents": Limits.of(NAMES, Knowledge(), 2),
    "no parents": Limits.of(NAMES, Knowledge(), 0),
    "known": Limits.of(NAMES, Knowledge(required=[("d", "a")], forbidden=[("b", "c")]), None),
}


def best_of_orders(scores, limits):
    """The largest score along any order, each node with its best parents of those before it."""
    best = -math.inf
    for order in itertools.permutations(range(4)):
        total = 0.0
        for place, node in enumerate(order):
            sets = [
                parents
                for size in range(min(place, limits.max_parents) + 1)
                for parents in itertools.combinations(order[:place], size)
                if not limits.closed[node, list(parents)].any()
                and set(np.flatnonzero(limits.frozen[node])) <= set(parents)
            ]
            total += max((scores[node, sum(1 << p for p in parents)] for parents in sets), default=-math.inf)
        best = max(best, total)
    return best


@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS.keys())
@pytest.mark.parametrize("seed", range(5))
def test_no_order_has_a_better_dag(seed, limits):
    scores = np.random.default_rng(seed).normal(size=(4, 16))
    arcs = best_arcs(scores, limits)

    assert sum(scores[v, arcs[v] @ (1 << np.arange(4))] for v in range(4)) == pytest.approx(
        best_of_orders(scores, limits)
    )
    assert sl.Graph(NAMES, directed=[(NAMES[u], NAMES[v]) for v, u in np.argwhere(arcs)]).is_dag
    assert not (arcs & limits.closed).any()
    assert (arcs | ~limits.frozen).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_total_of_a_set_is_that_of_its_best_order_which_ends_with_the_last_node(seed):
    scores = np.random.default_rng(seed).integers(-3, 0, size=(4, 16)).astype(float)
    totals, last = np.empty(17), np.empty(16, dtype=np.int64)
    write_last(scores.copy(), totals, last)

    def with_best_parents(node, others):
        return max(scores[node, parents] for parents in range(16) if parents & ~others == 0)

    for some in range(1, 16):
        ends = {
            node: totals[some ^ 1 << node] + with_best_parents(node, some ^ 1 << node)
            for node in range(4)
            if some >> node & 1
        }
        assert totals[some] == max(ends.values())
        assert last[some] == min(node for node, end in ends.items() if end == totals[some])


@pytest.mark.parametrize("max_parents", [0, 1])
def test_what_is_required_is_kept_beyond_the_most_parents_and_though_it_cannot_be_scored(max_parents):
    limits = Limits.of(NAMES, Knowledge(required=[("b", "a"), ("c", "a")]), max_parents)
    scores = np.random.default_rng(0).normal(size=(4, 16))
    for of_required in (1.0, -math.inf):
        scores[0, 0b0110] = of_required

        assert (best_arcs(scores, limits)[0] == limits.frozen[0]).all()


def test_of_parents_that_tie_the_fewer_are_taken():
    assert not best_arcs(np.full((4, 16), -1.0), LIMITS["none"]).any()


def test_of_dags_that_tie_but_for_rounding_the_same_is_taken():
    """All DAGs of four nodes with some arcs between them score the same, up to a hair."""
    n_free = np.bitwise_count(np.arange(16)).astype(float)
    first = best_arcs(np.tile(np.minimum(n_free, 1.0), (4, 1)), LIMITS["none"])
    for seed in range(20):
        hairs = 1e-11 * np.random.default_rng(seed).normal(size=(4, 16))

        found = best_arcs(np.minimum(n_free, 1.0) + hairs, LIMITS["none"])

        np.testing.assert_array_equal(found, first)
