"""One question under permutation: tables with given margins, residuals in another order."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.contingency import TableStatistics
from structlearn.rounding import ALMOST_ONE, DETERMINED
from structlearn.statistics import Tables

NUMBERS_AT_ONCE = 1 << 20  # 8 MiB of permuted columns or tables


class PermutedTable:
    """A table (strata, x, y) whose x is permuted within strata.

    Permuting rows would give the same tables, at the cost of all rows for each.
    """

    def __init__(self, table: NDArray[np.int64], name: str) -> None:
        self._is_pearson = name == "chi2"
        of_x, of_y = table.sum(axis=2), table.sum(axis=1)
        # A stratum where x or y has one level is always the same, and adds nothing.
        varies = ((of_x > 0).sum(axis=1) > 1) & ((of_y > 0).sum(axis=1) > 1)
        seen_x, seen_y = of_x[varies].any(axis=0), of_y[varies].any(axis=0)
        self._of_x, self._of_y = of_x[varies][:, seen_x], of_y[varies][:, seen_y]
        self.is_testable = bool(varies.any())
        self.most_at_once = max(NUMBERS_AT_ONCE // max(self._of_x.size * self._of_y.shape[1], 1), 1)
        observed = table[varies][:, seen_x][:, :, seen_y]
        self.observed = float(self._statistics_of(observed[None])[0]) if self.is_testable else 0.0
        self.statistic = self.observed / (2.0 * max(table.sum(), 1)) if name == "mi" else self.observed

    def draw(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """G² or X² of n tables with the same margins, as likely as permutations make them."""
        return self._statistics_of(self._tables(rng, n))

    def _tables(self, rng: np.random.Generator, n: int) -> NDArray[np.int64]:
        """Fill cell after cell with what chance gives it of the rows that are left."""
        n_strata, n_x = self._of_x.shape
        n_y = self._of_y.shape[1]
        tables = np.empty((n, n_strata, n_x, n_y), dtype=np.int64)
        left = np.repeat(self._of_y[None], n, axis=0)
        for x in range(n_x - 1):
            wanted = np.repeat(self._of_x[None, :, x], n, axis=0)
            others = left.sum(axis=2)
            for y in range(n_y - 1):
                others -= left[:, :, y]
                tables[:, :, x, y] = rng.hypergeometric(left[:, :, y], others, wanted)
                wanted -= tables[:, :, x, y]
            tables[:, :, x, n_y - 1] = wanted
            left -= tables[:, :, x]
        tables[:, :, n_x - 1] = left
        return tables

    def _statistics_of(self, tables: NDArray[np.int64]) -> NDArray[np.float64]:
        n, n_strata, n_x, n_y = tables.shape
        starts = np.arange(n, dtype=np.int64) * (n_strata * n_x * n_y)
        flat = Tables(tables.ravel(), starts, np.full(n, n_strata))
        levels = np.full(n, n_x), np.full(n, n_y)
        return TableStatistics.of(flat, *levels, is_pearson=self._is_pearson).statistic


class PermutedResiduals:
    """Rows (x, y, given…): what the conditions leave of x is permuted.

    The conditions are taken out of the permuted residuals again, so that their correlations with
    y spread as that of x does.
    """

    def __init__(self, rows: NDArray[np.float64]) -> None:
        # In a fixed order, so that the order of rows in the table cannot change the answer.
        rows = rows[np.lexsort(rows.T)]
        # Distances from a row first: a constant column then has exactly none from its mean.
        rows = rows - rows[:1]
        centred = rows - rows.sum(axis=0) / max(len(rows), 1)
        self._basis = _basis(centred[:, 2:])
        self._x, self._y = (self._left(centred[:, j]) for j in (0, 1))
        self._n_rows = len(rows)
        enough = self._n_rows > self._basis.shape[1] + 2
        self.is_testable = bool(enough and self._x.any() and self._y.any())
        self.statistic = self._correlations(self._x[None])[0] if self.is_testable else 0.0
        self.observed = self._ratio(np.array([self.statistic]))[0]
        self.most_at_once = max(NUMBERS_AT_ONCE // max(self._n_rows, 1), 1)

    def draw(self, rng: np.random.Generator, n: int) -> NDArray[np.float64]:
        """The likelihood ratios of n permutations."""
        return self._ratio(self._correlations(rng.permuted(np.repeat(self._x[None], n, axis=0), axis=1)))

    def _left(self, column: NDArray[np.float64]) -> NDArray[np.float64]:
        left = column - self._basis @ (self._basis.T @ column)
        is_nothing = left @ left <= DETERMINED * (column @ column)
        return np.zeros_like(left) if is_nothing else left / np.sqrt(left @ left)

    def _correlations(self, permuted: NDArray[np.float64]) -> NDArray[np.float64]:
        """The partial correlation of each row of `permuted`, of length 1, with y."""
        explained = ((permuted @ self._basis) ** 2).sum(axis=1)
        rho: NDArray[np.float64] = permuted @ self._y / np.sqrt(np.maximum(1.0 - explained, DETERMINED))
        return np.clip(rho, -ALMOST_ONE, ALMOST_ONE)

    def _ratio(self, rho: NDArray[np.float64]) -> NDArray[np.float64]:
        ratio: NDArray[np.float64] = -self._n_rows * np.log1p(-(rho**2))
        return ratio


def _basis(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Orthonormal columns that span the same, less those that add nothing."""
    scale = np.sqrt((columns**2).sum(axis=0))
    columns = columns[:, scale > 0.0] / scale[scale > 0.0]
    vectors, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    return vectors[:, lengths**2 > DETERMINED]
