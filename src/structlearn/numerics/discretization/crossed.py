"""The counts of every two levels of every two columns, as one table that bins are joined in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.later import sparse

Counts = NDArray[np.int64]
Places = NDArray[np.int64]

MOST_CELLS = 2 * 10**8  # of eight bytes


@dataclass(frozen=True)
class Crossed:
    """Levels against levels: column i has the rows and columns from `starts[i]` on."""

    counts: Counts
    starts: Places

    @property
    def ends(self) -> Places:
        """Where the levels of each column end."""
        return np.append(self.starts[1:], len(self.counts))

    def levels(self, column: int) -> slice:
        """Where the levels of a column are."""
        return slice(int(self.starts[column]), int(self.ends[column]))

    def joined(self, groups: Sequence[Places]) -> "Crossed":
        """The table of fewer levels: `groups` are the first levels of each column's new ones."""
        places = np.concatenate([start + group for start, group in zip(self.starts, groups, strict=True)])
        rows = np.add.reduceat(self.counts, places, axis=0)
        sizes = np.array([len(group) for group in groups])
        return Crossed(np.add.reduceat(rows, places, axis=1), np.cumsum(sizes) - sizes)

    def information(self) -> NDArray[np.float64]:
        """The mutual information of each pair of columns times the rows that have both."""
        rows = np.add.reduceat(entropic(self.counts), self.starts, axis=1)
        cells = np.add.reduceat(rows, self.starts, axis=0)
        margins = np.add.reduceat(entropic(self.margins()), self.starts, axis=0)
        n_rows = self.n_rows()
        return np.asarray(cells - margins - margins.T + entropic(n_rows))

    def margins(self) -> Counts:
        """How many rows have each level and a value of each column."""
        return np.add.reduceat(self.counts, self.starts, axis=1)

    def n_rows(self) -> Counts:
        """How many rows have a value of both columns, for each pair."""
        return np.add.reduceat(self.margins(), self.starts, axis=0)


def crossed(codes: Sequence[Places], levels: Sequence[int]) -> Crossed:
    """Cross columns of codes with each other; a code below 0 is a missing value."""
    sizes = np.array(levels)
    starts = np.cumsum(sizes) - sizes
    n_levels = int(sizes.sum())
    if n_levels**2 > MOST_CELLS:
        raise OptionError(
            f"discretize: {n_levels:,} bins and levels in all have too many pairs. Lower initial_bins, or "
            "choose fewer columns."
        )
    kept = [np.flatnonzero(column >= 0) for column in codes]
    rows = np.concatenate(kept)
    places = np.concatenate(
        [start + column[some] for start, column, some in zip(starts, codes, kept, strict=True)]
    )
    shape = (len(codes[0]), n_levels)
    has = sparse.csr_array((np.ones(len(rows), dtype=np.int64), (rows, places)), shape=shape)
    return Crossed((has.T @ has).toarray(), starts)


def entropic(counts: NDArray[np.generic]) -> NDArray[np.float64]:
    """The function n ln n, 0 at 0."""
    numbers = np.asarray(counts, dtype=np.float64)
    return numbers * np.log(np.maximum(numbers, 1.0))
