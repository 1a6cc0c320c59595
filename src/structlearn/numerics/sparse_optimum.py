"""The weights that maximise a concave function less an L1 penalty."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.log_linear.indicators import Features, Indicators

Floats = NDArray[np.float64]
MOST_ROUNDS = 5  # a line search that fails begins anew, with an empty memory
MEMORY = 20  # pairs of steps, twice scipy's: features overlap, and their curvature with them


class Concave(Protocol):
    """A function of weights that can be maximised."""

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """Its value and its gradient."""


class Likelihood(Concave, Protocol):
    """A log-likelihood per row as a function of the weights of some features."""

    def slopes(self, weights: Floats, candidates: Features) -> Floats:
        """The derivative by the weight, now 0, of each of other features."""

    def gains(self, weights: Floats, candidates: Features, penalty: float) -> Floats:
        """How much each of other features improves the penalised log-likelihood per row by itself."""

    def doubt(self, weights: Floats) -> float:
        """How far a slope of its own features may be from true; 0 where slopes are exact."""


LikelihoodOf = Callable[[Indicators, Features], Likelihood]


def sparse_optimum(
    function: Concave,
    start: Floats,
    penalties: Floats,
    *,
    ridges: Floats | float = 0.0,
    tolerance: float = 1e-9,
    must_stop: Callable[[], bool] = lambda: False,
) -> Floats:
    """Maximise function − Σ penalties·|w| − ½ Σ ridges·w².

    A penalised weight is the difference of two that are not negative, so that the problem is smooth
    within bounds; what the bounds hold is exactly 0. A weight without penalty is free.
    """
    if not len(start) or must_stop():
        return start

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, gradient = function.at(weights)
        return 0.5 * float(ridges @ weights**2) - value, ridges * weights - gradient

    ridges = np.broadcast_to(np.asarray(ridges, dtype=np.float64), start.shape)
    weights = start
    with threads_for(2 * MEMORY):  # the size of the matrices in L-BFGS
        for _ in range(MOST_ROUNDS):
            weights = _round(loss, weights, penalties, tolerance, must_stop)
            if must_stop() or residual(weights, -loss(weights)[1], penalties) <= 10 * tolerance:
                break
    return weights


def residual(weights: Floats, gradient: Floats, penalties: Floats) -> float:
    """How far the conditions of an optimum are from true, at the worst weight."""
    off = np.where(
        weights != 0.0, np.abs(gradient - penalties * np.sign(weights)), np.abs(gradient) - penalties
    )
    return float(np.max(off, initial=0.0))


def _round(
    loss: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    penalties: Floats,
    tolerance: float,
    must_stop: Callable[[], bool],
) -> Floats:
    split = np.flatnonzero(penalties > 0.0)
    n = len(start)

    def joined(x: Floats) -> Floats:
        weights = x[:n].copy()
        weights[split] -= x[n:]
        return weights

    def penalised(x: Floats) -> tuple[float, Floats]:
        value, gradient = loss(joined(x))
        both = np.concatenate([gradient + penalties, penalties[split] - gradient[split]])
        return value + float(penalties @ x[:n] + penalties[split] @ x[n:]), both

    def callback(_: Floats) -> None:
        if must_stop():
            raise StopIteration

    first = np.concatenate(
        [np.where(penalties > 0.0, np.maximum(start, 0.0), start), np.maximum(-start[split], 0.0)]
    )
    bounds = [(0.0, None) if penalty > 0.0 else (None, None) for penalty in penalties] + [(0.0, None)] * len(
        split
    )
    options = {"maxcor": MEMORY, "ftol": 0.0, "gtol": tolerance, "maxiter": 10_000, "maxfun": 100_000}
    found = optimize.minimize(
        penalised, first, jac=True, method="L-BFGS-B", bounds=bounds, callback=callback, options=options
    )
    return joined(found.x)
