"""An order of the nodes, the parents that each grows from those before it, and how it improves."""

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.order.growing.grow_trees import GrowTrees, Parents
from structlearn.learners.order.kernels import placing
from structlearn.run import Run

ROOM = 6  # branches per node that are scored in one batch, at most: more may not be needed after all
MOST_TRIES = 500  # nodes that are placed between two looks at the clock


class GrownOrder:
    """An order with its families, in which one node at a time can move to its best place."""

    def __init__(self, trees: GrowTrees, order: NDArray[np.int64]) -> None:
        n = len(order)
        self._trees = trees
        self.order = order
        self.position = np.empty(n, dtype=np.int64)
        self.position[order] = np.arange(n)
        self.grown = np.empty(n, dtype=np.int64)
        placing.grow_all(trees.trees, self.order, self.position, self.grown)
        while (self.grown < 0).any():
            trees.find(-1 - self.grown[self.grown < 0])
            placing.grow_all(trees.trees, self.order, self.position, self.grown)

    @property
    def score(self) -> float:
        """The sum of the scores of the families."""
        return float(self._trees.trees.value[self.grown].sum())

    def parents(self) -> list[Parents]:
        """The parents of every node."""
        return [self._trees.parents_at(at) for at in self.grown.tolist()]

    def settle(self, nodes: NDArray[np.int64], rng: np.random.Generator, run: Run) -> None:
        """Move these nodes, and those whose families change with them, to their best places."""
        n = len(self.order)
        pending = np.zeros(n, dtype=np.bool_)
        pending[nodes] = True
        state = self.order, self.position, self.grown, pending, rng.permutation(n)
        totals, wanted = np.empty(n), np.empty(ROOM * n, dtype=np.int64)
        while not run.must_stop():
            trees = self._trees
            left = placing.settle(trees.trees, trees.required, *state, totals, wanted, MOST_TRIES)
            if left == 0:
                return
            trees.find(wanted[: max(left, 0)])
