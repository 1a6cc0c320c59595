"""Rules R5 to R10 of FCI: tails that follow once all arrows are found (Zhang, 2008)."""

from collections.abc import Iterator
from itertools import combinations, pairwise

from structlearn.learners.constraint.marks.marked_edges import (
    ARROW,
    CIRCLE,
    TAIL,
    MarkedEdges,
    Path,
    Proposal,
)
from structlearn.learners.constraint.marks.uncovered_paths import (
    has_circles,
    may_be_directed,
    uncovered_paths,
)


def around_a_cycle(edges: MarkedEdges) -> Iterator[Proposal]:
    """R5: a o–o b closes an uncovered path of o–o with four nodes or more: all of it is undirected."""
    return (
        ([(a, b, TAIL) for x, y in _steps(cycle) for a, b in ((x, y), (y, x))], cycle)
        for first, last in edges.with_marks(CIRCLE, CIRCLE)
        if first < last
        for cycle in [_circle_cycle(edges, first, last)]
        if cycle is not None
    )


def beside_a_line(edges: MarkedEdges) -> Iterator[Proposal]:
    """R6: a — b o–* c: a tail at b."""
    return (
        ([(c, b, TAIL)], (a, b, c))
        for a, b in edges.with_marks(TAIL, TAIL)
        for c in edges.at[b]
        if edges.at[c][b] is CIRCLE
    )


def behind_a_tail(edges: MarkedEdges) -> Iterator[Proposal]:
    """R7: a –o b o–* c with a, c not joined: a tail at b."""
    return (
        ([(c, b, TAIL)], (a, b, c))
        for a, b in edges.with_marks(TAIL, CIRCLE)
        for c in edges.at[b]
        if edges.at[c][b] is CIRCLE and edges.is_open(a, b, c)
    )


def along_a_chain(edges: MarkedEdges) -> Iterator[Proposal]:
    """R8: a → b → c or a –o b → c, and a o→ c: a → c."""
    return (
        ([(c, a, TAIL)], (a, b, c))
        for a, c in edges.with_marks(CIRCLE, ARROW)
        for b in edges.at[a]
        if edges.at[b][a] is TAIL and edges.at[a][b] is not TAIL and edges.is_parent(b, c)
    )


def along_a_path(edges: MarkedEdges) -> Iterator[Proposal]:
    """R9: a o→ c and an uncovered path a, b, …, c that may be directed, b, c not joined: a → c."""
    return (
        ([(c, a, TAIL)], path)
        for a, c in edges.with_marks(CIRCLE, ARROW)
        for path in [_path_around(edges, a, c)]
        if path is not None
    )


def along_two_paths(edges: MarkedEdges) -> Iterator[Proposal]:
    """R10: a o→ c, b → c ← d, and uncovered paths a, m, … to b and a, w, … to d that may be directed.

    With m and w different and not joined, one of which is then no parent of a: a → c.
    """
    return (
        ([(c, a, TAIL)], nodes)
        for a, c in edges.with_marks(CIRCLE, ARROW)
        for nodes in [_two_ways(edges, a, c)]
        if nodes is not None
    )


def _circle_cycle(edges: MarkedEdges, a: int, b: int) -> Path | None:
    """An uncovered cycle of o–o from a to b and back."""
    for second in edges.at[a]:
        if second == b or not edges.is_open(second, a, b):
            continue
        for path in uncovered_paths(edges, a, second, has_circles):
            if path[-1] == b and edges.is_open(path[-2], b, a):
                return path
    return None


def _steps(cycle: Path) -> list[tuple[int, int]]:
    return list(pairwise([*cycle, cycle[0]]))


def _path_around(edges: MarkedEdges, a: int, c: int) -> Path | None:
    for b in edges.at[a]:
        if b == c or not edges.is_open(b, a, c):
            continue
        for path in uncovered_paths(edges, a, b, may_be_directed):
            if path[-1] == c:
                return path
    return None


def _two_ways(edges: MarkedEdges, a: int, c: int) -> Path | None:
    """Where two such paths begin and end: (a, m, b, w, d, c)."""
    parents = {b for b in edges.at[c] if edges.is_parent(b, c)} - {a}
    if len(parents) < 2:
        return None
    ends = {
        m: {path[-1] for path in uncovered_paths(edges, a, m, may_be_directed) if c not in path} & parents
        for m in edges.at[a]
        if m != c
    }
    for m, w in combinations(ends, 2):
        if edges.is_open(m, a, w):
            for b in sorted(ends[m]):
                for d in sorted(ends[w] - {b}):
                    return a, m, b, w, d, c
    return None
