"""An order from its end: the column whose residual is most independent of the others comes last."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.gaussian_kernels import independence_of, usual_kernel
from structlearn.numerics.acyclic import Flags
from structlearn.numerics.kernel_regression import cross_fitted_residuals
from structlearn.numerics.lingam.linear import Order
from structlearn.run import Run

Floats = NDArray[np.float64]
FEWEST_ROWS = 8  # four for each of two regressions
NOTHING = 1e-10  # standard deviations that are rounding
Parents = list[list[int]]


class Residuals:
    """Standardised columns, whose rows are sorted so that their order in the table does not matter."""

    def __init__(self, rows: Floats, max_rows: int) -> None:
        ordered = rows[np.lexsort(rows.T)]
        kept = ordered[:: -(-len(ordered) // max_rows)]
        apart = kept - kept.mean(axis=0)
        deviation = np.sqrt(np.square(apart).mean(axis=0))
        self.columns = apart / np.where(deviation > 0.0, deviation, 1.0)
        self.is_enough = len(kept) >= FEWEST_ROWS
        self._kernels: dict[int, Floats] = {}

    def independence(self, child: int, parents: list[int], of: list[int]) -> tuple[float, float]:
        """The p-value of what parents leave of a child and other columns, and how far they agree."""
        left = self._left(child, parents)
        if left is None or not of:
            return 1.0, 0.0
        return independence_of(left, usual_kernel(self.columns[:, of]))

    def least_independence(self, child: int, parents: list[int], of: list[int]) -> float:
        """The same for each of the other columns: the smallest p-value, times their number."""
        left = self._left(child, parents)
        if left is None or not of:
            return 1.0
        return min(1.0, len(of) * min(independence_of(left, self._kernel(j))[0] for j in of))

    def _kernel(self, column: int) -> Floats:
        if column not in self._kernels:
            self._kernels[column] = usual_kernel(self.columns[:, [column]])
        return self._kernels[column]

    def _left(self, child: int, parents: list[int]) -> Floats | None:
        """The kernel of what parents leave of a child; None where that is nothing."""
        left = cross_fitted_residuals(self.columns[:, parents], self.columns[:, child])
        size = float(np.sqrt(np.square(left).mean()))
        return usual_kernel(left[:, None] / size) if size > NOTHING else None


def order_of_sinks(residuals: Residuals, waits: Flags, run: Run) -> tuple[Order, Floats]:
    """The order, causes first, and by place the p-value with which a column was put there; NaN without."""
    p = len(waits)
    left, found, p_values = list(range(p)), list[int](), list[float]()
    must_stop = run.before_steps()
    while len(left) > 1 and residuals.is_enough:
        is_awaited: Flags = np.asarray(waits[np.ix_(left, left)].any(axis=0))
        ready = np.array(left)[~is_awaited].tolist() or left
        tried = []
        for j in ready:
            if must_stop():
                return _joined(left, found, p_values)
            p_value, agree = residuals.independence(
                j, [i for i in left if i != j], [i for i in left if i != j]
            )
            tried.append((-p_value, agree, j))
        chosen = min(tried)
        left.remove(chosen[2])
        found.append(chosen[2])
        p_values.append(-chosen[0])
        run.show("columns in order", len(found), 2 * p)
    return _joined(left, found, p_values)


def _joined(left: list[int], found: list[int], p_values: list[float]) -> tuple[Order, Floats]:
    order = np.array([*left, *found[::-1]], dtype=np.int64)
    return order, np.array([*[np.nan] * len(left), *p_values[::-1]])


def needed_parents(
    residuals: Residuals, order: Order, allowed: Flags, required: Flags, alpha: float, run: Run
) -> tuple[Parents, dict[tuple[int, int], float]]:
    """The parents without which what is left of a column depends on one before it, and these p-values.

    Both matrices have a row per child. Parents are tried in turn, those first that seem least needed; what
    time leaves out has only what is required.
    """
    found: Parents = [np.flatnonzero(row).tolist() for row in required]
    evidence: dict[tuple[int, int], float] = {}
    for place, child in enumerate(order.tolist()):
        before = order[:place].tolist()
        parents = [j for j in before if allowed[child, j] or required[child, j]]
        free = [j for j in parents if not required[child, j]]
        without = {j: _without(residuals, child, parents, j, before, run) for j in free}
        for parent in sorted(free, key=lambda j: -without[j]):
            p_value = _without(residuals, child, parents, parent, before, run)
            if run.must_stop():
                return found, evidence
            if p_value > alpha:
                parents = [j for j in parents if j != parent]
            else:
                evidence[parent, child] = p_value
        found[child] = sorted({*parents, *found[child]})
        run.show("columns with parents", len(order) + place, 2 * len(order))
    return found, evidence


def _without(
    residuals: Residuals, child: int, parents: list[int], parent: int, before: list[int], run: Run
) -> float:
    """The p-value of what is left of a child without one of its parents, and every column before it."""
    if not residuals.is_enough or run.must_stop():
        return 1.0
    return residuals.least_independence(child, [j for j in parents if j != parent], before)
