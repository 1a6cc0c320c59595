"""What is said against a penalty by the disagreement of subsamples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def instability(found: Sequence[NDArray[np.int64]], *, n_pairs: int) -> float:
    """The mean over all pairs of 2·F·(1 − F), with F the share of subsamples that join the pair.

    Each of `found` holds the pairs that one subsample joins, as numbers of any kind.
    """
    if n_pairs == 0:
        return 0.0
    _, counts = np.unique(np.concatenate(found), return_counts=True)
    share = counts / len(found)
    return float((2.0 * share * (1.0 - share)).sum() / n_pairs)
