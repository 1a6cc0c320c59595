"""The parameters of an Ising model by position, in either coding of its states."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.junction_tree import Calibrated, JunctionTree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Spins:
    """Fields of nodes and couplings of edges, a row (low, high) for each, for states -1 and 1."""

    edges: NDArray[np.int64]
    fields: Floats
    couplings: Floats

    @classmethod
    def from_zero_one(cls, edges: NDArray[np.int64], fields: Floats, couplings: Floats) -> Self:
        """The parameters of the same distribution, given those for states 0 and 1."""
        return cls(edges, fields / 2.0 + _at_ends(edges, couplings, len(fields)) / 4.0, couplings / 4.0)

    def zero_one(self) -> tuple[Floats, Floats]:
        """The fields and couplings of the same distribution for states 0 and 1."""
        n_nodes = len(self.fields)
        return 2.0 * self.fields - 2.0 * _at_ends(self.edges, self.couplings, n_nodes), 4.0 * self.couplings

    def log_weights(self, codes: NDArray[np.int64]) -> Floats:
        """The log probability of each row of codes, but for the log partition."""
        rows = 2.0 * codes - 1.0
        a, b = self.edges.T
        weights: Floats = rows @ self.fields + (rows[:, a] * rows[:, b]) @ self.couplings
        return weights

    def log_pseudo_likelihoods(self, codes: NDArray[np.int64]) -> Floats:
        """The sum over nodes of the log probability of each given all others, for each row."""
        rows = 2.0 * codes - 1.0
        pulls = np.tile(self.fields, (len(rows), 1))
        for (a, b), coupling in zip(self.edges.tolist(), self.couplings.tolist(), strict=True):
            pulls[:, a] += coupling * rows[:, b]
            pulls[:, b] += coupling * rows[:, a]
        sums: Floats = -np.logaddexp(0.0, -2.0 * rows * pulls).sum(axis=1)
        return sums

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum over all states; a TooWideError where that is out of reach."""
        fields, couplings = self.zero_one()
        return float(self.calibrated.log_z[0] - fields.sum() / 2.0 - couplings.sum() / 4.0)

    @cached_property
    def tree(self) -> JunctionTree:
        """The junction tree of the graph."""
        levels = np.full(len(self.fields), 2, dtype=np.int64)
        return JunctionTree(levels, [(a, b) for a, b in self.edges.tolist()])

    @cached_property
    def calibrated(self) -> Calibrated:
        """The probabilities in each clique, of states 0 and 1."""
        fields, couplings = self.zero_one()
        tables = np.zeros(self.tree.n_cells)
        for node, field in enumerate(fields.tolist()):
            tables[self.tree.cells((node,), (1,))] += field
        for (a, b), coupling in zip(self.edges.tolist(), couplings.tolist(), strict=True):
            tables[self.tree.cells((a, b), (1, 1))] += coupling
        return self.tree.calibrate(tables)


def _at_ends(edges: NDArray[np.int64], couplings: Floats, n_nodes: int) -> Floats:
    """The sum of the couplings of each node."""
    sums: Floats = np.bincount(edges.ravel(), np.repeat(couplings, 2), minlength=n_nodes).astype(np.float64)
    return sums
