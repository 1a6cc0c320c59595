"""Greedy search among equivalence classes: the moves of each node, kept up to date."""

from collections.abc import Callable
from copy import copy

import numpy as np

from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.class_score import ClassScore
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.moves import ClassMove, MoveKind, after
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import MovePool
from structlearn.learners.score.kernels.class_structure import BESIDE, TOUCHED, changes
from structlearn.rounding import is_better, slack
from structlearn.search.space import Space

Note = Callable[[ClassMove, float], None]  # takes each move and the score after it
Climb = Callable[["ClassSearch", Note], None]

KINDS: tuple[MoveKind, ...] = ("insert", "delete", "turn")
TARGETS_AT_ONCE = 16  # whose families are scored between two looks at the clock
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
        self._stale = {kind: set(range(pattern.n_nodes)) for kind in KINDS}

    @property
    def score(self) -> float:
        """The sum over the families of a DAG of the class."""
        return self._score.total

    def copy(self) -> "ClassSearch":
        """Another search at the same class, with the moves that are listed, which goes its own way."""
        other = copy(self)
        other.__dict__.update(
            _gains=self._gains.copy(),
            _pools={kind: pool.copy() for kind, pool in self._pools.items()},
            _stale={kind: targets.copy() for kind, targets in self._stale.items()},
        )
        return other

    def step(self, kind: MoveKind) -> ClassMove | None:
        """Make the best valid move of a kind; None where none gains or time is up."""
        self._list(kind)
        pool = self._pools[kind]
        found = self._admitted(pool)
        pool.forgive()
        if found is None:
            return None
        move, then, score = found
        self._go_to(then, score)
        return move

    def deletions(self, admission: Admission) -> list[ClassMove]:
        """Every deletion that these limits allow, whatever it gains."""
        gains, targets = self._gains.of_deletions(admission), range(self.pattern.n_nodes)
        gains.prepare(self.pattern, targets)
        return [
            ClassMove("delete", source, target, before, gain)
            for target in targets
            for gain, source, before in gains.deletions(self.pattern, target).told()
        ]

    def go_to(self, then: Pattern) -> None:
        """Be in another class; only moves at and beside changed edges are listed anew."""
        self._go_to(then, self._score.at(then, self.space.scores))

    def _go_to(self, then: Pattern, score: ClassScore) -> None:
        found = changes(*self.pattern.rows, *then.rows)
        changed = np.flatnonzero(found).tolist()
        self._stale["turn"].update(changed)
        for node in changed:
            if found[node] == BESIDE:
                continue
            if found[node] == TOUCHED:
                self._gains.forget(node)
            else:
                self._gains.review(node, then)
            self._stale["insert"].add(node)
            self._stale["delete"].add(node)
        self.pattern, self._score = then, score

    def _admitted(self, pool: MovePool) -> tuple[ClassMove, Pattern, ClassScore] | None:
        """The best valid move to a better class that may be visited, that class and its score."""
        while not self.space.run.must_stop():
            found = pool.best(self.pattern)
            if found is None:
                return None
            place, move = found
            if {move.source, move.target} != self.kept_apart:
                then = after(self.pattern, move)
                if self.admission.admits(then):
                    score = self._score.at(then, self.space.scores)
                    if is_better(score.total, self.score):
                        return move, then, score
            pool.refuse(place)
        return None

    def _list(self, kind: MoveKind) -> None:
        stale, pool = self._stale[kind], self._pools[kind]
        while stale and not self.space.run.must_stop():
            targets = [stale.pop() for _ in range(min(len(stale), TARGETS_AT_ONCE))]
            self._gains.prepare(self.pattern, targets)
            for target in targets:
                pool.replace(target, self._gains.moves(kind, self.pattern, target))


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
