"""The moves between equivalence classes: insert, delete or turn one edge of a CPDAG.

A move is told as what it does to a member of the class: it changes the edge between `source` and
`target` after every undirected neighbour of `target` in `before` has become its parent and
every other its child. Chickering (2002) and Hauser and Bühlmann (2012) say when there is such
a member, and the change of score follows from two of its families at most.
"""

from typing import Literal, NamedTuple

from structlearn.learners.score.classes.pattern import Nodes, Pattern

MoveKind = Literal["insert", "delete", "turn"]


class ClassMove(NamedTuple):
    """One change of one edge."""

    kind: MoveKind
    source: int
    target: int
    before: Nodes
    gain: float


def after(pattern: Pattern, move: ClassMove) -> Pattern:
    """The class that a valid move leads to."""
    source, target = move.source, move.target
    is_line = pattern.is_lined(source, target)
    if move.kind == "insert":
        return pattern.with_arrow(source, target, pattern.directed_from((*move.before, target)))
    if move.kind == "delete":
        above = (*move.before, source) if is_line else move.before
        return pattern.without_edge(source, target, pattern.directed_from((*above, target)))
    if is_line:
        return pattern.with_turned(source, target, pattern.directed_from((*move.before, target, source)))
    return pattern.with_turned(source, target, pattern.directed_from((*move.before, target), (source,)))
