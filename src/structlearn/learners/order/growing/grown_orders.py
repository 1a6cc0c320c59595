"""Orders of continuous columns, whose nodes take parents by growing and shrinking."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import first_best, is_better
from structlearn.scores import Penalised
from structlearn.scores.likelihoods import Regressions
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.dags import parents_first
from structlearn.search.kernels import growing
from structlearn.search.kernels.displacing import BLOCK, NODES, carry, displace, place_bounds
from structlearn.search.orders.random_orders import Order, random_order
from structlearn.search.space import Space
from structlearn.search.starts import state_with

# Columns that tell something of one given all others, on average: 5 in samples of DAGs with 50 columns and
# degree 3, 10 with degree 5. With degree 10 they are 27, and lists of families end 2,900 nats below the
# generating DAG, GES 2,700. With fewer, lists lead on from where grown orders end.
DENSE = 20.0
# Parents of a node while an order settles, step by step: without such limits families of dozens grow along a
# random order, only to go again, for 30 times as long.
FEWER_PARENTS = 4, 8, 16
N_STARTS = 3
# A shake takes 0.07 s with 50 columns, 0.4 s with 100; these keep the whole within what GES takes.
FRUITLESS_SHAKES, MOST_SHAKES = 10, 40
MANY_NODES, FRUITLESS_SHAKES_OF_MANY = 200, 3  # of 500 columns and 500 rows, 10 took half of the time


class _Settled(NamedTuple):
    """An order that no single node can improve, with a row of parents per child."""

    order: Order
    parents: NDArray[np.bool_]
    score: float


class GrownOrders:
    """Searches orders whose nodes take parents by growing and shrinking, as in the paper on BOSS.

    `trace` has the score of every order it settled on, up to a constant.
    """

    def __init__(self, space: Space) -> None:
        n, limits = space.n_nodes, space.limits
        moments, price = space.statistics.moments(), 0.0
        if isinstance(space.score, Penalised):
            price = space.score.price.nats(moments.size)
        self.trace: list[float] = []
        self._space = space
        self._most = min(limits.max_parents, n - 1, int(moments.size) - 3)
        self._regression = moments.covariance, moments.size, price, limits.closed, limits.frozen
        self._room = np.empty(n), np.empty(n), np.empty((n, n)), np.empty((n, n)), np.empty(n), np.empty(n)
        self._spare = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64), np.empty(n)
        self._pending, self._totals = np.zeros(n, dtype=np.bool_), np.empty(n)
        self._order, self._position = np.arange(n), np.arange(n)
        self._families = (
            np.zeros((n, n), dtype=np.bool_),
            np.empty(n),
            np.empty((n, n), dtype=np.int64),
            np.empty(n, dtype=np.int64),
            np.empty((n, n)),
            np.empty(n),
            np.empty(n, dtype=np.int64),
        )

    @classmethod
    def of(cls, space: Space) -> "GrownOrders | None":
        """A search where families are regressions with a price for each coefficient; None elsewhere."""
        score, statistics = space.score, space.statistics
        if not (isinstance(score, Penalised) and isinstance(score.likelihood, Regressions)):
            return None
        if not statistics.is_complete or (statistics.moments().covariance.diagonal() <= 0.0).any():
            return None
        return cls(space)

    @property
    def is_dense(self) -> bool:
        """Whether columns depend on so many others, given all, that lists of families are no help."""
        return self._space.n_nodes > DENSE and self._mean_blanket() > DENSE

    def _mean_blanket(self) -> float:
        """How many columns tell something of one, given the others, on average."""
        n, regression = self._space.n_nodes, (*self._regression, self._most)
        nowhere, rest = np.full(n, -1), (*self._spare, self._room)
        return float(np.mean([growing.grow_shrink(regression, y, nowhere, 0, *rest)[1] for y in range(n)]))

    def improve(self, patience: int | None, perturb: int) -> DAGState:
        """The best DAG of orders that settle from random ones, of which the best is shaken."""
        space = self._space
        best = self._from_anywhere()
        for _ in range(N_STARTS - 1):
            if not space.run.must_stop():
                best = first_best([best, self._from_anywhere()], lambda found: found.score)
        return self._climbed(best, patience, perturb)

    def improve_from(self, state: DAGState, patience: int | None, perturb: int) -> DAGState:
        """The best DAG of orders that are shaken from where that of a DAG settles."""
        self._order[:] = parents_first(state.parents())
        return self._climbed(self._settled_anew(self._most), patience, perturb)

    def _climbed(self, best: _Settled, patience: int | None, perturb: int) -> DAGState:
        """Where single arcs lead from the best of shaken orders."""
        space = self._space
        if patience is None:
            patience = FRUITLESS_SHAKES if space.n_nodes <= MANY_NODES else FRUITLESS_SHAKES_OF_MANY
        best = self._shaken(best, patience, perturb)
        state = state_with(space, [np.flatnonzero(row).tolist() for row in best.parents])
        climb(state)
        return state

    def _from_anywhere(self) -> _Settled:
        """Where a random order settles, with few parents first."""
        self._order[:] = random_order(self._space.limits, self._space.rng)
        for most in (*(few for few in FEWER_PARENTS if few < self._most), self._most):
            found = self._settled_anew(most)
        return found

    def _settled_anew(self, most: int) -> _Settled:
        """Where the order settles if all nodes may move, with at most so many parents."""
        self._choose_all(most)
        self._pending[:] = True
        return self._settled(most)

    def _shaken(self, best: _Settled, patience: int, perturb: int) -> _Settled:
        """Displace nodes of the best order and settle, until that brings nothing so often in a row."""
        rng, n_fruitless = self._space.rng, 0
        for _ in range(max(MOST_SHAKES, patience)):
            if n_fruitless >= patience or self._space.run.must_stop():
                break
            self._order[:], self._families[0][:], self._pending[:] = best.order, best.parents, False
            self._position[self._order] = np.arange(len(self._order))
            draw = rng.random(2 + 2 * perturb)
            kind, placed = NODES if draw[0] < 0.5 else BLOCK, (self._order, self._position)
            displace(kind, self._regression[4], *placed, draw, perturb, self._spare[0], 0, self._pending)
            self._choose_all(self._most)
            found = self._settled(self._most)
            n_fruitless = 0 if is_better(found.score, best.score) else n_fruitless + 1
            best = found if found.score > best.score else best
        return best

    def _choose_all(self, most: int) -> None:
        """Give every node at most so many parents among those before it."""
        placed = self._order, self._position, self._families, self._pending
        growing.choose_all((*self._regression, most), *placed, self._room)

    def _settled(self, most: int) -> _Settled:
        """Move pending nodes, in a random sequence, to their best places until none wants to move."""
        sequence: list[int] = self._space.rng.permutation(len(self._order)).tolist()
        while self._pending.any() and not self._space.run.must_stop():
            for x in sequence:
                if self._pending[x] and not self._space.run.must_stop():
                    self._pending[x] = False
                    self._place(x, (*self._regression, most))
        self.trace.append(float(self._families[1].sum()))
        return _Settled(self._order.copy(), self._families[0].copy(), self.trace[-1])

    def _place(self, x: int, regression: tuple[Any, ...]) -> None:
        """Move a node to the first of its best places; those are pending whose parents this changes."""
        order, position, totals = self._order, self._position, self._totals
        rest = self._families, totals, self._spare, self._room
        growing.totals_by_place(regression, order, position, x, *rest)
        low, high = place_bounds(self._regression[4], position, x)
        now, place = int(position[x]), low + int(totals[low : high + 1].argmax())
        if is_better(totals[place], totals[now]):
            carry(order, position, x, place)
            for i in range(min(now, place), max(now, place) + 1):
                y = order[i]
                self._pending[y] |= growing.choose(regression, y, position, i, self._families, self._room)
