"""What one order of columns says of the precision matrix: by its mode, or by draws."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.regression.ordered.column_orders import Order
from structlearn.learners.regression.ordered.fits import OrderFit, OrderProblem
from structlearn.learners.regression.penalties.chooser import LeastLoss
from structlearn.numerics.partial_correlations import partial_correlations
from structlearn.run import Run

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OrderPoint:
    """The regressions at a penalty, and their extended BIC."""

    penalty: float
    fit: OrderFit
    criterion: float


@dataclass(frozen=True, slots=True)
class OrderEstimate:
    """A precision matrix with its partial correlations.

    `probability` is that of a partial correlation above the threshold, where draws say; `samples` are
    the precision matrices that were drawn, where they are kept.
    """

    order: Order
    fit: OrderFit
    precision: Floats
    partial: Floats
    path: list[OrderPoint] = field(default_factory=list)
    penalty: float | None = None
    probability: Floats | None = None
    samples: list[Floats] = field(default_factory=list)


def estimate_by_mode(
    problem: OrderProblem, fit: OrderFit, path: list[OrderPoint], penalty: float | None
) -> OrderEstimate:
    """The precision matrix of the most probable regressions."""
    precision = fit.precision
    return OrderEstimate(
        problem.order, fit, precision, partial_correlations(precision), path=path, penalty=penalty
    )


def estimate_by_draws(
    problem: OrderProblem,
    path: list[OrderPoint],
    draws: Iterator[OrderFit],
    *,
    threshold: float,
    keep: bool,
    run: Run,
) -> OrderEstimate:
    """Means over draws of the precision matrix and its partial correlations; the mode, if time is up."""
    chosen = best_point(path)
    sums, kept, n_drawn = np.zeros((3, len(problem.order), len(problem.order))), [], 0
    for fit in draws:
        if run.must_stop():
            break
        precision = fit.precision
        partial = partial_correlations(precision)
        sums += np.stack([precision, partial, np.abs(partial) > threshold])
        n_drawn += 1
        run.show(f"draw {n_drawn}")
        if keep:
            kept.append(precision)
    if n_drawn == 0:
        return estimate_by_mode(problem, chosen.fit, path, chosen.penalty)
    precision, partial, probability = sums / n_drawn
    return OrderEstimate(
        problem.order, chosen.fit, precision, partial, path, chosen.penalty, probability, kept
    )


def drawn(
    problem: OrderProblem, penalty: float, generator: np.random.Generator, *, burn_in: int, n_samples: int
) -> Iterator[OrderFit]:
    """Draws of all regressions, less the first."""
    return islice(problem.draws(penalty, generator), burn_in, burn_in + n_samples)


def follow_penalties(problem: OrderProblem, penalties: Floats, *, run: Run) -> list[OrderPoint]:
    """The modes while the penalty falls, until the criterion was better some penalties ago."""
    points: list[OrderPoint] = []
    chooser = _least_criterion(len(penalties))
    for place, penalty in enumerate(penalties.tolist()):
        run.show(f"penalty {penalty:.3g}", place, len(penalties))
        fit = problem.most_probable(penalty, points[-1].fit if points else None)
        points.append(OrderPoint(penalty, fit, problem.extended_bic(fit)))
        chooser.note(place, points[-1].criterion)
        if run.must_stop() or chooser.has_seen_enough():
            break
    return points


def best_point(path: list[OrderPoint]) -> OrderPoint:
    """That of the least criterion."""
    chooser = _least_criterion(len(path))
    for place, point in enumerate(path):
        chooser.note(place, point.criterion)
    return path[int(chooser.choice().places[0])]


def _least_criterion(n_penalties: int) -> LeastLoss:
    """Of penalties that choose the same columns the smallest, which shrinks least, is the best."""
    return LeastLoss(n_penalties, last_of_equals=True)
