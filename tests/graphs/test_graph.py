"""The graph keeps what it is given, and refuses what makes no sense."""

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from tests.strategies import dags, graphs, undirected_graphs

MIXED = Graph("abcd", directed=["ab", "cb"], undirected=["dc"])


def test_nodes_keep_their_order_and_edges_follow_it():
    assert MIXED.nodes == ("a", "b", "c", "d")
    assert [str(edge) for edge in MIXED.edges] == ["a → b", "c → b", "c — d"]
    assert MIXED.directed == (("a", "b"), ("c", "b"))
    assert MIXED.undirected == (("c", "d"),)


def test_relations_of_a_node_are_its_edges():
    assert MIXED.parents("b") == ("a", "c")
    assert MIXED.children("c") == ("b",)
    assert MIXED.neighbors("c") == ("d",)
    assert MIXED.adjacent("c") == ("b", "d")
    assert MIXED.ancestors("b") == ("a", "c")
    assert MIXED.descendants("d") == ()


def test_an_edge_is_found_from_both_ends_only_without_a_direction():
    assert MIXED.edge("d", "c") == MIXED.edge("c", "d") == Edge("c", "d", "undirected")
    assert MIXED.edge("a", "b") == Edge("a", "b")
    assert MIXED.edge("b", "a") is None


@given(graphs(), st.randoms())
def test_equality_ignores_the_order_of_nodes_and_edges(graph, random):
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.shuffle(nodes)
    random.shuffle(edges)

    other = Graph.from_edges(nodes, edges)

    assert other == graph
    assert hash(other) == hash(graph)
    assert graph.reordered(nodes) == graph
    assert graph.reordered(nodes).nodes == tuple(nodes)


def test_equality_ignores_what_is_known_about_an_edge_but_not_its_direction():
    assert Graph("ab", directed=[Edge("a", "b", weight=1.0)]) == Graph("ab", directed=["ab"])
    assert Graph("ab", directed=["ab"]) != Graph("ab", directed=["ba"])
    assert Graph("ab", directed=["ab"]) != Graph("ab", undirected=["ab"])
    assert Graph("ab") != Graph("abc")
    assert Graph("ab") != "ab"


@given(graphs())
def test_a_graph_survives_pickling(graph):
    copy = pickle.loads(pickle.dumps(graph))  # noqa: S301, our own

    assert copy == graph
    assert copy.edges == graph.edges


@given(st.one_of(dags(), undirected_graphs()))
def test_matrices_and_networkx_go_around_and_come_back(graph):
    assert Graph.from_adjacency(graph.nodes, graph.adjacency()) == graph
    assert Graph.from_networkx(graph.to_networkx()) == graph
    assert (
        np.array_equal(
            graph.adjacency(), nx.to_numpy_array(graph.to_networkx(), nodelist=graph.nodes, weight=None)
        )
        or not graph.nodes
    )


def test_networkx_keeps_what_is_known_about_an_edge():
    graph = Graph("abc", directed=[Edge("a", "b", weight=0.5, confidence=0.9)], undirected=["bc"])

    network = graph.to_networkx()

    assert network.edges["a", "b"] == {"weight": 0.5, "confidence": 0.9}
    assert network.has_edge("b", "c")
    assert network.has_edge("c", "b")
    assert Graph.from_networkx(network).edges == graph.edges


@pytest.mark.parametrize(
    "network",
    [
        nx.DiGraph([("a", "b", {"weight": 1.0}), ("b", "a", {"weight": 2.0})]),
        nx.MultiGraph([("a", "b", {"weight": 1.0}), ("a", "b", {"weight": 2.0})]),
        nx.MultiDiGraph([("a", "b", {"p_value": 0.1}), ("a", "b", {})]),
    ],
)
def test_no_weight_of_networkx_is_lost_in_silence(network):
    with pytest.raises(DataError, match=r"'a' and 'b'|'b' and 'a'"):
        Graph.from_networkx(network)
    alike = network.copy()
    for _, _, known in alike.edges(data=True):
        known.update(weight=1.0, p_value=0.1)

    assert [edge.weight for edge in Graph.from_networkx(alike).edges] == [1.0]


def test_both_arrows_of_networkx_keep_their_weights():
    both = {"kind": "directed"}
    network = nx.DiGraph([("a", "b", {"weight": 1.0, **both}), ("b", "a", {"weight": 2.0, **both})])

    assert [edge.weight for edge in Graph.from_networkx(network).edges] == [1.0, 2.0]


@pytest.mark.parametrize(
    "pair", [{"a", "b"}, {"a": "b", "b": "a"}, frozenset("ab")], ids=["set", "dict", "frozenset"]
)
def test_a_pair_has_an_order(pair):
    with pytest.raises(DataError, match="An edge is a pair of names"):
        Graph("ab", directed=[pair])


def test_from_adjacency_reads_a_one_sided_entry_as_an_arrow():
    graph = Graph.from_adjacency("abc", np.array([[0, 1, 0], [0, 0, 2.5], [0, 1, 0]]))

    assert graph == Graph("abc", directed=["ab"], undirected=["bc"])


@pytest.mark.parametrize("shape", [(2, 3), (2, 2), (3,)])
def test_from_adjacency_refuses_another_shape(shape):
    with pytest.raises(DataError, match="square"):
        Graph.from_adjacency("abc", np.zeros(shape))


@pytest.mark.parametrize("entry", [np.nan, np.inf, None, "x", [1]], ids=str)
def test_from_adjacency_refuses_what_is_no_number(entry):
    with pytest.raises(DataError, match="numbers"):
        Graph.from_adjacency("ab", [[0, entry], [0, 0]])


@pytest.mark.parametrize(
    "known",
    [
        {"weight": float("nan")},
        {"weight": "strong"},
        {"weight": True},
        {"p_value": -0.1},
        {"p_value": float("nan")},
        {"confidence": 3},
        {"confidence": [0.5]},
        {"kind": "nope"},
        {"kind": ["directed"]},
    ],
    ids=str,
)
def test_an_edge_refuses_what_cannot_be_known_about_it(known):
    (name,) = known
    with pytest.raises(DataError, match=f"The edge of 'a' and 'b' has {name} "):
        Edge("a", "b", **known)


def test_an_edge_takes_a_probability_that_rounding_left_above_one():
    assert Edge("a", "b", confidence=1.0 + 4e-16).confidence > 1.0


def test_a_subgraph_keeps_the_edges_inside():
    assert MIXED.subgraph(["d", "b", "c"]) == Graph("bcd", directed=["cb"], undirected=["cd"])


def test_the_skeleton_of_both_directions_is_one_line():
    both = Graph("ab", directed=["ab", "ba"])

    assert both.skeleton() == Graph("ab", undirected=["ab"])
    assert not both.is_dag
    assert both.descendants("a") == ("a", "b")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": ["a", 1]}, "strings, not 1"),
        ({"nodes": ["a", "b", "a"]}, "more than once there is 'a'"),
        ({"nodes": "ab", "directed": ["ac"]}, "no node 'c'"),
        ({"nodes": "ab", "undirected": ["aa"]}, "'a' to itself can only be directed"),
        ({"nodes": "ab", "edges": ["a <-> a"]}, "'a' to itself can only be directed"),
        ({"nodes": "ab", "directed": ["ab", "ab"]}, "two edges between 'a' and 'b'"),
        ({"nodes": "ab", "undirected": ["ab", "ba"]}, "two edges between 'a' and 'b'"),
        ({"nodes": "ab", "directed": ["ab"], "undirected": ["ab"]}, "two edges"),
        ({"nodes": "ab", "directed": ["ba"], "undirected": ["ab"]}, "two edges"),
        ({"nodes": "ab", "directed": [("a", "b", "c")]}, "pair"),
    ],
)
def test_a_graph_refuses_what_makes_no_sense(arguments, message):
    with pytest.raises(DataError, match=message):
        Graph(**arguments)


def test_questions_about_an_unknown_node_name_it_and_the_known_ones():
    with pytest.raises(DataError, match="no node 'z'; its nodes are 'a', 'b', 'c', 'd'"):
        MIXED.parents("z")


def test_reordering_needs_every_node_once():
    for nodes in ("abc", "abcc", "abcz"):
        with pytest.raises(DataError, match="each of the 4 nodes is needed once"):
            Graph("abcd").reordered(nodes)


def test_a_long_graph_prints_its_first_edges():
    graph = Graph([f"v{i}" for i in range(20)], directed=[(f"v{i}", f"v{i + 1}") for i in range(19)])

    assert str(graph).startswith("Graph with 20 nodes and 19 edges\n  v0 → v1\n")
    assert str(graph).endswith("… and 7 more")
    assert repr(graph) == "<Graph: 20 nodes, 19 directed and 0 undirected edges>"


def test_empty_graphs_answer_everything():
    for graph in (Graph([]), Graph(["only"])):
        assert graph.is_dag
        assert graph.is_undirected
        assert graph.topological_order() == graph.nodes
        assert graph.to_cpdag() == graph.to_dag() == graph.moral() == graph.skeleton() == graph
        assert graph.compare(graph).shd == 0
        assert graph.adjacency().shape == (len(graph), len(graph))
    assert str(Graph([])) == "Graph with 0 nodes and 0 edges"
