"""CPDAGs, extensions and Meek's rules agree with brute force over all small graphs."""

from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hypothesis import given

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from structlearn.graphs.equivalence import (
    consistent_extension,
    cpdag,
    is_equivalent,
    meek_closure,
    propagate,
    v_structures,
)
from structlearn.graphs.generators import random_dag
from structlearn.graphs.links import Links
from tests.oracles import graphs as oracle
from tests.strategies import dags, graphs, partially_directed_graphs

ASIA = Graph("ATSLBEXD", directed=["AT", "SL", "SB", "TE", "LE", "EX", "ED", "BD"])
N_DAGS = {0: 1, 1: 1, 2: 3, 3: 25, 4: 543, 5: 29281}
N_CLASSES = {0: 1, 1: 1, 2: 2, 3: 11, 4: 185, 5: 8782}  # docs/references/graphs.md#counts
N_SINGLETONS = {1: 1, 2: 1, 3: 4, 4: 59, 5: 2616}


def links_of(n_nodes, arrows, lines=()):
    return Links(n_nodes, arrows=sorted(arrows), lines=sorted(sorted(line) for line in lines))


def edges_of(links):
    arrows = frozenset(map(tuple, links.arrows.tolist()))
    return arrows, frozenset(frozenset(line) for line in links.lines.tolist())


@pytest.fixture(scope="module")
def classes_of_four():
    return oracle.equivalence_classes(4)


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 4])
def test_cpdags_are_as_many_as_classes(n_nodes):
    sizes = Counter(edges_of(cpdag(links_of(n_nodes, dag))) for dag in oracle.all_dags(n_nodes))

    assert sizes.total() == N_DAGS[n_nodes]
    assert len(sizes) == N_CLASSES[n_nodes]
    assert list(sizes.values()).count(1) == N_SINGLETONS[n_nodes]


def test_a_cpdag_is_what_all_members_have_in_common(classes_of_four):
    for members in classes_of_four:
        expected = oracle.common_pattern(members)
        assert all(edges_of(cpdag(links_of(4, dag))) == expected for dag in members)


@pytest.mark.slow
def test_every_five_node_dag_has_the_cpdag_of_its_class():
    classes = oracle.equivalence_classes(5)

    assert sum(map(len, classes)) == N_DAGS[5]
    assert len(classes) == N_CLASSES[5]
    assert sum(len(members) == 1 for members in classes) == N_SINGLETONS[5]
    assert max(map(len, classes)) == 120
    for members in classes:
        expected = oracle.common_pattern(members)
        pattern = links_of(5, *expected)
        assert frozenset(map(tuple, consistent_extension(pattern).tolist())) in set(members)
        assert all(edges_of(cpdag(links_of(5, dag))) == expected for dag in members)
        assert edges_of(meek_closure(_v_pattern(5, members[0]))) == expected


def _v_pattern(n_nodes, dag):
    joined = oracle.skeleton(dag)
    triples = oracle.v_structures(dag, joined)
    arrows = {(a, b) for a, b, _ in triples} | {(c, b) for _, b, c in triples}
    return links_of(n_nodes, arrows, joined - oracle.skeleton(arrows))


def test_an_extension_of_a_cpdag_is_a_member(classes_of_four):
    for members in classes_of_four:
        arrows = consistent_extension(links_of(4, *oracle.common_pattern(members)))
        assert frozenset(map(tuple, arrows.tolist())) in set(members)


def test_v_structures_closed_under_the_rules_are_the_cpdag(classes_of_four):
    for members in classes_of_four:
        assert edges_of(meek_closure(_v_pattern(4, members[0]))) == oracle.common_pattern(members)


def test_knowledge_closed_under_the_rules_is_what_the_members_with_it_share(classes_of_four):
    for members in classes_of_four:
        arrows, lines = oracle.common_pattern(members)
        for known in _knowledge_in(members, arrows):
            kept = [dag for dag in members if known <= dag]
            closed = meek_closure(links_of(4, arrows | known, lines - oracle.skeleton(known)))
            assert edges_of(closed) == oracle.common_pattern(kept)


def _knowledge_in(members, arrows):
    return {
        frozenset(some) for dag in members for size in (1, 2) for some in combinations(dag - arrows, size)
    }


@given(graphs(max_nodes=5))
def test_an_extension_exists_exactly_when_brute_force_finds_one(graph):
    arrows, lines = edges_of(graph.links)
    members = set(oracle.extensions(arrows, lines))

    extended = consistent_extension(graph.links)

    if extended is None:
        assert not members
    else:
        assert frozenset(map(tuple, extended.tolist())) in members


@given(partially_directed_graphs())
def test_the_queue_of_rules_ends_where_the_sweep_of_rules_ends(graph):
    arrows, lines = edges_of(graph.links)
    # The rules may contradict each other without an extension; then only the guard is promised.
    if not any(oracle.extensions(arrows, lines)):
        return
    assert edges_of(meek_closure(graph.links)) == oracle.meek_fixpoint(len(graph), arrows, lines)


@given(partially_directed_graphs())
def test_the_rules_never_close_a_cycle_and_lose_no_edge(graph):
    closed = graph.meek_closure()

    assert set(graph.directed) <= set(closed.directed)
    assert closed.skeleton() == graph.skeleton()
    assert oracle.is_acyclic(edges_of(closed.links)[0])


@given(partially_directed_graphs())
def test_to_expect_that_arrows_are_at_odds_changes_nothing(graph):
    closed, refused = propagate(graph.links)

    expected, refused_too = propagate(graph.links, are_at_odds=True)

    assert edges_of(expected) == edges_of(closed)
    assert refused_too == refused


def test_an_arrow_on_a_square_is_not_carried_around_to_a_cycle():
    # R1 as written goes all the way round: 3→1→2→0→3.
    arrows, lines = {(3, 1)}, {frozenset((1, 2)), frozenset((2, 0)), frozenset((0, 3))}
    assert not oracle.is_acyclic(oracle.meek_fixpoint(4, arrows, lines)[0])

    closed = meek_closure(links_of(4, arrows, lines))

    assert edges_of(closed) == ({(3, 1), (1, 2), (2, 0)}, {frozenset((0, 3))})


def test_the_third_rule_is_needed():
    dag = {(2, 1), (1, 3), (1, 0), (2, 0), (3, 0)}

    assert edges_of(meek_closure(_v_pattern(4, dag))) == edges_of(cpdag(links_of(4, dag)))
    assert (1, 0) in edges_of(meek_closure(_v_pattern(4, dag)))[0]


def test_the_fourth_rule_directs_just_its_edge():
    graph = Graph("abcd", directed=["dc", "cb"], undirected=["ab", "ac", "ad"])

    assert set(graph.meek_closure().directed) == {("d", "c"), ("c", "b"), ("a", "b")}


def test_a_chain_of_rules_does_not_depend_on_the_order_of_nodes():
    # R1 directs d→c, which only then lets R4 direct a→c, and R2 a→b.
    for a, b, c, d, e in permutations(range(5)):
        arrows = {(e, d), (c, b)}
        lines = {frozenset(pair) for pair in ((d, c), (a, b), (a, c), (a, d), (a, e))}
        closed = edges_of(meek_closure(links_of(5, arrows, lines)))

        assert (a, b) in closed[0]
        assert closed == oracle.meek_fixpoint(5, arrows, lines)


def test_asia_has_five_compelled_arrows():
    pattern = ASIA.to_cpdag()

    assert set(pattern.directed) == {tuple(arrow) for arrow in ("TE", "LE", "EX", "ED", "BD")}
    assert set(pattern.undirected) == {tuple(line) for line in ("AT", "SL", "SB")}


def test_asia_has_six_equivalent_dags():
    arrows, lines = edges_of(ASIA.to_cpdag().links)

    members = list(oracle.extensions(arrows, lines))

    assert len(members) == 6
    assert all(is_equivalent(ASIA.links, links_of(8, dag)) for dag in members)


def test_equivalence_is_being_in_the_same_class():
    place = {dag: i for i, members in enumerate(oracle.equivalence_classes(3)) for dag in members}

    for (first, i), (second, j) in product(place.items(), repeat=2):
        assert is_equivalent(links_of(3, first), links_of(3, second)) == (i == j)


@given(dags(max_nodes=8))
def test_a_cpdag_extends_to_an_equivalent_dag_and_is_its_own_cpdag(graph):
    pattern = graph.to_cpdag()

    assert is_equivalent(pattern.to_dag().links, graph.links)
    assert pattern.to_cpdag() == pattern
    assert pattern.meek_closure() == pattern


@given(graphs())
def test_v_structures_are_those_of_the_definition(graph):
    arrows, lines = edges_of(graph.links)
    found = [tuple(triple) for triple in v_structures(graph.links).tolist()]

    assert set(found) == oracle.v_structures(arrows, oracle.skeleton(arrows) | lines)
    assert found == sorted(set(found), key=lambda triple: (triple[1], triple[0], triple[2]))


def test_the_order_of_columns_does_not_change_the_cpdag():
    graph = random_dag(60, expected_degree=4, random_state=2)

    assert graph.reordered(graph.nodes[::-1]).to_cpdag() == graph.to_cpdag()


def test_ten_thousand_nodes_go_around_and_come_back():
    graph = random_dag(10_000, expected_degree=3, random_state=3)

    pattern = graph.to_cpdag()

    assert len(pattern.undirected) > 0
    assert is_equivalent(pattern.to_dag().links, graph.links)
    assert (
        meek_closure(_pattern_of_v_structures(graph.links)).arrows.tolist() == pattern.links.arrows.tolist()
    )


def _pattern_of_v_structures(links):
    triples = v_structures(links).tolist()
    arrows = {(a, b) for a, b, _ in triples} | {(c, b) for _, b, c in triples}
    lines = [pair for pair in map(tuple, links.pairs().tolist()) if not {pair, pair[::-1]} & arrows]
    return Links(links.n_nodes, arrows=sorted(arrows), lines=lines)


def test_what_is_known_about_an_edge_stays_with_it():
    graph = Graph("abc", directed=[Edge("b", "a", weight=2.0), Edge("b", "c", p_value=0.01)])

    pattern = graph.to_cpdag()

    assert pattern.edge("a", "b") == Edge("a", "b", "undirected", weight=2.0)
    assert pattern.to_dag().edge("b", "c").p_value == 0.01


def test_a_square_has_no_extension():
    with pytest.raises(DataError, match="v-structure"):
        Graph("abcd", undirected=["ab", "bc", "cd", "ad"]).to_dag()


def test_a_cycle_has_no_extension():
    with pytest.raises(DataError, match="cycle"):
        Graph("abc", directed=["ab", "bc", "ca"]).to_cpdag()


def test_an_extension_takes_the_last_nodes_for_sinks():
    assert Graph("abc", undirected=["ab", "bc"]).to_dag().directed == (("a", "b"), ("b", "c"))


def test_arrows_that_contradict_others_stay_lines_and_are_told():
    # a → b — c ← d: either direction of b — c would make a v-structure that is not there.
    links = Graph("abcd", directed=["ab", "dc"], undirected=["bc"]).links

    closed, refused = propagate(links)

    assert closed.lines.tolist() == [[1, 2]]
    assert refused == [(1, 2), (2, 1)]
    # Of a triple that may be a collider nothing follows.
    assert propagate(links, ambiguous=[(0, 1, 2), (3, 2, 1)])[1] == []


def test_a_line_beside_a_path_of_arrows_follows_it_whichever_arrow_came_last():
    # w → x — y gives x → y, as w and y are not joined; with y → b the other way of x — b closes a cycle.
    graph = Graph("wxyb", directed=["wx", "wb", "yb"], undirected=["xy", "xb"])

    assert set(graph.meek_closure().directed) - set(graph.directed) == {("x", "y"), ("x", "b")}
