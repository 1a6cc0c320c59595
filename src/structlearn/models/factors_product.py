"""A product of factors by position: its sum over all states, its rows, its margins."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from structlearn.models.factors_layout import Floats, Integers, Layout
from structlearn.models.kernels.factors import log_conditionals
from structlearn.numerics.junction_tree import Calibrated, JunctionTree, Scope


@dataclass(frozen=True, eq=False)
class FactorProduct:
    """A distribution over codes: the exponential of a sum of log tables, up to a constant."""

    layout: Layout
    logs: Floats

    @classmethod
    def of(cls, levels: Sequence[int], factors: Sequence[tuple[Scope, Floats]]) -> Self:
        """The product of tables, each with its columns in any order; -inf stands for their zeros."""
        with np.errstate(divide="ignore"):
            return cls.of_logs(levels, [(scope, np.log(table)) for scope, table in factors])

    @classmethod
    def of_logs(cls, levels: Sequence[int], factors: Sequence[tuple[Scope, Floats]]) -> Self:
        """The same of the logarithms of tables."""
        scopes = tuple(tuple(sorted(scope)) for scope, _ in factors)
        logs = [table.transpose(np.argsort(scope)).ravel() for scope, table in factors]
        return cls(Layout(tuple(levels), scopes), np.concatenate([*logs, np.zeros(0)]))

    @property
    def tree(self) -> JunctionTree:
        """The junction tree; a TooWideError where its tables would not fit."""
        return self.layout.tree

    @cached_property
    def calibrated(self) -> Calibrated:
        """The probabilities in each clique of the junction tree."""
        return self.layout.calibrated(self.logs)

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum over all states; a TooWideError where that is out of reach."""
        return float(self.calibrated.log_z[0])

    def log_weights(self, codes: Integers) -> Floats:
        """The log probability of each row of codes, but for the log partition."""
        weights: Floats = self.logs[self.layout.cells(codes)].sum(axis=1)
        return weights

    def log_pseudo_likelihoods(self, codes: Integers) -> Floats:
        """The sum over nodes of the log probability of each given all others, for each row."""
        sums: Floats = log_conditionals(
            codes, np.array(self.layout.levels), self.logs, *self.layout.neighborhoods
        )
        return sums
