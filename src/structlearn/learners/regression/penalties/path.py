"""Penalties to look at, from the one that leaves no edge downwards."""

import numpy as np
from numpy.typing import NDArray

from structlearn.run import Run


def penalty_path(largest: float, *, n_penalties: int, smallest_share: float) -> NDArray[np.float64]:
    """Penalties from `largest` down to a share of it, each the same share of the one before."""
    if largest <= 0.0:
        return np.zeros(1)
    return largest * np.geomspace(1.0, smallest_share, n_penalties)


def warn_of_the_end(run: Run, chosen: NDArray[np.int64], n_penalties: int) -> None:
    """Say so when the smallest penalty of a path was chosen: a smaller one might be better."""
    if n_penalties > 1 and np.any(chosen == n_penalties - 1):
        run.warn("the smallest penalty of the path was chosen. Give a smaller smallest_share.")
