"""Where a wide matrix is not zero, looked for by threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.statistics.blocks import in_blocks

VALUES_AT_ONCE = 2**18  # of which is asked whether they are zero
VISITS_OF_A_VALUE = 0.5  # row visits that take as long as to look at one
Places = NDArray[np.int64]


def entries_of(matrix: NDArray[Any], *, most: float = np.inf, n_jobs: int = 1) -> tuple[Places, Places]:
    """The rows and columns of what is not zero, in order; of more than `most`, not all but more than that."""
    n_columns, found, n_found = matrix.shape[1], dict[int, Places](), 0
    n_at_once = max(VALUES_AT_ONCE // max(n_columns, 1), 1)

    def look(some: slice) -> None:
        nonlocal n_found
        for start in range(some.start, some.stop, n_at_once):
            if n_found > most:
                return
            # numpy finds what is not zero in a fraction of the time among truth values
            block = matrix[start : min(start + n_at_once, some.stop)] != 0
            found[start] = np.flatnonzero(block) + start * n_columns
            n_found += len(found[start])

    in_blocks(look, len(matrix), cost=VISITS_OF_A_VALUE * matrix.size, n_jobs=n_jobs)
    places = np.concatenate([np.zeros(0, dtype=np.int64), *(found[start] for start in sorted(found))])
    rows, columns = np.divmod(places, max(n_columns, 1))
    return rows, columns
