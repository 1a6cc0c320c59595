"""The cliques of an undirected graph, in an order that factorises a distribution where there is one."""

from collections.abc import Iterable, Iterator, Sequence

from structlearn.errors import needing
from structlearn.graphs import Graph

Clique = tuple[int, ...]


def maximal_cliques(graph: Graph) -> list[Clique]:
    """The largest sets of nodes that are all joined, by position; a lone node is one by itself."""
    decomposed = decomposition(neighbor_sets(len(graph), graph.links.pairs().tolist()))
    if decomposed is not None:
        return [clique for clique, _ in decomposed]
    with needing("networkx", "A graph that is not chordal"):
        from networkx import Graph as Network  # noqa: PLC0415, slow to load
        from networkx import find_cliques  # noqa: PLC0415, slow to load

    network = Network()
    network.add_nodes_from(range(len(graph)))
    network.add_edges_from(graph.links.pairs().tolist())
    return sorted(tuple(sorted(clique)) for clique in find_cliques(network))


def decomposition(neighbors: Sequence[set[int]]) -> list[tuple[Clique, Clique]] | None:
    """Each maximal clique with what it shares with those before it; None where the graph is not chordal.

    Maximum cardinality search: the next node is one with the most neighbours among those before it
    (Tarjan and Yannakakis, 1984). A clique ends where that number does not grow (Blair and Peyton, 1993).
    """
    order: dict[int, int] = {}
    found: list[tuple[Clique, Clique]] = []
    n_before = -1
    for node, known in _searched(neighbors):
        last = max(known, key=order.__getitem__, default=node)
        if not (known - {last}).issubset(neighbors[last]):
            return None
        if found and len(known) == n_before + 1:
            found[-1] = (tuple(sorted((*found[-1][0], node))), found[-1][1])
        else:
            found.append((tuple(sorted((*known, node))), tuple(sorted(known))))
        n_before = len(known)
        order[node] = len(order)
    return found


def _searched(neighbors: Sequence[set[int]]) -> Iterator[tuple[int, set[int]]]:
    """The nodes in the order of the search, each with its neighbours before it."""
    known: list[set[int]] = [set() for _ in neighbors]
    waiting: list[set[int]] = [set(range(len(neighbors))), *(set() for _ in neighbors)]
    most = 0
    for _ in neighbors:
        while not waiting[most]:
            most -= 1
        node = min(waiting[most])
        waiting[most].remove(node)
        yield node, known[node]
        for other in neighbors[node]:
            if other in waiting[len(known[other])]:
                waiting[len(known[other])].remove(other)
                known[other].add(node)
                waiting[len(known[other])].add(other)
        most += 1


def neighbor_sets(n_nodes: int, scopes: Iterable[Sequence[int]]) -> list[set[int]]:
    """The neighbours of each node in the graph that joins all nodes of each scope."""
    neighbors: list[set[int]] = [set() for _ in range(n_nodes)]
    for scope in scopes:
        for node in scope:
            neighbors[node].update(scope)
    for node, around in enumerate(neighbors):
        around.discard(node)
    return neighbors
