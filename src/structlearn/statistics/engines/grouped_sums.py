"""From sums by group, as a database gives them, to means and products of distances from them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.engines.protocol import Groups

PAIRS_AT_ONCE = 800  # sums of products in one statement
SETS_AT_ONCE = 100  # of columns to group by, in one statement
COLUMNS_AT_ONCE = 60  # of those sets together: what tells the sets apart has a bit for each
# Of a sum of squares: what rounding leaves of a column that is constant in its group.
NEGLIGIBLE = 1e-14

Pair = tuple[int, int]


def pairs_of(n_columns: int) -> list[Pair]:
    """The pairs of columns, each with itself too."""
    return [(i, j) for i in range(n_columns) for j in range(i, n_columns)]


def blocks_of_pairs(n_columns: int) -> Iterator[list[Pair]]:
    """Those pairs, so many at a time; one empty block where there are none."""
    pairs = pairs_of(n_columns)
    for start in range(0, max(len(pairs), 1), PAIRS_AT_ONCE):
        yield pairs[start : start + PAIRS_AT_ONCE]


def where(complete: Sequence[int]) -> str:
    """The condition that rows have values in all of some columns."""
    return " WHERE " + " AND ".join(f"c{j} IS NOT NULL" for j in complete) if complete else ""


class GroupedSums:
    """Sums by group from one or several answers that have the groups in the same order."""

    def __init__(self, n_discrete: int, n_continuous: int) -> None:
        self._shape = n_discrete, n_continuous
        self.has_begun = False

    def add(
        self,
        answer: Mapping[str, NDArray[Any]],
        pairs: Sequence[Pair],
        *,
        discrete: NDArray[np.int64],
        continuous: Sequence[int],
    ) -> None:
        """Take an answer: `rows`, `size`, `g` of what is missing, and s0, s1, … for the pairs.

        The first has the sums of the columns too, behind those of the pairs.
        """
        if not self.has_begun:
            self._begin(answer, len(pairs), discrete, continuous)
        for place, (i, j) in enumerate(pairs):
            self._products[:, i, j] = self._products[:, j, i] = _numbers(answer[f"s{place}"])

    def _begin(
        self,
        answer: Mapping[str, NDArray[Any]],
        n_pairs: int,
        discrete: NDArray[np.int64],
        continuous: Sequence[int],
    ) -> None:
        n_groups, n_columns = len(discrete), self._shape[1]
        self.has_begun = True
        self._codes, self._rows, self._sizes = discrete, _numbers(answer["rows"]), _numbers(answer["size"])
        self._missing = np.zeros((n_groups, n_columns), dtype=np.bool_)
        self._sums = np.zeros((n_groups, n_columns))
        self._products = np.zeros((n_groups, n_columns, n_columns))
        for i, j in enumerate(continuous):
            self._missing[:, i] = np.ma.getdata(answer[f"g{j}"])
            self._sums[:, i] = _numbers(answer[f"s{n_pairs + i}"])

    def groups(self) -> Groups:
        """The groups with means and products of distances from them; groups of no weight are none."""
        used = self._sizes > 0.0
        sizes, sums, products = self._sizes[used], self._sums[used], self._products[used]
        means = sums / sizes[:, None]
        squares = np.einsum("gii->gi", products).copy()
        products -= sums[:, :, None] * means[:, None, :]
        constant = np.einsum("gii->gi", products) <= NEGLIGIBLE * squares
        products[constant[:, :, None] | constant[:, None, :]] = 0.0
        rows = self._rows[used].astype(np.int64)
        return Groups(self._codes[used], rows, sizes, ~self._missing[used], means, products)


def _numbers(values: NDArray[Any]) -> NDArray[np.float64]:
    """Sums as numbers; a sum of nothing is 0."""
    return np.ma.filled(np.ma.asarray(values).astype(np.float64), 0.0)


def counted(codes: NDArray[np.int64], rows: NDArray[Any], sizes: NDArray[Any]) -> Groups:
    """Groups of discrete columns only."""
    n, no = len(codes), np.zeros((len(codes), 0))
    return Groups(
        codes,
        np.ma.getdata(rows).astype(np.int64),
        np.ma.getdata(sizes).astype(np.float64),
        no.astype(bool),
        no,
        np.zeros((n, 0, 0)),
    )


def batches(sets: Sequence[Sequence[int]], n_sets: int = SETS_AT_ONCE) -> Iterator[list[Sequence[int]]]:
    """Sets that one statement can answer: of few enough columns together."""
    some: list[Sequence[int]] = []
    columns: set[int] = set()
    for one in sets:
        if some and (len(some) == n_sets or len(columns | set(one)) > COLUMNS_AT_ONCE):
            yield some
            some, columns = [], set()
        some.append(one)
        columns |= set(one)
    if some:
        yield some
