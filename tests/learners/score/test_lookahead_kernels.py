"""Sets of nodes that can be completed, against adding their links and looking at the graph."""

import itertools

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from structlearn.learners.score.kernels.lookahead import complete_sets

N_NODES = 5
PAIRS = list(itertools.combinations(range(N_NODES), 2))
LINKS = st.sets(st.sampled_from(PAIRS))


def matrix_of(links):
    matrix = np.zeros((N_NODES, N_NODES), dtype=np.bool_)
    for a, b in links:
        matrix[a, b] = matrix[b, a] = True
    return matrix


def graph_of(links):
    graph = nx.empty_graph(N_NODES)
    graph.add_edges_from(links)
    return graph


def is_possible(links, closed, nodes, n_links, max_clique):
    missing = set(itertools.combinations(nodes, 2)) - links
    if (
        len(missing) != n_links
        or missing & closed
        or {node for link in missing for node in link} != set(nodes)
    ):
        return False
    larger = graph_of(links | missing)
    return nx.is_chordal(larger) and max(map(len, nx.find_cliques(larger))) <= max_clique


@given(
    links=LINKS.filter(lambda links: nx.is_chordal(graph_of(links))),
    closed=st.sets(st.sampled_from(PAIRS), max_size=3),
    n_links=st.integers(1, 3),
    max_clique=st.integers(3, 5),
)
def test_a_set_is_possible_where_its_links_leave_the_graph_decomposable(links, closed, n_links, max_clique):
    largest = max(map(len, nx.find_cliques(graph_of(links))))
    max_clique = max(max_clique, largest)
    size = 3 if n_links > 1 else 2
    sets = list(itertools.combinations(range(N_NODES), size))
    joined = matrix_of(links)
    steps = np.zeros((len(sets), n_links, max_clique), dtype=np.int64)
    found = np.zeros(len(sets), dtype=np.bool_)

    complete_sets(joined, matrix_of(closed), np.array(sets), max_clique, steps, found)

    assert found.tolist() == [is_possible(links, closed, nodes, n_links, max_clique) for nodes in sets]
    assert np.array_equal(joined, matrix_of(links))
    for nodes, ways in zip(np.array(sets)[found], steps[found].tolist(), strict=True):
        graph = graph_of(links)
        for a, b, *between in ways:
            assert {a, b} <= set(nodes.tolist())
            assert {node for node in between if node >= 0} == set(nx.common_neighbors(graph, a, b))
            graph.add_edge(a, b)
            assert nx.is_chordal(graph)
