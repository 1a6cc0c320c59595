"""The minimum of a smooth function between bounds, by L-BFGS."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.blas_threads import threads_for
from structlearn.run import MustStop, OutOfTime, never

Floats = NDArray[np.float64]

MOST_EVALUATIONS = 20_000  # against slopes that rounding keeps above the tolerance


def quasi_newton(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    bounds: tuple[float, float] | None = None,
    tolerance: float = 1e-10,
    least_fall: float = 0.0,
    must_stop: MustStop = never,
) -> Floats:
    """Give where a function is least, every number between the same two bounds.

    `function` gives its value and its slope, or raises `OutOfTime`. The search ends where no slope into the
    bounds is above `tolerance`, where a step lowers the value by no more than this share of it or rounding
    allows no smaller one, or where it must stop.
    """
    from scipy.optimize import Bounds, minimize  # noqa: PLC0415, slow to load and seldom needed

    latest = start

    def look_at_the_clock(here: Floats) -> None:
        nonlocal latest
        latest = here
        if must_stop():
            raise OutOfTime

    options = {"gtol": tolerance, "ftol": least_fall, "maxiter": MOST_EVALUATIONS, "maxfun": MOST_EVALUATIONS}
    with threads_for(len(start)), suppress(OutOfTime):
        latest = minimize(
            function,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=None if bounds is None else Bounds(*bounds),
            options=options,
            callback=look_at_the_clock,
        ).x
    return np.asarray(latest)
