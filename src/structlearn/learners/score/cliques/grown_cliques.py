"""Greedy growth of decomposable graphs, and how to improve what has grown."""

from itertools import combinations, takewhile

import numpy as np

from structlearn.learners.score.cliques.decomposable import (
    Attachment,
    Clique,
    CliqueGains,
    Neighbors,
    attachments_of,
    is_clique,
    joined,
    subsets,
    total_gain,
)
from structlearn.rounding import DECIMALS_OF_WEIGHTS, ENOUGH, is_better
from structlearn.run import Run


def grow(gains: CliqueGains, start: int, width: int, run: Run) -> list[Attachment]:
    """Attach, again and again, the node that gains most to where it does; when time is up, to nothing."""
    best = np.zeros(gains.n_nodes)
    where: list[Clique] = [() for _ in range(gains.n_nodes)]
    best[start] = np.inf
    grown: list[Attachment] = []
    while len(grown) < gains.n_nodes:
        node = int(np.round(best, 9).argmax())
        clique = where[node]
        grown.append((node, clique))
        best[node] = -np.inf
        for rest in subsets(clique, width - 1):
            if run.must_stop():
                break
            found = tuple(sorted((node, *rest)))
            gained = gains.of(found)
            for better in np.flatnonzero((gained > best + ENOUGH) & (best > -np.inf)).tolist():
                best[better], where[better] = gained[better], found
    return grown


def improve(gains: CliqueGains, grown: list[Attachment], width: int, run: Run) -> list[Attachment]:
    """Move nodes whose neighbours are a clique, add and remove edges, until none of it gains anything."""
    neighbors = joined(gains.n_nodes, grown)

    def in_time(_: object) -> bool:
        return not run.must_stop()

    best, found = grown, attachments_of(neighbors)
    while is_better(total_gain(gains, found), total_gain(gains, best)) or best is grown:
        best = found
        for node in takewhile(in_time, range(gains.n_nodes)):
            if is_clique(neighbors, neighbors[node]):
                _move(gains, neighbors, node, width)
        for edge in takewhile(in_time, combinations(range(gains.n_nodes), 2)):
            _toggle(gains, neighbors, edge, width)
        found = attachments_of(neighbors)
    return best


def _move(gains: CliqueGains, neighbors: Neighbors, node: int, width: int) -> bool:
    """Attach the node where it gains most; False where it is there already."""
    now = tuple(sorted(neighbors[node]))
    for other in now:
        neighbors[other].remove(node)
    neighbors[node].clear()
    gain, target = gains.of(now)[node], now
    for clique in _cliques(neighbors, width):
        if gains.of(clique)[node] > gain + ENOUGH:
            gain, target = gains.of(clique)[node], clique
    for other in target:
        neighbors[other].add(node)
        neighbors[node].add(other)
    return target != now


def _toggle(gains: CliqueGains, neighbors: Neighbors, edge: tuple[int, int], width: int) -> bool:
    """Add or remove an edge where that gains and the graph stays decomposable; whether it did."""
    a, b = edge
    common = tuple(sorted(neighbors[a] & neighbors[b]))
    if len(common) >= width or not is_clique(neighbors, common):
        return False
    worth = gains.of(tuple(sorted((*common, b))))[a] - gains.of(common)[a]
    if b in neighbors[a] and worth < -ENOUGH:
        neighbors[a].remove(b)
        neighbors[b].remove(a)
        return True
    if b in neighbors[a] or worth <= ENOUGH or _leads_around(neighbors, edge, common):
        return False
    neighbors[a].add(b)
    neighbors[b].add(a)
    return True


def _leads_around(neighbors: Neighbors, edge: tuple[int, int], common: Clique) -> bool:
    """Whether a path joins the ends of an edge without their common neighbours: it would lack a chord."""
    start, end = edge
    seen, waiting = {start, *common}, [start]
    while waiting:
        fresh = neighbors[waiting.pop()] - seen
        seen |= fresh
        waiting += fresh
    return end in seen


def _cliques(neighbors: Neighbors, most: int) -> list[Clique]:
    """Every clique of at most `most` nodes, the smallest first; the empty one is one."""
    found: list[Clique] = [()]
    latest: list[Clique] = [(v,) for v in range(len(neighbors))] if most else []
    while latest:
        found += latest
        larger = latest if len(latest[0]) < most else []
        latest = [
            (*clique, v)
            for clique in larger
            for v in sorted(set.intersection(*(neighbors[u] for u in clique)))
            if v > clique[-1]
        ]
    return found


def nodes_to_start_from(gains: CliqueGains, run: Run) -> list[int]:
    """The nodes, those first that gain most from one edge."""
    most = np.zeros(gains.n_nodes)
    for node in range(gains.n_nodes):
        if run.must_stop():
            break
        most[node] = gains.of((node,)).max(initial=0.0)
    order: list[int] = np.argsort(-np.round(most, DECIMALS_OF_WEIGHTS), kind="stable").tolist()
    return order
