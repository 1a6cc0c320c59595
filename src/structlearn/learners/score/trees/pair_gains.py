"""What an arc between each two columns brings while there is no other."""

import numpy as np
from numpy.typing import NDArray

from structlearn.run import Pace, Run
from structlearn.scores import Score, checked_scores
from structlearn.statistics import Statistics

FIRST_CHILDREN = 1  # before it is known how long the pairs of one take
MOST_PAIRS = 2**17  # at once: more would only take memory


def pair_gains(score: Score, statistics: Statistics, run: Run) -> NDArray[np.float64]:
    """The gain of each lone arc, `[source, target]`; those that time does not allow for gain nothing.

    What is impossible, or impossible to begin with, gains minus infinity.
    """
    n = len(statistics.names)
    columns = np.arange(n, dtype=np.int64)
    alone = checked_scores(score, statistics, columns[:, None])
    gains = np.zeros((n, n))
    is_equivalent = getattr(score, "is_equivalent", False)
    is_asked = np.triu(np.ones((n, n), dtype=np.bool_), k=1) if is_equivalent else ~np.eye(n, dtype=np.bool_)
    pace = Pace(FIRST_CHILDREN, most=max(MOST_PAIRS // max(n, 1), 1))
    n_done = 0
    while n_done < n and not run.must_stop():
        run.show(f"column {n_done + 1} of {n}", n_done, n)
        families = np.argwhere(is_asked[n_done : n_done + pace.n_at_once])
        families[:, 0] += n_done
        with pace.keep(pace.n_at_once), np.errstate(invalid="ignore"):
            n_done += pace.n_at_once
            if not len(families):
                continue
            children, parents = families.T
            gained = checked_scores(score, statistics, families) - alone[children]
        gains[parents, children] = np.where(np.isfinite(gained), gained, -np.inf)
        if is_equivalent:
            gains[children, parents] = gains[parents, children]
    return gains
