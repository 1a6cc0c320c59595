"""What a source of statistics answers, wherever its rows are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.errors import DataError
from structlearn.statistics.blocks import in_blocks

# What to do with a table that is not in memory, and why it has weights where nobody gave them.
FOR_ROWS = "Read the table with where='memory', or draw rows: sl.source(…, sample_rows=100_000)."
WEIGHED_ROWS = f"A table that stays elsewhere has its different rows' numbers for weights. {FOR_ROWS}"
VISITS_OF_A_CORRELATION = 2.0  # row visits that take as long as to divide by two deviations
COLUMNS_AT_ONCE = 16  # of a matrix: what is written is still in a cache where it is read again
Columns = NDArray[np.int64]
Counts = NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moments:
    """First and second moments of the continuous columns; discrete ones have zeros."""

    size: float
    mean: NDArray[np.float64]
    covariance: NDArray[np.float64]
    correlation: NDArray[np.float64]

    @classmethod
    def of(
        cls, size: float, mean: NDArray[np.float64], covariance: NDArray[np.float64], *, n_jobs: int = 1
    ) -> Self:
        """Moments with the correlations that follow; a constant column has none, not even its own."""
        deviation = np.sqrt(np.diag(covariance))
        inverse = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 0.0)
        correlation = np.empty(covariance.shape)

        def correlate(columns: slice) -> None:
            for start in range(columns.start, columns.stop, COLUMNS_AT_ONCE):
                some = slice(start, min(start + COLUMNS_AT_ONCE, columns.stop))
                np.multiply(inverse[some, None], inverse, out=correlation[some])
                correlation[some] *= covariance[some]

        in_blocks(correlate, len(covariance), cost=VISITS_OF_A_CORRELATION * covariance.size, n_jobs=n_jobs)
        return cls(size, mean, covariance, correlation)


@dataclass(frozen=True, slots=True)
class Tables:
    """Contingency tables of many column sets, one behind the other.

    Table `i` starts at `starts[i]` in `counts` and has the shape
    `(strata[i], levels of the last but one column, levels of the last column)`, row by row.
    Strata are joint states of the columns before those two: all of them in mixed-radix
    order or, where that would be larger than the data, only those that occur.
    """

    counts: Counts
    starts: NDArray[np.int64]
    strata: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class GroupedMoments:
    """Moments of sets of continuous columns within the strata of discrete ones that occur.

    `states` is (strata, discrete columns): the codes of each stratum, in mixed-radix order.
    `sizes` is (sets, strata), `means` (sets, strata, columns of a set) and `products`, the sums
    of products of distances from those means, has an axis more.
    """

    states: NDArray[np.int64]
    sizes: NDArray[np.float64]
    means: NDArray[np.float64]
    products: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows themselves: `values` is (rows, columns asked for), with the codes of discrete columns."""

    values: NDArray[np.float64]
    weights: NDArray[np.float64] | None


class FourthMoments(NamedTuple):
    """Of each column the weight of the rows that have it, and its fourth moment in standard deviations.

    A constant column has none, and 0.
    """

    sizes: NDArray[np.float64]
    standardised: NDArray[np.float64]


@runtime_checkable
class Statistics(Protocol):
    """Counts and moments of a table in memory, in a file, in a database or on a cluster.

    Whatever answers this can be learnt from: `fit` takes it in the place of a table.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each column."""

    @property
    def levels(self) -> NDArray[np.int64]:
        """The number of states of each discrete column; 0 for continuous ones."""

    @property
    def labels(self) -> tuple[tuple[Label, ...], ...]:
        """What the states of each discrete column are called, by code; nothing for continuous ones."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""

    @property
    def size(self) -> float:
        """The sum of the case weights; the number of rows where there are none."""

    @property
    def n_jobs(self) -> int:
        """How many threads may share a batch."""

    @property
    def is_complete(self) -> bool:
        """Whether all questions are answered by the same rows, all of them.

        Otherwise each counts only the rows that have a value in all of its columns, and `size`
        and `moments` are not those of any one question.
        """

    def margins(self, columns: Sequence[int]) -> list[Counts]:
        """Count the states of each of these discrete columns, one by one."""

    def counts(self, columns: Sequence[int]) -> Counts:
        """Count every joint state of discrete columns: one axis per column."""

    def tables(self, sets: Columns) -> Tables:
        """Count many sets of discrete columns, one per row of `sets`.

        Sets that share all but their last column cost least when they follow each other:
        the states of the shared part are found once.
        """

    def moments(self) -> Moments:
        """The moments of the continuous columns, computed once."""

    def grouped_moments(self, discrete: Sequence[int], sets: Columns) -> GroupedMoments:
        """The moments of sets of continuous columns, one per row of `sets`, within strata.

        Strata are the joint states of the `discrete` columns; without any, all rows are one.
        """


@runtime_checkable
class HasRows(Protocol):
    """A source that can also hand out the rows themselves."""

    def rows(self, columns: Sequence[int]) -> Rows:
        """The rows of these columns, for methods that no counts or moments can serve."""


@runtime_checkable
class HasFourthMoments(Protocol):
    """A source without rows that can tell how long the tails of columns are."""

    def fourth_moments(self, columns: Sequence[int]) -> FourthMoments:
        """The fourth moments of these continuous columns."""


def rows_of(owner: str, statistics: Statistics, columns: Sequence[int]) -> Rows:
    """The rows of these columns; a source that has only counts and moments is refused."""
    if isinstance(statistics, HasRows):
        return statistics.rows(columns)
    raise DataError(
        f"{owner} needs the rows themselves, and of this table there are only counts and moments. "
        f"{FOR_ROWS} Or use a method that counts are enough for."
    )
