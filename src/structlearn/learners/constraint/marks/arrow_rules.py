"""Rules R1 to R4 of FCI: arrows that follow from colliders (Zhang, 2008)."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from structlearn.learners.constraint.marks.marked_edges import (
    ARROW,
    CIRCLE,
    TAIL,
    MarkedEdges,
    Path,
    Proposal,
    Wanted,
)


def after_an_arrow(edges: MarkedEdges) -> Iterator[Proposal]:
    """R1: a *→ b o–* c with a, c not joined: b → c, since b is no collider."""
    return (
        ([(c, b, TAIL), (b, c, ARROW)], (a, b, c))
        for b, around in enumerate(edges.at)
        for a in around
        if edges.at[a][b] is ARROW
        for c in around
        if edges.at[c][b] is CIRCLE and edges.is_open(a, b, c)
    )


def against_a_cycle(edges: MarkedEdges) -> Iterator[Proposal]:
    """R2: a → b *→ c or a *→ b → c, and a *–o c: a *→ c."""
    return (
        ([(a, c, ARROW)], (a, b, c))
        for b, around in enumerate(edges.at)
        for a in around
        if edges.at[a][b] is ARROW
        for c, at_c in around.items()
        if at_c is ARROW
        and edges.at[a].get(c) is CIRCLE
        and (edges.at[b][a] is TAIL or edges.at[c][b] is TAIL)
    )


def into_a_collider(edges: MarkedEdges) -> Iterator[Proposal]:
    """R3: a *→ b ←* c and a *–o d o–* c, both unshielded, and d *–o b: d *→ b."""
    for b, around in enumerate(edges.at):
        heads = [a for a in around if edges.at[a][b] is ARROW]
        for d in around:
            if edges.at[d][b] is not CIRCLE:
                continue
            beside = [a for a in heads if edges.at[a].get(d) is CIRCLE]
            found = next(((a, c) for a in beside for c in beside if a < c and edges.is_open(a, d, c)), None)
            if found is not None:
                yield [(d, b, ARROW)], (found[0], d, found[1], b)


@dataclass(frozen=True, slots=True)
class DiscriminatingPaths:
    """R4: t, …, a, b, c with t, c not joined, and every node from the second to a a collider and parent of c.

    If b is in the set that separates t and c, b → c; if not, a ↔ b ↔ c. `is_given` says which, None where
    that is not known; `confirm` may look at a path before it is believed.
    """

    is_given: Callable[[int, int, int], bool | None]
    confirm: Callable[[Path], None]

    def __call__(self, edges: MarkedEdges) -> Iterator[Proposal]:
        """What the rule asks for."""
        for c, around in enumerate(edges.at):
            for b in around:
                for a in edges.at[b]:
                    if edges.at[c][b] is CIRCLE and edges.at[b][a] is ARROW and edges.is_parent(a, c):
                        yield from self._discriminated(edges, a, b, c)

    def _discriminated(self, edges: MarkedEdges, a: int, b: int, c: int) -> Iterator[Proposal]:
        path = discriminating_path(edges, a, b, c)
        is_given = None if path is None else self.is_given(b, path[0], c)
        if path is None or is_given is None:
            return
        self.confirm(path)
        as_parent: list[Wanted] = [(c, b, TAIL), (b, c, ARROW)]
        as_collider: list[Wanted] = [(a, b, ARROW), (c, b, ARROW), (b, c, ARROW)]
        yield as_parent if is_given else as_collider, path


def discriminating_path(edges: MarkedEdges, a: int, b: int, c: int) -> Path | None:
    """The shortest path t, …, a, b, c that discriminates for b, where b *→ a → c; None without one."""
    after = {a: b}
    waiting = deque([a])
    while waiting:
        here = waiting.popleft()
        for node in edges.at[here]:
            if edges.at[node][here] is not ARROW or node in after or node in (b, c):
                continue
            if node not in edges.at[c]:
                path = [node, here]
                while path[-1] != b:
                    path.append(after[path[-1]])
                return (*path, c)
            if edges.at[here][node] is ARROW and edges.is_parent(node, c):
                after[node] = here
                waiting.append(node)
    return None
