"""Scores as they come from any object, checked to be ones that can be compared."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.naming import listed
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import Statistics


def checked_scores(score: Score, statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """Score families with the same number of parents; what is no number, or +∞, is refused by name."""
    found = score.local(statistics, families)
    if (found < np.inf).all():
        return found
    place = int(np.flatnonzero(~(found < np.inf))[0])
    child, *parents = (statistics.names[column] for column in families[place].tolist())
    given = f" given {listed(parents)}" if parents else ""
    raise DataError(
        f"The score {score!r} of {child!r}{given} is {found[place]}: a score is a number, or −∞ for what is "
        "impossible. Look for values too large or too small to be squared, or use another score."
    )
