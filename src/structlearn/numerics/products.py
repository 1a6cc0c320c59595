"""Products of matrices that end within a moment where time is up."""

import numpy as np
from numpy.typing import NDArray

from structlearn.run import MustStop, OutOfTime, never

Floats = NDArray[np.float64]
AT_ONCE = 2**29  # multiplications, some 50 milliseconds


def product(one: Floats, other: Floats, must_stop: MustStop = never) -> Floats:
    """The product of two matrices; a large one looks at the clock on the way, and raises `OutOfTime`."""
    if one.size * other.shape[1] <= AT_ONCE:
        return np.asarray(one @ other)
    found, step = np.empty((len(one), other.shape[1])), max(AT_ONCE // one.size, 1)
    for start in range(0, other.shape[1], step):
        if must_stop():
            raise OutOfTime
        found[:, start : start + step] = one @ other[:, start : start + step]
    return found
