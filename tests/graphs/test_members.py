"""Members are just the DAGs that brute force finds, each once."""

from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.graphs import Edge, Graph
from structlearn.graphs.generators import random_dag
from structlearn.graphs.members import Summary
from tests.oracles import graphs as oracle
from tests.strategies import dags, graphs, node_names, partially_directed_graphs

ASIA = Graph("ATSLBEXD", directed=["AT", "SL", "SB", "TE", "LE", "EX", "ED", "BD"])


def by_position(graph):
    place = {name: i for i, name in enumerate(graph.nodes)}
    arrows = frozenset((place[a], place[b]) for a, b in graph.directed)
    return arrows, frozenset(frozenset((place[a], place[b])) for a, b in graph.undirected)


def complete(n_nodes):
    names = node_names(n_nodes)
    return Graph(names, undirected=[(a, b) for i, a in enumerate(names) for b in names[:i]])


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 4])
def test_the_members_of_every_small_class_are_its_dags(n_nodes):
    for dags_of_class in oracle.equivalence_classes(n_nodes):
        names = node_names(n_nodes)
        any_dag = Graph(names, directed=[(names[a], names[b]) for a, b in dags_of_class[0]])
        found = [by_position(member)[0] for member in any_dag.to_cpdag().members()]

        assert len(found) == len(set(found)) == any_dag.to_cpdag().n_members()
        assert set(found) == set(dags_of_class)


@pytest.mark.slow
def test_the_sizes_of_all_five_node_classes_are_those_of_brute_force():
    names = node_names(5)
    for dags_of_class in oracle.equivalence_classes(5):
        any_dag = Graph(names, directed=[(names[a], names[b]) for a, b in dags_of_class[0]])
        assert any_dag.to_cpdag().n_members() == len(dags_of_class)


@settings(deadline=None)
@given(partially_directed_graphs(max_nodes=5))
def test_known_arrows_are_kept_and_nothing_else_is_added(graph):
    expected = set(oracle.extensions(*by_position(graph)))
    found = [by_position(member) for member in graph.members()]

    assert {arrows for arrows, _ in found} == expected
    assert len(found) == len(expected) == graph.n_members()
    assert all(not lines for _, lines in found)


@settings(deadline=None)
@given(dags(min_nodes=2, max_nodes=6), st.data())
def test_knowledge_of_one_member_counts_as_enumeration_does(dag, data):
    kept = data.draw(st.sets(st.sampled_from(dag.directed))) if dag.directed else set()
    pattern = dag.to_cpdag()
    known = Graph(
        dag.nodes,
        directed={*pattern.directed, *kept},
        undirected=[pair for pair in pattern.undirected if not {pair, pair[::-1]} & kept],
    )
    found = list(known.members())

    assert dag in found
    assert known.n_members() == len(set(found)) == len(found)
    assert all(member.to_cpdag() == pattern and kept <= set(member.directed) for member in found)


@settings(deadline=None)
@given(graphs(max_nodes=4))
def test_a_graph_has_members_exactly_if_it_has_an_extension(graph):
    assert (graph.n_members() > 0) == any(True for _ in graph.members())


def test_the_class_of_asia_has_six_members():
    # A–T either way, times three sources of L–S–B.
    assert ASIA.to_cpdag().n_members() == len(set(ASIA.to_cpdag().members())) == 6


def test_a_dag_is_its_only_member_and_a_cycle_has_none():
    assert list(ASIA.members()) == [ASIA]
    assert list(Graph("abc", directed=["ab", "bc", "ca"]).members()) == []
    assert Graph("abcd", undirected=["ab", "bc", "cd", "ad"]).n_members() == 0
    assert Graph([]).n_members() == 1


@pytest.mark.parametrize("n_nodes", [3, 5, 30])
def test_a_complete_graph_has_as_many_members_as_orders(n_nodes):
    assert complete(n_nodes).n_members() == factorial(n_nodes)


def test_a_tree_has_a_member_for_each_root():
    names = node_names(60)
    tree = Graph(names, undirected=[(names[i], names[(i - 1) // 3]) for i in range(1, 60)])

    assert tree.n_members() == 60
    assert len(set(tree.members())) == 60


def test_counting_needs_no_enumeration():
    # Thirty times two triangles that share an edge.
    names = node_names(120)
    lines = [
        (names[4 * i + a], names[4 * i + b])
        for i in range(30)
        for a, b in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    ]
    diamond = [frozenset(pair) for pair in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]]

    assert Graph(names, undirected=lines).n_members() == len(list(oracle.extensions(set(), diamond))) ** 30


def test_what_is_known_about_edges_stays_on_the_members():
    graph = Graph("ab", undirected=[Edge("a", "b", "undirected", confidence=0.75)])

    assert [member.edges[0].confidence for member in graph.members()] == [0.75, 0.75]


def test_a_summary_gives_up_where_it_is_told_to():
    summary = Summary(leaf=lambda *_: 1, together=sum, either=sum, most_parts=3)

    assert summary.of(complete(6).links) is None
    assert summary.of(complete(2).links) is not None


def test_classes_of_larger_graphs_are_counted_as_enumerated():
    for seed in range(10):
        pattern = random_dag(20, expected_degree=1.7, random_state=seed).to_cpdag()
        if pattern.n_members() < 500:
            assert len(set(pattern.members())) == pattern.n_members()
