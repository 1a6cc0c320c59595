"""Sparse systems from states and rates: every row by the lasso, on one Gram matrix."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.network.dynamics.options import SparsityOptions
from structlearn.learners.network.dynamics.problem import Structure
from structlearn.learners.network.dynamics.rates import Rates
from structlearn.learners.network.dynamics.sparse_rows import (
    Design,
    Row,
    in_use,
    penalties_below,
    penalty_by_parts,
    refitted,
    row_at,
    row_by_ebic,
    row_within,
)
from structlearn.numerics.descent import largest_penalty
from structlearn.numerics.extended_bic import price_of_one
from structlearn.run import Run
from structlearn.scores.extended import ROWS_PER_COLUMN
from structlearn.search.chance_price import price_of_rows

Floats = NDArray[np.float64]
BLOCKS_OF_TIME = 5  # that a single course is cut into, to leave one out
HeldOut = tuple[Design, Callable[[int, Floats], Floats]]


@dataclass(frozen=True, slots=True)
class System:
    """A matrix with a row per target, constants, and of each row the penalty and the duality gap."""

    matrix: Floats
    constant: Floats
    penalties: Floats
    gap: float


def sparse_system(
    rates: Rates,
    structure: Structure,
    options: SparsityOptions,
    run: Run,
    *,
    intercept: bool,
    weigh_rates: bool = False,
) -> System:
    """Solve row by row; a run that has to end leaves the rows to come empty."""
    weights = rates.precision if weigh_rates else np.ones(len(rates.states))
    design = Design.of(rates.states, rates.rates, weights, intercept=intercept)
    targets = np.flatnonzero(~structure.is_input & (design.target_scales > 0.0))
    coefficients, penalties, gap = (
        np.zeros((len(structure.names),) * 2),
        np.full(len(structure.names), np.nan),
        0.0,
    )
    parts = list(_parts(rates, weights, intercept=intercept)) if options.penalty == "cv" else []
    by_tails = _price_by_tails(design, rates, options, run) if options.penalty == "ebic" else 0.0
    must_stop = run.before_steps()
    for done, target in enumerate(targets.tolist()):
        if must_stop():
            break
        run.show("rows", done, len(targets))
        costs = structure.costs[target]
        row = _row(design, parts, target, costs, options, by_tails)
        is_refitted = options.refit and options.bound is None
        members = in_use(design, row.coefficients, costs)
        coefficients[target] = refitted(design, target, members) if is_refitted else row.coefficients
        penalties[target], gap = row.penalty, max(gap, row.gap)
    matrix, constant = design.unscaled(coefficients)
    return System(matrix, np.where(structure.is_input, 0.0, constant), penalties, gap)


def _price_by_tails(design: Design, rates: Rates, options: SparsityOptions, run: Run) -> float:
    """How much more a column costs where long tails look like dependence."""
    n_columns = len(design.gram)
    if design.size >= ROWS_PER_COLUMN * n_columns:
        return 0.0
    price = price_of_one(design.size, n_columns, options.gamma)
    return price_of_rows(np.hstack([rates.states, rates.rates]), price, run) - price


def _row(
    design: Design,
    parts: list[HeldOut],
    target: int,
    costs: Floats,
    options: SparsityOptions,
    by_tails: float,
) -> Row:
    if options.bound is not None:
        return row_within(design, target, costs, float(options.bound))
    if not isinstance(options.penalty, str):
        return row_at(design, target, costs, float(options.penalty))
    largest = largest_penalty(design.products[:, target], costs)
    penalties = penalties_below(largest, options.n_penalties, options.smallest_share)
    if options.penalty == "ebic":
        price = price_of_one(design.size, float(np.isfinite(costs).sum()), options.gamma)
        return row_by_ebic(design, target, costs, penalties, price + by_tails)
    return row_at(design, target, costs, penalty_by_parts(parts, target, costs, penalties))


def _parts(rates: Rates, weights: Floats, *, intercept: bool) -> Iterator[HeldOut]:
    """For each course, or block of time of a single one, the design of all others and the errors on it."""
    fold = rates.course
    if fold.max(initial=0) == 0:
        fold = np.arange(len(fold)) * min(BLOCKS_OF_TIME, len(fold)) // max(len(fold), 1)
    for left_out in np.unique(fold):
        out = fold == left_out
        design = Design.of(rates.states[~out], rates.rates[~out], weights[~out], intercept=intercept)
        yield design, _losses(design, rates.states[out], rates.rates[out], weights[out])


def _losses(
    design: Design, states: Floats, rates: Floats, weights: Floats
) -> Callable[[int, Floats], Floats]:
    def loss(target: int, coefficients: Floats) -> Floats:
        """The squared error on what was left out, of each row of coefficients."""
        inverse = np.divide(
            1.0, design.column_scales, out=np.zeros(len(design.gram)), where=design.column_scales > 0.0
        )
        scaled = (states - design.column_means) * inverse
        predicted = design.target_means[target] + design.target_scales[target] * scaled @ coefficients.T
        return np.asarray(weights @ (rates[:, [target]] - predicted) ** 2)

    return loss
