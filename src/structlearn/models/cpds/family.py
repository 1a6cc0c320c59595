"""A node with its parents in the data: what a CPD is fitted to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Kind, Label
from structlearn.statistics import Rows, Statistics, rows_of


@dataclass(frozen=True)
class Family:
    """The columns of a node and its parents, and the statistics that know them.

    `labels` are the states of a discrete node, in the order of its codes; `parent_labels` those of each
    parent (none for a continuous one), for kinds that show them.
    """

    statistics: Statistics
    child: int
    parents: tuple[int, ...] = ()
    labels: tuple[Label, ...] = ()
    parent_labels: tuple[tuple[Label, ...], ...] = ()

    @property
    def name(self) -> str:
        """The name of the node."""
        return self.statistics.names[self.child]

    @property
    def parent_names(self) -> tuple[str, ...]:
        """The names of the parents."""
        return tuple(self.statistics.names[column] for column in self.parents)

    @property
    def parent_kinds(self) -> tuple[Kind, ...]:
        """The kinds of the parents."""
        return tuple(self.statistics.kinds[column] for column in self.parents)

    @property
    def parent_levels(self) -> tuple[int, ...]:
        """The number of states of each parent; 0 for continuous ones."""
        return tuple(int(self.statistics.levels[column]) for column in self.parents)

    def counts(self) -> NDArray[np.float64]:
        """How often each joint state occurs: an axis per parent, the node's own last."""
        return self.statistics.counts([*self.parents, self.child]).astype(np.float64)

    def rows(self) -> Rows:
        """The rows of the parents and, in the last column, of the node; those of weight 0 are none."""
        found = rows_of("Such a distribution", self.statistics, [*self.parents, self.child])
        if found.weights is None or found.weights.all():
            return found
        counts = found.weights > 0
        return Rows(found.values[counts], found.weights[counts])
