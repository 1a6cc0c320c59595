"""The methods of identification, each from what was measured to a system."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.network.dynamics.identified import Identified
from structlearn.learners.network.dynamics.interpolated import numerical_rank, on_a_grid, usual_step
from structlearn.learners.network.dynamics.options import (
    GridOptions,
    Identification,
    RateOptions,
    RegulatorOptions,
    SparsestOptions,
    SparsityOptions,
    SystemOptions,
)
from structlearn.learners.network.dynamics.problem import Movement, Structure, are_measured, known_apart
from structlearn.learners.network.dynamics.rates import Rates, rates_of, stacked, steps_as_rates
from structlearn.learners.network.dynamics.sparse_rows import Design
from structlearn.learners.network.dynamics.sparse_systems import System, sparse_system
from structlearn.learners.network.dynamics.sparsest import sparsest_row
from structlearn.run import Run

Floats = NDArray[np.float64]
EQUAL = 1e-6  # share of a step by which steps may differ and be called equal


class AllOptions(SystemOptions, RateOptions, SparsityOptions, GridOptions, SparsestOptions, RegulatorOptions):
    """Everything that a method may ask for."""


def by_ode_lasso(
    movements: Sequence[Movement], structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Sparse rows of dx/dt = A·x + c."""
    rates = _rates(movements, structure, options)
    system = sparse_system(
        rates, structure, options, run, intercept=options.intercept, weigh_rates=options.weigh_rates
    )
    return _of_system(system, structure, options.decay)


def by_var_lasso(
    movements: Sequence[Movement], structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Sparse rows of x(t+1) = A·x(t) + c."""
    _refuse_unequal_steps(run.owner, movements)
    rates = steps_as_rates([movement.course for movement in movements])
    pushes = np.concatenate([movement.pushes[:-1] for movement in movements])
    rates = replace(rates, rates=rates.rates - pushes)
    system = sparse_system(rates, structure, options, run, intercept=options.intercept)
    return replace(_of_system(system, structure, None), in_steps=True)


def by_interpolation(
    movements: Sequence[Movement], structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Rows of x(t+dt) − x(t) = dt·(A·x(t) + c) on an even grid of interpolated states."""
    courses = [movement.course for movement in movements]
    step = options.grid_step or usual_step(courses)
    grids = [on_a_grid(course, options.interpolant, step) for course in courses]
    short = next((course for course, grid in zip(courses, grids, strict=True) if len(grid.times) < 2), None)
    if short is not None:
        raise DataError(
            f"{run.owner}(grid_step={step:g}): a course lasts {np.ptp(short.times):g}. Give a smaller step."
        )
    rates = rates_of(grids, "difference")
    pushes = [
        np.column_stack([np.interp(g.times[:-1], m.course.times, push) for push in m.pushes.T])
        for m, g in zip(movements, grids, strict=True)
    ]
    known = rates.rates - np.concatenate(pushes) + (options.decay or 0.0) * rates.states
    rates = replace(rates, rates=known)
    system = _on_grid(rates, structure, options, run)
    rank, n_times = numerical_rank(rates.states), sum(len(course.times) for course in courses)
    n_nodes = int((np.ptp(rates.states, axis=0) > 0.0).sum())
    if rank < n_nodes:
        run.warn(
            f"the interpolated states have rank {rank}, from {n_times} measured times, and {n_nodes} columns "
            "vary: many systems fit alike, and a finer grid adds no information. The "
            + ("shortest" if options.grid_regression == "least-squares" else "penalised")
            + " one was taken."
        )
    found = _of_system(system, structure, options.decay)
    return replace(found, extra={**found.extra, "rank": rank, "n_times": n_times, "grid_step": step})


def by_sparsest(
    movements: Sequence[Movement], structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Of all systems that fit exactly, the one whose rows have the smallest L1 norm."""
    rates = _rates(movements, structure, options)
    return sparsest_system(rates.states, rates.rates, structure, options, run)


def sparsest_system(
    states: Floats, rates: Floats, structure: Structure, options: AllOptions, run: Run
) -> Identified:
    """Solve row by row; a run that has to end leaves the rows to come empty."""
    n_nodes = len(structure.names)
    matrix, constant, is_unique = (
        np.zeros((n_nodes, n_nodes)),
        np.zeros(n_nodes),
        np.ones(n_nodes, dtype=np.bool_),
    )
    varies = np.ptp(states, axis=0) > 0.0 if options.intercept else (states != 0.0).any(axis=0)
    ones = np.ones((len(states), int(options.intercept)))
    for target in np.flatnonzero(~structure.is_input).tolist():
        if run.must_stop():
            break
        run.show("rows", target, n_nodes)
        costs = np.where(varies, structure.costs[target], np.inf)
        row = sparsest_row(
            np.hstack([states, ones]),
            rates[:, target],
            costs=np.concatenate([costs, np.zeros(ones.shape[1])]),
            noise=options.noise,
            tolerance=options.rank_tolerance,
        )
        if not row.is_found:
            raise DataError(
                f"{run.owner}(method='svd-l1', noise={options.noise:g}): no row fits the rates of "
                f"{structure.names[target]!r}. Rates are not known exactly: allow them a larger "
                "noise=, or use method='ode-lasso'."
            )
        matrix[target], is_unique[target] = row.coefficients[:n_nodes], row.is_unique
        constant[target] = row.coefficients[n_nodes:].sum()
    _set_decay(matrix, options.decay, structure)
    rank = numerical_rank(states, tolerance=options.rank_tolerance)
    return Identified(matrix, constant, by_node={"is_unique": is_unique}, extra={"rank": rank})


Engine = Callable[[Sequence[Movement], Structure, AllOptions, Run], Identified]
FROM_COURSES: dict[Identification, Engine] = {
    "ode-lasso": by_ode_lasso,
    "var-lasso": by_var_lasso,
    "interpolation": by_interpolation,
    "svd-l1": by_sparsest,
}


def _rates(movements: Sequence[Movement], structure: Structure, options: AllOptions) -> Rates:
    if are_measured(movements, structure.is_input):
        known = [
            (m.course.states, np.nan_to_num(m.rates), m.course.n_replicates.astype(np.float64))
            for m in movements
        ]
        return known_apart(stacked(known), movements, options.decay)
    return known_apart(
        rates_of([movement.course for movement in movements], options.derivative),
        movements,
        options.decay,
        at_midpoints=options.derivative == "midpoint",
    )


def _of_system(system: System, structure: Structure, decay: float | None) -> Identified:
    matrix = system.matrix.copy()
    _set_decay(matrix, decay, structure)
    return Identified(
        matrix, system.constant, by_node={"penalty": system.penalties}, extra={"gap": system.gap}
    )


def _set_decay(matrix: Floats, decay: float | None, structure: Structure) -> None:
    if decay is not None:
        own = np.flatnonzero(~structure.is_input)
        matrix[own, own] = -decay


def _on_grid(rates: Rates, structure: Structure, options: AllOptions, run: Run) -> System:
    if options.grid_regression == "lasso":
        return sparse_system(rates, structure, options, run, intercept=options.intercept)
    design = Design.of(rates.states, rates.rates, np.ones(len(rates.states)), intercept=options.intercept)
    coefficients = np.zeros(structure.costs.shape)
    ridge = options.ridge if options.grid_regression == "ridge" else 0.0
    for target in np.flatnonzero(~structure.is_input).tolist():
        may = np.flatnonzero(np.isfinite(structure.costs[target]) & (design.column_scales > 0.0))
        gram = design.gram[np.ix_(may, may)] + ridge * np.eye(len(may))
        coefficients[target, may] = np.linalg.lstsq(gram, design.products[may, target], rcond=1e-12)[0]
    matrix, constant = design.unscaled(coefficients)
    return System(matrix, np.where(structure.is_input, 0.0, constant), np.full(len(matrix), np.nan), 0.0)


def _refuse_unequal_steps(owner: str, movements: Sequence[Movement]) -> None:
    lengths = np.concatenate([np.diff(movement.course.times) for movement in movements])
    if np.ptp(lengths) > EQUAL * lengths.max():
        raise DataError(
            f"{owner}(method='var-lasso'): steps last from {lengths.min():g} to {lengths.max():g}, "
            "and a model in steps needs equal ones. Use method='ode-lasso', which takes uneven times."
        )
