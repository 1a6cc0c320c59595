"""Scores of rows in which some columns were set from outside.

A column that was set says nothing of its parents: its family is scored on the rows in which it was not. The
row stays for all other families, where the column may be a parent [1]_. DAGs that no such row tells apart
score the same; those of an equivalence class need not.

References
----------
.. [1] Cooper and Yoo (1999), Causal discovery from a mixture of experimental and observational data, UAI.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import warn
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import Statistics
from structlearn.statistics.experiments import Experiments, experiments_of

FEW_ROWS = 10  # with fewer, two or three parents that fit by chance cost less than they gain


@dataclass(frozen=True)
class Interventional:
    """A score whose families each have rows of their own.

    Parameters
    ----------
    score : Score
        What scores a family on its rows. Where they say nothing of a column, as it was set in all of them or
        never changes in the others, all of its families score 0.
    experiments : Experiments
        What was set in which rows.
    unknown : frozenset of int
        The columns of which the rows say nothing.
    """

    score: Score
    experiments: Experiments
    unknown: frozenset[int] = frozenset()

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, each on the rows of its child."""
        found = np.zeros(len(families))
        is_plain = ~np.isin(families[:, 0], list(self.experiments.is_set))
        if is_plain.any():
            found[is_plain] = self.score.local(statistics, families[is_plain])
        for child in np.unique(families[~is_plain, 0]).tolist():
            is_own, rows = families[:, 0] == child, self.experiments.without(child)
            if rows is not None and child not in self.unknown:
                found[is_own] = self.score.local(rows, families[is_own])
        return found


def with_experiments(owner: str, score: Score, statistics: Statistics) -> Score:
    """The score, by which rows say nothing of the parents of what was set in them."""
    experiments = experiments_of(statistics)
    if experiments is None:
        return score
    unknown = set()
    for column, rows in experiments.is_set.items():
        n_left = int((~rows).sum())
        if why := experiments.says_nothing(column):
            unknown.add(column)
            warn(f"{owner}: {why}, so that nothing is known of its parents.")
        elif n_left < min(FEW_ROWS, rows.size / 2):
            name = statistics.names[column]
            warn(f"{owner}: {name!r} was set in all but {n_left} rows, so that its parents are a guess.")
    return Interventional(score, experiments, frozenset(unknown))
