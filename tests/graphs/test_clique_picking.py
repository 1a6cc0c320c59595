"""The number of orientations of chordal graphs, and draws of them, beside brute force and known numbers.

The numbers are in docs/references/graphs.md#members-of-a-class.
"""

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import chisquare

import structlearn as sl
from structlearn.errors import DataError
from structlearn.graphs.clique_picking import n_orders
from tests.oracles import graphs as oracle
from tests.strategies import node_names, partially_directed_graphs


def lines(n_nodes, pairs):
    names = node_names(n_nodes)
    return sl.Graph(names, undirected=[(names[a], names[b]) for a, b in pairs])


def complete_but_one_edge(n_nodes):
    return lines(n_nodes, list(combinations(range(n_nodes), 2))[1:])


def strip(n_nodes):
    """Triangles in a row, each with an edge of the one before it."""
    return lines(n_nodes, [(i, j) for i in range(n_nodes) for j in (i + 1, i + 2) if j < n_nodes])


@pytest.mark.parametrize(
    ("graph", "n_members"),
    [
        (lines(7, [(i, i + 1) for i in range(6)]), 7),
        (lines(7, [(0, i) for i in range(1, 7)]), 7),
        (lines(6, combinations(range(6), 2)), 720),
        (complete_but_one_edge(4), 10),
        (complete_but_one_edge(5), 42),
        (complete_but_one_edge(10), 685_440),
        (lines(5, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)]), 20),
        (lines(6, [*combinations(range(4), 2), (2, 4), (3, 4), (2, 5), (3, 5), (4, 5)]), 88),
        (strip(6), 18),
        (strip(10), 34),
        (strip(20), 74),
        (lines(6, [(0, i) for i in range(1, 6)] + [(i, i + 1) for i in range(1, 5)]), 18),
        (lines(6, [(0, 1), (2, 3), (3, 4)]), 6),
    ],
    ids=str,
)
def test_known_graphs_have_as_many_members_as_is_known(graph, n_members):
    assert graph.n_members() == n_members


@pytest.mark.parametrize(
    ("n_nodes", "n_graphs", "n_members"), [(2, 1, 2), (3, 4, 15), (4, 35, 244), (5, 541, 7005)]
)
def test_the_connected_chordal_graphs_have_as_many_members_together_as_is_known(n_nodes, n_graphs, n_members):
    pairs = list(combinations(range(n_nodes), 2))
    found = []
    for chosen in product([False, True], repeat=len(pairs)):
        graph = lines(n_nodes, [pair for pair, is_there in zip(pairs, chosen, strict=True) if is_there])
        if is_connected(graph):
            found.append(graph.n_members())  # a graph that is not chordal has none
    assert (sum(n > 0 for n in found), sum(found)) == (n_graphs, n_members)


def is_connected(graph):
    reached, waiting = set(), [graph.nodes[0]]
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting.extend(graph.adjacent(node))
    return len(reached) == len(graph)


def test_the_classes_of_four_nodes_have_the_known_sizes():
    sizes = Counter(
        sl.Graph("abcd", directed=[("abcd"[a], "abcd"[b]) for a, b in dags[0]]).to_cpdag().n_members()
        for dags in oracle.equivalence_classes(4)
    )

    assert sizes == {1: 59, 2: 48, 3: 36, 4: 19, 6: 4, 8: 12, 10: 6, 24: 1}


def test_hundreds_of_nodes_are_counted_and_drawn():
    long = strip(200)  # 4 p - 6, as for 6, 10 and 20 nodes
    tree = lines(150, [(i, (i - 1) // 2) for i in range(1, 150)])

    assert long.n_members() == 794
    assert tree.n_members() == 150
    (drawn,) = long.sample_members(1, random_state=1)
    assert drawn.is_dag
    assert drawn.skeleton() == long
    assert drawn.v_structures() == ()


@pytest.mark.parametrize(
    "graph",
    [complete_but_one_edge(4), lines(5, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4)])],
    ids=["K4-", "triangles"],
)
def test_every_member_is_drawn_as_often_as_any_other(graph):
    n_draws = 2000
    drawn = Counter(member.directed for member in graph.sample_members(n_draws, random_state=0))

    assert set(drawn) == {member.directed for member in graph.members()}
    assert chisquare(list(drawn.values())).pvalue > 0.001


@pytest.mark.slow
def test_ten_thousand_draws_of_the_ten_orientations_are_even():
    drawn = Counter(m.directed for m in complete_but_one_edge(4).sample_members(10_000, random_state=1))

    assert len(drawn) == 10
    assert chisquare(list(drawn.values())).pvalue > 0.001


def test_known_arrows_are_kept_and_members_drawn_alike():
    names = "abcd"
    graph = sl.Graph(names, directed=["ab"], undirected=["bc", "cd", "bd", "ac"])
    drawn = Counter(member.directed for member in graph.sample_members(600, random_state=0))

    assert set(drawn) == {member.directed for member in graph.members()}
    assert chisquare(list(drawn.values())).pvalue > 0.001


@settings(deadline=None, max_examples=40)
@given(partially_directed_graphs(max_nodes=5))
def test_what_is_drawn_is_a_member_and_nothing_where_there_are_none(graph):
    every = {member.directed for member in graph.members()}
    drawn = graph.sample_members(2, random_state=0)

    assert len(drawn) == (2 if every else 0)
    assert {member.directed for member in drawn} <= every


def test_the_same_seed_draws_the_same_members():
    graph = complete_but_one_edge(6)

    assert graph.sample_members(5, random_state=3) == graph.sample_members(5, random_state=3)


def test_orders_that_begin_with_no_nested_set_are_counted():
    for size, prefixes in [(3, (1,)), (4, (1, 2)), (5, (2, 3)), (4, ())]:
        orders = np.array(list(permutations(range(size))))
        begins = [(np.sort(orders[:, :p], axis=1) == np.arange(p)).all(axis=1) for p in prefixes]
        is_out = np.logical_or.reduce(begins) if begins else np.zeros(len(orders), dtype=bool)
        assert n_orders(size, prefixes) == (~is_out).sum()


def test_graphs_with_hidden_causes_have_no_members_to_draw():
    with pytest.raises(DataError, match="Only arrows and lines"):
        sl.Graph("ab", edges=["a <-> b"]).sample_members(1)
