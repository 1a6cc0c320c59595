"""The relaxed problem without transitivity, for many columns: projected gradients with a bound."""

import numpy as np

from structlearn.learners.regression.soft_order.children import Floats
from structlearn.learners.regression.soft_order.relaxation import Relaxation, SoftProblem
from structlearn.run import Run

ENOUGH = 1e-5  # of the value, between it and the bound
MOST_STEPS = 500  # hard problems with 60 columns took some 200
LEAST_FALL = 1e-4  # of what the slope promises, for a step to be taken (Armijo)
LENGTHS = (1e-10, 1e10)  # of a step


def relax_by_gradients(problem: SoftProblem, run: Run) -> Relaxation:
    """Spectral projected gradients over shares of which those of i → j and j → i are at most 1 together.

    Without transitivity the order only has to leave room for the shares. As the value is convex, no DAG
    costs less than what a linear model of it allows: that is the bound (Frank and Wolfe). Losses and prices
    are never negative, so that 0 is a bound before the first step.
    """
    shares = _projected(np.where(problem.is_open, 0.5, 0.0), problem)
    value, slopes = _at(problem, shares, run)
    bound, length = 0.0, 1.0 / max(float(np.abs(slopes).max(initial=0.0)), 1e-12)
    for step in range(MOST_STEPS):
        if value == np.inf:
            break
        bound = max(bound, value + _least_linear(slopes, problem) - float((slopes * shares).sum()))
        run.show(f"value {value:.1f}, bound {bound:.1f}", step, MOST_STEPS)
        if value - bound <= ENOUGH * abs(value) or run.must_stop():
            break
        move = _projected(shares - length * slopes, problem) - shares
        promise = float((slopes * move).sum())
        fraction = 1.0
        new_value, new_slopes = _at(problem, shares + move, run)
        while new_value > value + LEAST_FALL * fraction * promise and fraction > 1e-8 and not run.must_stop():
            fraction /= 2.0
            new_value, new_slopes = _at(problem, shares + fraction * move, run)
        if new_value >= value:
            break
        change, bend = fraction * move, new_slopes - slopes
        curved = float((change * bend).sum())
        length = float(np.clip((change**2).sum() / curved, *LENGTHS)) if curved > 0.0 else 2.0 * length
        shares, value, slopes = shares + change, new_value, new_slopes
    return Relaxation(bound, shares, 0.5 + 0.5 * (shares - shares.T))


def _at(problem: SoftProblem, shares: Floats, run: Run) -> tuple[float, Floats]:
    """What the shares cost, and the slopes; infinitely much where the run has to end before that is known."""
    slopes, value, must_stop = (
        problem.prices.copy(),
        float((problem.prices * shares).sum()),
        run.before_steps(),
    )
    for j, child in enumerate(problem.children):
        loss, slope = child.at(shares[:, j], run.must_stop)
        if must_stop():
            return np.inf, slopes
        value += loss
        slopes[:, j] += slope
    slopes[~problem.is_open] = 0.0
    return value, slopes


def _projected(shares: Floats, problem: SoftProblem) -> Floats:
    """The nearest shares that may be: between 0 and 1, those of two directions at most 1 together."""
    lower = problem.is_required.astype(np.float64)
    upper = (problem.is_open & ~problem.is_required.T).astype(np.float64)
    clipped = np.clip(shares, lower, upper)
    over = shares + shares.T - 1.0
    shared = np.clip(shares - over / 2.0, 0.0, 1.0)
    is_over = (clipped + clipped.T > 1.0) & ~problem.is_required & ~problem.is_required.T
    found: Floats = np.where(is_over, shared, clipped)
    return found


def _least_linear(slopes: Floats, problem: SoftProblem) -> float:
    """The least of a linear function over all shares that may be."""
    required = float(slopes[problem.is_required].sum())
    is_free = problem.is_open & ~problem.is_required & ~problem.is_required.T
    gains = np.where(is_free, np.minimum(slopes, 0.0), 0.0)
    better = np.minimum(gains, gains.T)
    return required + float(np.triu(better, k=1).sum())
