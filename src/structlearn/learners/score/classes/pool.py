"""Moves of one kind, by target, of which the best is found fast."""

from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.moves import ClassMove, MoveKind
from structlearn.learners.score.classes.pattern import Nodes, Pattern
from structlearn.learners.score.kernels import class_moves, class_pool

CODES = {"insert": class_moves.INSERT, "delete": class_moves.DELETE, "turn": class_moves.TURN}
FIRST_PLACES = 64  # for moves: more are made when they are needed


class Listed(NamedTuple):
    """Some moves: gain, source and, in a row that ends with −1, those before the target of each."""

    gains: NDArray[np.float64]
    sources: NDArray[np.int64]
    before: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_] | slice) -> "Listed":
        """Those of the moves that are chosen."""
        return Listed(self.gains[chosen], self.sources[chosen], self.before[chosen])

    def told(self) -> list[tuple[float, int, Nodes]]:
        """The moves one by one."""
        rows = [tuple(member for member in row if member >= 0) for row in self.before.tolist()]
        return list(zip(self.gains.tolist(), self.sources.tolist(), rows, strict=True))


NO_MOVES = Listed(np.empty(0), np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.int64))


class MovePool:
    """The moves of one kind out of a class, of which those of one target can be replaced."""

    def __init__(self, kind: MoveKind, n_nodes: int) -> None:
        self._kind = kind
        self._tops = np.full(n_nodes, -np.inf)
        self._firsts, self._sizes, self._rooms = np.zeros((3, n_nodes), dtype=np.int64)
        self._end = 0
        self._ranks, self._gains = np.empty((2, FIRST_PLACES))
        self._sources = np.empty(FIRST_PLACES, dtype=np.int64)
        self._before = np.empty((FIRST_PLACES, 0), dtype=np.int64)
        self._refused: dict[int, float] = {}

    def copy(self) -> "MovePool":
        """Another with the same moves, of which none is refused."""
        other = copy(self)
        arrays = {name: value.copy() for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        other.__dict__.update(arrays, _refused=self._refused.copy())
        other.forgive()
        return other

    def replace(self, target: int, moves: Listed) -> None:
        """Forget the moves of a target, and remember these."""
        n_moves, width = moves.before.shape
        if n_moves == 0:
            self._tops[target] = -np.inf
            return
        if n_moves > self._rooms[target]:
            self._firsts[target], self._rooms[target] = self._end, 2 * n_moves
            self._end += 2 * n_moves
        if self._end > len(self._ranks) or width > self._before.shape[1]:
            self._make_room(width)
        self._sizes[target] = n_moves
        self._tops[target] = class_pool.write_moves(
            self._firsts[target], *moves, self._ranks, self._gains, self._sources, self._before
        )

    def best(self, pattern: Pattern) -> tuple[int, ClassMove] | None:
        """The best valid move that was not refused, and its place; ties go to positions."""
        if self._tops.max(initial=-np.inf) == -np.inf:
            return None
        known = self._tops, self._firsts, self._sizes, self._ranks, self._sources, self._before
        target, place = class_pool.best_of_targets(CODES[self._kind], *known, *pattern.rows, *pattern.reach)
        if target < 0:
            return None
        before = tuple(member for member in self._before[place].tolist() if member >= 0)
        return place, ClassMove(
            self._kind, int(self._sources[place]), target, before, float(self._gains[place])
        )

    def refuse(self, place: int) -> None:
        """Pass over the move at this place until `forgive`."""
        self._refused[place] = self._ranks[place]
        self._ranks[place] = -np.inf

    def forgive(self) -> None:
        """Refuse no move any more."""
        for place, rank in self._refused.items():
            self._ranks[place] = rank
        self._refused.clear()

    def _make_room(self, width: int) -> None:
        """Have places for twice as many moves as there are, and for so many nodes before each."""
        n_more = max(2 * self._end - len(self._ranks), 0)
        n_wider = max(width - self._before.shape[1], 0)
        self._ranks = np.pad(self._ranks, (0, n_more))
        self._gains = np.pad(self._gains, (0, n_more))
        self._sources = np.pad(self._sources, (0, n_more))
        self._before = np.pad(self._before, ((0, n_more), (0, n_wider)), constant_values=-1)
