"""Reachability and separation agree with their definitions."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.generators import random_dag
from structlearn.graphs.separation import d_separated_many, separated_many
from tests.oracles import graphs as oracle
from tests.strategies import dags, graphs, undirected_graphs

ASIA = Graph("ATSLBEXD", directed=["AT", "SL", "SB", "TE", "LE", "EX", "ED", "BD"])


def arrows_of(graph):
    return frozenset(map(tuple, graph.links.arrows.tolist()))


def lines_of(graph):
    return frozenset(frozenset(line) for line in graph.links.lines.tolist())


def digraph_of(graph):
    network = nx.DiGraph()
    network.add_nodes_from(graph.nodes)
    network.add_edges_from(graph.directed)
    return network


@st.composite
def questions(draw, graph_strategy):
    graph = draw(graph_strategy)
    x, y, *rest = draw(st.permutations(range(len(graph))))
    return graph, x, y, draw(st.lists(st.sampled_from(rest), unique=True)) if rest else []


@settings(deadline=None)
@given(questions(dags(min_nodes=2)))
def test_d_separation_is_every_path_blocked(question):
    graph, x, y, z = question
    names = graph.nodes

    answer = graph.d_separated(names[x], names[y], given=[names[i] for i in z])

    assert answer == oracle.d_separated(arrows_of(graph), x, y, z)
    assert d_separated_many(graph.links, [(x, y, *z, -1)]).tolist() == [answer]


@settings(deadline=None)
@given(questions(undirected_graphs(min_nodes=2)))
def test_separation_is_every_path_met(question):
    graph, x, y, z = question
    names = graph.nodes

    answer = graph.d_separated(names[x], names[y], given=[names[i] for i in z])

    assert answer == oracle.separated(lines_of(graph), x, y, z)
    assert separated_many(graph.links, [(x, y, *z, -1)]).tolist() == [answer]


@settings(deadline=None)
@given(dags(min_nodes=3, max_nodes=9), st.data())
def test_sets_are_d_separated_as_networkx_says(graph, data):
    roles = [data.draw(st.sampled_from("xyz-")) for _ in graph.nodes]
    x, y, z = ({n for n, role in zip(graph.nodes, roles, strict=True) if role == own} for own in "xyz")

    truth = nx.is_d_separator(digraph_of(graph), x, y, z) if x and y else True

    assert graph.d_separated(x, y, given=z) == truth


def test_a_batch_answers_each_row_by_itself():
    positions = [
        (x, y, z1, z2)
        for x, y in combinations(range(8), 2)
        for z1, z2 in combinations([-1, *(i for i in range(8) if i not in (x, y))], 2)
    ]

    answers = d_separated_many(ASIA.links, positions)

    arrows = arrows_of(ASIA)
    expected = [oracle.d_separated(arrows, x, y, {z1, z2} - {-1}) for x, y, z1, z2 in positions]
    assert answers.tolist() == expected
    assert 0 < sum(expected) < len(expected)


@pytest.mark.parametrize(
    ("x", "y", "z", "answer"),
    [
        ("A", "S", "", True),
        ("A", "S", "E", False),
        ("A", "S", "X", False),
        ("T", "L", "", True),
        ("T", "L", "D", False),
        ("A", "X", "T", True),
        ("S", "D", "BL", True),
        ("B", "E", "S", True),
        ("B", "E", "SD", False),
        ("X", "D", "E", True),
    ],
)
def test_asia_has_the_independences_of_its_arrows(x, y, z, answer):
    assert ASIA.d_separated(x, y, given=tuple(z)) is answer


@settings(deadline=None)
@given(dags(min_nodes=1, max_nodes=8))
def test_a_node_is_apart_from_its_other_non_descendants_given_its_parents(graph):
    for node in graph:
        parents = set(graph.parents(node))
        others = set(graph) - {node} - parents - set(graph.descendants(node))
        assert graph.d_separated(node, others, given=parents)


def test_nothing_is_connected_to_no_nodes():
    assert ASIA.d_separated([], "A")
    assert ASIA.d_separated("A", [], given="T")


def test_a_mixed_graph_answers_as_its_extension_does():
    mixed = Graph("abcd", directed=["ac", "bc"], undirected=["ad"])

    assert mixed.d_separated("d", "b")
    assert not mixed.d_separated("d", "b", given="c")


def test_d_separated_names_a_node_used_twice():
    with pytest.raises(DataError, match="'A'"):
        ASIA.d_separated("A", "S", given=["A"])


def test_a_cyclic_graph_has_no_d_separation():
    with pytest.raises(DataError, match="cycle"):
        Graph("ab", directed=["ab", "ba"]).d_separated("a", "b")


@pytest.mark.parametrize(
    ("node", "blanket"),
    [
        ("E", "TLBXD"),
        ("T", "ALE"),
        ("B", "SED"),
        ("S", "LB"),
        ("A", "T"),
        ("X", "E"),
        ("D", "BE"),
        ("L", "STE"),
    ],
)
def test_asia_has_the_blankets_of_its_families(node, blanket):
    assert set(ASIA.markov_blanket(node)) == set(blanket)


@settings(deadline=None)
@given(dags(min_nodes=1, max_nodes=7))
def test_the_blanket_is_the_smallest_shield(graph):
    for node in graph:
        blanket = set(graph.markov_blanket(node))
        assert graph.d_separated(node, set(graph) - blanket - {node}, given=blanket)
        assert not any(graph.d_separated(node, member, given=blanket - {member}) for member in blanket)


@given(graphs())
def test_the_moral_graph_joins_each_node_to_its_blanket(graph):
    moral = graph.moral()

    assert moral.is_undirected
    for node in graph:
        assert moral.neighbors(node) == graph.markov_blanket(node)


@given(dags())
def test_the_moral_graph_is_that_of_networkx(graph):
    expected = nx.moral_graph(digraph_of(graph))

    assert {frozenset(pair) for pair in graph.moral().undirected} == {frozenset(e) for e in expected.edges}


def test_blankets_are_in_the_order_of_the_nodes():
    names = [f"n{j}" for j in range(9)]  # a set of whole numbers has 8 before 1

    assert Graph(names, [("n8", "n0"), ("n1", "n0")]).markov_blanket("n0") == ("n1", "n8")


def test_moral_asia_marries_two_pairs():
    added = set(ASIA.moral().undirected) - set(ASIA.skeleton().undirected)

    assert len(ASIA.moral().edges) == 10
    assert {frozenset(pair) for pair in added} == {frozenset("TL"), frozenset("BE")}


@given(graphs())
def test_descendants_are_what_arrows_lead_to(graph):
    for i, node in enumerate(graph):
        below = oracle.descendants(arrows_of(graph), i)
        assert set(graph.descendants(node)) == {graph.nodes[j] for j in below}
        assert all((node in graph.ancestors(other)) == (other in graph.descendants(node)) for other in graph)


@given(graphs())
def test_an_order_exists_exactly_without_a_cycle(graph):
    if not oracle.is_acyclic(arrows_of(graph)):
        with pytest.raises(DataError, match="cycle"):
            graph.topological_order()
        return
    order = graph.topological_order()

    assert sorted(order) == sorted(graph.nodes)
    assert all(order.index(source) < order.index(target) for source, target in graph.directed)


@given(dags())
def test_the_order_takes_the_first_ready_node(graph):
    expected = nx.lexicographical_topological_sort(digraph_of(graph), key=graph.nodes.index)

    assert graph.topological_order() == tuple(expected)


def test_a_thousand_nodes_are_answered_like_networkx():
    graph = random_dag(1000, expected_degree=6, random_state=5)
    generator = np.random.default_rng(5)
    queries = np.array([generator.choice(1000, 5, replace=False) for _ in range(30)])
    network = digraph_of(graph)
    expected = [
        nx.is_d_separator(network, graph.nodes[x], graph.nodes[y], {graph.nodes[i] for i in z})
        for x, y, *z in queries.tolist()
    ]

    assert d_separated_many(graph.links, queries).tolist() == expected
    assert 0 < sum(expected) < 30
