"""The regression of a column on those that were chosen for it, and what each of them is worth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from structlearn.learners.network.dependency.local import Columns, Floats, Local
from structlearn.numerics.group_descent import GroupFit
from structlearn.numerics.softmax_groups import Cells

# A refit keeps the penalty, and the prior, of about one row: weights stay finite where states are separated.
ROWS_OF_PENALTY = 1.0
TOLERANCE = 1e-7  # of a slope: the likelihood is then exact to far below a nat
LEAST_VARIANCE = 1e-10  # of a column that others determine, as a share of its own


@dataclass(frozen=True, eq=False, slots=True)
class Refitter:
    """Refits the regression of any column of a table on some of the others."""

    columns: Columns

    def local(self, child: int, parents: Sequence[int]) -> Local:
        """The regression, and by how much the likelihood falls without each of the parents."""
        if not self.columns.levels[child] and self.columns.mean_and_variance(child)[1] == 0.0:
            return Local({"form": "point", "value": float(self.columns.values[child, 0])}, {}, 0.0)
        fit = self._softmax if self.columns.levels[child] else self._linear
        conditional, likelihood = fit(child, list(parents))
        without = {j: fit(child, [k for k in parents if k != j])[1] for j in parents}
        return Local(conditional, {j: likelihood - less for j, less in without.items()}, likelihood)

    def _block(self, column: int) -> Floats:
        """The numbers of a column: deviations from its mean, or an indicator of each state but the first."""
        values, levels = self.columns.values[column], int(self.columns.levels[column])
        if levels:
            return np.asarray(values[:, None] == np.arange(1, levels), dtype=np.float64)
        mean, variance = self.columns.mean_and_variance(column)
        return np.asarray(((values - mean) / math.sqrt(variance))[:, None])

    def _linear(self, child: int, parents: list[int]) -> tuple[dict[str, Any], float]:
        columns, weights = self.columns, self.columns.weights
        blocks = [self._block(j) for j in parents]
        mean, variance = columns.mean_and_variance(child)
        design = np.hstack([np.ones((len(weights), 1)), *blocks])
        root, away = np.sqrt(weights), columns.values[child] - mean
        found = np.linalg.lstsq(design * root[:, None], away * root, rcond=None)[0]
        left = float(np.average((away - design @ found) ** 2, weights=weights))
        left = max(left, LEAST_VARIANCE * variance)
        likelihood = -0.5 * columns.size * (math.log(2.0 * math.pi * left) + 1.0)
        intercept, parts = self._unscaled(parents, blocks, found[:1], found[1:, None])
        slopes = {columns.names[j]: float(parts[j][0, 0]) for j in parents if not columns.levels[j]}
        shifts = {columns.names[j]: [0.0, *parts[j][:, 0].tolist()] for j in parents if columns.levels[j]}
        known: dict[str, Any] = {
            "intercept": mean + float(intercept[0]),
            "coefficients": slopes,
            "variance": left,
        }
        if shifts:
            return {"form": "additive-gaussian", **known, "shifts": shifts}, likelihood
        return {"form": "linear-gaussian", **known}, likelihood

    def _softmax(self, child: int, parents: list[int]) -> tuple[dict[str, Any], float]:
        columns, n_states = self.columns, int(self.columns.levels[child])
        points, cells = np.unique(columns.values[parents].T, axis=0, return_inverse=True)
        first = np.zeros(len(points), dtype=np.int64)
        first[cells.ravel()] = np.arange(columns.values.shape[1])
        blocks = [self._block(j)[first] for j in parents]
        joint = cells.ravel() * n_states + columns.values[child].astype(np.int64)
        counts = np.bincount(joint, columns.weights, minlength=len(points) * n_states).astype(np.float64)
        counts = counts.reshape(-1, n_states)
        fit = self._fitted(np.hstack([*blocks, np.ones((len(points), 1))]), counts, blocks)
        logs = np.hstack([*blocks, np.ones((len(points), 1))]) @ np.vstack([fit.weights, fit.intercepts])
        logs -= np.logaddexp.reduce(logs, axis=1, keepdims=True)
        intercepts, parts = self._unscaled(parents, blocks, fit.intercepts, fit.weights)
        weights = {columns.names[j]: _plain(part, columns.levels[j]) for j, part in parts.items()}
        known = {"labels": list(columns.labels[child]), "intercepts": intercepts.tolist(), "weights": weights}
        return {"form": "softmax", **known}, float((counts * logs).sum())

    def _fitted(self, design: Floats, counts: Floats, blocks: list[Floats]) -> GroupFit:
        """Newton's method on the counts and a row more: all states alike, the parents at their average."""
        size, n_states = float(counts.sum()), counts.shape[1]
        average = counts.sum(axis=1) @ design / size
        shares = np.vstack([counts, np.full(n_states, ROWS_OF_PENALTY / n_states)]) / (size + ROWS_OF_PENALTY)
        starts = np.cumsum([0, *(block.shape[1] for block in blocks), 1])
        cells = Cells(np.vstack([design, average]), shares, starts.astype(np.int64))
        alone = GroupFit.empty(design.shape[1] - 1, np.log(shares.sum(axis=0)))
        return cells.fit(np.full(len(blocks), ROWS_OF_PENALTY / size), alone, tolerance=TOLERANCE)

    def _unscaled(
        self, parents: list[int], blocks: list[Floats], intercept: Floats, weights: Floats
    ) -> tuple[Floats, dict[int, Floats]]:
        """Intercepts and the weights of each parent, measured in its own units again."""
        ends = np.cumsum([0, *(block.shape[1] for block in blocks)])
        parts = {j: weights[ends[k] : ends[k + 1]] for k, j in enumerate(parents)}
        for j in parents:
            if not self.columns.levels[j]:
                mean, variance = self.columns.mean_and_variance(j)
                parts[j] = parts[j] / math.sqrt(variance)
                intercept = intercept - mean * parts[j][0]
        return intercept, parts


def _plain(part: Floats, n_levels: int) -> list[Any]:
    """The weights of a parent as files have them: a list for each state but the first, or one."""
    found: list[Any] = part.tolist() if n_levels else part[0].tolist()
    return found
