"""Blocks of graphs, beside those of networkx."""

import networkx as nx
import pytest

from structlearn.graphs.blocks import blocks


def found(graph):
    return sorted(blocks([sorted(graph[node]) for node in range(len(graph))]))


@pytest.mark.parametrize("seed", range(30))
def test_random_graphs_have_the_blocks_of_networkx(seed):
    graph = nx.gnp_random_graph(4 + seed % 9, 0.1 + seed % 5 / 10, seed=seed)

    assert found(graph) == sorted(map(sorted, nx.biconnected_components(graph)))


def test_a_bridge_is_a_block_and_a_lonely_node_is_in_none():
    graph = nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (4, 5)])
    graph.add_node(6)

    assert found(graph) == [[0, 1, 2], [2, 3], [4, 5]]


def test_a_long_path_does_not_reach_the_depth_of_python():
    assert len(found(nx.path_graph(3000))) == 2999
