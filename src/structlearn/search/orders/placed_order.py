"""An order of the nodes, the best known parents of each among those before it, and how it improves."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import foresee
from structlearn.rounding import is_better
from structlearn.run import Run
from structlearn.search.kernels import placing, windows
from structlearn.search.orders.family_pool import FamilyPool, Parents

MOST_TRIES = 500  # nodes that are placed between two looks at the clock
MOST_SHAKES = 50  # as well: each settles a dozen nodes or so
SECONDS_PER_PAIR = 7e-7  # of a shake that is interpreted: 0.9 ms with 37 nodes
ROUNDS = 2  # of walks, at least: again with the families that the first ones found
# Nodes of a window. With 6 as with 8, walks from anywhere ended at the optimum of a table of 38 columns in 16
# of 16 cases; without windows in 6, after four times as long; with 5 in 15. A window takes 10 µs.
WINDOW = 6
DRAWS = 1 + 3 * 3 * WINDOW  # random numbers for a window: three for each try to add a node
NOTHING = np.zeros((0, 0), dtype=np.bool_)  # is required
Order = NDArray[np.int64]


def foresee_walks(n_walks: int, patience: int, n_nodes: int) -> None:
    """Expect so many walks in a round, each of so many shakes at least: kernels may be compiled at once."""
    foresee(ROUNDS * n_walks * patience * n_nodes**2 * SECONDS_PER_PAIR)


class PlacedOrder:
    """An order with its families; `is_used` says of every row of the pool whether a settled order had it."""

    def __init__(self, pool: FamilyPool, order: Order) -> None:
        n = len(order)
        self._pool = pool
        self._state = order, np.empty_like(order), np.empty_like(order)
        self._frozen = pool.required if pool.required.any() else NOTHING
        self._pending = np.zeros(n, dtype=np.bool_)
        self._room = np.empty(n), np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n)
        self.is_used = np.zeros(len(pool.lists.scores), dtype=np.bool_)
        placing.choose_all(pool.lists, *self._state)

    @property
    def order(self) -> Order:
        """The nodes, from the first to the last."""
        return self._state[0]

    @property
    def rows(self) -> Order:
        """The row of the pool that every node has its parents of."""
        return self._state[2]

    @property
    def score(self) -> float:
        """The sum of the scores of the families."""
        return float(self._pool.lists.scores[self._state[2]].sum())

    def parents(self) -> list[Parents]:
        """The parents of every node."""
        return [self._pool.parents_at(row) for row in self._state[2].tolist()]

    def arcs(self) -> NDArray[np.bool_]:
        """The same parents as a row per child."""
        found = np.zeros(self._pool.required.shape, dtype=np.bool_)
        members = self._pool.lists.members[self._state[2]]
        children, places = np.nonzero(members >= 0)
        found[children, members[children, places]] = True
        return found

    def settle(self, rng: np.random.Generator, run: Run) -> None:
        """Move one node at a time to its best place, until none wants to move."""
        lists, frozen = self._pool.lists, self._frozen
        self._pending[:] = True
        sequence = rng.permutation(len(self._pending))
        while not run.must_stop():
            if placing.settle(lists, frozen, *self._state, self._pending, sequence, self._room, MOST_TRIES):
                break
        self.is_used[self._state[2]] = True

    def shake(self, rng: np.random.Generator, run: Run, patience: int, perturb: int) -> list[float]:
        """Move nodes and settle again until so many shakes in a row bring nothing; returns their scores.

        In between windows, some joined nodes at a time, get the best of all their orders.
        """
        record, n_fruitless = self.score, 0
        scores: list[float] = []
        while n_fruitless < patience and len(self._pending) > 1 and not run.must_stop():
            n_shakes = min(patience - n_fruitless, MOST_SHAKES)
            found = np.empty(n_shakes)
            self._shake(rng, perturb, record, found)
            if len(self._pending) > WINDOW:
                found[-1] = max(found[-1], self._arranged(rng, run))
            if is_better(float(found.max()), record):
                for score in found.tolist():
                    n_fruitless = 0 if is_better(score, record) else n_fruitless + 1
                    record = max(record, score)
            else:
                n_fruitless, record = n_fruitless + n_shakes, max(record, float(found.max()))
            scores += found.tolist()
            run.show(f"score {record:.1f} after {len(scores)} shakes")
        return scores

    def _arranged(self, rng: np.random.Generator, run: Run) -> float:
        """The score after windows, one for each node, have got their best order."""
        n, before = len(self._pending), self.score
        draws, marks = rng.random((n, DRAWS)), np.empty((2, n), dtype=np.bool_)
        places = np.empty(WINDOW, dtype=np.int64), np.empty(n, dtype=np.int64)
        sets = np.empty((WINDOW, 1 << WINDOW), dtype=np.int64), np.empty(1 << WINDOW)
        last = np.empty(1 << WINDOW, dtype=np.int64)
        windows.arrange_windows(self._pool.lists, *self._state, draws, marks, *places, *sets, last)
        if is_better(self.score, before):
            self.settle(rng, run)
        self.is_used[self.rows] = True
        return self.score

    def _shake(
        self, rng: np.random.Generator, perturb: int, record: float, found: NDArray[np.float64]
    ) -> None:
        n = len(self._pending)
        draws = rng.random((len(found), 2 + 2 * perturb))
        sequences = rng.permuted(np.broadcast_to(np.arange(n), (len(found), n)), axis=1)
        trial = tuple(np.empty(n, dtype=np.int64) for _ in range(3))
        lists, frozen = self._pool.lists, self._frozen
        rest = self._pending, self._room, self.is_used, found
        placing.shake(lists, frozen, self._state, trial, draws, sequences, perturb, record, *rest)
