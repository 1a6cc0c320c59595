"""Each kind of random graph has the size, degrees and clustering of its theory."""

import math
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from structlearn.errors import OptionError
from structlearn.graphs import measures
from structlearn.graphs.generators import random_dag, random_undirected
from structlearn.graphs.shapes import SmallWorld
from structlearn.graphs.topology import topology
from structlearn.graphs.uniform_dags import n_dags, uniform_arrows
from tests.oracles import graphs as oracle

KINDS = {
    "erdos-renyi": {"expected_degree": 3.0},
    "scale-free": {"n_links": 2, "attractiveness": 0.5, "triangles": 0.3},
    "small-world": {"degree": 4, "rewiring": 0.3},
    "hierarchical": {"module_size": 5},
    "uniform": {},
}


def degrees_of(graph):
    return topology(graph, n_sources=1).degrees


@pytest.mark.parametrize(("kind", "options"), KINDS.items(), ids=KINDS)
def test_every_kind_makes_a_dag_that_its_seed_gives_again(kind, options):
    first = random_dag(25, kind=kind, random_state=3, **options)

    assert first.is_dag
    assert first == random_dag(25, kind=kind, random_state=3, **options)
    assert any(first != random_dag(25, kind=kind, random_state=seed, **options) for seed in range(4, 9))


@pytest.mark.parametrize(("kind", "options"), list(KINDS.items())[:4], ids=list(KINDS)[:4])
def test_directions_follow_growth_where_asked_for(kind, options):
    down = random_dag(25, kind=kind, direction="old-to-new", random_state=1, **options)
    up = random_dag(25, kind=kind, direction="new-to-old", random_state=1, **options)

    assert {(b, a) for a, b in down.directed} == set(up.directed)
    assert down.skeleton() == random_undirected(25, kind=kind, random_state=1, **options)
    place = {name: i for i, name in enumerate(down.nodes)}
    assert all(place[a] < place[b] for a, b in down.directed)


@pytest.mark.parametrize(("kind", "options"), KINDS.items(), ids=KINDS)
@pytest.mark.parametrize("most", [0, 1, 3])
def test_no_node_has_more_parents_than_allowed(kind, options, most):
    free = random_dag(25, kind=kind, random_state=5, **options)
    graph = random_dag(25, kind=kind, max_parents=most, random_state=5, **options)

    assert set(graph.directed) <= set(free.directed)
    assert [len(graph.parents(node)) for node in graph.nodes] == [
        min(len(free.parents(node)), most) for node in free.nodes
    ]


def test_dropped_parents_are_drawn_alike():
    kept = Counter(
        random_dag(4, expected_degree=3, direction="old-to-new", max_parents=1, random_state=seed).parents(
            "x3"
        )
        for seed in range(900)
    )

    assert stats.chisquare([kept[name,] for name in ("x0", "x1", "x2")]).pvalue > 0.001


def test_a_random_direction_does_not_make_hubs_sources():
    graphs = [random_dag(300, kind="scale-free", n_links=1, random_state=seed) for seed in range(20)]
    shares = []
    for graph in graphs:
        hub = max(graph.nodes, key=lambda node: len(graph.adjacent(node)))
        shares.append(len(graph.children(hub)) / len(graph.adjacent(hub)))

    # Under a random order the hub's place is uniform; along growth it would always be near 1.
    assert min(shares) < 0.4
    assert max(shares) > 0.6


@pytest.mark.parametrize("rewiring", [0.0, 0.2, 1.0])
def test_a_small_world_keeps_its_number_of_edges(rewiring):
    graph = random_undirected(50, kind="small-world", degree=6, rewiring=rewiring, random_state=0)

    assert len(graph.edges) == 50 * 6 // 2


@pytest.mark.parametrize("rewiring", [0.01, 0.1, 0.3])
def test_clustering_of_a_small_world_falls_with_the_cube(rewiring):
    whole = 3 * (10 - 2) / (4 * (10 - 1))
    shape = SmallWorld(degree=10, rewiring=rewiring)
    drawn = [shape.pairs(2000, np.random.default_rng(seed)) for seed in range(10)]
    found = [measures.clustering(pairs, 2000).mean() for pairs in drawn]

    assert np.mean(found) / whole == pytest.approx((1 - rewiring) ** 3, abs=0.01)


def test_shortcuts_shorten_the_paths():
    def length(rewiring):
        graph = random_undirected(1000, kind="small-world", degree=10, rewiring=rewiring, random_state=1)
        return topology(graph).average_path_length

    assert length(0.0) == pytest.approx(50.450450, abs=1e-6)
    assert length(0.1) < 6


def test_the_ring_can_be_kept_and_the_graph_made_connected():
    ring = random_undirected(60, kind="small-world", degree=4, rewiring=0.0)
    kept = random_undirected(60, kind="small-world", degree=4, rewiring=0.5, keep_ring=True, random_state=0)
    joined = [
        random_undirected(30, kind="small-world", degree=2, rewiring=0.3, connected=True, random_state=seed)
        for seed in range(10)
    ]

    assert set(ring.undirected) < set(kept.undirected)
    assert all(topology(graph).is_connected for graph in joined)


@pytest.mark.parametrize("n_links", [1, 2, 5])
def test_a_scale_free_graph_is_connected_and_has_its_number_of_edges(n_links):
    graph = random_undirected(400, kind="scale-free", n_links=n_links, random_state=2)

    assert len(graph.edges) == n_links * (400 - n_links)
    assert topology(graph).is_connected
    assert degrees_of(graph).min() == 1 if n_links == 1 else degrees_of(graph)[n_links + 1 :].min() >= n_links


def test_degrees_of_a_scale_free_graph_follow_the_limit_law():
    n_nodes = 20_000
    degrees = degrees_of(random_undirected(n_nodes, kind="scale-free", n_links=2, random_state=0))

    for k in (2, 3, 4, 6):
        expected = 2 * 2 * 3 / (k * (k + 1) * (k + 2))
        error = (expected * (1 - expected) / n_nodes) ** 0.5
        assert abs((degrees == k).mean() - expected) < 4 * error


@pytest.mark.parametrize("attractiveness", [-0.9, 2.0])
def test_attractiveness_sets_the_share_of_leaves(attractiveness):
    # A new node of degree m stays so at the rate m (m + a) / (2m + a): its share is 1 / (1 + that).
    n_nodes, m = 20_000, 2
    graph = random_undirected(
        n_nodes, kind="scale-free", n_links=m, attractiveness=attractiveness, random_state=1
    )
    expected = 1 / (1 + m * (m + attractiveness) / (2 * m + attractiveness))

    assert (degrees_of(graph) == m).mean() == pytest.approx(expected, abs=0.012)


def test_triangles_raise_the_clustering_and_leave_the_edges():
    plain, closed = (
        random_undirected(2000, kind="scale-free", n_links=3, triangles=share, random_state=0)
        for share in (0.0, 0.9)
    )

    assert len(plain.edges) == len(closed.edges)
    clusterings = [topology(graph, n_sources=1).average_clustering for graph in (plain, closed)]
    assert clusterings[1] > 5 * clusterings[0]


# From docs/references/graphs.md#random-graphs.
@pytest.mark.parametrize(
    ("size", "levels", "n_edges", "hub", "clustering"),
    [
        (5, 2, 66, 20, 0.902316),
        (5, 3, 394, 84, 0.850142),
        (5, 4, 2226, 340, 0.814990),
        (5, 5, 12154, 1364, 0.791582),
        (4, 3, 159, 39, 0.796845),
    ],
)
def test_hierarchical_graphs_have_the_numbers_of_the_references(size, levels, n_edges, hub, clustering):
    graph = random_undirected(size**levels, kind="hierarchical", module_size=size)
    found = topology(graph, n_sources=1)

    assert found.n_edges == n_edges
    assert found.degrees[0] == hub
    assert found.average_clustering == pytest.approx(clustering, abs=1e-6)
    assert found.clustering[0] == pytest.approx((size - 2) / (hub - 1))


@pytest.mark.parametrize(("levels", "diameter"), [(2, 4), (3, 6), (4, 8)])
def test_hierarchical_graphs_widen_by_two_a_level(levels, diameter):
    assert topology(random_undirected(5**levels, kind="hierarchical")).diameter == diameter


def test_hierarchical_joining_can_be_random():
    graphs = [random_undirected(125, kind="hierarchical", joining=0.5, random_state=s) for s in (0, 0, 1)]

    # Per level: half, then a quarter, of the nodes of each of the four copies join the first.
    n_second = 5 * 10 + 4 * round(0.5 * 5)
    assert len(graphs[0].edges) == 5 * n_second + 4 * round(0.25 * 25)
    assert graphs[0] == graphs[1] != graphs[2]


def test_dags_are_counted_as_everybody_counts_them():
    totals = [sum(n_dags(n, k) for k in range(1, n + 1)) for n in range(1, 8)]

    assert totals == [1, 3, 25, 543, 29281, 3781503, 1138779265]
    for k in (1, 2, 3):
        with_sources = [dag for dag in oracle.all_dags(4) if len(set(range(4)) - {b for _, b in dag}) == k]
        assert n_dags(4, k) == len(with_sources)


def test_every_dag_of_three_nodes_is_drawn_alike():
    generator = np.random.default_rng(0)
    drawn = Counter(frozenset(map(tuple, uniform_arrows(3, generator).tolist())) for _ in range(15_000))

    assert len(drawn) == 25
    assert stats.chisquare(list(drawn.values())).pvalue > 0.001


def test_large_uniform_dags_have_a_quarter_of_all_arrows_each_way():
    # Kuipers and Moffa (2015): the layers stay small, so almost half of all pairs are joined.
    graph = random_dag(80, kind="uniform", random_state=0)

    assert graph.is_dag
    assert len(graph.edges) / math.comb(80, 2) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: random_dag(5, kind="tree"), "kind is the kind of random graph, one of 'erdos-renyi'"),
        (lambda: random_dag(5, kind="scale-free", expected_degree=2), "no option 'expected_degree'"),
        (lambda: random_dag(5, kind="uniform", n_links=2), "it has none"),
        (lambda: random_dag(3, kind="scale-free", n_links=3), "needs more nodes"),
        (lambda: random_dag(9, kind="scale-free", attractiveness=-1), "a number larger than -1"),
        (lambda: random_dag(9, kind="small-world", degree=3), "even degree"),
        (lambda: random_dag(4, kind="small-world", degree=4), "smaller than n_nodes"),
        (lambda: random_dag(9, kind="small-world", rewiring=1.5), "rewiring is the probability"),
        (lambda: random_dag(24, kind="hierarchical"), "such as 25, not 24"),
        (lambda: random_dag(8, kind="hierarchical", module_size=2), "module_size is how many"),
        (lambda: random_dag(5**11, kind="hierarchical"), "48,828,125 nodes is too large"),
        (lambda: random_dag(500, kind="uniform"), "at most 150"),
        (lambda: random_undirected(5, kind="uniform"), "expected_degree"),
        (lambda: random_dag(5, max_parents=-1), "max_parents"),
        (lambda: random_dag(5, direction="up"), "direction"),
        (
            lambda: random_dag(40, kind="small-world", degree=0, connected=True, tries=2),
            "None of 2 small worlds",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(make, message):
    with pytest.raises(OptionError, match=message):
        make()


@pytest.mark.parametrize("kind", ["erdos-renyi", "uniform"])
@pytest.mark.parametrize("n_nodes", [0, 1, 2])
def test_the_smallest_graphs_can_be_drawn(kind, n_nodes):
    assert len(random_dag(n_nodes, kind=kind, random_state=0)) == n_nodes
