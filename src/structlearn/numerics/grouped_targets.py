"""Regressions of many targets on the same grouped columns, with a penalty on whole groups, all at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_STEPS = 20_000  # columns that nearly repeat others need them; the conditions of the optimum end the rest
STEPS_PER_LOOK = 10  # a look at those conditions costs as much as a step


@dataclass(frozen=True, slots=True)
class GroupedTargets:
    """The columns' products with each other, (columns, columns), and with the targets, per row.

    Every `n_groups`-th column is of one group. Penalties are by group and target: 0 is free, infinity never.
    """

    gram: Floats
    cross: Floats
    n_groups: int

    def norms(self, matrix: Floats) -> Floats:
        """The norm of each group's rows of a matrix, (groups, targets)."""
        found: Floats = np.sqrt((matrix**2).reshape(-1, self.n_groups, matrix.shape[1]).sum(axis=0))
        return found

    def by_column(self, by_group: Floats) -> Floats:
        """What is known of each group, for each of its columns."""
        return np.tile(by_group, (len(self.gram) // self.n_groups, 1))

    def violation(self, weights: Floats, penalties: Floats) -> float:
        """How far the conditions of the optimum are from true, at the worst group of a target."""
        slope = self.cross - self.gram @ weights
        sizes = self.norms(weights)
        finite = np.where(np.isfinite(penalties), penalties, 0.0)
        ratio = np.divide(finite, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)
        inside = self.norms(slope - self.by_column(ratio) * weights)
        off = np.where(sizes > 0.0, inside, self.norms(slope) - penalties)
        return float(np.max(off, initial=0.0))

    def minimum(
        self,
        penalties: Floats,
        start: Floats,
        *,
        tolerance: float = 1e-6,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> Floats:
        """Minimise half the mean squared error plus the penalised norms of groups, for every target.

        By accelerated proximal steps, with the momentum of a target given up wherever it leads uphill.
        """
        largest = max(float(np.linalg.eigvalsh(self.gram)[-1]), 1e-12) if len(self.gram) else 1.0
        shrink = penalties / largest
        weights, ahead, momentum = start, start, np.ones(start.shape[1])
        for step in range(MOST_STEPS):
            if step % STEPS_PER_LOOK == 0 and (
                must_stop() or self.violation(weights, penalties) <= tolerance
            ):
                break
            trial = self._shrunk(ahead + (self.cross - self.gram @ ahead) / largest, shrink)
            is_uphill = ((ahead - trial) * (trial - weights)).sum(axis=0) > 0.0
            following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
            carried = np.where(is_uphill, 0.0, (momentum - 1.0) / following)
            ahead = trial + carried * (trial - weights)
            weights, momentum = trial, np.where(is_uphill, 1.0, following)
        return weights

    def _shrunk(self, matrix: Floats, shrink: Floats) -> Floats:
        sizes = self.norms(matrix)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(sizes > shrink, 1.0 - shrink / sizes, 0.0)
        return matrix * self.by_column(share)

    def refitted(self, target: int, columns: NDArray[np.int64]) -> tuple[Floats, float]:
        """Least squares of a target on some columns: the weights, and the share of its variance explained."""
        part, cross = self.gram[np.ix_(columns, columns)], self.cross[columns, target]
        weights = np.linalg.lstsq(part, cross)[0] if len(columns) else np.zeros(0)
        return weights, float(cross @ weights)
