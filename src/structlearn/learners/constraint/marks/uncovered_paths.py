"""Paths along which no node is joined to the one after the next."""

from collections import deque
from collections.abc import Callable, Iterator

from structlearn.learners.constraint.marks.marked_edges import ARROW, CIRCLE, TAIL, MarkedEdges, Path

MayStep = Callable[[MarkedEdges, int, int], bool]


def uncovered_paths(edges: MarkedEdges, first: int, second: int, may_step: MayStep) -> Iterator[Path]:
    """Uncovered paths that begin with two joined nodes, the shortest first; one for each last edge.

    One for each, not all: there are at most two per edge, so that a search ends. In a PAG that is one
    no walk of this kind meets a node twice, and the choice loses nothing.
    """
    if not may_step(edges, first, second):
        return
    waiting: deque[Path] = deque([(first, second)])
    seen = {(first, second)}
    while waiting:
        path = waiting.popleft()
        yield path
        before, here = path[-2:]
        for there in edges.at[here]:
            if (
                (here, there) not in seen
                and there not in path
                and may_step(edges, here, there)
                and edges.is_open(before, here, there)
            ):
                seen.add((here, there))
                waiting.append((*path, there))


def may_be_directed(edges: MarkedEdges, a: int, b: int) -> bool:
    """Whether a → b is possible by the marks."""
    return edges.at[b][a] is not ARROW and edges.at[a][b] is not TAIL


def has_circles(edges: MarkedEdges, a: int, b: int) -> bool:
    """Whether a o–o b."""
    return edges.at[b][a] is CIRCLE and edges.at[a][b] is CIRCLE
