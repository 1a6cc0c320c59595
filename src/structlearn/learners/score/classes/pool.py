"""Moves of one kind, by target, in arrays that the best of them is found in fast."""

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.moves import ClassMove, MoveKind
from structlearn.learners.score.classes.pattern import Nodes, Pattern
from structlearn.learners.score.kernels import class_moves

DIGITS = 6  # gains that agree so far are a tie
CODES = {"insert": class_moves.INSERT, "delete": class_moves.DELETE, "turn": class_moves.TURN}


class Listed(NamedTuple):
    """Some moves: gain, source and, in a row that ends with −1, those before the target of each."""

    gains: NDArray[np.float64]
    sources: NDArray[np.int64]
    before: NDArray[np.int64]

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "Listed":
        """Those of the moves that are chosen, by flags or places."""
        return Listed(self.gains[chosen], self.sources[chosen], self.before[chosen])

    def told(self) -> list[tuple[float, int, Nodes]]:
        """The moves one by one."""
        rows = [tuple(member for member in row if member >= 0) for row in self.before.tolist()]
        return list(zip(self.gains.tolist(), self.sources.tolist(), rows, strict=True))


class MovePool:
    """The moves of one kind out of a class, of which those of one target can be replaced.

    The moves of a target follow each other. Replaced ones leave a gap unless the new ones fit in,
    and gaps are closed when the arrays are full.
    """

    def __init__(self, kind: MoveKind, n_nodes: int) -> None:
        self._kind = kind
        self._first = np.zeros(n_nodes, dtype=np.int64)
        self._last = np.zeros(n_nodes, dtype=np.int64)
        self._tops = np.full(n_nodes, -np.inf)
        self._moves = Listed(np.empty(0), np.empty(0, dtype=np.int64), np.empty((0, 1), dtype=np.int64))
        self._ranks = np.empty(0)
        self._is_refused = np.zeros(0, dtype=np.bool_)
        self._end = 0

    def copy(self) -> "MovePool":
        """Another with the same moves."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                setattr(other, name, value.copy())
        gains, sources, before = self._moves
        other._moves = Listed(gains.copy(), sources.copy(), before.copy())  # noqa: SLF001, of the same class
        return other

    def replace(self, target: int, moves: Listed) -> None:
        """Forget the moves of a target, and remember these."""
        size = len(moves.gains)
        if size > self._last[target] - self._first[target]:
            self._last[target] = self._first[target]
            self._make_room(size)
            self._first[target] = self._end
            self._end += size
        self._last[target] = self._first[target] + size
        self._tops[target] = -np.inf
        if size:
            self._write(target, moves)

    def best(self, pattern: Pattern) -> tuple[int, ClassMove] | None:
        """The best valid move that was not refused, and where it is; ties go to positions."""
        order = np.flatnonzero(self._tops > -np.inf)
        if not len(order):
            return None
        place, target = class_moves.best_move(
            CODES[self._kind],
            order[np.argsort(-self._tops[order], kind="stable")],
            self._first,
            self._last,
            self._tops,
            self._ranks,
            self._moves.sources,
            self._moves.before,
            self._is_refused,
            *pattern.rows,
            *pattern.reach,
        )
        if place < 0:
            return None
        [(gain, source, before)] = self._moves.where(np.array([place])).told()
        return place, ClassMove(self._kind, source, target, before, gain)

    def refuse(self, place: int) -> None:
        """Pass over the move at this place until `forgive`."""
        self._is_refused[place] = True

    def forgive(self) -> None:
        """Refuse no move any more."""
        self._is_refused[:] = False

    def _write(self, target: int, moves: Listed) -> None:
        here = slice(self._first[target], self._last[target])
        width = moves.before.shape[1]
        if width > self._moves.before.shape[1]:
            self._widen(width)
        ranks = np.round(moves.gains, DIGITS)
        self._ranks[here] = ranks
        self._tops[target] = ranks.max()
        self._moves.gains[here] = moves.gains
        self._moves.sources[here] = moves.sources
        self._moves.before[here] = -1
        self._moves.before[here, :width] = moves.before

    def _widen(self, width: int) -> None:
        before = np.full((len(self._moves.before), width), -1, dtype=np.int64)
        before[:, : self._moves.before.shape[1]] = self._moves.before
        self._moves = self._moves._replace(before=before)

    def _make_room(self, size: int) -> None:
        if self._end + size <= len(self._ranks):
            return
        sizes = self._last - self._first
        kept = np.repeat(self._first - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        n_places = 2 * (len(kept) + size)
        self._moves = Listed(*(_moved(values, kept, n_places) for values in self._moves))
        self._ranks = _moved(self._ranks, kept, n_places)
        self._is_refused = np.zeros(n_places, dtype=np.bool_)
        self._last = np.cumsum(sizes)
        self._first = self._last - sizes
        self._end = len(kept)


def _moved(values: NDArray[Any], kept: NDArray[np.int64], n_places: int) -> NDArray[Any]:
    moved = np.empty((n_places, *values.shape[1:]), dtype=values.dtype)
    moved[: len(kept)] = values[kept]
    return moved
