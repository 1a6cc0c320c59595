"""Which nodes reach, shield and separate which others.

Everything works on positions; `Graph` has the same questions by name.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.graphs.links import Links, Positions, distinct_pairs


def reachable(step: Callable[[int], Positions], starts: Iterable[int]) -> list[int]:
    """The nodes that one or more steps lead to, sorted; a start only if a cycle leads back to it."""
    found: set[int] = set()
    waiting = list(starts)
    while waiting:
        fresh = set(step(waiting.pop()).tolist()) - found
        found |= fresh
        waiting.extend(fresh)
    return sorted(found)


def topological_order(links: Links) -> tuple[int, ...] | None:
    """The nodes with every arrow pointing forward, smallest position first; None with a cycle."""
    return parents_first([links.parents(node).tolist() for node in range(links.n_nodes)])


def parents_first(parents: Sequence[Collection[int]]) -> tuple[int, ...] | None:
    """The nodes, each after its parents, smallest position first; None with a cycle."""
    children: list[list[int]] = [[] for _ in parents]
    for node, members in enumerate(parents):
        for parent in members:
            children[parent].append(node)
    n_waiting = [len(members) for members in parents]
    ready = [node for node, n_before in enumerate(n_waiting) if n_before == 0]  # sorted, and so a heap
    order = []
    while ready:
        node = heappop(ready)
        order.append(node)
        for child in children[node]:
            n_waiting[child] -= 1
            if n_waiting[child] == 0:
                heappush(ready, child)
    return tuple(order) if len(order) == len(parents) else None


def ancestor_matrix(dag: Links) -> NDArray[np.bool_]:
    """Which nodes are ancestors of each node of a DAG, a row for each node; none is its own."""
    above = np.zeros((dag.n_nodes, dag.n_nodes), dtype=np.bool_)
    for node in topological_order(dag) or ():
        parents = dag.parents(node)
        above[node, parents] = True
        above[node] |= above[parents].any(axis=0)
    return above


def markov_blanket(links: Links, node: int) -> list[int]:
    """Parents, children, the children's other parents, and undirected neighbours, sorted.

    With arcs or circles, all nodes at the end of a path whose inner nodes are colliders.
    """
    if not links.has_only_arrows_and_lines:
        return _collider_connected(links, node)
    children = links.children(node)
    groups = [links.parents(node), children, links.neighbors(node), *map(links.parents, children)]
    return sorted(set(np.concatenate(groups).tolist()) - {node})


def moral_edges(links: Links) -> Positions:
    """The pairs of nodes in each other's Markov blanket, a row (low, high) for each, sorted."""
    if not links.has_only_arrows_and_lines:
        pairs = [(a, b) for a in range(links.n_nodes) for b in _collider_connected(links, a) if a < b]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)
    married = [_pairs_of(links.parents(node)) for node in range(links.n_nodes)]
    return distinct_pairs(np.concatenate([links.pairs(), *married]), links.n_nodes)


def d_separated(links: Links, starts: Iterable[int], targets: Iterable[int], *, given: Iterable[int]) -> bool:
    """Whether `given` blocks every path between `starts` and `targets` of a DAG, in O(nodes + edges)."""
    from structlearn.graphs.kernels import reachability  # noqa: PLC0415, numba is slow to load

    reached = reachability.d_connected(
        links.parent_rows, links.child_rows, _positions(starts), _positions(given)
    )
    return not reached[_positions(targets)].any()


def d_separated_many(links: Links, queries: ArrayLike) -> NDArray[np.bool_]:
    """Answer `d_separated` for each row (x, y, given …) of `queries`, a negative given being no node.

    The nodes of a row differ: the caller has checked.

    Examples
    --------
    >>> chain = Links(3, arrows=[(0, 1), (1, 2)])
    >>> d_separated_many(chain, [(0, 2, -1), (0, 2, 1)])
    array([False,  True])
    """
    from structlearn.graphs.kernels import reachability  # noqa: PLC0415, numba is slow to load

    apart: NDArray[np.bool_] = reachability.d_separated(
        links.parent_rows, links.child_rows, _query_rows(queries)
    )
    return apart


def separated(links: Links, starts: Iterable[int], targets: Iterable[int], *, given: Iterable[int]) -> bool:
    """Whether every undirected path between `starts` and `targets` meets `given`."""
    from structlearn.graphs.kernels import reachability  # noqa: PLC0415, numba is slow to load

    reached = reachability.connected(links.neighbor_rows, _positions(starts), _positions(given))
    return not reached[_positions(targets)].any()


def separated_many(links: Links, queries: ArrayLike) -> NDArray[np.bool_]:
    """Answer `separated` for each row (x, y, given …) of `queries`, as `d_separated_many` does."""
    from structlearn.graphs.kernels import reachability  # noqa: PLC0415, numba is slow to load

    apart: NDArray[np.bool_] = reachability.separated(links.neighbor_rows, _query_rows(queries))
    return apart


def canonical_dag(links: Links) -> tuple[Links, Positions]:
    """The DAG that a graph of arrows, arcs and, where it is ancestral, lines stands for.

    An arc a ↔ b becomes a ← h → b with a node h that is hidden, a line a — b becomes a → s ← b with a
    node s that is given; both follow the nodes of the graph. What is m-separated in the graph is
    d-separated in the DAG given also the s, which come second (Richardson and Spirtes, 2002).
    """
    hidden = links.n_nodes + np.arange(len(links.arcs))
    selected = links.n_nodes + len(hidden) + np.arange(len(links.lines))
    arrows = [links.arrows]
    arrows += [np.column_stack([hidden, links.arcs[:, end]]) for end in (0, 1)]
    arrows += [np.column_stack([links.lines[:, end], selected]) for end in (0, 1)]
    return Links(links.n_nodes + len(hidden) + len(selected), arrows=np.concatenate(arrows)), selected


def _collider_connected(links: Links, node: int) -> list[int]:
    found = set(links.adjacent(node).tolist())
    inner = {child for child in found if node in links.pointing_at(child)}
    waiting = list(inner)
    while waiting:
        here = waiting.pop()
        around = set(links.pointing_at(here).tolist())
        found |= around
        fresh = {other for other in around if here in links.pointing_at(other)} - inner - {node}
        inner |= fresh
        waiting.extend(fresh)
    return sorted(found - {node})


def _pairs_of(nodes: Positions) -> Positions:
    first, second = np.triu_indices(nodes.size, k=1)
    return np.column_stack([nodes[first], nodes[second]])


def _positions(nodes: Iterable[int]) -> Positions:
    return np.fromiter(nodes, dtype=np.int64)


def _query_rows(queries: ArrayLike) -> Positions:
    return np.ascontiguousarray(queries, dtype=np.int64)
