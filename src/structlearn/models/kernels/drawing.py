"""Drawing states of a discrete node for many rows at once."""

import numpy as np
from numpy.typing import NDArray

from structlearn.compile import kernel


@kernel
def draw_states(
    cumulative: NDArray[np.float64], configurations: NDArray[np.int64], uniforms: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Find the first state of each row whose cumulative probability exceeds its uniform draw.

    `cumulative` is (q, r), each row rising to exactly 1; `configurations` are row numbers of it,
    and `uniforms` lie in [0, 1): the caller has checked.
    """
    states = np.empty(configurations.size, dtype=np.int64)
    for i in range(configurations.size):
        row = cumulative[configurations[i]]
        low, high = 0, row.size - 1
        while low < high:
            middle = (low + high) // 2
            if uniforms[i] < row[middle]:
                high = middle
            else:
                low = middle + 1
        states[i] = low
    return states
