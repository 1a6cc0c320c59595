"""Grow-shrink trees and the moves of nodes in an order agree with their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.order.growing.grow_trees import GrowTrees
from structlearn.learners.order.growing.grown_order import GrownOrder
from structlearn.learners.order.kernels.placing import totals_by_place
from structlearn.run import Run
from tests.oracles import orders as oracle
from tests.search.spaces import space_of

SEEDS = st.integers(0, 10_000)


class RandomScore:
    """A score without structure: each family has a random number, more parents cost more."""

    def __init__(self, seed):
        self.seed = seed

    def of(self, child, parents):
        rng = np.random.default_rng([self.seed, child, *(1 + p for p in sorted(parents))])
        return float(rng.normal()) - 0.4 * len(parents)

    def local(self, statistics, families):  # noqa: ARG002, the protocol passes it
        return np.array([self.of(int(row[0]), [int(p) for p in row[1:]]) for row in families])


def planted(seed, n_nodes, knowledge=None, max_parents=None):
    names = tuple(f"n{i}" for i in range(n_nodes))
    data = sl.Dataset({name: [0, 1] for name in names}, kinds=dict.fromkeys(names, "discrete"))
    score = RandomScore(seed)
    return GrowTrees(space_of(data, score, knowledge=knowledge, max_parents=max_parents)), score.of


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, order=st.permutations(range(6)))
def test_every_node_has_the_parents_that_grow_and_shrink_from_those_before_it(seed, order):
    trees, local = planted(seed, 6)

    parents = GrownOrder(trees, np.array(order)).parents()

    for place, child in enumerate(order):
        assert parents[child] == oracle.grown_parents(local, child, order[:place])


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, order=st.permutations(range(6)))
def test_the_score_is_that_of_the_families(seed, order):
    trees, local = planted(seed, 6)

    grown = GrownOrder(trees, np.array(order))

    assert grown.score == pytest.approx(oracle.score_of_order(local, order), abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(5)), node=st.integers(0, 4))
def test_each_place_of_a_node_scores_as_the_order_it_makes(seed, order, node):
    trees, local = planted(seed, 5)
    grown = GrownOrder(trees, np.array(order))
    totals, wanted = np.empty(5), np.empty(15, dtype=np.int64)
    state = grown.order, grown.position, grown.grown, node, totals, wanted
    while n_wanted := totals_by_place(trees.trees, *state, 0):
        trees.find(wanted[:n_wanted])

    rest = [other for other in order if other != node]
    for place in range(5):
        made = [*rest[:place], node, *rest[place:]]
        assert totals[place] == pytest.approx(oracle.score_of_order(local, made), abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(5)))
def test_no_node_of_a_settled_order_has_a_better_place(seed, order):
    trees, local = planted(seed, 5)
    grown = GrownOrder(trees, np.array(order))
    before = -np.inf
    with Run("test") as run:
        while grown.score > before:
            before = grown.score
            grown.settle(np.arange(5), np.random.default_rng(0), run)

    settled = grown.order.tolist()
    for node in settled:
        rest = [other for other in settled if other != node]
        for place in range(5):
            made = [*rest[:place], node, *rest[place:]]
            assert oracle.score_of_order(local, made) <= grown.score + 1e-9


def test_parents_never_exceed_the_limit():
    trees, _ = planted(3, 6, max_parents=1)

    assert max(map(len, GrownOrder(trees, np.arange(6)).parents())) == 1


def test_required_parents_stay_and_forbidden_ones_stay_away():
    knowledge = sl.Knowledge(required=[("n0", "n5")], forbidden=[("n1", "n5"), ("n2", "n5")])
    trees, _ = planted(3, 6, knowledge)

    parents = GrownOrder(trees, np.arange(6)).parents()[5]

    assert 0 in parents
    assert not {1, 2} & set(parents)


def test_trees_outgrow_their_first_arrays():
    trees, local = planted(11, 8)
    rng = np.random.default_rng(0)
    for _ in range(200):
        order = rng.permutation(8)
        assert GrownOrder(trees, order).score == pytest.approx(oracle.score_of_order(local, order.tolist()))
    assert len(trees.trees.first) > 4 * 8


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, order=st.permutations(range(6)))
def test_an_order_never_scores_less_than_a_dag_that_it_keeps(seed, order):
    trees, local = planted(seed, 6)
    rng = np.random.default_rng(seed)
    parents = [()] * 6
    for place, child in enumerate(order):
        size = rng.integers(0, min(place, 3) + 1)
        parents[child] = tuple(rng.choice(order[:place], size, replace=False).tolist()) if place else ()
    trees.keep(parents)

    kept = sum(local(child, members) for child, members in enumerate(parents) if len(members) > 1)
    grown = GrownOrder(trees, np.array(order))

    others = [child for child in range(6) if len(parents[child]) <= 1]
    rest = sum(local(child, grown.parents()[child]) for child in others)
    assert grown.score >= kept + rest - 1e-9
    assert grown.score == pytest.approx(
        sum(local(child, members) for child, members in enumerate(grown.parents()))
    )


class OneWay:
    """A score that is not equivalent: the last column helps the first only beside the second.

    The second and the last depend on each other in the stated direction alone, (child, parent).
    """

    def __init__(self, link):
        self.link = link

    def local(self, statistics, families):
        last = len(statistics.names) - 1
        return np.array([self.of(int(row[0]), set(row[1:].tolist()), last) for row in families])

    def of(self, child, parents, last):
        if child == 0:
            together = 10.0 if {1, last} <= parents else -5.0 * (last in parents)
            return together + (1 in parents) - len(parents - {1, last})
        if (child, *parents) == self.link:
            return 0.5
        return -1.0 * len(parents)


@pytest.mark.parametrize(
    ("link", "expected"), [((1, 23), (1, 23)), ((23, 1), (1, 23)), ((5, 6), (1,))], ids=["to", "from", "none"]
)
def test_among_many_columns_a_parent_is_tried_that_depends_in_either_direction_on_one_it_joins(
    link, expected
):
    names = [f"n{i:02}" for i in range(24)]  # more than the twenty best, which the last is none of
    data = sl.Dataset({name: [0, 1] for name in names}, kinds=dict.fromkeys(names, "discrete"))

    grown = GrownOrder(GrowTrees(space_of(data, OneWay(link))), np.array([*range(1, 24), 0]))

    assert grown.parents()[0] == expected
