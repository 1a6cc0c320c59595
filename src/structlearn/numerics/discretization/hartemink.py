"""Bins that keep what columns tell of each other (Hartemink, 2001).

Every column begins with many bins. In each round, every column that still has more than are wanted joins the
two neighbouring bins that lose least of its mutual information with the other columns, summed over them as
they were when the round began; so the order of columns does not matter. Of equal losses the lowest bins go.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.discretization.crossed import Crossed, Places, entropic
from structlearn.rounding import DECIMALS_OF_PROMISES


def joined_bins(table: Crossed, wanted: Sequence[int | None]) -> list[Places]:
    """The first of the bins that make each new one, for every column; None is of one that stays as it is."""
    groups = [np.arange(end - start) for start, end in zip(table.starts, table.ends, strict=True)]
    while True:
        now = table.joined(groups)
        loose = [i for i, most in enumerate(wanted) if most is not None and len(groups[i]) > most]
        if not loose:
            return groups
        margins, n_rows = now.margins(), now.n_rows()
        for i in loose:
            lost = losses(now, margins, n_rows[i], i)
            # Losses that differ by rounding are the same.
            groups[i] = np.delete(groups[i], 1 + int(np.round(lost, DECIMALS_OF_PROMISES).argmin()))


def losses(table: Crossed, margins: Places, n_rows: Places, column: int) -> NDArray[np.float64]:
    """The information with all others that joining each bin with the next one loses."""
    own = table.levels(column)
    of_cells = np.add.reduceat(_lost(table.counts[own]), table.starts, axis=1)
    lost = (of_cells - _lost(margins[own])) / np.maximum(n_rows, 1)
    lost[:, column] = 0.0
    return np.asarray(lost.sum(axis=1))


def _lost(counts: Places) -> NDArray[np.float64]:
    terms = entropic(counts)
    return np.asarray(terms[:-1] + terms[1:] - entropic(counts[:-1] + counts[1:]))
