"""Regressions of many targets on the same grouped columns, with a penalty on whole groups, all at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse_linalg

Floats = NDArray[np.float64]

FEW_COLUMNS = 500  # all their eigenvalues take less time than a search for the largest
FEW_GROUPS = 64  # a step with all of them takes no longer than a look at which matter
MOST_STEPS = 20_000  # columns that nearly repeat others need them; the conditions of the optimum end the rest
STEPS_PER_LOOK = 10  # a look at those conditions costs as much as a step


@dataclass(frozen=True)
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

    @cached_property
    def steepest(self) -> float:
        """The largest eigenvalue of the columns' products, or a little more."""
        if len(self.gram) <= FEW_COLUMNS:
            return max(float(np.linalg.eigvalsh(self.gram)[-1]), 1e-12) if len(self.gram) else 1.0
        start = np.random.default_rng(0).normal(size=len(self.gram))
        found = sparse_linalg.eigsh(self.gram, 1, v0=start, tol=0.001, return_eigenvectors=False)
        return max(1.01 * float(found[0]), 1e-12)

    def of_targets(self, some: slice) -> "GroupedTargets":
        """The regressions of some targets."""
        return GroupedTargets(self.gram, self.cross[:, some], self.n_groups)

    def violations(self, weights: Floats, penalties: Floats) -> Floats:
        """How far the conditions of the optimum are from true, (groups, targets); below 0 they are true."""
        is_used = weights.any(axis=1)
        slope = self.cross - self.gram[:, is_used] @ weights[is_used]
        sizes = self.norms(weights)
        finite = np.where(np.isfinite(penalties), penalties, 0.0)
        ratio = np.divide(finite, sizes, out=np.zeros_like(sizes), where=sizes > 0.0)
        inside = self.norms(slope - self.by_column(ratio) * weights)
        return np.where(sizes > 0.0, inside, self.norms(slope) - penalties)

    def minimum(
        self,
        penalties: Floats,
        start: Floats,
        *,
        tolerance: float = 1e-6,
        must_stop: Callable[[], bool] = lambda: False,
    ) -> Floats:
        """Minimise half the mean squared error plus the penalised norms of groups, for every target.

        Of many groups only those that some target has, or should have, take part; the others are looked at
        when these are at their best, until none should.
        """
        if self.n_groups <= FEW_GROUPS:
            return self._descended(penalties, start, tolerance, must_stop)
        weights = start.copy()
        takes_part = np.zeros(self.n_groups, dtype=np.bool_)
        while not must_stop():
            should = (self.violations(weights, penalties) > tolerance).any(axis=1)
            if not (should & ~takes_part).any():
                break
            takes_part |= should | (self.norms(weights) > 0.0).any(axis=1)
            columns = np.flatnonzero(np.tile(takes_part, len(self.gram) // self.n_groups))
            part = GroupedTargets(
                self.gram[np.ix_(columns, columns)], self.cross[columns], int(takes_part.sum())
            )
            weights[columns] = part._descended(penalties[takes_part], weights[columns], tolerance, must_stop)
        return weights

    def _descended(
        self, penalties: Floats, start: Floats, tolerance: float, must_stop: Callable[[], bool]
    ) -> Floats:
        """By accelerated proximal steps, with the momentum of a target given up wherever it leads uphill."""
        largest = self.steepest
        shrink = penalties / largest
        weights, ahead, momentum = start, start, np.ones(start.shape[1])
        for step in range(MOST_STEPS):
            if must_stop():
                break
            if step % STEPS_PER_LOOK == 0 and (self.violations(weights, penalties) <= tolerance).all():
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
