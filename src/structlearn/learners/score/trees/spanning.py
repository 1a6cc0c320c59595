"""The heaviest forests: without directions, rooted somewhere, and with directions that are not free."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import DECIMALS_OF_WEIGHTS

Arc = tuple[int, int]
EDGES_PER_NODE = (
    8  # that a forest is looked for among first: of random weights, it takes about log(nodes) / 2
)
WEIGHTS_LOOKED_AT = 2**15  # to guess what that many exceed, to a few percent
ONE_DECIMAL = 10.0**-DECIMALS_OF_WEIGHTS


class Parts:
    """Which nodes hang together, as edges join them."""

    def __init__(self, n_nodes: int) -> None:
        self._above = list(range(n_nodes))

    def join(self, a: int, b: int) -> bool:
        """Join the parts of two nodes; False where they are one already."""
        a, b = self._top(a), self._top(b)
        self._above[b] = a
        return a != b

    def _top(self, node: int) -> int:
        while self._above[node] != node:
            self._above[node] = self._above[self._above[node]]
            node = self._above[node]
        return node


def heaviest_forest(weights: NDArray[np.float64], required: Iterable[Arc] = ()) -> list[Arc]:
    """The edges of positive weight that make the heaviest forest, the heaviest first (Kruskal).

    `weights` is symmetric. Edges of the same weight come in the order of their ends. Those
    required come first of all, and must not close a cycle.
    """
    parts, edges = Parts(len(weights)), list(required)
    for a, b in edges:
        parts.join(a, b)
    for a, b in _heaviest_first(weights):
        if len(edges) == len(weights) - 1:
            break
        if parts.join(a, b):
            edges.append((a, b))
    return edges


def _heaviest_first(weights: NDArray[np.float64]) -> Iterator[Arc]:
    """Places of positive weights from the heaviest down, equal ones in their order, sorted when needed.

    Only those above the diagonal, and weights that are the same but for rounding are equal.
    """
    n_next, most = EDGES_PER_NODE * len(weights), np.inf
    while most > 0.0:
        least = round(_weight_of_rank(weights, n_next), DECIMALS_OF_WEIGHTS)
        # Those within a rounding too, which may turn out to be the same.
        sources, targets = np.divmod(np.flatnonzero(weights >= least - ONE_DECIMAL), len(weights))
        sources, targets = sources[sources < targets], targets[sources < targets]
        own = np.round(weights[sources, targets], DECIMALS_OF_WEIGHTS)
        taken = np.flatnonzero((own >= least) & (own > 0.0) & ((own < most) | (most == np.inf)))
        order = taken[np.argsort(-own[taken], kind="stable")]
        yield from zip(sources[order].tolist(), targets[order].tolist(), strict=True)
        most, n_next = least, 4 * n_next


def _weight_of_rank(weights: NDArray[np.float64], n_edges: int) -> float:
    """About the weight that so many edges exceed, guessed from a part of them; 0 if there are no more."""
    some = weights.ravel()[:: max(weights.size // WEIGHTS_LOOKED_AT, 1)]
    rank = round(2.0 * n_edges * len(some) / weights.size) + 1  # each edge is there twice
    some = some[some > 0.0]
    return float(np.partition(some, -rank)[-rank]) if rank <= len(some) else 0.0


def rooted(n_nodes: int, edges: Iterable[Arc], roots: Iterable[int]) -> list[Arc]:
    """The edges of a forest, directed away from the first of `roots` in each of its parts."""
    neighbors: list[list[int]] = [[] for _ in range(n_nodes)]
    for a, b in edges:
        neighbors[a].append(b)
        neighbors[b].append(a)
    seen: set[int] = set()
    arcs: list[Arc] = []
    for root in roots:
        waiting = [] if root in seen else [root]
        seen.update(waiting)
        while waiting:
            node = waiting.pop()
            fresh = [other for other in neighbors[node] if other not in seen]
            seen.update(fresh)
            waiting += fresh
            arcs += [(node, other) for other in fresh]
    return arcs


class _Contraction(NamedTuple):
    """A cycle that became one node: its members, their parents, and how arcs enter and leave it."""

    members: list[int]
    parents: dict[int, int]
    weakest: int
    entering: NDArray[np.int64]
    leaving: NDArray[np.int64]


def heaviest_branching(weights: NDArray[np.float64]) -> list[Arc]:
    """The arcs of positive weight, at most one into each node, that make the heaviest DAG.

    `weights[source, target]` is what an arc weighs. This is Edmonds' algorithm: each node takes
    its heaviest arc, a cycle becomes one node, and in the end each cycle loses one of its arcs.
    """
    weights = np.where(weights > 0.0, weights, -np.inf)
    np.fill_diagonal(weights, -np.inf)
    contractions: list[_Contraction] = []
    while True:
        parents = _heaviest_parents(weights)
        members = _cycle(parents)
        if not members:
            break
        contractions.append(_contracted(weights, members, {v: parents[v] for v in members}))
    for contraction in reversed(contractions):
        _expand(parents, contraction)
    return sorted((source, target) for target, source in parents.items())


def _heaviest_parents(weights: NDArray[np.float64]) -> dict[int, int]:
    if not len(weights):
        return {}
    best = weights.argmax(axis=0)
    return {v: int(u) for v, u in enumerate(best) if weights[u, v] > 0.0}


def _cycle(parents: dict[int, int]) -> list[int]:
    done: set[int] = set()
    for start in parents:
        walk: list[int] = []
        on_walk: set[int] = set()
        node = start
        while node in parents and node not in done and node not in on_walk:
            walk.append(node)
            on_walk.add(node)
            node = parents[node]
        if node in on_walk:
            return walk[walk.index(node) :]
        done |= on_walk
    return []


def _contracted(weights: NDArray[np.float64], members: list[int], parents: dict[int, int]) -> _Contraction:
    """Make the cycle one node, its first member, in `weights`; arcs into it weigh what they add."""
    held = np.array([weights[parents[v], v] for v in members])
    into = weights[:, members] - held + held.min()
    out = weights[members]
    nodes = np.array(members)
    entering, leaving = nodes[into.argmax(axis=1)], nodes[out.argmax(axis=0)]
    into_best, out_best = into.max(axis=1), out.max(axis=0)
    weights[members] = -np.inf
    weights[:, members] = -np.inf
    weights[:, members[0]] = np.where(into_best > 0.0, into_best, -np.inf)
    weights[members[0]] = out_best
    weights[np.ix_(members, members)] = -np.inf
    return _Contraction(members, parents, members[int(held.argmin())], entering, leaving)


def _expand(parents: dict[int, int], contraction: _Contraction) -> None:
    """Put the cycle's arcs back, but for the one that makes room or weighs least."""
    top = contraction.members[0]
    for target, source in parents.items():
        if source == top:
            parents[target] = int(contraction.leaving[target])
    above = parents.pop(top, None)
    open_at = contraction.weakest if above is None else int(contraction.entering[above])
    parents |= {v: u for v, u in contraction.parents.items() if v != open_at}
    if above is not None:
        parents[open_at] = above
