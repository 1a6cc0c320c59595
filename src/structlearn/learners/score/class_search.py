"""Greedy search among equivalence classes: what each node's edges could gain, kept up to date."""

from collections.abc import Callable, Iterable
from heapq import merge

from structlearn.learners.run import Run
from structlearn.learners.score.class_admission import Admission
from structlearn.learners.score.class_moves import (
    ClassMove,
    MoveKind,
    after,
    closes_a_cycle,
    deletions,
    insertions,
    turns,
)
from structlearn.learners.score.class_pattern import Pattern
from structlearn.scores import FamilyScores

PHASES: tuple[MoveKind, ...] = ("insert", "delete", "turn")
ROUNDING = 1e-12  # the share of the score that a gain must exceed to be one


class ClassSearch:
    """A class, and the moves of one kind out of it."""

    def __init__(self, pattern: Pattern, scores: FamilyScores, admission: Admission, run: Run) -> None:
        self.pattern = pattern
        self._scores = scores
        self._admission = admission
        self._run = run
        self._least = ROUNDING * max(1.0, abs(scores.total([()] * pattern.n_nodes)))

    def climb(self, kind: MoveKind, note: Callable[[ClassMove], None]) -> int:
        """Make the best move of this kind until none gains; how many there were."""
        moves: list[list[ClassMove]] = [[] for _ in range(self.pattern.n_nodes)]
        stale: Iterable[int] = range(self.pattern.n_nodes)
        n_moves = 0
        while True:
            for target in stale:
                if self._run.must_stop():
                    return n_moves
                moves[target] = self._moves(kind, target)
            found = self._best(moves)
            if found is None:
                return n_moves
            move, then = found
            stale = _stale(self.pattern, then)
            self.pattern = then
            n_moves += 1
            note(move)

    def _moves(self, kind: MoveKind, target: int) -> list[ClassMove]:
        at = (self.pattern, self._scores, target)
        if kind == "delete":
            found = deletions(*at, least=self._least)
        else:
            listed = insertions if kind == "insert" else turns
            found = listed(*at, most_parents=self._admission.max_parents, least=self._least)
        return [move for move in found if self._admission.allows(move)]

    def _best(self, moves: list[list[ClassMove]]) -> tuple[ClassMove, Pattern] | None:
        """The valid move with the largest gain, and where it leads."""
        for move in merge(*filter(None, moves)):
            if self._run.must_stop():
                return None
            if closes_a_cycle(self.pattern, move):
                continue
            then = after(self.pattern, move)
            if then is not None and self._admission.admits(then):
                return move, then
        return None


def _stale(before: Pattern, then: Pattern) -> list[int]:
    """The nodes with an edge changed, and those beside them: only their moves can be different."""
    touched = {
        node
        for node in range(before.n_nodes)
        if before.parents[node] != then.parents[node]
        or before.neighbors[node] != then.neighbors[node]
        or before.adjacent[node] != then.adjacent[node]
    }
    return sorted(touched.union(*(then.adjacent[node] for node in touched)))
