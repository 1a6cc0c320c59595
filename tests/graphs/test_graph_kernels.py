"""Kernels of graphs agree with their definitions: paths, breadth-first search, triples of nodes."""

import itertools
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.graphs.kernels.distances import component_of, distance_counts
from structlearn.graphs.kernels.growth import attach
from structlearn.graphs.kernels.intervention import n_wrong_effects
from structlearn.graphs.kernels.reachability import connected, d_connected, d_separated, separated
from structlearn.graphs.kernels.rewiring import exchange_ends, join_nearest
from structlearn.graphs.kernels.triangles import n_triangles
from structlearn.graphs.links import Links
from tests.oracles import graphs as oracle

PAIRS = list(itertools.combinations(range(6), 2))
LINES = st.sets(st.sampled_from(PAIRS))


@st.composite
def arrows_of_dags(draw):
    order = draw(st.permutations(range(5)))
    return {(order[i], order[j]) for i, j in draw(st.sets(st.sampled_from(PAIRS))) if j < 5}


def lines_of(lines, n_nodes=6):
    return Links(n_nodes, lines=np.array(sorted(lines), dtype=np.int64).reshape(-1, 2))


def arrows_of(arrows, n_nodes=5):
    return Links(n_nodes, arrows=np.array(sorted(arrows), dtype=np.int64).reshape(-1, 2))


def networkx_of(lines, n_nodes=6):
    graph = nx.empty_graph(n_nodes)
    graph.add_edges_from(lines)
    return graph


def questions_about(n_nodes, n_given):
    """Every (x, y, conditions)."""
    rows = [
        (x, y, *known)
        for x, y in itertools.permutations(range(n_nodes), 2)
        for known in itertools.combinations(sorted(set(range(n_nodes)) - {x, y}), n_given)
    ]
    return np.array(rows, dtype=np.int64)


@settings(deadline=None, max_examples=30)
@given(arrows_of_dags(), st.integers(0, 3))
def test_a_batch_of_questions_is_answered_by_the_paths(arrows, n_given):
    links, questions = arrows_of(arrows), questions_about(5, n_given)

    found = d_separated(links.parent_rows, links.child_rows, questions)

    assert found.tolist() == [
        oracle.d_separated(arrows, x, y, set(known)) for x, y, *known in questions.tolist()
    ]


def test_a_negative_condition_is_none():
    links = arrows_of({(0, 1), (1, 2)})
    questions = np.array([[0, 2, -1, 1], [0, 2, -1, -1], [0, 2, 1, -1]])

    assert d_separated(links.parent_rows, links.child_rows, questions).tolist() == [True, False, True]


@settings(deadline=None, max_examples=30)
@given(arrows_of_dags(), st.sets(st.integers(0, 4), max_size=3), st.integers(0, 4))
def test_what_is_connected_to_a_node_is_what_is_not_separated_from_it(arrows, known, start):
    known -= {start}
    links, given_nodes = arrows_of(arrows), np.array(sorted(known), dtype=np.int64)

    found = d_connected(links.parent_rows, links.child_rows, np.array([start]), given_nodes)

    for node in range(5):
        wanted = node == start or (node not in known and not oracle.d_separated(arrows, start, node, known))
        assert found[node] == wanted


@settings(deadline=None, max_examples=30)
@given(LINES, st.integers(0, 2))
def test_undirected_questions_are_answered_by_paths_around_the_conditions(lines, n_given):
    links, questions = lines_of(lines), questions_about(6, n_given)

    found = separated(links.neighbor_rows, questions)

    for (x, y, *known), is_apart in zip(questions.tolist(), found.tolist(), strict=True):
        graph = networkx_of(lines)
        graph.remove_nodes_from(known)
        assert is_apart == (not nx.has_path(graph, x, y))


@settings(deadline=None)
@given(LINES, st.sets(st.integers(0, 5), max_size=3), st.sets(st.integers(0, 5), min_size=1, max_size=2))
def test_what_undirected_paths_reach(lines, known, starts):
    starts -= known
    graph = networkx_of(lines)
    graph.remove_nodes_from(known)

    found = connected(
        lines_of(lines).neighbor_rows,
        np.array(sorted(starts), dtype=np.int64),
        np.array(sorted(known), dtype=np.int64),
    )

    reached = {node for start in starts for node in nx.node_connected_component(graph, start)}
    assert set(np.flatnonzero(found).tolist()) == reached


@settings(deadline=None)
@given(LINES)
def test_components_are_numbered_by_their_first_node(lines):
    found = component_of(lines_of(lines).neighbor_rows)

    parts = sorted(nx.connected_components(networkx_of(lines)), key=min)
    assert found.tolist() == [next(i for i, part in enumerate(parts) if node in part) for node in range(6)]


@settings(deadline=None)
@given(LINES, st.sets(st.integers(0, 5)))
def test_distances_are_counted_from_each_source(lines, sources):
    found = distance_counts(lines_of(lines).neighbor_rows, np.array(sorted(sources), dtype=np.int64))

    lengths = dict(nx.all_pairs_shortest_path_length(networkx_of(lines)))
    wanted = Counter(d for source in sources for d in lengths[source].values() if d > 0)
    assert {d: n for d, n in enumerate(found.tolist()) if n} == wanted


def test_more_than_sixty_four_sources_are_searched_from_in_turn():
    n_nodes = 150
    ring = [(i, (i + 1) % n_nodes) for i in range(n_nodes)]
    links = Links(n_nodes, lines=np.sort(np.array(ring), axis=1))

    found = distance_counts(links.neighbor_rows, np.arange(n_nodes))

    assert found[1:75].tolist() == [2 * n_nodes] * 74
    assert found[75] == n_nodes  # the one opposite
    assert found[76:].sum() == 0


@settings(deadline=None)
@given(LINES)
def test_triangles_are_counted_at_every_corner(lines):
    one_way = Links(6, arrows=np.array(sorted(lines), dtype=np.int64).reshape(-1, 2))

    found = n_triangles(one_way.child_rows)

    assert found.tolist() == list(nx.triangles(networkx_of(lines)).values())


@settings(deadline=None, max_examples=20)
@given(arrows_of_dags(), arrows_of_dags())
def test_effects_are_wrong_where_adjusting_for_the_parents_is_not_allowed(truth, judged):
    """Peters and Bühlmann (2015), proposition 6: an effect is right where the parents are a valid set."""
    links, parents = arrows_of(truth), arrows_of(judged).parent_rows

    found = n_wrong_effects(links.parent_rows, links.child_rows, np.arange(5), parents)

    for node in range(5):
        known = {a for a, b in judged if b == node}
        wrong = sum(not effect_is_right(truth, node, other, known) for other in set(range(5)) - {node})
        assert found[node] == wrong


def effect_is_right(truth, node, other, known):
    """Whether adjusting for `known` gives the effect of `node` on `other`, by the paths of the truth."""
    below = oracle.descendants(truth, node)
    if other in known:
        return other not in below  # the graph judged says that there is no effect
    causal = [path for path in oracle.paths(oracle.skeleton(truth), node, other) if is_directed(truth, path)]
    on_the_way = {inner for path in causal for inner in path[1:]}
    forbidden = on_the_way | {v for inner in on_the_way for v in oracle.descendants(truth, inner)}
    if known & forbidden:
        return False
    others = [p for p in oracle.paths(oracle.skeleton(truth), node, other) if not is_directed(truth, p)]
    return all(oracle.is_blocked(truth, path, known) for path in others)


def is_directed(truth, path):
    return all(arrow in truth for arrow in itertools.pairwise(path))


@pytest.mark.parametrize("n_links", [1, 2, 4])
@pytest.mark.parametrize(("attractiveness", "triangles"), [(0.0, 0.0), (2.0, 0.0), (-0.5, 0.0), (0.0, 0.9)])
def test_every_new_node_joins_as_many_different_older_ones(n_links, attractiveness, triangles):
    pairs = attach(60, n_links, attractiveness, triangles, np.random.default_rng(0))

    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert len({tuple(pair) for pair in pairs.tolist()}) == len(pairs) == n_links * (60 - n_links)
    joined = Counter(pairs[:, 1].tolist())
    assert all(joined[new] == n_links for new in range(n_links + 1, 60))


def test_a_second_link_goes_by_degree():
    # Of a star of two, and a third node that joins one of them: the fourth finds degrees 2, 1, 1.
    hits = Counter()
    for seed in range(4000):
        pairs = attach(4, 1, 0.0, 0.0, np.random.default_rng(seed))
        degrees = np.bincount(pairs[:2].ravel(), minlength=3)
        hits[int(degrees[pairs[2, 0]])] += 1

    assert hits[2] / 4000 == pytest.approx(0.5, abs=0.03)


def test_exchanging_ends_keeps_degrees_and_makes_no_loop_or_double_edge():
    rng = np.random.default_rng(1)
    graph = nx.gnm_random_graph(20, 40, seed=1)
    pairs = np.array(sorted(graph.edges), dtype=np.int64)
    links = Links(20, lines=pairs.copy())
    starts, others = links.neighbor_rows
    others = others.copy()
    before = np.bincount(pairs.ravel(), minlength=20)
    unchanged = {frozenset(pair) for pair in pairs.tolist()}

    exchange_ends(starts, others, pairs, 500, rng)

    now = {frozenset(pair) for pair in pairs.tolist()}
    assert np.bincount(pairs.ravel(), minlength=20).tolist() == before.tolist()
    assert all(len(pair) == 2 for pair in now)
    assert len(now) == 40
    assert now != unchanged
    for node in range(20):  # the compressed rows follow
        assert set(others[starts[node] : starts[node + 1]].tolist()) == {
            next(iter(pair - {node})) for pair in now if node in pair
        }


def test_the_nearest_on_a_ring_are_joined_until_each_has_its_degree():
    pairs = join_nearest(np.arange(6), np.full(6, 2))
    alone = join_nearest(np.arange(4), np.array([3, 1, 1, 1]))

    assert {frozenset(pair) for pair in pairs.tolist()} == {frozenset((i, (i + 1) % 6)) for i in range(6)}
    assert {frozenset(pair) for pair in alone.tolist()} == {frozenset((0, i)) for i in (1, 2, 3)}
    assert join_nearest(np.arange(3), np.zeros(3, dtype=np.int64)).tolist() == []
