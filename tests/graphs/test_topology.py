"""Measures of topology agree with hand calculation, formulas and networkx."""

import math
import warnings
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import OptionError
from structlearn.graphs import Graph, measures
from structlearn.graphs.generators import random_dag, random_undirected
from structlearn.graphs.small_world import rewired, ring_like
from structlearn.graphs.topology import topology
from tests.strategies import undirected_graphs

PAW = Graph("abcd", undirected=["ab", "bc", "ac", "cd"])


def ring(n_nodes, degree):
    return random_undirected(n_nodes, kind="small-world", degree=degree, rewiring=0.0)


def of_networkx(graph):
    return Graph(map(str, graph), undirected=[(str(a), str(b)) for a, b in graph.edges])


def test_the_paw_has_the_measures_computed_by_hand():
    found = topology(PAW)

    assert found.clustering == pytest.approx([1, 1, 1 / 3, 0])
    assert found.average_clustering == pytest.approx(0.583333, abs=1e-6)
    assert found.transitivity == pytest.approx(0.6)
    assert found.diameter == 2
    assert found.average_path_length == pytest.approx(4 / 3)
    assert found.global_efficiency == pytest.approx((4 + 2 / 2) / 6)
    assert found.density == pytest.approx(4 / 6)
    assert found.degree_distribution == {1: 0.25, 2: 0.5, 3: 0.25}
    assert found.degree_tail == {1: 1.0, 2: 0.75, 3: 0.25}
    assert found.clustering_by_degree == pytest.approx({1: 0, 2: 1, 3: 1 / 3})
    assert found.hubs == ("c",)


# From docs/references/graphs.md#topology.
@pytest.mark.parametrize(
    ("n_nodes", "degree", "clustering", "length", "diameter"),
    [(20, 4, 0.5, 2.894737, 5), (100, 6, 0.6, 8.757576, 17)],
)
def test_rings_have_the_numbers_of_the_references(n_nodes, degree, clustering, length, diameter):
    found = topology(ring(n_nodes, degree))

    assert found.average_clustering == pytest.approx(clustering)
    assert found.average_path_length == pytest.approx(length, abs=1e-6)
    assert found.diameter == diameter


@settings(deadline=None)
@given(st.integers(1, 6), st.integers(0, 20))
def test_a_ring_is_clustered_by_its_formula(half, more):
    degree = 2 * half
    n_nodes = math.ceil(1.5 * degree) + 1 + more

    expected = 3 * (degree - 2) / (4 * (degree - 1))
    assert topology(ring(n_nodes, degree)).average_clustering == pytest.approx(expected)


def test_two_hundred_random_graphs_agree_with_networkx():
    rng = np.random.default_rng(0)
    for seed in range(200):
        n_nodes = int(rng.integers(2, 90))
        theirs = nx.gnp_random_graph(n_nodes, rng.uniform(0, 0.2), seed=seed)
        found = topology(of_networkx(theirs))

        assert found.clustering == pytest.approx(list(nx.clustering(theirs).values()))
        assert found.average_clustering == pytest.approx(nx.average_clustering(theirs))
        assert found.transitivity == pytest.approx(nx.transitivity(theirs))
        assert found.global_efficiency == pytest.approx(nx.global_efficiency(theirs))
        assert found.density == pytest.approx(nx.density(theirs))
        assert found.component_sizes == tuple(sorted(map(len, nx.connected_components(theirs)), reverse=True))
        lengths = [d for _, to in nx.all_pairs_shortest_path_length(theirs) for d in to.values() if d]
        assert found.average_path_length == pytest.approx(
            np.mean(lengths) if lengths else math.nan, nan_ok=True
        )
        assert found.diameter == (nx.diameter(theirs) if nx.is_connected(theirs) else math.inf)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = nx.degree_assortativity_coefficient(theirs)
        assert found.assortativity == pytest.approx(expected, nan_ok=True)


@settings(deadline=None)
@given(undirected_graphs(max_nodes=8))
def test_the_largest_component_is_measured_as_if_alone(graph):
    found = topology(graph, on="largest_component")
    alone = topology(graph.subgraph(found.nodes))

    assert found.is_connected
    assert len(found.component_sizes) <= 1
    for name in ("diameter", "average_path_length", "average_clustering", "density", "n_edges"):
        assert getattr(found, name) == pytest.approx(getattr(alone, name), nan_ok=True)


def test_what_is_not_connected_has_an_infinite_diameter_and_says_so():
    found = topology(Graph("abcde", undirected=["ab", "bc", "de"]))

    assert found.diameter == math.inf
    assert not found.is_connected
    assert found.average_path_length == pytest.approx((4 * 1 + 2 * 2 + 2 * 1) / 8)
    assert topology(Graph("abcde", undirected=["ab", "bc", "de"]), on="largest_component").diameter == 2
    assert "2 components" in str(found)


@pytest.mark.parametrize("n_nodes", [0, 1])
def test_too_few_nodes_have_no_distances(n_nodes):
    found = topology(Graph([str(i) for i in range(n_nodes)]))

    for name in ("density", "diameter", "average_path_length", "global_efficiency", "assortativity"):
        assert math.isnan(getattr(found, name))
    assert found.hubs == ()
    assert "Topology" in str(found)


def test_a_dag_is_measured_on_its_skeleton_with_its_degrees_beside():
    dag = Graph("abcd", directed=["ab", "bc", "ac", "cd"])
    found = topology(dag)

    assert found.transitivity == topology(PAW).transitivity
    assert found.in_degrees.tolist() == [0, 1, 2, 1]
    assert found.out_degrees.tolist() == [2, 1, 1, 0]


def test_both_directions_are_one_edge():
    assert topology(Graph("ab", directed=["ab", "ba"])).degrees.tolist() == [1, 1]


def test_nodes_of_low_degree_can_be_left_out_of_the_clustering():
    # The three nodes of the triangle have 1, 1 and 1/3.
    assert topology(PAW, count_low_degree=False).average_clustering == pytest.approx(7 / 9)


def test_more_than_a_word_of_sources_and_a_long_path():
    n_nodes = 300
    names = [str(i) for i in range(n_nodes)]
    path = Graph(names, undirected=list(pairwise(names)))
    found = topology(path)

    assert found.diameter == n_nodes - 1
    assert found.average_path_length == pytest.approx((n_nodes + 1) / 3)  # the mean distance on a path


def test_some_sources_estimate_what_all_measure():
    graph = random_undirected(3000, kind="scale-free", n_links=3, random_state=5)
    every, some = topology(graph), topology(graph, n_sources=400, random_state=1)

    assert some.is_sampled
    assert not every.is_sampled
    assert some.average_path_length == pytest.approx(every.average_path_length, rel=0.03)
    assert some.global_efficiency == pytest.approx(every.global_efficiency, rel=0.03)
    assert some.diameter <= every.diameter
    assert topology(graph, n_sources=3000).average_path_length == every.average_path_length


@settings(max_examples=60, deadline=None)
@given(undirected_graphs(min_nodes=1, max_nodes=12), st.integers(0, 99))
def test_rewiring_keeps_every_degree_and_stays_simple(graph, seed):
    pairs = graph.links.pairs()
    changed = rewired(pairs, len(graph), generator=np.random.default_rng(seed))

    assert len({frozenset(pair) for pair in changed.tolist()}) == len(pairs)
    assert all(a != b for a, b in changed.tolist())
    degrees = np.bincount(pairs.ravel(), minlength=len(graph))
    assert np.bincount(changed.ravel(), minlength=len(graph)).tolist() == degrees.tolist()


@settings(deadline=None)
@given(undirected_graphs(min_nodes=1, max_nodes=12))
def test_the_ring_of_a_graph_is_simple_and_exceeds_no_degree(graph):
    pairs = graph.links.pairs()
    around = ring_like(pairs, len(graph))

    assert len({frozenset(pair) for pair in around.tolist()}) == len(around)
    assert all(a != b for a, b in around.tolist())
    degrees = np.bincount(pairs.ravel(), minlength=len(graph))
    assert (np.bincount(around.ravel(), minlength=len(graph)) <= degrees).all()


def test_rewiring_makes_a_ring_random_and_its_degrees_give_it_back():
    pairs = ring(300, 6).links.pairs()
    shuffled = rewired(pairs, 300, generator=np.random.default_rng(0))

    assert measures.clustering(shuffled, 300).mean() < 0.05
    assert {frozenset(pair) for pair in ring_like(shuffled, 300).tolist()} == {
        frozenset(pair) for pair in pairs.tolist()
    }


def test_few_edges_are_lost_around_a_ring_with_hubs():
    pairs = random_undirected(2000, kind="scale-free", n_links=3, random_state=0).links.pairs()

    assert len(ring_like(pairs, 2000)) > 0.99 * len(pairs)


@pytest.mark.parametrize("n_random", [0, 3])
def test_a_small_world_is_told_from_a_random_graph(n_random):
    def measured(rewiring):
        graph = random_undirected(400, kind="small-world", degree=8, rewiring=rewiring, random_state=3)
        return topology(graph, n_random=n_random, random_state=0)

    assert measured(0.1).sigma > 3
    assert abs(measured(1.0).sigma - 1) < 0.3
    assert measured(0.0).omega < -0.7
    assert measured(1.0).omega > 0.7


def test_the_analytic_coefficients_are_those_of_the_formulas():
    found = topology(ring(100, 6))

    clustering, length = 6 / 99, math.log(100) / math.log(6)
    assert found.sigma == pytest.approx((0.6 / clustering) / (found.average_path_length / length))
    assert found.omega == pytest.approx(length / found.average_path_length - 1)


def test_the_same_seed_measures_the_same():
    graph = random_dag(60, expected_degree=4, random_state=2)

    first, second = (topology(graph, n_random=2, n_sources=20, random_state=9) for _ in range(2))
    assert (first.sigma, first.omega) == (second.sigma, second.omega)


def test_options_out_of_range_are_refused():
    with pytest.raises(OptionError, match="on is the part of the graph"):
        topology(PAW, on="some")
    with pytest.raises(OptionError, match="hub_quantile"):
        topology(PAW, hub_quantile=2)
