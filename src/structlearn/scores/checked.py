"""Scores as they come from any object, checked to be ones that can be compared."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.naming import listed
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.blocks import in_blocks
from structlearn.statistics.memory import VISITS_BY_BITS


def threads_for(score: Score, statistics: Statistics) -> int:
    """How many jobs may score at once: one, unless the score says of itself that threads may share it."""
    may = getattr(score, "is_for_threads", False) and type(statistics) is MemoryStatistics
    return statistics.n_jobs if may else 1


def checked_scores(score: Score, statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """Score families with the same number of parents; what is no number, or +∞, is refused by name."""
    n_jobs = threads_for(score, statistics)
    if n_jobs == 1 or _is_counted_by_rows(statistics, families):
        found = local_scores(score, statistics, families)
    else:
        assert isinstance(statistics, MemoryStatistics)  # noqa: S101, `threads_for` has seen to it
        found = np.empty(len(families))
        _ = statistics.masks  # packed by all threads: in a block one of them would do it, and the others wait

        def fill(some: slice) -> None:
            found[some] = local_scores(score, statistics, families[some])

        visits = VISITS_BY_BITS * statistics.n_rows * len(families)
        in_blocks(fill, len(families), cost=visits, n_jobs=n_jobs)
    if (found < np.inf).all():
        return found
    place = int(np.flatnonzero(~(found < np.inf))[0])
    raise no_score(score, statistics, families[place].tolist(), found[place])


def _is_counted_by_rows(statistics: Statistics, families: Families) -> bool:
    """Whether threads share the rows when tables are counted, so that they need not share families."""
    shares_rows = isinstance(statistics, MemoryStatistics) and statistics.shares_rows
    return shares_rows and bool(statistics.levels[families].all())


def local_scores(score: Score, statistics: Statistics, families: Families) -> NDArray[np.float64]:
    """What a score says of families; refuse what is no number for each."""
    found: NDArray[np.float64] = np.asarray(score.local(statistics, families))
    if found.shape == (len(families),) and found.dtype.kind in "fiu":
        return found
    raise OptionError(
        f"The score {score!r} was asked about {len(families)} families, and local(statistics, families) did "
        f"not return an array with a number for each, but one of shape {found.shape} and type {found.dtype}."
    )


def no_score(score: Score, statistics: Statistics, family: list[int], value: float) -> DataError:
    """What to say of a value of a family that cannot be compared."""
    child, *parents = (statistics.names[column] for column in family)
    given = f" given {listed(parents)}" if parents else ""
    return DataError(
        f"The score {score!r} of {child!r}{given} is {value}: a score is a number, or −∞ for what is "
        "impossible. Look for values too large or too small to be squared, or use another score."
    )
