"""Information on a grid that is refined where points crowd (Darbellay and Vajda)."""

import numpy as np

from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.kernels.partitions import fill_partitions
from structlearn.numerics.information.settings import Settings


def adaptive(columns: Columns, _settings: Settings) -> Fill:
    """Cells are quartered as long as their quarters differ by more than chance."""
    n_rows = columns.values.shape[1]
    ranks = (2.0 * columns.ranked().values).astype(np.int64)
    n_each = np.zeros((len(columns), 2 * n_rows + 2), dtype=np.int64)
    np.add.at(n_each, (np.arange(len(columns))[:, None], ranks + 1), 1)
    below = np.cumsum(n_each, axis=1)

    def fill(start: int, end: int, out: Matrix) -> None:
        fill_partitions(ranks, below, start, end, out)

    return fill
