"""The weights of a softmax regression from the cells of a family, and whether its states are separated."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import warn
from structlearn.models.cpds.family import Family
from structlearn.models.cpds.observed_cells import ObservedCells
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.softmax_newton import SoftmaxRegression
from structlearn.rounding import CONSTANT

Floats = NDArray[np.float64]

LIKELY = 5.0  # log odds of 1 to 148, below which rows cannot be separated
# Penalties per row; between them separated log odds move by ln 100, and others by next to nothing.
LARGER, SMALLER = 1e-6, 1e-8
MOVED = 1.0  # well between the two


@dataclass(frozen=True, slots=True)
class SoftmaxFit:
    """Intercepts and weights in the units of the data; those of the first state are 0."""

    intercepts: Floats
    weights: dict[str, Floats]
    separated: bool


@dataclass(frozen=True, slots=True)
class Columns:
    """What a parent brings to the design: indicators of states, or one column in standard deviations."""

    values: Floats
    mean: float = 0.0
    deviation: float = 0.0


def fit_softmax(family: Family, cells: ObservedCells, *, penalty: float) -> SoftmaxFit:
    """Minimise minus the log-likelihood plus half the penalty times the squared weights."""
    blocks = [
        _indicators(values, levels) if levels else _standardised(values, cells.sizes)
        for values, levels in zip(cells.parents, family.parent_levels, strict=True)
    ]
    design = np.column_stack([np.ones(len(cells.counts)), *(block.values for block in blocks)])
    regression = SoftmaxRegression(design, cells.counts, _ridges(design, penalty))
    with threads_for(design.shape[1]):
        found = regression.fit()
        separated = _warned_of_absent_states(family, cells.counts) or _is_separated(regression, found)
    if separated and cells.counts.any(axis=0).all():
        _warn_of_separation(family.name)
    return _in_units_of_the_data(family, blocks, found, separated=separated)


def _indicators(codes: NDArray[np.int64], levels: int) -> Columns:
    return Columns((codes[:, None] == np.arange(1, levels)).astype(np.float64))


def _standardised(values: Floats, sizes: Floats) -> Columns:
    mean = float(np.average(values, weights=sizes))
    deviation = float(np.sqrt(np.average((values - mean) ** 2, weights=sizes)))
    if deviation <= CONSTANT * abs(mean):
        return Columns(np.zeros((len(values), 1)), mean, np.inf)
    return Columns(((values - mean) / deviation)[:, None], mean, deviation)


def _ridges(design: Floats, penalty: float) -> Floats:
    ridges = np.full(design.shape[1], penalty)
    ridges[0] = 0.0
    return ridges


def _is_separated(regression: SoftmaxRegression, found: Floats) -> bool:
    """Whether log odds still grow when next to no penalty becomes a hundredth of it."""
    if np.abs(regression.design @ found.T).max(initial=0.0) < LIKELY:
        return False
    size = regression.counts.sum()
    less, least = (
        SoftmaxRegression(regression.design, regression.counts, _ridges(regression.design, share * size))
        for share in (LARGER, SMALLER)
    )
    start = less.fit(found)
    moved = regression.design @ (least.fit(start) - start).T
    return bool(np.abs(moved).max() > MOVED)


def _warned_of_absent_states(family: Family, counts: Floats) -> bool:
    seen = (counts.sum(axis=0) > 0).tolist()
    absent = [label for label, is_seen in zip(family.labels, seen, strict=True) if not is_seen]
    if not absent:
        return False
    warn(
        f"{family.name!r} is never {' or '.join(map(repr, absent))}, so the softmax of largest likelihood "
        "gives that next to no probability. Fit with smoothing above 0 to keep it possible."
    )
    return True


def _warn_of_separation(name: str) -> None:
    warn(
        f"The parents of {name!r} leave no doubt about some of its states, so that only the penalty keeps "
        "the weights of its softmax fit finite. Give a larger penalty, smoothing, or fewer parents."
    )


def _in_units_of_the_data(
    family: Family, blocks: list[Columns], found: Floats, *, separated: bool
) -> SoftmaxFit:
    numbers = np.column_stack([np.zeros(found.shape[1]), found.T])
    intercepts, weights, first = numbers[0].copy(), {}, 1
    for name, block, levels in zip(family.parent_names, blocks, family.parent_levels, strict=True):
        own = numbers[first : first + block.values.shape[1]]
        first += len(own)
        weights[name] = own if levels else own[0] / block.deviation
        if not levels:
            intercepts -= block.mean * weights[name]
    return SoftmaxFit(intercepts, weights, separated)
