"""The state of a search over DAGs: its arcs, its gains, and how a move changes them."""

import math
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.learners.score.kernels import moves
from structlearn.outcome import EdgeEvidence, Pair
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


def arc_keys(n_nodes: int) -> NDArray[np.uint64]:
    """A random word per arc; a graph's key is the XOR of its arcs' (Zobrist hashing)."""
    return np.random.default_rng(0).integers(2**64, size=(n_nodes, n_nodes), dtype=np.uint64)


class DAGState:
    """A DAG with the gain of every possible move, kept up to date move by move.

    Gains are found when they are needed: until then an upper bound stands in for them.
    """

    def __init__(self, scores: FamilyScores, limits: Limits, arc_keys: NDArray[np.uint64]) -> None:
        n = scores.n_nodes
        self.scores = scores
        self.limits = limits
        self.arcs = np.zeros((n, n), dtype=np.bool_)
        self.ancestors = np.zeros((n, -(-n // 64)), dtype=np.uint64)
        self.score = scores.total([() for _ in range(n)])
        self.key = np.uint64(0)
        self._gains, self._is_bound = scores.toggles_at_most_without_parents()
        self._most = np.full(n, np.inf)
        self._arc_keys = arc_keys
        for u, v in limits.start():
            self.apply(self.move(moves.ADD, u, v))

    @property
    def gains(self) -> NDArray[np.float64]:
        """What toggling u among the parents of v adds to the score, at [v, u]; it may be written to."""
        for child in np.flatnonzero(self._is_bound.any(axis=1)).tolist():
            self._settle(child, np.flatnonzero(self._is_bound[child]))
        self._most[:] = np.inf
        return self._gains

    @property
    def above(self) -> NDArray[np.bool_]:
        """Whether a directed path leads from u to v, at [v, u]: `ancestors` without the packing."""
        as_bytes = self.ancestors.astype("<u8").view(np.uint8)
        unpacked = np.unpackbits(as_bytes, axis=1, count=len(self.arcs), bitorder="little").view(np.bool_)
        unpacked.flags.writeable = False
        return unpacked

    def copy(self) -> "DAGState":
        """The same state, to be changed on its own."""
        twin = copy(self)
        for name in ("arcs", "ancestors", "_gains", "_is_bound", "_most"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def move(self, kind: int, u: int, v: int) -> Move:
        """A legal move with its gain."""
        gain = self._gain(v, u) + (self._gain(u, v) if kind == moves.REVERSE else 0.0)
        return Move(kind, u, v, gain)

    def best_move(self, tabu: NDArray[np.uint64]) -> Move | None:
        """The legal move with the largest gain whose result is not tabu; None where none is possible."""
        while True:
            doubts = np.full(len(self.arcs), np.nan)
            kind, u, v, gain = moves.best_move(
                self._gains, self._is_bound, self._most, self._graph, self.key, self._arc_keys, tabu, doubts
            )
            if kind != moves.UNSURE:
                return None if kind == moves.NONE else Move(kind, u, v, gain)
            for child in np.flatnonzero(~np.isnan(doubts)).tolist():
                # Whatever could improve the graph is needed before long, and a batch is cheap.
                least = min(doubts[child], 2.0 * gain, 0.0)
                self._settle(child, np.flatnonzero(self._is_bound[child] & (self._gains[child] >= least)))

    def random_move(self, rng: np.random.Generator) -> Move | None:
        """A legal move, each with the same probability."""
        n_legal, *_ = moves.nth_legal_move(-1, self._graph)
        if not n_legal:
            return None
        _, kind, u, v = moves.nth_legal_move(rng.integers(n_legal), self._graph)
        return self.move(kind, u, v)

    def apply(self, move: Move) -> None:
        """Make a legal move; the gains that it changes become bounds."""
        u, v = move.u, move.v
        if move.kind == moves.ADD:
            moves.add_arc(self.arcs, self.ancestors, u, v)
        else:
            moves.remove_arc(self.arcs, self.ancestors, u, v)
            moves.reopen(self._most, self._gains, self.arcs, self.ancestors, u, v)
        if move.kind == moves.REVERSE:
            moves.add_arc(self.arcs, self.ancestors, v, u)
            self.key ^= self._arc_keys[u, v]
            self._refresh(u)
        self.key ^= self._arc_keys[v, u]
        self._refresh(v)
        is_repair = not math.isfinite(move.gain)
        self.score = self.scores.total(self.parents()) if is_repair else self.score + move.gain

    def undo(self, move: Move) -> None:
        """Take a move back."""
        kind = {moves.ADD: moves.REMOVE, moves.REMOVE: moves.ADD, moves.REVERSE: moves.REVERSE}[move.kind]
        u, v = (move.v, move.u) if kind == moves.REVERSE else (move.u, move.v)
        self.apply(Move(kind, u, v, -move.gain))

    def parents(self) -> list[list[int]]:
        """The parents of every node."""
        return [np.flatnonzero(row).tolist() for row in self.arcs]

    @property
    def _graph(self) -> tuple[Any, ...]:
        limits = self.limits
        return self.arcs, self.ancestors, limits.frozen, limits.closed, limits.max_parents

    def _gain(self, child: int, parent: int) -> float:
        if self._is_bound[child, parent]:
            self._settle(child, np.array([parent]))
        return float(self._gains[child, parent])

    def _refresh(self, child: int) -> None:
        row = self.scores.toggles_at_most(child, np.flatnonzero(self.arcs[child]).tolist())
        self._gains[child], self._is_bound[child] = row
        self._most[child] = np.inf
        self._most[self.arcs[:, child]] = np.inf  # an arc to a child can be reversed

    def _settle(self, child: int, others: NDArray[np.int64]) -> None:
        """Replace bounds by gains."""
        parents = np.flatnonzero(self.arcs[child]).tolist()
        self._gains[child, others] = self.scores.gains_of(child, parents, others)
        self._is_bound[child, others] = False


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
