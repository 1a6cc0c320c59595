"""The weights of features that make rows most likely."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from structlearn.models.factors_layout import Floats, Integers, Layout
from structlearn.models.factors_parameters import Place
from structlearn.models.kernels.factors import add_conditional_slopes
from structlearn.numerics.sparse_optimum import sparse_optimum

# Newton's method enumerates the states up to here: 64 MiB, states times features.
FEW_STATES = 2**16
FEW_NUMBERS = 2**23
MOST_STEPS = 200  # far more than Newton's method takes where there is a maximum
FLAT = 1e-12  # a slope of probabilities, and a length of a step, that rounding hides
ROUNDING = 1e-14  # of a log-likelihood per row, of a few nats
LARGEST = 15.0  # of a weight: e¹⁵ is more than any odds that a million rows can show


@dataclass(frozen=True, eq=False)
class LinearTables:
    """Log tables that are linear in weights: those at 0, and the cells that each weight is added to."""

    layout: Layout
    base: Floats
    members: csr_array

    @classmethod
    def of_features(cls, layout: Layout, base: Floats, features: Sequence[Place]) -> "LinearTables":
        """A weight for each feature, in the last table of its scope."""
        place = {scope: i for i, scope in enumerate(layout.scopes)}
        cells = [
            int(layout.starts[place[columns]] + np.ravel_multi_index(codes, layout.shape(columns)))
            for columns, codes in features
        ]
        ones = (np.ones(len(cells)), (np.arange(len(cells)), np.array(cells, dtype=np.int64)))
        return cls(layout, base, csr_array(ones, shape=(len(cells), layout.n_cells)))

    @classmethod
    def of_cells(cls, layout: Layout, base: Floats) -> "LinearTables":
        """A weight for each cell whose logarithm is finite."""
        free = np.flatnonzero(np.isfinite(base))
        ones = (np.ones(len(free)), (np.arange(len(free)), free))
        return cls(layout, base, csr_array(ones, shape=(len(free), layout.n_cells)))

    def logs(self, weights: Floats) -> Floats:
        """The log tables."""
        found: Floats = self.base + self.members.T @ weights
        return found


class Objective(Protocol):
    """A concave function of weights, with what it is made of."""

    tables: LinearTables

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """Its value per row, but for a constant, and its gradient."""


class ExactObjective:
    """The log-likelihood per row: its slopes are differences of shares in the data and in the model."""

    def __init__(self, tables: LinearTables, shares: Floats) -> None:
        self.tables = tables
        self.means: Floats = tables.members @ shares

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """The value and the gradient, by one calibration of the junction tree."""
        layout = self.tables.layout
        found = layout.calibrated(self.tables.logs(weights))
        value = float(self.means @ weights - found.log_z[0])
        return value, self.means - self.tables.members @ layout.marginals(found)

    @cached_property
    def states(self) -> tuple[Floats, Floats] | None:
        """The base and the features of every joint state; None where they are too many."""
        levels, members = self.tables.layout.levels, self.tables.members
        n_states = prod(levels)
        if n_states > FEW_STATES or n_states * members.shape[0] > FEW_NUMBERS:
            return None
        codes = np.array(list(product(*map(range, levels))), dtype=np.int64).reshape(n_states, -1)
        cells = self.tables.layout.cells(codes)
        where = np.repeat(np.arange(n_states), cells.shape[1]), cells.ravel()
        is_in = csr_array((np.ones(cells.size), where), shape=(n_states, members.shape[1]))
        return self.tables.base[cells].sum(axis=1), (is_in @ members.T).toarray()


class PseudoObjective:
    """The log-pseudo-likelihood per row: each node given all others (Besag, 1975)."""

    def __init__(self, tables: LinearTables, codes: Integers, shares: Floats) -> None:
        self.tables = tables
        self._rows = codes, shares

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """The value and the gradient, by one pass over the distinct rows."""
        codes, shares = self._rows
        layout, logs = self.tables.layout, self.tables.logs(weights)
        levels = np.array(layout.levels)
        slopes = np.zeros(layout.n_cells)
        value = add_conditional_slopes(codes, shares, levels, logs, *layout.neighborhoods, slopes)
        return float(value), self.tables.members @ slopes


def best_weights(objective: Objective, *, ridge: float = 0.0) -> tuple[Floats, float]:
    """The weights that maximise an objective less ½ ridge Σ w², and the largest slope left.

    Where weights grow without limit they are given as far as they got, beyond `LARGEST`.
    """
    n_weights = objective.tables.members.shape[0]
    states = objective.states if isinstance(objective, ExactObjective) else None
    if states is None or not isinstance(objective, ExactObjective):
        start = np.zeros(n_weights)
        weights = sparse_optimum(objective, start, np.zeros(n_weights), ridges=ridge)
    else:
        weights = newton_weights(*states, objective.means, ridge=ridge)
    slopes = objective.at(weights)[1] - ridge * weights
    return weights, float(np.abs(slopes).max(initial=0.0))


def newton_weights(base: Floats, features: Floats, means: Floats, *, ridge: float = 0.0) -> Floats:
    """Newton's method over all states, with steps cut in half until they improve.

    Of features that depend on each other the weights of least norm are found.
    """
    weights = np.zeros(len(means))
    value, p = _value(base, features, means, weights, ridge)
    for _ in range(MOST_STEPS):
        slopes = means - p @ features - ridge * weights
        if np.abs(slopes).max(initial=0.0) < FLAT or np.abs(weights).max(initial=0.0) > 2.0 * LARGEST:
            break
        centred = features - p @ features
        curvature = centred.T @ (centred * p[:, None]) + ridge * np.eye(len(means))
        step = np.linalg.lstsq(curvature, slopes, rcond=None)[0]
        size = 1.0
        while size > FLAT:
            trial, p_trial = _value(base, features, means, weights + size * step, ridge)
            if trial >= value - ROUNDING:
                break
            size /= 2.0
        else:
            break
        weights, value, p = weights + size * step, trial, p_trial
    return weights


def _value(
    base: Floats, features: Floats, means: Floats, weights: Floats, ridge: float
) -> tuple[float, Floats]:
    logs = base + features @ weights
    highest = logs.max()
    risen = np.exp(logs - highest)
    total = risen.sum()
    value = means @ weights - highest - np.log(total) - 0.5 * ridge * weights @ weights
    return float(value), risen / total
