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


@dataclass(frozen=True)
class Interventional:
    """A score whose families each have rows of their own.

    Parameters
    ----------
    score : Score
        What scores a family on its rows. Of a column that was set in all of them nothing is known, and all
        of its families score 0.
    experiments : Experiments
        What was set in which rows.
    """

    score: Score
    experiments: Experiments

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, each on the rows of its child."""
        found = np.zeros(len(families))
        is_plain = ~np.isin(families[:, 0], list(self.experiments.is_set))
        if is_plain.any():
            found[is_plain] = self.score.local(statistics, families[is_plain])
        for child in np.unique(families[~is_plain, 0]).tolist():
            is_own, rows = families[:, 0] == child, self.experiments.without(child)
            if rows is not None:
                found[is_own] = self.score.local(rows, families[is_own])
        return found


def with_experiments(owner: str, score: Score, statistics: Statistics) -> Score:
    """The score, by which rows say nothing of the parents of what was set in them."""
    experiments = experiments_of(statistics)
    if experiments is None:
        return score
    for column, rows in experiments.is_set.items():
        if rows.all():
            name = statistics.names[column]
            warn(f"{owner}: {name!r} was set in every row, so that nothing is known of its parents.")
    return Interventional(score, experiments)
