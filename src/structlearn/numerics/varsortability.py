"""How far the order of columns by their variances is that of a DAG (Reisach et al., 2021)."""

import numpy as np
from numpy.typing import NDArray


def varsortability(is_arc: NDArray[np.bool_], variances: NDArray[np.float64]) -> float:
    """The share of directed paths whose end varies more than their beginning; ½ where there is none.

    `is_arc[i, j]` says i → j. A pair counts once for each length of its paths; equal variances count half.
    """
    n_paths, n_rising = 0, 0.0
    rises = np.where(np.isclose(variances[:, None], variances, rtol=1e-9, atol=0.0), 0.5, 0.0)
    rises += (variances[:, None] < variances) & (rises == 0.0)
    arcs = is_arc.astype(np.int64)
    paths = is_arc
    for _ in range(len(is_arc) - 1):
        n_paths += int(paths.sum())
        n_rising += float(rises[paths].sum())
        paths = (paths.astype(np.int64) @ arcs) > 0
        if not paths.any():
            break
    return n_rising / n_paths if n_paths else 0.5
