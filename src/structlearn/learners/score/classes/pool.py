"""Moves of one kind, by target, of which the best is found fast."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.moves import ClassMove, MoveKind
from structlearn.learners.score.classes.pattern import Nodes, Pattern
from structlearn.learners.score.kernels import class_moves

DIGITS = 6  # gains that agree so far are a tie
CODES = {"insert": class_moves.INSERT, "delete": class_moves.DELETE, "turn": class_moves.TURN}
Ranks = NDArray[np.float64]


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
        self._moves: dict[int, Listed] = {}
        self._ranks: dict[int, Ranks] = {}
        self._left: dict[int, Ranks] = {}  # where moves are refused: those have −∞
        self._tops = np.full(n_nodes, -np.inf)

    def copy(self) -> "MovePool":
        """Another with the same moves, of which none is refused."""
        other = MovePool(self._kind, len(self._tops))
        other.__dict__.update(_moves=self._moves.copy(), _ranks=self._ranks.copy(), _tops=self._tops.copy())
        return other

    def replace(self, target: int, moves: Listed) -> None:
        """Forget the moves of a target, and remember these."""
        if not len(moves.gains):
            self._tops[target] = -np.inf
            return
        self._moves[target] = moves
        self._ranks[target] = np.round(moves.gains, DIGITS)
        self._tops[target] = self._ranks[target].max()

    def best(self, pattern: Pattern) -> tuple[int, ClassMove] | None:
        """The best valid move that was not refused, and where its target has it; ties go to positions."""
        targets = np.flatnonzero(self._tops > -np.inf)
        if not len(targets):
            return None
        kind, there, tops = CODES[self._kind], (*pattern.rows, *pattern.reach), self._tops[targets]
        order = np.argsort(-tops, kind="stable")
        least, found = -np.inf, list[tuple[float, int, int, int]]()
        for top, target in zip(tops[order].tolist(), targets[order].tolist(), strict=True):
            if top < least:
                break
            ranks, moves = self._left.get(target, self._ranks[target]), self._moves[target]
            place = class_moves.best_move(kind, target, least, ranks, moves.sources, moves.before, *there)
            if place >= 0:
                least = float(ranks[place])
                found.append((-least, int(moves.sources[place]), target, place))
        if not found:
            return None
        _, _, target, place = min(found)
        [(gain, source, before)] = self._moves[target].where(slice(place, place + 1)).told()
        return place, ClassMove(self._kind, source, target, before, gain)

    def refuse(self, place: int, target: int) -> None:
        """Pass over the move at this place of its target until `forgive`."""
        self._left.setdefault(target, self._ranks[target].copy())[place] = -np.inf

    def forgive(self) -> None:
        """Refuse no move any more."""
        self._left.clear()
