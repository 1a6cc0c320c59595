"""Moments within strata, of all columns at once where one set of columns after another is asked for."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.protocol import Columns, GroupedMoments
from structlearn.statistics.strata import number_strata, states_of

ROWS_AT_ONCE = 2**13  # of a stratum: a few dozen columns of them stay in a cache
MOST_BYTES = 2**28  # of moments that are kept
# To bring the rows of a column together, and a product of two columns by linear algebra, in the time that a
# product takes where each set is worked out on its own.
VISITS_OF_A_COLUMN, VISITS_OF_A_PRODUCT = 2.0, 0.1
Numbers = NDArray[np.float64]


class MomentsOfAll(NamedTuple):
    """The states of each stratum, how many rows it has, and the means and centred products of all columns."""

    states: Columns
    sizes: Numbers
    means: Numbers
    products: Numbers

    def of(self, sets: Columns) -> GroupedMoments:
        """Those of sets of these columns."""
        sizes = np.tile(self.sizes, (len(sets), 1))
        means = self.means[np.arange(len(self.sizes))[:, None], sets[:, None]]
        strata = np.arange(len(self.sizes))[:, None, None]
        products = self.products[strata, sets[:, None, :, None], sets[:, None, None, :]]
        return GroupedMoments(self.states, sizes, means, products)


class MomentsOfStrata:
    """The moments of all continuous columns within strata, where they are worth finding.

    They are found once as much time has gone into single sets within the same strata as they take: nobody
    then waits for more than twice as long as need be, whatever will be asked.
    """

    def __init__(
        self,
        values: Numbers,
        codes: NDArray[np.unsignedinteger],
        levels: NDArray[np.int64],
        weights: Numbers | None,
    ) -> None:
        is_continuous = levels == 0
        self._columns = [values[j] for j in np.flatnonzero(is_continuous)]
        self._places = is_continuous.cumsum() - 1
        self._codes, self._levels, self._weights = codes, levels, weights
        self._n_rows, p = codes.shape[1], len(self._columns)
        self._cost = self._n_rows * p * (VISITS_OF_A_COLUMN + VISITS_OF_A_PRODUCT * p)
        self._spent: dict[tuple[int, ...], float] = {}
        self._found: OrderedDict[tuple[int, ...], MomentsOfAll] = OrderedDict()

    def within(self, discrete: tuple[int, ...], sets: Columns) -> GroupedMoments | None:
        """Those of some sets, if those of all columns are worth finding by now."""
        if discrete not in self._found and not self._is_worth(discrete, sets):
            return None
        if discrete not in self._found:
            self._found[discrete] = self._of_all(discrete)
            self._forget()
        self._found.move_to_end(discrete)
        return self._found[discrete].of(self._places[sets])

    def _is_worth(self, discrete: tuple[int, ...], sets: Columns) -> bool:
        width = sets.shape[1]
        spent = self._spent.get(discrete, 0.0) + self._n_rows * len(sets) * width * (width + 1) / 2
        self._spent[discrete] = spent
        most_strata = min(self._levels[list(discrete)].prod(dtype=np.float64), self._n_rows)
        n_bytes = float(8 * most_strata * len(self._columns) ** 2)
        return spent >= self._cost and n_bytes <= MOST_BYTES

    def _of_all(self, discrete: tuple[int, ...]) -> MomentsOfAll:
        codes = self._codes[list(discrete)]
        groups, n_groups = number_strata(codes, self._levels[list(discrete)])
        p = len(self._columns)
        sizes, means, products = np.zeros(n_groups), np.zeros((n_groups, p)), np.zeros((n_groups, p, p))
        for group, rows in enumerate(_rows_by_group(groups, n_groups)):
            for start in range(0, len(rows), ROWS_AT_ONCE):
                size, mean, within = self._of_rows(rows[start : start + ROWS_AT_ONCE])
                together, away = sizes[group] + size, mean - means[group]
                # As Chan, Golub and LeVeque (1983) add moments up.
                products[group] += within + np.outer(away, away) * (sizes[group] * size / together)
                means[group] += away * (size / together)
                sizes[group] = together
        return MomentsOfAll(states_of(codes, groups, n_groups), sizes, means, products)

    def _of_rows(self, rows: NDArray[np.int64]) -> tuple[float, Numbers, Numbers]:
        """The size, the means and the centred products of some rows."""
        values = np.array([column.take(rows) for column in self._columns])
        weights = np.ones(len(rows)) if self._weights is None else self._weights[rows]
        size, first = float(weights.sum()), values[:, 0].copy()
        values -= first[:, None]  # a constant column then has exactly no distances
        shift = values @ weights / size
        values -= shift[:, None]
        values *= np.sqrt(weights)
        return size, first + shift, values @ values.T

    def _forget(self) -> None:
        """Let those go that were not asked for in the longest time."""
        n_bytes = sum(found.products.nbytes for found in self._found.values())
        while n_bytes > MOST_BYTES:
            discrete, forgotten = self._found.popitem(last=False)
            n_bytes -= forgotten.products.nbytes
            self._spent[discrete] = 0.0


def _rows_by_group(groups: NDArray[np.int64], n_groups: int) -> Sequence[NDArray[np.int64]]:
    narrow = groups.astype(np.min_scalar_type(n_groups))  # numpy sorts short numbers by their digits
    ends = np.bincount(groups, minlength=n_groups).cumsum()
    return np.split(np.argsort(narrow, kind="stable"), ends[:-1])
