"""Parts of the rows on which penalties are tried."""

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics import Rows as StoredRows

Rows = NDArray[np.int64]

# Liu, Roeder and Wasserman (2010) draw 10·√n rows; up to 144 that would be more than five in six,
# and subsamples that share nearly all rows agree whatever the penalty.
FEW_ROWS = 144
SHARE_OF_FEW = 0.8
N_SUBSAMPLES = 20  # the share of subsamples with an edge is then known to a twentieth, the β of the paper
N_FOLDS = 10  # each fit has nine tenths of the rows, so that its best penalty is nearly that of all


def rows_by_value(table: StoredRows) -> Rows:
    """The places of the rows, sorted by what they have: parts of them then do not go by where they stand.

    How far out a number of a row is among different ones, and how frequent a state, comes first: names,
    directions and units of columns do not change that.
    """
    n_rows, apart = len(table.values), np.zeros(len(table.values))
    for column in table.values.T:
        _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
        apart += (np.abs(2.0 * codes + 1.0 - n_rows) if len(counts) == n_rows else counts[codes]) ** 1.5
    weights = np.zeros(n_rows) if table.weights is None else table.weights
    return np.lexsort([weights, *table.values.T, apart])


def subsamples(rows: Rows, generator: np.random.Generator) -> list[Rows]:
    """Rows drawn without replacement, as many as Liu, Roeder and Wasserman (2010) say."""
    n_rows = len(rows)
    n_drawn = int(SHARE_OF_FEW * n_rows) if n_rows <= FEW_ROWS else int(10.0 * np.sqrt(n_rows))
    return [np.sort(generator.choice(rows, n_drawn, replace=False)) for _ in range(N_SUBSAMPLES)]


def folds(rows: Rows, generator: np.random.Generator, *, n_folds: int = N_FOLDS) -> list[Rows]:
    """The rows in `n_folds` parts of about the same size, to be held out one after the other."""
    shuffled = generator.permutation(rows)
    return [np.sort(part) for part in np.array_split(shuffled, min(n_folds, len(rows)))]
