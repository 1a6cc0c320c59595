"""Regressions of many targets on the same grouped columns, with a penalty on whole groups, all at once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse_linalg

Floats = NDArray[np.float64]
Shape = Literal["group", "sparse-group", "hierarchical"]

FEW_COLUMNS = 500  # all their eigenvalues take less time than a search for the largest
FEW_GROUPS = 64  # a step with all of them takes no longer than a look at which matter
MOST_STEPS = 20_000  # columns that nearly repeat others need them; the conditions of the optimum end the rest
OF_COLUMNS = 0.5  # of a sparse group's penalty, what is on its columns one by one
HALVINGS = 60  # of an interval, to the last digit
STEPS_PER_LOOK = 10  # a look at those conditions costs as much as a step


@dataclass(frozen=True)
class GroupedTargets:
    """The columns' products with each other, (columns, columns), and with the targets, per row.

    Every `n_groups`-th column is of one group. Penalties are by group and target: 0 is free, infinity never.
    The penalty P of a group whose columns have weights b is by `shape` P‖b‖, or half of it and half of
    P Σ|b_l| / √k (Simon et al., 2013), or P Σ_l ‖(b_l, …, b_k)‖, so that a column is in only if all before it
    are (Nicholson et al., 2020). `acts` says which columns of each group count, (columns, groups).
    """

    gram: Floats
    cross: Floats
    n_groups: int
    shape: Shape = "group"
    acts: NDArray[np.bool_] | None = None

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
        return replace(self, cross=self.cross[:, some])

    def largest(self, prices: Floats) -> Floats:
        """The smallest number of prices at which no group is in that is not free, for each target."""
        is_priced = (prices > 0.0) & np.isfinite(prices)
        price = np.where(is_priced, prices, 1.0)
        norms = np.where(is_priced, self.norms(self.cross) / price, 0.0)
        if self.shape == "group":
            at_once: Floats = norms.max(axis=0)
            return at_once
        low, high = np.zeros_like(norms), norms / (1.0 - OF_COLUMNS)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            is_out = self.norms(self.shrunk(self.cross, middle * price)) == 0.0
            low, high = np.where(is_out, low, middle), np.where(is_out, middle, high)
        found: Floats = np.where(is_priced, high, 0.0).max(axis=0)
        return found

    def violations(self, weights: Floats, penalties: Floats) -> Floats:
        """How far the conditions of the optimum are from true, (groups, targets); below 0 they are true."""
        is_used = weights.any(axis=1)
        slope = self.cross - self.gram[:, is_used] @ weights[is_used]
        if self.shape != "group":  # a step of the proximal gradient goes nowhere from the optimum
            return self.norms(weights - self.shrunk(weights + slope, penalties))
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
            return self.descended(penalties, start, tolerance, must_stop)
        weights = start.copy()
        takes_part = np.zeros(self.n_groups, dtype=np.bool_)
        while not must_stop():
            should = (self.violations(weights, penalties) > tolerance).any(axis=1)
            if not (should & ~takes_part).any():
                break
            takes_part |= should | (self.norms(weights) > 0.0).any(axis=1)
            columns = np.flatnonzero(np.tile(takes_part, len(self.gram) // self.n_groups))
            part = replace(
                self,
                gram=self.gram[np.ix_(columns, columns)],
                cross=self.cross[columns],
                n_groups=int(takes_part.sum()),
                acts=None if self.acts is None else self.acts[:, takes_part],
            )
            weights[columns] = part.descended(penalties[takes_part], weights[columns], tolerance, must_stop)
        return weights

    def descended(
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
            trial = self.shrunk(ahead + (self.cross - self.gram @ ahead) / largest, shrink)
            is_uphill = ((ahead - trial) * (trial - weights)).sum(axis=0) > 0.0
            following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * momentum**2))
            carried = np.where(is_uphill, 0.0, (momentum - 1.0) / following)
            ahead = trial + carried * (trial - weights)
            weights, momentum = trial, np.where(is_uphill, 1.0, following)
        return weights

    def shrunk(self, matrix: Floats, penalties: Floats) -> Floats:
        """Where half the squared distance to a matrix plus the penalties is least.

        Of penalties on sets within each other those on the smallest come first (Jenatton et al., 2011).
        """
        if self.shape == "group":
            return self._shortened(matrix, penalties)
        n_columns = len(self.gram) // self.n_groups
        acts = np.ones((n_columns, self.n_groups), np.bool_) if self.acts is None else self.acts
        if self.shape == "sparse-group":
            each = penalties / np.sqrt(np.maximum(acts.sum(axis=0), 1))[:, None]
            by_column = self.by_column(OF_COLUMNS * each)
            left = np.sign(matrix) * np.maximum(np.abs(matrix) - by_column, 0.0)
            return self._shortened(left, (1.0 - OF_COLUMNS) * penalties)
        found = matrix.copy()
        for column in range(n_columns)[::-1]:
            later = slice(column * self.n_groups, None)
            found[later] = self._shortened(found[later], np.where(acts[column][:, None], penalties, 0.0))
        return found

    def _shortened(self, matrix: Floats, by: Floats) -> Floats:
        """Each group of some rows of a matrix, with its norm less a number."""
        sizes = self.norms(matrix)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(sizes > by, 1.0 - by / sizes, 0.0)
        found: Floats = matrix * np.tile(share, (len(matrix) // self.n_groups, 1))
        return found

    def refitted(self, target: int, columns: NDArray[np.int64]) -> tuple[Floats, float]:
        """Least squares of a target on some columns: the weights, and the share of its variance explained."""
        part, cross = self.gram[np.ix_(columns, columns)], self.cross[columns, target]
        weights = np.linalg.lstsq(part, cross)[0] if len(columns) else np.zeros(0)
        return weights, float(cross @ weights)
