"""An edge has a mark at each end, and a graph keeps them all."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Graph
from tests.strategies import any_kind_of_graph, pags

SIGNS = ["-->", "<--", "---", "<->", "o->", "<-o", "o-o", "--o", "o--"]
SIX = ["a o-> b", "b <-> c", "c --> d", "d --- e", "e o-o f", "f --o a"]


def test_edges_are_typed_as_they_are_drawn():
    graph = Graph("abcdef", edges=SIX)

    assert [(e.source, e.kind, e.target) for e in graph.edges] == [
        ("a", "partially directed", "b"),
        ("b", "bidirected", "c"),
        ("c", "directed", "d"),
        ("d", "undirected", "e"),
        ("e", "nondirected", "f"),
        ("f", "partially undirected", "a"),
    ]
    assert str(graph).splitlines()[1:] == [
        *["  a o→ b", "  b ↔ c", "  c → d", "  d — e", "  e o–o f", "  f –o a"]
    ]


@pytest.mark.parametrize(
    ("typed", "mirrored", "marks"),
    [
        ("a --> b", "b <-- a", "->"),
        ("a -> b", "b <- a", "->"),
        ("a --- b", "b --- a", "--"),
        ("a -- b", "b -- a", "--"),
        ("a <-> b", "b <-> a", ">>"),
        ("a o-> b", "b <-o a", "o>"),
        ("a o-o b", "b o-o a", "oo"),
        ("a --o b", "b o-- a", "-o"),
    ],
)
def test_every_sign_can_be_read_from_either_side(typed, mirrored, marks):
    graph = Graph("ab", edges=[typed])
    (edge,) = graph.edges

    assert Graph("ab", edges=[mirrored]) == graph
    assert Graph("ab", edges=[tuple(typed.split())]) == Graph("ab", edges=[edge]) == graph
    assert Graph("ab", edges=[str(edge)]) == graph
    assert edge.marks == (edge.mark_at("a"), edge.mark_at("b")) == tuple(marks)
    with pytest.raises(KeyError):
        edge.mark_at("c")


def test_names_may_hold_spaces_and_even_signs():
    spaced = Graph(["my node", "x --> y", "z"], edges=["my node o-> x --> y", ("x --> y", "--", "z")])

    assert [(e.source, e.target) for e in spaced.edges] == [("my node", "x --> y"), ("x --> y", "z")]


@pytest.mark.parametrize(
    ("nodes", "edge", "message"),
    [
        ("ab", "ab", "'ab' is no edge"),
        ("ab", "a-->b", "a space on each side"),
        ("ab", "a >-> b", "is no edge"),
        ("ab", "a --> c", "no node 'c'"),
        (["a", "a --> b", "b", "b --> b"], "a --> b --> b", "can be read as two edges"),
        ("ab", ("a", "b"), "or \\(name, sign, name\\), not \\('a', 'b'\\)"),
        ("ab", ("a", "=>", "b"), "'=>' is no sign of an edge; the signs are -->, ---, <->"),
        ("ab", 3, "not 3"),
        ("ab", ["a --> b"], "not \\['a --> b'\\]"),
    ],
)
def test_what_cannot_be_read_is_refused(nodes, edge, message):
    with pytest.raises(DataError, match=message):
        Graph(nodes, edges=[edge])


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (["a o-> b", "a --> b"], "two edges between 'a' and 'b'"),
        (["a <-> b", "b <-> a"], "two edges between 'a' and 'b'"),
        (["a --- b", "a <-> b"], "two edges between 'a' and 'b'"),
        (["a --> b", "a <-> b", "b --- c"], "two edges between 'a' and 'b' cannot have b — c"),
        (["a --> b", "b --> a", "b o-o c"], "two edges between 'b' and 'a' cannot have b o–o c"),
        (["a --> a", "b --- c"], "from 'a' to itself cannot have b — c"),
        (["a o-> a"], "itself can only be directed"),
    ],
)
def test_two_edges_between_the_same_nodes_are_arrows_and_arcs_only(edges, message):
    with pytest.raises(DataError, match=message):
        Graph("abc", edges=edges)


def test_an_arrow_beside_an_arc_is_found_first_and_both_are_kept():
    bow = Graph("ab", edges=["a <-> b", "a --> b"])

    assert [str(edge) for edge in bow.edges] == ["a → b", "a ↔ b"]
    assert bow.edge("a", "b").kind == "directed"
    assert bow.edge("b", "a").kind == "bidirected"
    assert (bow.parents("b"), bow.spouses("b"), bow.adjacent("b")) == (("a",), ("a",), ("a",))


def test_two_arrows_stay_two():
    both = Graph("abc", directed=["ab", "ba", "bc"])

    assert both.adjacency().tolist() == [[0, 2, 0], [2, 0, 1], [0, 0, 0]]
    assert Graph.from_adjacency("abc", both.adjacency()) == both
    assert Graph.from_networkx(both.to_networkx()) == both
    assert both != Graph("abc", directed=["bc"], undirected=["ab"])


def test_a_node_may_point_at_itself():
    loop = Graph("ab", edges=["a --> a", "a --> b"])

    assert loop.kind == "cyclic"
    assert (loop.parents("a"), loop.adjacent("a"), loop.ancestors("b")) == (("a",), ("b",), ("a",))
    assert loop.skeleton() == Graph("ab", undirected=["ab"])


@settings(deadline=None)
@given(any_kind_of_graph())
def test_matrices_networkx_and_pickles_give_every_graph_back(graph):
    bare = Graph(graph.nodes, edges=graph.edges)
    through_networkx = Graph.from_networkx(graph.to_networkx())
    copy = pickle.loads(pickle.dumps(graph))  # noqa: S301, our own

    assert Graph.from_adjacency(graph.nodes, graph.adjacency()) == bare
    assert through_networkx == copy == graph
    assert through_networkx.edges == copy.edges == graph.edges
    assert through_networkx.kind == copy.kind == graph.kind


@settings(deadline=None)
@given(any_kind_of_graph(), st.randoms())
def test_the_order_of_nodes_and_edges_does_not_matter(graph, random):
    nodes, edges = list(graph.nodes), list(graph.edges)
    random.shuffle(nodes)
    random.shuffle(edges)

    other = Graph(nodes, edges=edges, kind=graph.given_kind, facts=graph.facts)

    assert other == graph
    assert hash(other) == hash(graph)
    assert other.kind == graph.reordered(nodes).kind == graph.kind
    assert other.edges == graph.reordered(nodes).edges


@given(pags(min_nodes=2), st.data())
def test_another_mark_is_another_graph(graph, data):
    if graph.edges:
        edge = data.draw(st.sampled_from(graph.edges))
        others = [other for other in graph.edges if other != edge]
        signs = [
            sign
            for sign in SIGNS
            if Graph(graph.nodes, edges=[(edge.source, sign, edge.target)]).edges != (edge,)
        ]
        changed = (edge.source, data.draw(st.sampled_from(signs)), edge.target)

        assert Graph(graph.nodes, edges=[*others, changed]) != graph
        assert Graph(graph.nodes, edges=others) != graph


@pytest.mark.parametrize("matrix", [[[0, 3], [3, 0]], [[0, 1], [2, 0]], [[2, 0], [0, 0]], [[0, 16], [0, 0]]])
def test_a_matrix_of_other_numbers_is_refused(matrix):
    with pytest.raises(DataError, match="which says no edge"):
        Graph.from_adjacency("ab", np.array(matrix))


def test_a_diagonal_that_is_no_code_is_refused():
    for matrix in (np.eye(2), np.eye(2) > 0):
        with pytest.raises(DataError, match="joins 'a' to itself"):
            Graph.from_adjacency("ab", matrix)


def test_what_it_prints_counts_every_kind():
    assert repr(Graph("abc", edges=["a o-> b", "b <-> c"])) == (
        "<Graph: 3 nodes, 0 directed, 0 undirected, 1 partially directed and 1 bidirected edges>"
    )
