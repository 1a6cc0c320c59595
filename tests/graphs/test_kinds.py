"""The kind of a graph follows from its edges by stated rules, and a kind that is given is checked."""

from functools import cache

import pytest
from hypothesis import given, settings

from structlearn.errors import DataError
from structlearn.graphs import Graph
from tests.oracles import graphs as dag_oracle
from tests.oracles import mixed_graphs as oracle
from tests.strategies import (
    any_kind_of_graph,
    cyclic_graphs,
    dags,
    mags,
    mixed_graphs,
    partially_directed_graphs,
)

SQUARE = ["a --- b", "b --- c", "c --- d", "d --- a"]


@pytest.mark.parametrize(
    ("edges", "kind"),
    [
        ([], "DAG"),
        (["a --> b", "b --> c"], "DAG"),
        (["a --> b", "b --> a"], "cyclic"),
        (["a --> a"], "cyclic"),
        (["a --> b", "b --> c", "c --> a", "c --- d"], "cyclic"),
        (SQUARE, "undirected"),
        (["a --> b", "c --> b", "c --- d"], "CPDAG"),
        (["a --> b", "c --> b", "b --- d"], "PDAG"),
        (["a --> b", "c --- d"], "PDAG"),
        (["a --> c", "b --> c", "c --> d", "b --- a"], "PDAG"),
        (["a --> c", "b --> c", "c --> d"], "DAG"),
        (["a --> c", "b --> c", "c --> d", "a --- d"], "PDAG"),
        (["a --> d", "b --> d", "c --> d", "a --- b"], "CPDAG"),
        (["a --> b", "b <-> c"], "MAG"),
        (["a --> b", "a <-> b"], "ADMG"),
        (["a --> b", "b --> c", "b <-> c"], "ADMG"),
        (["a --> b", "b --> c", "a <-> c"], "ADMG"),
        (["a --- b", "c <-> d"], "MAG"),
        (["a --- b", "b <-> c"], "PAG"),
        (["a --- b", "b o-> c"], "PAG"),
        (["a --> b", "b --> c", "c --> a", "c o-o d"], "PAG"),
        (["a --> b", "b --> a", "a <-> b"], "cyclic"),
    ],
)
def test_edges_alone_make_the_kind_that_the_rules_say(edges, kind):
    graph = Graph("abcd", edges=edges)

    assert graph.kind == kind
    assert graph.given_kind is None
    assert Graph("abcd", edges=edges, kind=kind).kind == kind


def test_the_smallest_ancestral_graph_that_is_not_maximal():
    # a ↔ c ↔ d ↔ b with c → b and d → a: every set leaves a and b connected (Richardson and Spirtes, 2002).
    edges = ["a <-> c", "c <-> d", "d <-> b", "c --> b", "d --> a"]

    assert Graph("abcd", edges=edges).kind == "ADMG"
    with pytest.raises(DataError, match="no MAG: no edge joins 'a' and 'b', and no set separates them"):
        Graph("abcd", edges=edges, kind="MAG")
    assert Graph("abcd", edges=[*edges, "a <-> b"]).kind == "MAG"


@pytest.mark.parametrize(
    ("kind", "edges", "message"),
    [
        ("DAG", ["a --> b", "b --- c"], "no DAG: b — c is undirected"),
        ("DAG", ["a --> b", "c --> d", "d --> c"], "no DAG: c → d is on a directed cycle"),
        ("DAG", ["a --> a"], "no DAG: a → a is on a directed cycle"),
        ("undirected", ["a --- b", "b --> c"], "no undirected graph: b → c is directed"),
        ("PDAG", ["a --> b", "b <-> c"], "no PDAG: b ↔ c is bidirected"),
        ("CPDAG", ["a --> b"], "no CPDAG: equivalent DAGs differ in the direction of a → b"),
        ("CPDAG", SQUARE, "no CPDAG: no DAG has its v-structures"),
        (
            "CPDAG",
            ["a --> b", "c --> b", "b --- d"],
            "no CPDAG: equivalent DAGs all direct b — d the same way",
        ),
        ("ADMG", ["a --> b", "b --- c"], "no ADMG: b — c is undirected"),
        ("ADMG", ["a --> b", "b --> a"], "no ADMG: a → b is on a directed cycle"),
        ("MAG", ["a --> b", "a <-> b"], "no MAG: there are two edges between 'a' and 'b'"),
        ("MAG", ["a --> b", "b o-> c"], "no MAG: b o→ c is partially directed"),
        ("MAG", ["a --> b", "b --- c"], "no MAG: b — c is undirected, and 'a' has an arrow into 'b'"),
        ("MAG", ["a --> b", "b --> c", "a <-> c"], "no MAG: a ↔ c joins 'c' and its ancestor 'a'"),
        ("PAG", ["a --> b", "b --> a"], "no PAG: there are two edges between 'a' and 'b'"),
        ("PAG", ["a --> a"], "no PAG: a → a runs from a node to itself"),
        ("cyclic", ["a o-> b"], "no cyclic: a o→ b is partially directed"),
        ("tree", [], "a graph is one of DAG, CPDAG, PDAG, undirected, ADMG, MAG, PAG, cyclic"),
    ],
)
def test_a_kind_that_is_given_is_checked_and_the_edge_in_the_way_named(kind, edges, message):
    with pytest.raises(DataError, match=message):
        Graph("abcd", edges=edges, kind=kind)


@settings(deadline=None)
@given(any_kind_of_graph())
def test_the_kind_that_edges_make_can_always_be_given(graph):
    bare = Graph(graph.nodes, edges=graph.edges)

    assert Graph(graph.nodes, edges=graph.edges, kind=bare.kind) == bare


@cache
def patterns(n_nodes):
    """The CPDAG of every equivalence class: what its members have in common."""
    return {dag_oracle.common_pattern(members) for members in dag_oracle.equivalence_classes(n_nodes)}


@settings(deadline=None)
@given(partially_directed_graphs(max_nodes=4))
def test_a_cpdag_is_what_the_members_of_a_class_have_in_common(graph):
    place = {name: i for i, name in enumerate(graph.nodes)}
    arrows = frozenset((place[a], place[b]) for a, b in graph.directed)
    lines = frozenset(frozenset((place[a], place[b])) for a, b in graph.undirected)

    if (arrows, lines) in patterns(len(graph)):
        assert Graph(graph.nodes, graph.directed, graph.undirected, kind="CPDAG").kind == "CPDAG"
    else:
        assert graph.kind != "CPDAG"
        with pytest.raises(DataError, match="no CPDAG"):
            Graph(graph.nodes, graph.directed, graph.undirected, kind="CPDAG")


@settings(deadline=None)
@given(mixed_graphs(max_nodes=4))
def test_a_mag_is_what_the_definition_says(graph):
    edges = oracle.of_graph(graph)
    joins = [frozenset((a, b)) for a, _, _, b in edges]
    is_mag = (
        len(set(joins)) == len(joins) and oracle.is_ancestral(edges) and oracle.is_maximal(len(graph), edges)
    )

    assert (graph.kind == "MAG") == (is_mag and "bidirected" in graph.edge_kinds)
    if not is_mag:
        with pytest.raises(DataError, match="no MAG"):
            Graph(graph.nodes, edges=graph.edges, kind="MAG")


@pytest.mark.parametrize(("n_nodes", "n_ancestral", "n_mags"), [(2, 5, 5), (3, 72, 72), (4, 3057, 3045)])
def test_every_small_ancestral_graph_is_told_from_a_mag(n_nodes, n_ancestral, n_mags):
    # docs/references/graphs-with-marks.md counts them.
    found = list(oracle.ancestral_graphs(n_nodes))
    names = "abcd"[:n_nodes]

    are_mags = [is_a_mag(names, edges) for edges in found]

    assert (len(found), sum(are_mags)) == (n_ancestral, n_mags)


def is_a_mag(names, edges):
    signs = {("-", ">"): "-->", (">", "-"): "<--", (">", ">"): "<->", ("-", "-"): "---"}
    try:
        Graph(
            names, edges=[(names[a], signs[at_a, at_b], names[b]) for a, at_a, at_b, b in edges], kind="MAG"
        )
    except DataError:
        return False
    return True


@settings(deadline=None)
@given(dags(max_nodes=4))
def test_what_is_made_of_a_graph_has_its_kind(dag):
    pattern = dag.to_cpdag()

    assert (dag.kind, pattern.kind, pattern.to_dag().kind) == ("DAG", "CPDAG", "DAG")
    assert (pattern.skeleton().kind, dag.moral().kind, dag.to_dag().kind) == (
        "undirected",
        "undirected",
        "DAG",
    )
    assert {member.kind for member in pattern.members()} == {"DAG"}
    Graph(pattern.nodes, edges=pattern.edges, kind="CPDAG")


@settings(deadline=None)
@given(mags(max_nodes=4))
def test_a_part_of_a_mag_is_a_mag(mag):
    for left_out in mag.nodes:
        part = mag.subgraph(set(mag.nodes) - {left_out})
        assert part.kind == "MAG"
        Graph(part.nodes, edges=part.edges, kind="MAG")


@given(cyclic_graphs())
def test_a_cycle_makes_a_graph_cyclic(graph):
    assert (graph.kind == "cyclic") == any(node in graph.ancestors(node) for node in graph.nodes)


def test_a_cyclic_graph_needs_no_cycle_if_it_is_called_so():
    assert Graph("ab", directed=["ab"], kind="cyclic").kind == "cyclic"


def test_only_arrows_and_lines_become_dags():
    graph = Graph("abc", edges=["a --> b", "b o-> c"])

    for method in (graph.to_dag, graph.to_cpdag, graph.members, graph.n_members, graph.meek_closure):
        with pytest.raises(DataError, match="this graph has b o→ c"):
            method()
