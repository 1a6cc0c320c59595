"""Which equivalence classes a search may visit."""

import numpy as np

from structlearn.data import Knowledge
from structlearn.graphs.equivalence import consistent_extension, meek_closure, v_structures
from structlearn.graphs.links import Links
from structlearn.learners.score.class_moves import ClassMove
from structlearn.learners.score.class_pattern import Arrow, Pattern

NO_LIMIT = np.iinfo(np.int64).max


class Admission:
    """Which classes are allowed: those with a DAG that honours the knowledge and has few parents."""

    def __init__(self, names: tuple[str, ...], knowledge: Knowledge, max_parents: int | None) -> None:
        required, forbidden = knowledge.matrices(names)
        self._required = required
        self._closed = forbidden | required.T
        self._knows = bool(self._closed.any())
        self.max_parents = NO_LIMIT if max_parents is None else max_parents

    def start(self) -> Links:
        """The DAG of the arrows that must be there."""
        return Links(len(self._required), arrows=np.argwhere(self._required))

    def allows(self, move: ClassMove) -> bool:
        """Whether no knowledge of this edge alone rules the move out."""
        source, target = move.source, move.target
        if move.kind == "delete":
            return not (self._required[source, target] or self._required[target, source])
        return not (self._closed[source, target] and self._closed[target, source])

    def admits(self, pattern: Pattern) -> bool:
        """Whether some DAG of the class honours all that is asked for."""
        # The most parents that a node has is the same in all DAGs of a class: within a part
        # joined by lines it is the size of the largest clique less one, beside shared parents.
        if max(map(len, pattern.member), default=0) > self.max_parents:
            return False
        if not self._knows:
            return True
        required = np.argwhere(self._required).tolist()
        return all(b in pattern.adjacent[a] for a, b in required) and self.informed(pattern) is not None

    def informed(self, pattern: Pattern) -> Links | None:
        """Direct what the knowledge directs, and what follows; None where they contradict each other."""
        if not self._knows:
            return pattern.links
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
        if v_structures(partly) != v_structures(pattern.links) or consistent_extension(partly) is None:
            return None
        return meek_closure(partly)
