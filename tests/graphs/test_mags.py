"""The MAG of a DAG with hidden and selected nodes is that of the definition; there are as many as known.

The numbers are in docs/references/graphs-with-marks.md.
"""

from functools import cache
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.graphs.projection import has_member, maximal_ancestral_graph
from tests.oracles import graphs as dag_oracle
from tests.oracles import mag_classes
from tests.oracles import mixed_graphs as oracle
from tests.strategies import dags, mags

SIGNS = {("-", ">"): "-->", (">", "-"): "<--", (">", ">"): "<->", ("-", "-"): "---"}
SIGNS |= {("o", ">"): "o->", (">", "o"): "<-o", ("o", "o"): "o-o", ("-", "o"): "--o", ("o", "-"): "o--"}


def graph_of(n_nodes, edges, kind):
    named = [(f"n{a}", SIGNS[at_a, at_b], f"n{b}") for a, at_a, at_b, b in edges]
    return Graph([f"n{i}" for i in range(n_nodes)], edges=named, kind=kind)


@st.composite
def dags_with_roles(draw):
    dag = draw(dags(1, 6))
    role = [draw(st.sampled_from(["seen", "latent", "selected"])) for _ in dag.nodes]
    role[0] = "seen"
    return dag, [
        [name for name, r in zip(dag.nodes, role, strict=True) if r == word]
        for word in ("latent", "selected")
    ]


@settings(deadline=None)
@given(dags_with_roles())
def test_a_mag_has_the_inducing_paths_of_the_dag(drawn):
    dag, (latent, selected) = drawn
    place = {name: i for i, name in enumerate(dag.nodes)}
    observed = [name for name in dag.nodes if name not in {*latent, *selected}]
    arrows = {(place[a], place[b]) for a, b in dag.directed}
    wanted = oracle.mag_of_dag(arrows, [place[n] for n in observed], [place[n] for n in selected])

    mag = dag.to_mag(latent=latent, selected=selected)

    assert mag.nodes == tuple(observed)
    assert mag == Graph(observed, edges=[(dag.nodes[a], SIGNS[m, n], dag.nodes[b]) for a, m, n, b in wanted])
    assert Graph(mag.nodes, edges=mag.edges, kind="MAG").kind == mag.kind == "MAG"


@settings(deadline=None)
@given(dags_with_roles(), st.data())
def test_a_mag_separates_what_the_dag_separates_given_the_selected_nodes(drawn, data):
    dag, (latent, selected) = drawn
    mag = dag.to_mag(latent=latent, selected=selected)
    for x, y in combinations(mag.nodes, 2):
        given = [n for n in mag.nodes if n not in (x, y) and data.draw(st.booleans())]
        assert mag.m_separated(x, y, given=given) == dag.d_separated(x, y, given=[*given, *selected])


@settings(deadline=None)
@given(mags(2), st.data())
def test_hiding_nodes_of_a_mag_leaves_what_the_others_say(mag, data):
    hidden = data.draw(st.sampled_from(mag.nodes))
    rest = mag.to_mag(latent=[hidden])

    assert mag.to_mag() == mag
    for x, y in combinations(rest.nodes, 2):
        given = [n for n in rest.nodes if n not in (x, y) and data.draw(st.booleans())]
        assert rest.m_separated(x, y, given=given) == mag.m_separated(x, y, given=given)


def test_an_arrow_beside_an_arc_has_a_mag_with_another_arrow():
    bow = Graph("abc", edges=["a --> b", "b --> c", "b <-> c"])

    assert bow.to_mag() == Graph("abc", directed=["ab", "bc", "ac"])


def is_hidden_trek(path, hidden):
    """Whether a path has only hidden nodes inside, no collider, and an arrow at both ends."""
    inner = {step[3] for step in path[:-1]}
    colliders = any(into == out_of == ">" for (_, _, into, _), (_, out_of, _, _) in pairwise(path))
    return inner <= hidden and not colliders and path[0][1] == path[-1][2] == ">"


@settings(deadline=None)
@given(dags(1, 6), st.data())
def test_a_projection_has_the_paths_of_the_dag_through_hidden_nodes(dag, data):
    hidden = {i for i in range(1, len(dag)) if data.draw(st.booleans())}
    edges, observed = oracle.of_graph(dag), [i for i in range(len(dag)) if i not in hidden]
    wanted = []
    for x, y in permutations(observed, 2):
        between = list(oracle.paths(edges, x, y))
        if any({s[3] for s in p[:-1]} <= hidden and all(s[1:3] == ("-", ">") for s in p) for p in between):
            wanted.append((dag.nodes[x], "-->", dag.nodes[y]))
        if x < y and any(is_hidden_trek(path, hidden) for path in between):
            wanted.append((dag.nodes[x], "<->", dag.nodes[y]))

    names = [dag.nodes[i] for i in sorted(hidden)]
    found = dag.to_admg(latent=names)

    assert found == Graph([dag.nodes[i] for i in observed], edges=wanted)
    assert found.kind == ("ADMG" if any(sign == "<->" for _, sign, _ in wanted) else "DAG")
    assert found.to_mag() == dag.to_mag(latent=names)
    for x, y in combinations(found.nodes, 2):
        known = [n for n in found.nodes if n not in (x, y) and data.draw(st.booleans())]
        assert found.m_separated(x, y, given=known) == dag.d_separated(x, y, given=known)


def test_hiding_one_node_after_another_is_hiding_all():
    dag = Graph("abcduv", directed=["ua", "ub", "uv", "vc", "vd", "ad"])
    together = Graph("abcd", edges=["a --> d", *(f"{x} <-> {y}" for x, y in combinations("abcd", 2))])

    assert dag.to_admg(latent=["u", "v"]) == together
    assert (
        dag.to_admg(latent="u").to_admg(latent="v") == dag.to_admg(latent="v").to_admg(latent="u") == together
    )


@pytest.mark.parametrize(
    ("graph", "latent", "message"),
    [
        (Graph("ab", directed=["ab"]), "z", "no node 'z'"),
        (Graph("ab", directed=["ab"]), ["a", "b"], "leave at least one"),
        (Graph("ab", undirected=["ab"]), "b", "a DAG or ADMG can be projected"),
        (Graph("ab", directed=["ab", "ba"]), "b", "this graph is neither"),
    ],
)
def test_what_cannot_be_projected_is_refused(graph, latent, message):
    with pytest.raises(DataError, match=message):
        graph.to_admg(latent)


def edges_of(links):
    """The edges of positions as the oracle writes them."""
    return oracle.canonical(
        [(a, "-", ">", b) for a, b in links.arrows.tolist()]
        + [(a, "-", "-", b) for a, b in links.lines.tolist()]
        + [(a, ">", ">", b) for a, b in links.arcs.tolist()]
    )


@cache
def all_dags(n_nodes):
    return [sorted(dag) for dag in dag_oracle.all_dags(n_nodes)]


def mags_of_all_dags(n_nodes, n_observed, n_selected):
    observed, selected = np.arange(n_observed), np.arange(n_nodes - n_selected, n_nodes)
    return {
        edges_of(maximal_ancestral_graph(Links(n_nodes, arrows=dag), observed, selected))
        for dag in all_dags(n_nodes)
    }


def counts(n_nodes, n_observed, n_selected):
    found = mags_of_all_dags(n_nodes, n_observed, n_selected)
    return len(found), len({oracle.separations(n_observed, mag) for mag in found})


def test_dags_of_four_nodes_with_one_hidden_have_as_many_mags_and_pags_as_are_known():
    assert counts(4, 3, 0) == (53, 11)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_observed", "n_selected", "known"),
    [(3, 0, (56, 11)), (4, 0, (1816, 209)), (4, 1, (993, 188)), (3, 1, (69, 11))],
)
def test_dags_of_five_nodes_have_as_many_mags_and_pags_as_are_known(n_observed, n_selected, known):
    assert counts(5, n_observed, n_selected) == known


@cache
def classes_of_four(*, with_lines):
    ways = oracle.WAYS if with_lines else oracle.DIRECTED_WAYS
    return oracle.classes(
        4, [edges for edges in oracle.ancestral_graphs(4, ways) if oracle.is_maximal(4, edges)]
    )


@pytest.mark.parametrize(
    ("with_lines", "n_mags", "n_classes", "n_single", "largest", "marks"),
    [(False, 2492, 248, 4, 219, (696, 108, 936)), (True, 3045, 251, 7, 242, (696, 132, 936))],
)
def test_the_classes_of_all_mags_with_four_nodes_are_counted(
    with_lines, n_mags, n_classes, n_single, largest, marks
):
    found = classes_of_four(with_lines=with_lines)
    pags = [oracle.pag_of_class(members) for members in found]
    seen = [mark for pag in pags for _, at_a, at_b, _ in pag for mark in (at_a, at_b)]

    assert sum(map(len, found)) == n_mags
    assert len(found) == len(set(pags)) == n_classes
    assert sum(len(members) == 1 for members in found) == n_single
    assert max(map(len, found)) == largest
    assert tuple(map(seen.count, (">", "-", "o"))) == marks


@pytest.mark.parametrize(
    ("n_nodes", "with_lines", "n_mags", "n_classes"), [(2, True, 5, 2), (3, False, 56, 11), (3, True, 72, 11)]
)
def test_the_mags_of_fewer_nodes_are_counted(n_nodes, with_lines, n_mags, n_classes):
    found = mag_classes.all_classes(n_nodes, with_lines=with_lines)

    assert (len(found.marks), len(found.pags)) == (n_mags, n_classes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("with_lines", "n_mags", "n_classes", "n_single", "largest", "marks"),
    [
        (False, 328924, 24259, 1988, 4231, (163580, 38840, 89460)),
        (True, 379052, 24566, 2175, 4457, (163880, 42140, 89640)),
    ],
)
def test_the_classes_of_all_mags_with_five_nodes_are_counted(
    with_lines, n_mags, n_classes, n_single, largest, marks
):
    found = mag_classes.all_classes(5, with_lines=with_lines)
    sizes = np.bincount(found.of)

    assert (len(found.marks), len(found.pags)) == (n_mags, n_classes)
    assert ((sizes == 1).sum(), sizes.max()) == (n_single, largest)
    assert tuple((found.pags == bits).sum() for bits in (1, 2, 3)) == marks


def test_twelve_ancestral_graphs_of_four_nodes_are_not_maximal_and_none_of_them_is_a_mag():
    found = [edges for edges in oracle.ancestral_graphs(4, oracle.DIRECTED_WAYS) if len(edges) > 4]
    refused = [edges for edges in found if graph_of(4, edges, None).kind == "ADMG"]

    assert len(refused) == 12
    assert not any(oracle.is_maximal(4, edges) for edges in refused)


@pytest.mark.slow
def test_two_hidden_common_causes_of_four_nodes_make_as_many_mags_as_are_known():
    """All DAGs of four nodes with up to two hidden nodes beside, each a cause of two or more of them."""
    groups = [group for size in (2, 3, 4) for group in combinations(range(4), size)]
    chosen = [(), *((one,) for one in groups), *combinations(groups, 2)]
    observed, none = np.arange(4), np.empty(0, dtype=np.int64)
    found = set()
    for dag in all_dags(4):
        for hidden in chosen:
            arrows = [*dag, *((4 + i, child) for i, group in enumerate(hidden) for child in group)]
            links = Links(4 + len(hidden), arrows=arrows)
            found.add(edges_of(maximal_ancestral_graph(links, observed, none)))

    assert (len(found), len({oracle.separations(4, mag) for mag in found})) == (2425, 245)


def test_a_pag_of_every_class_gives_a_member_of_it():
    found = classes_of_four(with_lines=True)

    n_edges = [0] * 7
    for members in found:
        pag = oracle.pag_of_class(members)
        n_edges[len(pag)] += 1
        member = graph_of(4, pag, "PAG").to_mag()
        assert oracle.canonical(oracle.of_graph(member)) in set(map(oracle.canonical, members))
        assert has_member(graph_of(4, pag, "PAG").links)
    assert n_edges == [1, 6, 27, 72, 120, 24, 1]


def test_marks_without_a_circle_have_a_member_where_they_are_a_mag():
    mags = {mag_classes.edges_of(mag) for mag in mag_classes.all_classes(3, with_lines=True).marks}
    ends = [None, ("-", ">"), (">", "-"), (">", ">"), ("-", "-")]
    for marks in product(ends, repeat=3):
        pairs = zip(combinations(range(3), 2), marks, strict=True)
        edges = frozenset((a, *mark, b) for (a, b), mark in pairs if mark)
        assert has_member(graph_of(3, edges, "PAG").links) == (edges in mags)


def test_a_graph_that_is_not_maximal_has_no_member():
    edges = ["a --> d", "c --> b", "a <-> b", "b <-> d", "d <-> c"]  # no set separates a and c
    assert not has_member(Graph("abcd", edges=["b --> c", "d --> a", *edges[2:]], kind="PAG").links)
    assert has_member(Graph("abcd", edges=edges, kind="PAG").links)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"latent": ["z"]}, "no node 'z'"),
        ({"latent": ["a"], "selected": ["a", "b"]}, "'a' cannot be both latent and selected"),
        ({"latent": ["a", "b"], "selected": ["c"]}, "leave at least one"),
    ],
)
def test_roles_that_make_no_sense_are_refused(roles, message):
    with pytest.raises(DataError, match=message):
        Graph("abc", directed=["ab"]).to_mag(**roles)


def test_a_cycle_has_no_mag():
    with pytest.raises(DataError, match="directed cycle"):
        Graph("ab", directed=["ab", "ba"]).to_mag()


def test_one_node_left_is_a_graph_of_one_node():
    assert Graph("abc", directed=["ab", "bc"]).to_mag(latent=["a", "b"]) == Graph("c")
