"""How far the order of columns by their variances is that of a DAG (Reisach et al., 2021)."""

import numpy as np
from numpy.typing import NDArray


def varsortability(is_arc: NDArray[np.bool_], log_sizes: NDArray[np.float64]) -> float:
    """The share of directed paths whose end varies more than their beginning; ½ where there is none.

    `is_arc[i, j]` says i → j, and `log_sizes` are logarithms of variances or deviations. A pair counts once
    for each length of its paths; sizes that are equal but for rounding count half.
    """
    n_paths, n_rising = 0, 0.0
    rises = np.where(np.isclose(log_sizes[:, None], log_sizes, rtol=0.0, atol=1e-9), 0.5, 0.0)
    rises += (log_sizes[:, None] < log_sizes) & (rises == 0.0)
    arcs = is_arc.astype(np.float32)  # whole numbers have no fast product
    paths = is_arc
    for _ in range(len(is_arc) - 1):
        n_paths += int(paths.sum())
        n_rising += float(rises[paths].sum())
        paths = (paths.astype(np.float32) @ arcs) > 0.0
        if not paths.any():
            break
    return n_rising / n_paths if n_paths else 0.5
