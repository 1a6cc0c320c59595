"""m-separation is what no path says, and blankets, colliders and moral graphs follow it."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.graphs.separation import canonical_dag
from tests.oracles import mixed_graphs as oracle
from tests.strategies import dags, mags, mixed_graphs, undirected_graphs


def questions(graph):
    """A question about two nodes given any others."""
    places = st.permutations(range(len(graph)))
    return st.tuples(places, st.integers(2, len(graph))).map(lambda drawn: drawn[0][: drawn[1]])


def agrees(graph, question):
    names = [graph.nodes[i] for i in question]
    x, y, *given = question
    wanted = oracle.m_separated(oracle.of_graph(graph), x, y, given)
    return graph.m_separated(names[0], names[1], given=names[2:]) == wanted


@settings(deadline=None)
@given(st.one_of(dags(2), undirected_graphs(2), mixed_graphs(2, 5), mags(2)), st.data())
def test_m_separation_is_what_no_open_path_says(graph, data):
    for question in data.draw(st.lists(questions(graph), min_size=1, max_size=4)):
        assert agrees(graph, question)


@settings(deadline=None, max_examples=40)
@given(st.one_of(mixed_graphs(6, 6), mags(6, 6, n_more=1)), st.data())
def test_m_separation_is_what_no_open_path_says_with_six_nodes(graph, data):
    for question in data.draw(st.lists(questions(graph), min_size=1, max_size=3)):
        assert agrees(graph, question)


@settings(deadline=None, max_examples=50)
@given(mixed_graphs(2, 4) | mags(2))
def test_a_blanket_shields_a_node_from_all_others_and_nothing_smaller_does(graph):
    for x, y in combinations(graph.nodes, 2):
        others = [node for node in graph.nodes if node not in (x, y)]
        in_blanket = not graph.m_separated(x, y, given=others)

        assert (y in graph.markov_blanket(x)) == (x in graph.markov_blanket(y)) == in_blanket
        assert (graph.moral().edge(x, y) is not None) == in_blanket


def test_a_blanket_reaches_along_a_whole_path_of_colliders():
    graph = Graph("abcdef", edges=["a -> b", "b <-> c", "c <-> d", "e -> d", "e -> f"])

    assert graph.markov_blanket("a") == ("b", "c", "d", "e")
    assert graph.moral().neighbors("a") == ("b", "c", "d", "e")


def test_arcs_have_a_hidden_cause_and_lines_a_selected_effect_each_its_own():
    dag, selected = canonical_dag(Links(4, arcs=[(2, 3)], lines=[(0, 1)]))

    assert dag.n_nodes == 6
    assert {tuple(arrow) for arrow in dag.arrows.tolist()} == {(4, 2), (4, 3), (0, 5), (1, 5)}
    assert selected.tolist() == [5]


@settings(deadline=None)
@given(dags(2, 5), st.data())
def test_sets_of_nodes_are_separated_if_all_pairs_are(dag, data):
    graph = Graph(dag.nodes, dag.directed, edges=[(dag.nodes[0], "<->", dag.nodes[1])])
    role = {node: data.draw(st.sampled_from("xyz-")) for node in graph.nodes}
    xs, ys, zs = ([node for node in graph.nodes if role[node] == letter] for letter in "xyz")

    assert graph.m_separated(xs, ys, given=zs) == all(
        graph.m_separated(x, y, given=zs) for x in xs for y in ys
    )


def test_a_pag_separates_what_a_member_of_its_class_separates():
    # The smallest graph where stage 2 of FCI removes an edge (docs/references/graphs-with-marks.md).
    edges = ["a o-> d", "a o-> e", "d --> b", "e --> c", "b <-> e", "c <-> d"]
    pag = Graph("abcde", edges=edges)
    member = Graph("abcde", edges=["a --> d", "a --> e", *edges[2:]])

    assert (pag.kind, pag.to_mag()) == ("PAG", member)
    for x, y in combinations("abcde", 2):
        for known in oracle.subsets(set("abcde") - {x, y}):
            assert pag.m_separated(x, y, given=known) == member.m_separated(x, y, given=known)


def test_colliders_of_all_arrows_are_v_structures():
    graph = Graph("abcde", edges=["a o-> b", "b <-> c", "d --> c", "e --o d"])

    assert graph.v_structures() == (("a", "b", "c"), ("b", "c", "d"))


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        (["a --> b", "b --> a", "b <-> c"], "directed cycle"),
        (["a --> b", "b --> c", "c --> a"], "directed cycle"),
        (["a --- b", "b <-> c"], "no MAG: a — b is undirected, and 'c' has an arrow into 'b'"),
        (["a o-o b", "b o-o c", "c o-o d", "d o-o a"], "cannot be directed without a collider"),
    ],
)
def test_a_graph_that_says_nothing_about_independence_is_refused(edges, message):
    with pytest.raises(DataError, match=message):
        Graph("abcd", edges=edges).m_separated("a", "c")


def test_a_node_cannot_be_on_two_sides():
    with pytest.raises(DataError, match="'a' appears in more than one"):
        Graph("abc", edges=["a <-> b"]).m_separated("a", "b", given="a")
