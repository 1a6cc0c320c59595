"""Which equivalence classes a search may visit."""

from collections.abc import Collection
from copy import copy

import numpy as np

from structlearn.graphs.equivalence import consistent_extension, have_same_v_structures, meek_closure
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.search.limits import Limits

Arrow = tuple[int, int]


class Admission:
    """Which classes are allowed: those with a DAG within the limits."""

    def __init__(self, limits: Limits) -> None:
        self._required = limits.frozen.T
        self._closed = limits.closed.T | limits.frozen
        self._knows = bool(self._closed.any())
        self._directs = bool((self._closed != self._closed.T).any())
        self.may_join = ~(self._closed & self._closed.T)
        self.must_join = limits.frozen | limits.frozen.T
        self.max_parents = limits.max_parents
        self._contexts = frozenset(limits.contexts.tolist())

    def adding_nothing(self) -> "Admission":
        """The same, for moves that give no node another parent."""
        strict = copy(self)
        strict.max_parents = 0
        return strict

    def has_room(self, parents: Collection[int]) -> bool:
        """Whether a node with these parents may have another; contexts are parents besides."""
        return len(parents) - len(self._contexts.intersection(parents)) < self.max_parents

    def start(self) -> Links:
        """The DAG of the arrows that must be there."""
        return Links(len(self._required), arrows=np.argwhere(self._required))

    def admits(self, pattern: Pattern) -> bool:
        """Whether some DAG of the class honours all that is asked for."""
        if pattern.most_parents(self._contexts) > self.max_parents:
            return False
        if not self._knows:
            return True
        required = np.argwhere(self._required).tolist()
        return all(pattern.is_joined(a, b) for a, b in required) and self.informed(pattern) is not None

    def informed(self, pattern: Pattern) -> Links | None:
        """Direct what the limits direct, and what follows; None where they contradict each other."""
        if not self._directs:
            return pattern.links if self._may_be_joined(pattern) else None
        if any(self._closed[a, b] for a, b in pattern.links.arrows.tolist()):
            return None
        arrows: list[Arrow] = [(a, b) for a, b in pattern.links.arrows.tolist()]
        lines: list[Arrow] = []
        for a, b in pattern.links.lines.tolist():
            if self._closed[a, b] and self._closed[b, a]:
                return None
            if self._closed[a, b] or self._closed[b, a]:
                arrows.append((b, a) if self._closed[a, b] else (a, b))
            else:
                lines.append((a, b))
        partly = Links(pattern.n_nodes, arrows=arrows, lines=lines)
        if not have_same_v_structures(partly, pattern.links) or consistent_extension(partly) is None:
            return None
        return meek_closure(partly)

    def _may_be_joined(self, pattern: Pattern) -> bool:
        nodes = np.repeat(np.arange(pattern.n_nodes), np.diff(pattern.starts))
        return bool(self.may_join[nodes, pattern.others].all())
