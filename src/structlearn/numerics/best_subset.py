"""Regression on the best few columns: the L0 penalty, for comparison with the lasso."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.numerics.kernels.subsets import subset_residual

Floats = NDArray[np.float64]
Subset = tuple[int, ...]

MOST_EXACT = 30  # columns up to which all subsets can be ruled in or out
LEAST_GAIN = 1e-12  # share of the total below which a swap is rounding


@dataclass(frozen=True, slots=True)
class BestSubsets:
    """The best columns of each number, from none up.

    `residuals[k]` is the sum of squares that the columns `subsets[k]` leave. `is_exact` says whether
    all subsets were ruled in or out, or only those one swap away.
    """

    residuals: Floats
    subsets: tuple[Subset, ...]
    is_exact: bool

    def up_to(self, max_size: int) -> Subset:
        """The best columns where no more than `max_size` may be used; the fewest that do as well."""
        left = self.residuals[: max_size + 1]
        return self.subsets[int(left.argmin())]

    def penalised(self, penalty: float) -> Subset:
        """The columns that minimise ½·SSE + penalty·(their number); the fewest in a tie.

        Only sizes on the lower convex hull of the residuals are ever the best: a penalty is not the
        same as a limit.
        """
        prices = 0.5 * self.residuals + penalty * np.arange(len(self.residuals))
        return self.subsets[int(prices.argmin())]


def best_subsets(gram: Floats, target: Floats, *, total: float, max_size: int | None = None) -> BestSubsets:
    """Find the best columns of each number up to `max_size`, by default all.

    Parameters
    ----------
    gram, target : arrays of shape (p, p) and (p,)
        XᵀX and Xᵀy.
    total : float
        yᵀy.
    max_size : int, optional
        The most columns.

    Notes
    -----
    Up to 30 columns by branch and bound: a set of columns leaves at least what all of them leave, so
    branches that cannot beat the best of any size are cut (Furnival and Wilson, 1974). With more columns,
    greedily with swaps, and then `is_exact` is False.

    Examples
    --------
    >>> found = best_subsets(np.array([[4.0, 2.0], [2.0, 3.0]]), np.array([3.0, 2.5]), total=5.0)
    >>> found.subsets, found.residuals.tolist()
    (((), (0,), (0, 1)), [5.0, 2.75, 2.25])
    """
    p = len(target)
    most = p if max_size is None else max_size
    if not 0 <= most <= p:
        raise OptionError(f"best_subsets(max_size={max_size}): there are {p} columns; give 0 to {p}.")
    search = _Search(np.ascontiguousarray(gram), np.ascontiguousarray(target), float(total), most)
    search.grow()
    is_exact = p <= MOST_EXACT
    if is_exact:
        search.prune(tuple(range(p)), 0)
    return BestSubsets(search.residuals, tuple(search.subsets), is_exact)


class _Search:
    def __init__(self, gram: Floats, target: Floats, total: float, most: int) -> None:
        self._problem, self._least_gain = (gram, target, total), LEAST_GAIN * total
        self._n_columns, self._most = len(target), most
        self.residuals = np.full(most + 1, np.inf)
        self.subsets: list[Subset] = [() for _ in range(most + 1)]
        self.residuals[0] = total

    def grow(self) -> None:
        """The best column to add, again and again, with swaps in between."""
        subset: Subset = ()
        for size in range(1, self._most + 1):
            subset = min(self._larger(subset), key=self._left)
            better = min(self._swapped(subset), key=self._left, default=subset)
            while self._left(better) < self._left(subset) - self._least_gain:
                subset = better
                better = min(self._swapped(subset), key=self._left)
            self.residuals[size], self.subsets[size] = self._left(subset), subset

    def prune(self, kept: Subset, n_fixed: int) -> None:
        """Look at `kept` and all its subsets that have its first `n_fixed` columns."""
        left = self._left(kept)
        if len(kept) <= self._most and left < self.residuals[len(kept)] - self._least_gain:
            self.residuals[len(kept)], self.subsets[len(kept)] = left, kept
        smaller = self.residuals[n_fixed : min(len(kept) - 1, self._most) + 1]
        if not (left < smaller - self._least_gain).any():
            return
        for place in range(n_fixed, len(kept)):
            self.prune(kept[:place] + kept[place + 1 :], place)

    def _left(self, subset: Subset) -> float:
        return float(subset_residual(*self._problem, np.array(subset, dtype=np.int64)))

    def _larger(self, subset: Subset) -> Iterator[Subset]:
        return (tuple(sorted((*subset, j))) for j in range(self._n_columns) if j not in subset)

    def _swapped(self, subset: Subset) -> Iterator[Subset]:
        for out in subset:
            yield from (new for new in self._larger(tuple(j for j in subset if j != out)) if out not in new)
