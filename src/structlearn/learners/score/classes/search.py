"""Greedy search among equivalence classes: the moves of each node, kept up to date."""

from collections.abc import Callable

import numpy as np

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.class_score import ClassScore
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import ClassMove, MoveKind, after
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import MovePool
from structlearn.learners.score.kernels.class_structure import BESIDE, LINED, TOUCHED, changes
from structlearn.rounding import is_better, slack
from structlearn.search.space import Space

Note = Callable[[ClassMove, float], None]  # takes each move and the score after it
Climb = Callable[["ClassSearch", Note], None]

KINDS: tuple[MoveKind, ...] = ("insert", "delete", "turn")
EAGER: tuple[MoveKind, ...] = ("delete", "turn", "insert")


class ClassSearch:
    """A class, and the moves out of it.

    Attributes
    ----------
    space : Space
        What DAGs are worth, and how they are limited.
    admission : Admission
        Which classes those limits allow.
    pattern : Pattern
        The class.
    score : float
        Its score.
    kept_apart : set of int
        Two nodes between which nothing may change, or none.
    """

    def __init__(self, space: Space, pattern: Pattern) -> None:
        self.space = space
        self.admission = Admission(space.limits)
        self.pattern = pattern
        self.kept_apart: set[int] = set()
        self._score = ClassScore.of(pattern, space.scores)
        self._gains = ClassGains(space.scores, self.admission, slack(self.score))
        self._pools = {kind: MovePool(kind, pattern.n_nodes) for kind in KINDS}
        self._insertions_stale = set(range(pattern.n_nodes))
        self._changes_stale = set(range(pattern.n_nodes))

    @property
    def score(self) -> float:
        """The sum over the families of a DAG of the class."""
        return self._score.total

    def step(self, kind: MoveKind) -> ClassMove | None:
        """Make the best valid move of a kind; None where none gains or time is up."""
        if kind == "insert":
            self._list_insertions()
        else:
            self._list_changes()
        pool = self._pools[kind]
        found = self._admitted(pool)
        pool.forgive()
        if found is None:
            return None
        move, then = found
        self.go_to(then)
        return move

    def go_to(self, then: Pattern) -> None:
        """Be in another class; only moves at and beside changed edges are listed anew."""
        found = changes(*self.pattern.rows, *then.rows)
        for node in np.flatnonzero(found == TOUCHED).tolist():
            self._gains.forget(node)
        for node in np.flatnonzero(found == LINED).tolist():
            self._gains.review(node, then)
        self._insertions_stale.update(np.flatnonzero(found >= LINED).tolist())
        self._changes_stale.update(np.flatnonzero(found >= BESIDE).tolist())
        self.pattern, self._score = then, self._score.at(then, self.space.scores)

    def _admitted(self, pool: MovePool) -> tuple[ClassMove, Pattern] | None:
        """The best valid move to a better class that may be visited, and that class."""
        while not self.space.run.must_stop():
            found = pool.best(self.pattern)
            if found is None:
                return None
            place, move = found
            if {move.source, move.target} != self.kept_apart:
                then = after(self.pattern, move)
                if self.admission.admits(then) and self._improves(then):
                    return move, then
            pool.refuse(place)
        return None

    def _improves(self, then: Pattern) -> bool:
        return is_better(self._score.at(then, self.space.scores).total, self.score)

    def _list_insertions(self) -> None:
        while self._insertions_stale and not self.space.run.must_stop():
            target = self._insertions_stale.pop()
            self._pools["insert"].replace(target, self._gains.insertions(self.pattern, target))

    def _list_changes(self) -> None:
        while self._changes_stale and not self.space.run.must_stop():
            target = self._changes_stale.pop()
            deletions, turns = self._gains.changes(self.pattern, target)
            self._pools["delete"].replace(target, deletions)
            self._pools["turn"].replace(target, turns)


def climb_eagerly(search: ClassSearch, note: Note) -> None:
    """Insert only where nothing can be deleted or turned, and turn only where nothing can be deleted."""
    while any(_move(search, kind, note) for kind in EAGER):
        pass


def climb_in_phases(search: ClassSearch, note: Note) -> None:
    """Insert while it gains, then delete, then turn; again until no phase finds a move."""
    while sum(_phase(search, kind, note) for kind in KINDS):
        pass


def _phase(search: ClassSearch, kind: MoveKind, note: Note) -> int:
    n_moves = 0
    while _move(search, kind, note):
        n_moves += 1
    return n_moves


def _move(search: ClassSearch, kind: MoveKind, note: Note) -> bool:
    move = search.step(kind)
    if move is not None:
        note(move, search.score)
    return move is not None
