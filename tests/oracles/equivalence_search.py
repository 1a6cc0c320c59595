"""Greedy equivalence search as the papers say it: sets, every move of every node listed at every step."""

import math
from itertools import combinations
from typing import NamedTuple

from structlearn.graphs.equivalence import consistent_extension, cpdag
from structlearn.graphs.links import Links

DIGITS = 6
LEAST = 1e-6
PHASES = ("insert", "delete", "turn")
EAGER = ("delete", "turn", "insert")


class Move(NamedTuple):
    rank: float
    source: int
    target: int
    before: tuple
    kind: str
    gain: float


class Class:
    """A CPDAG: parents, children, undirected neighbours and all adjacent nodes of each node."""

    def __init__(self, dag):
        self.links = cpdag(dag)
        nodes = range(dag.n_nodes)
        self.parents = [set(self.links.parents(node).tolist()) for node in nodes]
        self.children = [set(self.links.children(node).tolist()) for node in nodes]
        self.neighbors = [set(self.links.neighbors(node).tolist()) for node in nodes]
        self.adjacent = [set(self.links.adjacent(node).tolist()) for node in nodes]

    def reached(self, start, avoiding):
        """The nodes that lines and arrows lead to without those to avoid."""
        seen, waiting = {start}, [start]
        while waiting:
            node = waiting.pop()
            fresh = (self.neighbors[node] | self.children[node]) - seen - set(avoiding)
            seen |= fresh
            waiting.extend(fresh)
        return seen

    def cliques(self, among):
        for size in range(len(among) + 1):
            for members in combinations(sorted(among), size):
                if all(b in self.adjacent[a] for a, b in combinations(members, 2)):
                    yield frozenset(members)


def moves(current, scores, kind, max_parents=math.inf, least=LEAST):
    """Every valid move of a kind that gains."""
    listed = {"insert": _insertions, "delete": _deletions, "turn": _turns}[kind]
    for target in range(len(current.parents)):
        for source, before, gain in listed(current, scores, target, max_parents):
            if gain > least:
                yield Move(-round(gain, DIGITS), source, target, tuple(sorted(before)), kind, gain)


def after(current, move):
    """The class that a move leads to: direct the lines at its ends, extend to a DAG, change the edge."""
    above = set(move.before) | ({move.source} if move.kind == "delete" else set())
    chosen = _directed_at(current, move.target, above)
    if move.kind == "turn":
        chosen |= _directed_at(current, move.source, above | {move.target})
    lines = [(a, b) for a, b in current.links.lines.tolist() if not {(a, b), (b, a)} & chosen]
    arrows = {(a, b) for a, b in current.links.arrows.tolist()} | chosen
    extended = consistent_extension(Links(len(current.parents), arrows=sorted(arrows), lines=lines))
    dag = {(a, b) for a, b in extended.tolist()} - {(move.target, move.source)}
    dag ^= {(move.source, move.target)}
    return Class(Links(len(current.parents), arrows=sorted(dag)))


def search(scores, schedule, max_parents=math.inf):
    """The moves of a whole run from the empty graph, and the class at its end."""
    current, made = Class(Links(scores.n_nodes)), []
    phase, n_made = 0, -1
    while True:
        kinds = EAGER if schedule == "eager" else PHASES[phase : phase + 1]
        best = None
        for kind in kinds:
            best = best or min(moves(current, scores, kind, max_parents), default=None)
        if best is not None:
            made.append(best)
            current = after(current, best)
        elif schedule == "eager" or (phase == 2 and n_made == len(made)):
            return made, current
        else:
            n_made = len(made) if phase == 2 else n_made
            phase = (phase + 1) % 3


def _insertions(current, scores, target, max_parents):
    for before in current.cliques(current.neighbors[target]):
        parents = current.parents[target] | before
        apart = set(range(len(current.parents))) - current.adjacent[target] - {target}
        for source in apart if len(parents) < max_parents else ():
            near = current.neighbors[target] & current.adjacent[source]
            if near <= before and source not in current.reached(target, before):
                yield source, before, scores.local(target, parents | {source}) - scores.local(target, parents)


def _deletions(current, scores, target, _max_parents):
    for source in current.parents[target] | current.neighbors[target]:
        for before in current.cliques(current.neighbors[target] & current.adjacent[source]):
            left = (current.parents[target] | before) - {source}
            yield source, before, scores.local(target, left) - scores.local(target, left | {source})


def _turns(current, scores, target, max_parents):
    for before in current.cliques(current.neighbors[target]):
        parents = current.parents[target] | before
        ends = (current.neighbors[target] - before) | current.children[target]
        for source in ends if len(parents) < max_parents else ():
            if _may_turn(current, source, target, before):
                yield source, before, _gain_of_turning(current, scores, source, target, before)


def _may_turn(current, source, target, before):
    near = current.neighbors[target] & current.adjacent[source]
    if source in current.children[target]:
        reached = current.reached(target, before)
        return near <= before and reached.isdisjoint(current.parents[source] - {target})
    apart = before - near
    seen, waiting = set(apart), list(apart)
    while waiting:
        inside = current.neighbors[target] - (before & near)
        fresh = (current.neighbors[waiting.pop()] & inside) - seen
        seen |= fresh
        waiting.extend(fresh)
    return bool(apart) and seen.isdisjoint(near - before)


def _gain_of_turning(current, scores, source, target, before):
    into_target = current.parents[target] | before
    into_source = current.parents[source] - {target}
    if source in current.neighbors[target]:
        into_source = into_source | (before & current.adjacent[source])
    return (
        scores.local(target, into_target | {source})
        - scores.local(target, into_target)
        + scores.local(source, into_source)
        - scores.local(source, into_source | {target})
    )


def _directed_at(current, node, above):
    """Arrows from the neighbours in `above` to the node, and from the node to its other ones."""
    return {(other, node) if other in above else (node, other) for other in current.neighbors[node]}
