"""Iterated search over orders: settle every node, shake the best order, settle again."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.growing.grow_trees import GrowTrees
from structlearn.learners.order.growing.grown_order import GrownOrder
from structlearn.learners.order.permutations.node_orders import parents_first
from structlearn.rounding import is_better, slack
from structlearn.search import dags
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from structlearn.search.space import Space
from structlearn.search.starts import state_with


class ShakenOrders:
    """Searches the orders around a DAG; `trace` has the score of every order it settled on."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._run = space.run
        self._trees = GrowTrees(space)
        self.trace: list[float] = []

    def improve(self, state: DAGState, patience: int, perturb: int) -> DAGState:
        """The best DAG found from a state on, by orders and then by single arcs."""
        while not self._run.must_stop():
            self._trees.keep(state.parents())
            order = np.array(dags.parents_first(state.parents()), dtype=np.int64)
            best = self._best_order(order, patience, perturb)
            found = self._climbed(best)
            if not is_better(found.score, state.score):
                break
            state = found
            if not is_better(found.score, best.score):
                break
        return state

    def _best_order(self, order: NDArray[np.int64], patience: int, perturb: int) -> GrownOrder:
        rng = self._space.rng
        best = GrownOrder(self._trees, order)
        best.settle(np.arange(len(order)), rng, self._run)
        self.trace.append(best.score)
        record, n_fruitless = best.score, 0
        while n_fruitless < patience and len(order) > 1 and not self._run.must_stop():
            found = self._shaken(best.order, perturb)
            n_fruitless = 0 if is_better(found.score, record) else n_fruitless + 1
            # An order as good as the best replaces it, so that the search can cross plateaus; the record
            # stays, so that it cannot sink by a tie after the other and rise again.
            best = found if found.score >= record - slack(record) else best
            record = max(record, found.score)
            self.trace.append(found.score)
            self._run.show(f"score {best.score:.1f} after {len(self.trace)} orders")
        best.settle(np.arange(len(order)), rng, self._run)
        return best

    def _shaken(self, order: NDArray[np.int64], perturb: int) -> GrownOrder:
        rng = self._space.rng
        if self._trees.is_full:
            families = GrownOrder(self._trees, order.copy()).parents()
            self._trees = GrowTrees(self._space)
            self._trees.keep(families)
        n_nodes = int(rng.integers(min(perturb, 2), perturb + 1))
        nodes = rng.choice(len(order), size=min(n_nodes, len(order)), replace=False)
        places = np.argsort(order).astype(np.float64)
        places[nodes] = rng.uniform(-1.0, len(order), size=len(nodes))
        found = GrownOrder(self._trees, parents_first(np.argsort(places), self._trees.required))
        found.settle(nodes, rng, self._run)
        return found

    def _climbed(self, best: GrownOrder) -> DAGState:
        """Where a climb by single arcs leads from the DAG of an order."""
        state = state_with(self._space, best.parents())
        climb(state)
        return state
