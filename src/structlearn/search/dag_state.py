"""The state of a search over DAGs: its arcs, its gains, and how a move changes them."""

import math
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.search.kernels import moves
from structlearn.search.space import Space

NO_TABU = np.empty(0, dtype=np.uint64)
MOVE_WORDS = ("add", "remove", "reverse")


@dataclass(frozen=True, slots=True)
class Move:
    """One change of one arc u → v, and what it adds to the score."""

    kind: int
    u: int
    v: int
    gain: float


def arc_keys(n_nodes: int) -> NDArray[np.uint64]:
    """A random word per arc; a graph's key is the XOR of its arcs' (Zobrist hashing)."""
    # With a bit to spare: a compiled kernel hands a key to an interpreted one as a number of Python's.
    return np.random.default_rng(0).integers(2**63, size=(n_nodes, n_nodes), dtype=np.uint64)


class DAGState:
    """A DAG with the gain of every possible move, kept up to date move by move.

    Gains are found when they are needed: until then an upper bound stands in for them. The score is the sum
    over the families, counted anew after each change.
    """

    def __init__(self, space: Space) -> None:
        n, scores = space.n_nodes, space.scores
        self.space = space
        self.scores = scores
        self.limits = space.limits
        self.arcs = np.zeros((n, n), dtype=np.bool_)
        self.ancestors = np.zeros((n, -(-n // 64)), dtype=np.uint64)
        self.key = np.uint64(0)
        self._gains, self._is_bound = scores.toggles_at_most_without_parents()
        self._families = np.array([scores.local(child, ()) for child in range(n)])
        self.score = math.fsum(self._families)
        self._most = np.full(n, np.inf)
        self.arc_keys = arc_keys(n)
        for u, v in space.limits.required_arcs():
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
        for name in ("arcs", "ancestors", "_gains", "_is_bound", "_families", "_most"):
            setattr(twin, name, getattr(self, name).copy())
        return twin

    def move(self, kind: int, u: int, v: int) -> Move:
        """A legal move with its gain."""
        gain = self._gain(v, u) + (self._gain(u, v) if kind == moves.REVERSE else 0.0)
        return Move(kind, u, v, gain)

    def best_move(self, tabu: NDArray[np.uint64] = NO_TABU) -> Move | None:
        """The legal move with the largest gain whose result is not tabu; None where none is possible."""
        while True:
            doubts = np.full(len(self.arcs), np.nan)
            kind, u, v, gain = moves.best_move(
                self._gains, self._is_bound, self._most, self._graph, self.key, self.arc_keys, tabu, doubts
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
            self.key ^= self.arc_keys[u, v]
            self._refresh(u)
        self.key ^= self.arc_keys[v, u]
        self._refresh(v)
        self._score_families([v, u] if move.kind == moves.REVERSE else [v])

    def undo(self, move: Move) -> None:
        """Take a move back."""
        kind = {moves.ADD: moves.REMOVE, moves.REMOVE: moves.ADD, moves.REVERSE: moves.REVERSE}[move.kind]
        u, v = (move.v, move.u) if kind == moves.REVERSE else (move.u, move.v)
        self.apply(Move(kind, u, v, -move.gain))

    def become(self, arcs: NDArray[np.bool_]) -> None:
        """Jump to another DAG."""
        changed = arcs != self.arcs
        if not changed.any():
            return
        # Old arcs go first, so that no cycle can arise on the way.
        for v, u in np.argwhere(changed & self.arcs):
            moves.remove_arc(self.arcs, self.ancestors, u, v)
        for v, u in np.argwhere(changed & arcs):
            moves.add_arc(self.arcs, self.ancestors, u, v)
        children: list[int] = np.flatnonzero(changed.any(axis=1)).tolist()
        for child in children:
            self._refresh(child)
        self.key ^= np.bitwise_xor.reduce(self.arc_keys[changed])
        self._most[:] = np.inf  # other moves are legal now
        self._score_families(children)

    def parents(self) -> list[list[int]]:
        """The parents of every node."""
        return [self._parents_of(child) for child in range(len(self.arcs))]

    def _parents_of(self, child: int) -> list[int]:
        parents: list[int] = self.arcs[child].nonzero()[0].tolist()  # a third of the time of `flatnonzero`
        return parents

    @property
    def _graph(self) -> tuple[Any, ...]:
        limits = self.limits
        return self.arcs, self.ancestors, limits.frozen, limits.closed, limits.max_parents

    def _score_families(self, changed: list[int]) -> None:
        for child in changed:
            self._families[child] = self.scores.local(child, self._parents_of(child))
        self.score = math.fsum(self._families)

    def _gain(self, child: int, parent: int) -> float:
        if self._is_bound[child, parent]:
            self._settle(child, np.array([parent]))
        return float(self._gains[child, parent])

    def _refresh(self, child: int) -> None:
        row = self.scores.toggles_at_most(child, self._parents_of(child))
        self._gains[child], self._is_bound[child] = row
        self._most[child] = np.inf
        self._most[self.arcs[:, child]] = np.inf  # an arc to a child can be reversed

    def _settle(self, child: int, others: NDArray[np.int64]) -> None:
        """Replace bounds by gains."""
        parents = self._parents_of(child)
        self._gains[child, others] = self.scores.gains_of(child, parents, others)
        self._is_bound[child, others] = False
