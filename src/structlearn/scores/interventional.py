"""Scores of rows in which some columns were set from outside.

A column that was set says nothing of its parents: its family is scored on the rows in which it was not. The
row stays for all other families, where the column may be a parent [1]_. DAGs that no such row tells apart
score the same; those of an equivalence class need not.

References
----------
.. [1] Cooper and Yoo (1999), Causal discovery from a mixture of experimental and observational data, UAI.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.data.targets import Targets, rows_set
from structlearn.errors import warn
from structlearn.scores.protocol import Families, Score
from structlearn.statistics import Statistics, statistics_of


@dataclass(frozen=True)
class Interventional:
    """A score whose families each have rows of their own.

    Parameters
    ----------
    score : Score
        What scores a family on its rows.
    untouched : mapping of int to Statistics or None
        For each column that was ever set, the rows in which it was not; None where there are none. Then
        nothing is known of its parents, and all of them score 0.
    """

    score: Score
    untouched: Mapping[int, Statistics | None]

    @classmethod
    def of(
        cls, owner: str, score: Score, dataset: Dataset, targets: Targets, nodes: Sequence[str]
    ) -> "Interventional":
        """Score families of these nodes on a table that says, or is told by `targets`, what was set where."""
        table, untouched = dataset.select(nodes), dict[int, Statistics | None]()
        for name, is_set in rows_set(owner, dataset, targets, nodes).items():
            if is_set.all():
                warn(f"{owner}: {name!r} was set in every row, so that nothing is known of its parents.")
            left = None if is_set.all() else statistics_of(table.take(~is_set), nodes, owner=owner)
            untouched[nodes.index(name)] = left
        return cls(score, untouched)

    def local(self, statistics: Statistics, families: Families) -> NDArray[np.float64]:
        """Score many families with the same number of parents, each on the rows of its child."""
        found = np.zeros(len(families))
        is_plain = ~np.isin(families[:, 0], list(self.untouched))
        if is_plain.any():
            found[is_plain] = self.score.local(statistics, families[is_plain])
        for child, rows in self.untouched.items():
            is_own = families[:, 0] == child
            if rows is not None and is_own.any():
                found[is_own] = self.score.local(rows, families[is_own])
        return found
