"""What an arc between each two columns brings while there is no other."""

import numpy as np
from numpy.typing import NDArray

from structlearn.run import Run
from structlearn.scores import Score, checked_scores
from structlearn.statistics import Statistics


def pair_gains(score: Score, statistics: Statistics, run: Run) -> NDArray[np.float64]:
    """The gain of each lone arc, `[source, target]`; those that time does not allow for gain nothing.

    What is impossible, or impossible to begin with, gains minus infinity.
    """
    n = len(statistics.names)
    columns = np.arange(n, dtype=np.int64)
    alone = checked_scores(score, statistics, columns[:, None])
    gains = np.zeros((n, n))
    is_equivalent = getattr(score, "is_equivalent", False)
    for child in range(n):
        if run.must_stop():
            break
        run.show(f"column {child + 1} of {n}", child, n)
        others = columns[child + 1 :] if is_equivalent else np.delete(columns, child)
        if not len(others):
            continue
        families = np.column_stack([np.full(len(others), child), others])
        with np.errstate(invalid="ignore"):
            gained = checked_scores(score, statistics, families) - alone[child]
        gains[others, child] = np.where(np.isfinite(gained), gained, -np.inf)
        if is_equivalent:
            gains[child, others] = gains[others, child]
    return gains
