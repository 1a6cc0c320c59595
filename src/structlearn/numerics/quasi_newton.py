"""The minimum of a smooth function between bounds, by L-BFGS."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.blas_threads import threads_for

Floats = NDArray[np.float64]

MOST_EVALUATIONS = 20_000  # against slopes that rounding keeps above the tolerance


def quasi_newton(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    *,
    bounds: tuple[float, float] | None = None,
    tolerance: float = 1e-10,
) -> Floats:
    """Give where a function is least, every number between the same two bounds.

    `function` gives its value and its slope. The search ends where no slope into the bounds is above
    `tolerance`, or where rounding allows no smaller value.
    """
    from scipy.optimize import minimize  # noqa: PLC0415, slow to load and seldom needed

    options = {"gtol": tolerance, "ftol": 0.0, "maxiter": MOST_EVALUATIONS, "maxfun": MOST_EVALUATIONS}
    limits = None if bounds is None else [bounds] * len(start)
    with threads_for(len(start)):
        found = minimize(function, start, jac=True, method="L-BFGS-B", bounds=limits, options=options)
    return np.asarray(found.x)
