"""The state of a search over DAGs: its arcs, its gains, and how a move changes them."""

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.scores import FamilyScores
from structlearn.search.kernels import climbing, moves
from structlearn.search.space import Space
from structlearn.search.toggle_rows import ToggleRows, arc_keys

NO_TABU = np.empty(0, dtype=np.uint64)
MOST_CELLS = 1_000_000  # pairs of nodes that a climb may look at between two looks at the clock
MOST_STEPS = 64
MOVE_WORDS = ("add", "remove", "reverse")


class Move(NamedTuple):
    """One change of one arc u → v, and what it adds to the score."""

    kind: int
    u: int
    v: int
    gain: float


# The ring of the last graphs, how many there were, the best score, for how many moves it has been so, and for
# how many it may.
Walk = tuple[NDArray[np.uint64], int, float, int, int]


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
        self.arc_keys = arc_keys(n)
        scores.score_all()
        self._rows = ToggleRows(scores)
        # All pairs of 2,000 columns take more than a second: who has none left asks for few of them.
        must_stop = space.run.must_stop
        gains, is_bound = (
            _unknown(scores) if must_stop() else scores.toggles_at_most_without_parents(must_stop)
        )
        self._present = climbing.Present(
            gains,
            is_bound,
            most=np.full(n, np.inf),
            scores=np.array([scores.local(child, ()) for child in range(n)]),
            keys=np.diagonal(self.arc_keys).copy(),
            is_stale=np.zeros(n, dtype=np.bool_),
        )
        self.score: float = climbing.total(self._present.scores)
        for u, v in space.limits.required_arcs():
            self.apply(self.move(moves.ADD, u, v))

    @property
    def gains(self) -> NDArray[np.float64]:
        """What toggling u among the parents of v adds to the score, at [v, u]; it may be written to."""
        gains, is_bound, most, *_ = self._present
        for child in np.flatnonzero(is_bound.any(axis=1)).tolist():
            self._settle(child, np.flatnonzero(is_bound[child]))
        most[:] = np.inf
        return gains

    @property
    def key(self) -> np.uint64:
        """A number that other DAGs hardly ever have."""
        key: np.uint64 = np.bitwise_xor.reduce(self._present.keys)
        return key

    @property
    def above(self) -> NDArray[np.bool_]:
        """Whether a directed path leads from u to v, at [v, u]: `ancestors` without the packing."""
        above = unpacked(self.ancestors, len(self.arcs))
        above.flags.writeable = False
        return above

    def copy(self) -> "DAGState":
        """The same state, to be changed on its own."""
        twin = copy(self)
        twin.arcs, twin.ancestors = self.arcs.copy(), self.ancestors.copy()
        twin._present = climbing.Present._make(each.copy() for each in self._present)  # noqa: SLF001, its own kind
        return twin

    def move(self, kind: int, u: int, v: int) -> Move:
        """A legal move with its gain."""
        gain = self._gain(v, u) + (self._gain(u, v) if kind == moves.REVERSE else 0.0)
        return Move(kind, u, v, gain)

    def best_move(self, tabu: NDArray[np.uint64] = NO_TABU) -> Move | None:
        """The legal move with the largest gain whose result is not tabu; None where none is possible."""
        gains, is_bound, most, *_ = self._present
        while True:
            doubts = np.full(len(self.arcs), np.nan)
            kind, u, v, gain = moves.best_move(
                gains, is_bound, most, self._graph, self.key, self.arc_keys, tabu, doubts
            )
            if kind != moves.UNSURE:
                return None if kind == moves.NONE else Move(kind, u, v, gain)
            self._settle_doubts(doubts, gain)

    def climb_on(self, walk: Walk) -> tuple[list[tuple[Move, float]], bool]:
        """Go on with a walk: the moves made, each with the score after it, and whether this is its end."""
        n = len(self.arcs)
        steps = np.empty((max(min(MOST_STEPS, MOST_CELLS // max(n * n, 1)), 1), 3), dtype=np.int64)
        worths, doubts = np.empty((len(steps), 2)), np.full(n, np.nan)
        what = self._graph, self._present, self._rows.rows, self.arc_keys, walk, steps, worths, doubts
        if self._rows.counted is None:
            why, n_steps, gain = climbing.climb_on(*what)
        else:
            why, n_steps, gain = self._rows.counted.climb(*what)
        if why == climbing.IN_DOUBT:
            self._settle_doubts(doubts, gain, in_time=True)
        self._freshen()
        if why == climbing.UNKNOWN:
            worths[n_steps - 1, 1] = self.score
        made = zip(steps[:n_steps].tolist(), worths[:n_steps].tolist(), strict=True)
        notes = [(Move(kind, u, v, gain), score) for (kind, u, v), (gain, score) in made]
        return notes, why == climbing.ENDED

    def random_move(self, rng: np.random.Generator) -> Move | None:
        """A legal move, each with the same probability."""
        n_legal, *_ = moves.nth_legal_move(-1, self._graph)
        if not n_legal:
            return None
        _, kind, u, v = moves.nth_legal_move(rng.integers(n_legal), self._graph)
        return self.move(kind, u, v)

    def apply(self, move: Move) -> None:
        """Make a legal move; the gains that it changes become bounds."""
        climbing.make_move(move.kind, move.u, move.v, self._graph, self._present, self.arc_keys)
        self._freshen()

    def undo(self, *made: Move) -> None:
        """Take moves back, the last one first."""
        steps = np.array([(move.kind, move.u, move.v) for move in made], dtype=np.int64)
        if made:
            climbing.take_back(steps, self._graph, self._present, self.arc_keys)
            self._freshen()

    def become(self, arcs: NDArray[np.bool_]) -> None:
        """Jump to another DAG."""
        changed = arcs != self.arcs
        if not changed.any():
            return
        moves.change_to(arcs, self.arcs, self.ancestors)
        self._present.keys[:] ^= np.bitwise_xor.reduce(np.where(changed, self.arc_keys, np.uint64(0)), axis=1)
        self._present.is_stale[changed.any(axis=1)] = True
        self._present.most[:] = np.inf  # other moves are legal now
        self._freshen()

    def parents(self) -> list[list[int]]:
        """The parents of every node."""
        return [self._parents_of(child) for child in range(len(self.arcs))]

    def _parents_of(self, child: int) -> list[int]:
        parents: list[int] = self.arcs[child].nonzero()[0].tolist()  # a third of the time of `flatnonzero`
        return parents

    @property
    def _graph(self) -> tuple[Any, ...]:
        limits = self.limits
        return self.arcs, self.ancestors, limits.frozen, limits.closed, limits.most_parents

    def _freshen(self) -> None:
        """Bring the families up to date that moves have changed."""
        if self._rows.counted is not None and self._present.is_stale.any():
            self._rows.counted.find(self.arcs, self._present, self._rows.rows, self.arc_keys)
        while (child := climbing.freshen(self.arcs, self._present, self._rows.rows)) >= 0:
            self._rows.add(self._present.keys[child], child, self._parents_of(child))
        self.score = climbing.total(self._present.scores)

    def _gain(self, child: int, parent: int) -> float:
        if self._present.is_bound[child, parent]:
            self._settle(child, np.array([parent]))
        return float(self._present.gains[child, parent])

    def _settle_doubts(self, doubts: NDArray[np.float64], gain: float, *, in_time: bool = False) -> None:
        """Replace bounds by gains where these could be the largest, of all or only while there is time."""
        gains, is_bound, *_ = self._present
        for child in np.flatnonzero(~np.isnan(doubts)).tolist():
            if in_time and self.space.run.must_stop():
                break
            # Whatever could improve the graph is needed before long, and a batch is cheap.
            least = min(doubts[child], 2.0 * gain, 0.0)
            self._settle(child, np.flatnonzero(is_bound[child] & (gains[child] >= least)))

    def _settle(self, child: int, others: NDArray[np.int64]) -> None:
        """Replace bounds by gains."""
        found = self.scores.gains_of(child, self._parents_of(child), others)
        self._present.gains[child, others] = found
        self._present.is_bound[child, others] = False
        self._rows.settle(self._present.keys[child], others, found)


def unpacked(ancestors: NDArray[np.uint64], n_nodes: int) -> NDArray[np.bool_]:
    """Rows of ancestors, a truth value for each node."""
    as_bytes = ancestors.astype("<u8").view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, count=n_nodes, bitorder="little").view(np.bool_)


def _unknown(scores: FamilyScores) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The gains of a DAG without arcs, of which nothing is known yet; the columns alone are scored."""
    n = scores.n_nodes
    scores.remember([()] * n)
    is_bound = ~np.eye(n, dtype=np.bool_)
    return np.where(is_bound, np.inf, 0.0), is_bound
