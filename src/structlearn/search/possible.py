"""What no search can make good: incomparable scores, and required arcs with which no DAG has a finite one."""

import math

import numpy as np

from structlearn.errors import DataError, OptionError
from structlearn.scores import FamilyScores, Score
from structlearn.search.limits import Limits
from structlearn.statistics import Statistics


def refuse_gaps_for(owner: str, score: Score, statistics: Statistics) -> None:
    """Refuse a score whose values on different rows cannot be compared, where families have such."""
    if not (statistics.is_complete or getattr(score, "takes_gaps", False)):
        raise OptionError(
            f"{owner}(missing='familywise', score={score!r}): each family has rows of its own, and sums over "
            "different rows cannot be compared. score='pnal' takes means over them."
        )


def refuse_impossible_arcs(owner: str, statistics: Statistics, scores: FamilyScores, limits: Limits) -> None:
    """Refuse required arcs with which the score is −∞, whatever else a search finds."""
    for child in np.flatnonzero(limits.frozen.any(axis=1)).tolist():
        parents = np.flatnonzero(limits.frozen[child]).tolist()
        if math.isfinite(scores.local(child, parents)):
            continue
        guilty = [parent for parent in parents if not math.isfinite(scores.local(child, [parent]))] or parents
        names = statistics.names
        arcs = ", ".join(f"{names[parent]} → {names[child]}" for parent in guilty)
        raise DataError(
            f"{owner}(knowledge=…): {arcs} {'is' if len(guilty) == 1 else 'are'} required, and with "
            f"{'it' if len(guilty) == 1 else 'them'} every DAG has the score −∞: "
            f"{_reason(statistics, child, guilty)}"
        )


def _reason(statistics: Statistics, child: int, parents: list[int]) -> str:
    name = statistics.names[child]
    kinds = statistics.kinds
    if kinds[child] == "discrete" and any(kinds[parent] == "continuous" for parent in parents):
        return (
            f"the score has no continuous parents of a discrete column. Turn the arc around, cut what leads "
            f"to {name!r} into categories, or do not require it."
        )
    for each in (child, *parents):
        if kinds[each] == "continuous" and statistics.moments().covariance[each, each] == 0.0:
            return (
                f"{statistics.names[each]!r} has a single value. Drop the column, or do not require its arcs."
            )
    return f"{statistics.n_rows} rows are too few for them. Require fewer parents, or use another score."
