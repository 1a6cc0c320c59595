"""The state of a search over DAGs: its arcs, its gains, and how a move changes them."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.outcome import EdgeEvidence, Pair
from structlearn.learners.score.kernels import moves
from structlearn.scores import FamilyScores

NO_LIMIT = np.iinfo(np.int64).max
MOVE_WORDS = ("add", "remove", "reverse")


@dataclass(frozen=True, slots=True)
class Move:
    """One change of one arc u → v, and what it adds to the score."""

    kind: int
    u: int
    v: int
    gain: float


class Limits:
    """Which arcs must stay, which may not be made, and how many parents a node may have."""

    def __init__(self, names: tuple[str, ...], knowledge: Knowledge, max_parents: int | None) -> None:
        required, forbidden = knowledge.matrices(names)
        self.frozen = np.ascontiguousarray(required.T)
        self.closed = np.ascontiguousarray(forbidden.T)
        self.max_parents = NO_LIMIT if max_parents is None else max_parents

    def start(self) -> list[tuple[int, int]]:
        """The arcs (u, v) that every graph must have."""
        return [(int(u), int(v)) for v, u in np.argwhere(self.frozen)]


class DAGState:
    """A DAG with the gain of every possible move, kept up to date move by move."""

    def __init__(self, scores: FamilyScores, limits: Limits, arc_keys: NDArray[np.uint64]) -> None:
        n = scores.n_nodes
        self.scores = scores
        self.limits = limits
        self.arcs = np.zeros((n, n), dtype=np.bool_)
        self.gains = scores.toggles_without_parents()
        self.score = scores.total([() for _ in range(n)])
        self.key = np.uint64(0)
        self.above = np.zeros((n, n), dtype=np.bool_)
        self._arc_keys = arc_keys
        for u, v in limits.start():
            self.apply(Move(moves.ADD, u, v, float(self.gains[v, u])))

    def copy(self) -> "DAGState":
        """The same state, to be changed on its own."""
        twin = copy(self)
        twin.arcs, twin.gains, twin.above = self.arcs.copy(), self.gains.copy(), self.above.copy()
        return twin

    def best_move(self, tabu: NDArray[np.uint64]) -> Move | None:
        """The legal move with the largest gain whose result is not tabu."""
        kind, u, v, gain = moves.best_move(
            self.gains,
            self.arcs,
            self.above,
            self.limits.frozen,
            self.limits.closed,
            self.limits.max_parents,
            self.key,
            self._arc_keys,
            tabu,
        )
        return None if kind == moves.NONE else Move(kind, u, v, gain)

    def random_move(self, rng: np.random.Generator) -> Move | None:
        """A legal move, each with the same probability."""
        legal = moves.legal_moves(
            self.arcs, self.above, self.limits.frozen, self.limits.closed, self.limits.max_parents
        )
        if not legal:
            return None
        kind, u, v = legal[rng.integers(len(legal))]
        gain = self.gains[v, u] + (self.gains[u, v] if kind == moves.REVERSE else 0.0)
        return Move(kind, u, v, float(gain))

    def apply(self, move: Move) -> None:
        """Make a legal move and find the gains that it changes."""
        u, v = move.u, move.v
        if move.kind == moves.ADD:
            moves.add_arc(self.arcs, self.above, u, v)
        else:
            moves.remove_arc(self.arcs, self.above, u, v)
        if move.kind == moves.REVERSE:
            moves.add_arc(self.arcs, self.above, v, u)
            self.key ^= self._arc_keys[u, v]
            self._refresh(u)
        self.key ^= self._arc_keys[v, u]
        self._refresh(v)
        self.score += move.gain

    def undo(self, move: Move) -> None:
        """Take a move back."""
        kind = {moves.ADD: moves.REMOVE, moves.REMOVE: moves.ADD, moves.REVERSE: moves.REVERSE}[move.kind]
        u, v = (move.v, move.u) if kind == moves.REVERSE else (move.u, move.v)
        self.apply(Move(kind, u, v, -move.gain))

    def parents(self) -> list[list[int]]:
        """The parents of every node."""
        return [np.flatnonzero(row).tolist() for row in self.arcs]

    def _refresh(self, child: int) -> None:
        self.gains[child] = self.scores.toggles(child, np.flatnonzero(self.arcs[child]).tolist())


def graph_of(names: tuple[str, ...], parents: Iterable[Iterable[int]]) -> Graph:
    """The DAG in which each node has these parents."""
    arcs = [(names[u], names[v]) for v, members in enumerate(parents) for u in members]
    return Graph(names, directed=arcs)


def score_evidence(
    names: tuple[str, ...], scores: FamilyScores, parents: list[list[int]]
) -> dict[Pair, EdgeEvidence]:
    """What the score would lose without each arc."""
    return {
        (names[u], names[v]): EdgeEvidence(
            score_gain=scores.local(v, members) - scores.local(v, [w for w in members if w != u])
        )
        for v, members in enumerate(parents)
        for u in members
    }
