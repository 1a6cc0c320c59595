"""The loss under the constraint that there are no cycles, by an augmented Lagrangian."""

from collections.abc import Callable

import numpy as np

from structlearn.learners.regression.smooth.problem import Floats, SmoothProblem
from structlearn.numerics.quasi_newton import quasi_newton
from structlearn.run import MustStop, OutOfTime, Run

CLOSE_TO_ACYCLIC = 1e-8
ENOUGH_LESS = 0.25  # of the measure of cycles in a round; otherwise their price is ten times as much
MOST_PRICE = 1e16
STEEP, FALL = 1e-5, 2e-9  # where L-BFGS-B ends: the slope, and the share of the value (both of its defaults)
MANY = 5_000  # weights: the solver looks at their bounds one by one, unasked, for a fiftieth of a second
TRIED = 500  # of which a trial of that takes two thousandths
Measure = Callable[[Floats, MustStop], tuple[float, Floats]]


def augmented_lagrangian(
    problem: SmoothProblem, measure: Measure, tolerance: float, run: Run
) -> tuple[Floats, dict[str, list[float]]]:
    """The weights at the end of the rounds, and what each round came to."""
    weights, price, slope, before = np.zeros(problem.is_open.shape), 1.0, 0.0, np.inf
    trace: dict[str, list[float]] = {"cyclicity": [], "loss": [], "price": []}
    while price <= MOST_PRICE and not run.must_stop():
        run.show(f"cycles {before:.2g}, price {price:.0e}")
        found = _solved(problem, measure, (price, slope), weights, run)
        try:
            cyclicity, loss = measure(found, run.must_stop)[0], problem.at(found, run.must_stop)[0]
        except OutOfTime:
            break
        if not np.isfinite(cyclicity):
            break
        if cyclicity > ENOUGH_LESS * before and cyclicity > tolerance:
            price *= 10.0
            continue
        weights, before = found, cyclicity
        for name, value in zip(trace, (cyclicity, loss, price), strict=True):
            trace[name].append(value)
        slope += price * cyclicity
        if cyclicity <= tolerance:
            break
    return weights, trace


def _solved(
    problem: SmoothProblem, measure: Measure, prices: tuple[float, float], start: Floats, run: Run
) -> Floats:
    """The least of loss + penalty + slope · h + ½ price · h²; weights are differences of two that are ≥ 0."""
    price, slope = prices
    places = np.nonzero(problem.is_open)
    cost = problem.prices[places]
    n = len(cost)

    def weights_of(parts: Floats) -> Floats:
        weights = np.zeros(problem.is_open.shape)
        weights[places] = parts[:n] - parts[n:]
        return weights

    def value(parts: Floats) -> tuple[float, Floats]:
        if run.must_stop():
            raise OutOfTime
        weights = weights_of(parts)
        loss, of_loss = problem.at(weights, run.must_stop)
        cycles, of_cycles = measure(weights, run.must_stop)
        gradient = (of_loss + (slope + price * cycles) * of_cycles)[places]
        total = loss + (slope + 0.5 * price * cycles) * cycles + float(cost @ (parts[:n] + parts[n:]))
        return total, np.concatenate([gradient + cost, cost - gradient])

    if n == 0 or (n > MANY and not run.has_time_for(n / TRIED, _bounded_in_vain)):
        return start
    parts = np.concatenate([np.maximum(start[places], 0.0), np.maximum(-start[places], 0.0)])
    found = quasi_newton(
        value, parts, bounds=(0.0, np.inf), tolerance=STEEP, least_fall=FALL, must_stop=run.must_stop
    )
    return weights_of(found)


def _bounded_in_vain() -> None:
    """What is done before the first step."""
    none = np.zeros(2 * TRIED)
    quasi_newton(lambda _: (0.0, none), none, bounds=(0.0, np.inf))
