"""How alike two columns are: kernels on the columns of a table in place of its rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special

Floats = NDArray[np.float64]
CELLS_AT_ONCE = 2**22  # 32 MiB of numbers
MOST_QUANTILES = 500  # of a column: their pairs, 124,750, take a megabyte


@dataclass(frozen=True, eq=False)
class StandardRows:
    """Rows (n, p) of columns with mean 0 and variance 1, constant ones all 0; `shares` sum to 1."""

    values: Floats
    shares: Floats
    size: float

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Which columns are not constant."""
        return np.asarray(self.values.any(axis=0))

    def correlation(self) -> Floats:
        """The correlations; those of a constant column are 0, even its own."""
        return (self.values * self.shares[:, None]).T @ self.values


class FeatureKernel(Protocol):
    """A positive semidefinite matrix of likenesses, 1 on the diagonal, 0 for constant columns."""

    def matrix(self, rows: StandardRows) -> Floats:
        """The likeness of each two columns."""

    def by_chance(self, rows: StandardRows, tail: float) -> float:
        """The likeness that independent columns exceed with about this probability."""


@dataclass(frozen=True)
class Linear:
    """The correlation."""

    def matrix(self, rows: StandardRows) -> Floats:
        """The likeness of each two columns."""
        return rows.correlation()

    def by_chance(self, rows: StandardRows, tail: float) -> float:
        """The likeness that independent columns exceed with about this probability."""
        return float(-special.ndtri(tail) / np.sqrt(rows.size))


@dataclass(frozen=True)
class Polynomial:
    """((1 + correlation) / 2) to a power."""

    degree: int

    def matrix(self, rows: StandardRows) -> Floats:
        """The likeness of each two columns."""
        return _of_varying(rows, self._of(rows.correlation()))

    def by_chance(self, rows: StandardRows, tail: float) -> float:
        """The likeness that independent columns exceed with about this probability."""
        return float(self._of(np.array(Linear().by_chance(rows, tail))))

    def _of(self, correlation: Floats) -> Floats:
        powers: Floats = ((1.0 + correlation) / 2.0) ** self.degree
        return powers


@dataclass(frozen=True)
class Gaussian:
    """exp(-distance² / (2·n·bandwidth²)) of the columns as points in a space of n dimensions.

    Without a bandwidth its square is the median of distance² / n.
    """

    bandwidth: float | None

    def matrix(self, rows: StandardRows) -> Floats:
        """The likeness of each two columns."""
        return _of_varying(rows, self._of(rows, rows.correlation()))

    def by_chance(self, rows: StandardRows, tail: float) -> float:
        """The likeness that independent columns exceed with about this probability."""
        return float(self._of(rows, np.array(Linear().by_chance(rows, tail))))

    def _of(self, rows: StandardRows, correlation: Floats) -> Floats:
        likeness: Floats = np.exp((correlation - 1.0) / self._squared_bandwidth(rows))
        return likeness

    def _squared_bandwidth(self, rows: StandardRows) -> float:
        if self.bandwidth is not None:
            return self.bandwidth**2
        a, b = np.triu_indices(rows.values.shape[1], k=1)
        return float(np.median(2.0 - 2.0 * rows.correlation()[a, b])) if len(a) else 1.0


@dataclass(frozen=True)
class Dependence:
    """The normalised Hilbert-Schmidt independence criterion: dependence of any shape.

    The rows of each column are compared by a Gaussian kernel; two columns are alike where
    those comparisons, centred, agree. Without a bandwidth twice its square is the median of the
    squared distances of the rows.
    """

    bandwidth: float | None

    def matrix(self, rows: StandardRows) -> Floats:
        """The likeness of each two columns."""
        inner = self._inner_products(rows)
        norm = np.sqrt(np.diag(inner))
        inverse = np.divide(1.0, norm, out=np.zeros_like(norm), where=norm > 0.0)
        likeness: Floats = inner * np.outer(inverse, inverse)
        return likeness

    def by_chance(self, rows: StandardRows, tail: float) -> float:
        """The likeness that independent columns exceed with about this probability.

        That of a gamma distribution with their mean and variance under permutations of the rows
        (Gretton et al., 2008), for the two columns with the flattest kernels.
        """
        norms = np.sqrt(sum((block**2).sum(axis=0) for block in self._centred(rows)))
        spread = self._traces(rows) / np.maximum(norms, np.finfo(float).tiny)
        mean = float(np.max(spread, initial=0.0)) ** 2 / max(rows.size - 1.0, 1.0)
        variance = 2.0 / rows.size**2
        if mean <= 0.0:
            return 0.0
        return float(special.gammaincinv(mean**2 / variance, 1.0 - tail) * variance / mean)

    def _inner_products(self, rows: StandardRows) -> Floats:
        p = rows.values.shape[1]
        inner = np.zeros((p, p))
        for block in self._centred(rows):
            inner += block.T @ block
        return inner

    def _centred(self, rows: StandardRows) -> Iterator[Floats]:
        """The centred comparisons of each two rows, (some pairs of rows, columns) at a time."""
        n, p = rows.values.shape
        widths, means = self._widths(rows), self._means(rows)
        total = rows.shares @ means
        for block in _blocks(n, n * p):
            compared = _compared(rows.values, block, widths) - means[block, None] - means + total
            compared *= np.sqrt(rows.shares[block, None] * rows.shares)[:, :, None] * rows.varies
            yield compared.reshape(-1, p)

    def _traces(self, rows: StandardRows) -> Floats:
        """The sums of the diagonals of the centred comparisons."""
        means = self._means(rows)
        traces: Floats = (1.0 - rows.shares @ means) * rows.varies
        return traces

    def _means(self, rows: StandardRows) -> Floats:
        """How alike each row is to all rows on average, (n, p)."""
        n, p = rows.values.shape
        widths, means = self._widths(rows), np.empty((n, p))
        for block in _blocks(n, n * p):
            means[block] = np.einsum("ijk,j->ik", _compared(rows.values, block, widths), rows.shares)
        return means

    def _widths(self, rows: StandardRows) -> Floats:
        """What squared distances are divided by, for each column."""
        p = rows.values.shape[1]
        if self.bandwidth is not None:
            return np.full(p, 2.0 * self.bandwidth**2)
        values = _order_statistics(rows, most=MOST_QUANTILES)
        a, b = np.triu_indices(len(values), k=1)
        medians: Floats = np.median((values[a] - values[b]) ** 2, axis=0)
        return np.where(medians > 0.0, medians, 1.0)


def _order_statistics(rows: StandardRows, *, most: int) -> Floats:
    """The sorted values of each column, a row as often as its weight says; some where they are many."""
    size = max(round(rows.size), 2)
    # In the middle of a row's share: the sums of weights are whole numbers but for rounding.
    places = np.linspace(0, size - 1, min(size, most)).astype(np.int64) + 0.5
    found = np.empty((len(places), rows.values.shape[1]))
    for column, order in enumerate(np.argsort(rows.values, axis=0, kind="stable").T):
        counted = np.searchsorted(np.cumsum(rows.shares[order]) * rows.size, places)
        found[:, column] = rows.values[order[np.minimum(counted, len(order) - 1)], column]
    return found


def _compared(values: Floats, block: slice, widths: Floats) -> Floats:
    compared: Floats = np.exp(-((values[block, None] - values) ** 2) / widths)
    return compared


def _blocks(n_rows: int, cells_of_a_row: int) -> list[slice]:
    n_at_once = max(CELLS_AT_ONCE // max(cells_of_a_row, 1), 1)
    return [slice(start, start + n_at_once) for start in range(0, n_rows, n_at_once)]


def _of_varying(rows: StandardRows, likeness: Floats) -> Floats:
    return likeness * np.outer(rows.varies, rows.varies)
