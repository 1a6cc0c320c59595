"""How far the order of columns by their variances is that of a DAG (Reisach et al., 2021)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse

ROUNDING = 1e-9  # of logarithms


def varsortability(is_arc: NDArray[np.bool_], log_sizes: NDArray[np.float64]) -> float:
    """The share of directed paths whose end varies more than their beginning; ½ where there is none.

    `is_arc[i, j]` says i → j, and `log_sizes` are logarithms of variances or deviations. A pair counts once
    for each length of its paths; sizes that are equal but for rounding count half.
    """
    n_paths, n_rising = 0, 0.0
    arcs = sparse.csr_array(is_arc)
    paths = arcs
    while paths.nnz:
        n_paths += paths.nnz
        source, target = paths.nonzero()
        rise = log_sizes[target] - log_sizes[source]
        n_rising += float(np.where(np.abs(rise) <= ROUNDING, 0.5, rise > 0.0).sum())
        paths = paths @ arcs
    return n_rising / n_paths if n_paths else 0.5
