"""The lasso on a Gram matrix, for one penalty or a path of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.kernels.lasso import solve

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LassoFit:
    """A solution: how far its objective can be from the optimum, and the sweeps it took."""

    coefficients: Floats
    gap: float
    n_sweeps: int


@dataclass(frozen=True, slots=True)
class LassoPath:
    """A solution for each of several penalties: `coefficients` is (penalties, coordinates)."""

    penalties: Floats
    coefficients: Floats
    gaps: Floats
    n_sweeps: NDArray[np.int64]


def lasso(
    gram: Floats,
    target: Floats,
    *,
    penalty: float,
    weights: Floats | None = None,
    ridge: float = 0.0,
    start: Floats | None = None,
    tolerance: float = 1e-7,
    total: float | None = None,
) -> LassoFit:
    """Minimise ½ wᵀ·gram·w − targetᵀ·w + ½ ridge·‖w‖² + penalty·Σ weights_j·|w_j|.

    Parameters
    ----------
    gram, target : arrays of shape (p, p) and (p,)
        XᵀX and Xᵀy, divided by whatever the loss is divided by; `gram` is symmetric and
        has no negative eigenvalues.
    penalty : float
        The penalty; on the scale of `target`, so at max_j |target_j| / weights_j all are zero.
    weights : array of shape (p,), optional
        How much each coordinate is penalised: 0 is free, infinity keeps it at zero. By default 1.
    ridge : float, default 0
        The squared penalty of an elastic net.
    start : array of shape (p,), optional
        Where to begin; by default at zero.
    tolerance : float, default 1e-7
        The duality gap to end at, as a share of half the total.
    total : float, optional
        yᵀy on the scale of `gram`. Without it the gap takes the smallest that `target` allows.

    Examples
    --------
    >>> fit = lasso(np.array([[4.0, 2.0], [2.0, 3.0]]), np.array([3.0, 2.5]), penalty=1.0, total=5.0)
    >>> fit.coefficients.round(6).tolist()
    [0.375, 0.25]
    """
    coefficients = np.zeros(len(target)) if start is None else np.array(start, dtype=np.float64)
    free = _weights(weights, len(target))
    yy = np.nan if total is None else float(total)
    problem = (np.ascontiguousarray(gram), np.ascontiguousarray(target), yy, free)
    gap, n_sweeps = solve(
        *problem, float(penalty), float(penalty), float(ridge), coefficients, np.empty(len(target)), tolerance
    )
    return LassoFit(coefficients, gap, n_sweeps)


def lasso_path(
    gram: Floats,
    target: Floats,
    *,
    penalties: Sequence[float] | Floats,
    weights: Floats | None = None,
    ridge: float = 0.0,
    tolerance: float = 1e-7,
    total: float | None = None,
    must_stop: Callable[[], bool] = lambda: False,
) -> LassoPath:
    """Solve the problem of `lasso` for penalties from the largest to the smallest.

    Each solution is the start of the next, and says which coordinates it need not look at. A path that must
    stop has the first of them.
    """
    falling = np.sort(np.asarray(penalties, dtype=np.float64))[::-1]
    free, yy = _weights(weights, len(target)), np.nan if total is None else float(total)
    problem = (np.ascontiguousarray(gram), np.ascontiguousarray(target), yy, free)
    found, gaps = np.zeros((len(falling), len(target))), np.zeros(len(falling))
    n_sweeps = np.zeros(len(falling), dtype=np.int64)
    coefficients, gradient = np.zeros(len(target)), np.empty(len(target))
    previous = max(largest_penalty(target, free), falling[0]) if len(falling) else 0.0
    for k, penalty in enumerate(falling):
        if must_stop():
            return LassoPath(falling[:k], found[:k], gaps[:k], n_sweeps[:k])
        gaps[k], n_sweeps[k] = solve(
            *problem, penalty, previous, float(ridge), coefficients, gradient, tolerance
        )
        found[k], previous = coefficients, penalty
    return LassoPath(falling, found, gaps, n_sweeps)


def largest_penalty(target: Floats, weights: Floats | None = None) -> float:
    """The smallest penalty that leaves every penalised coefficient at zero."""
    free = _weights(weights, len(target))
    pulled = (free > 0.0) & np.isfinite(free)
    return float(np.max(np.abs(target[pulled]) / free[pulled], initial=0.0))


def _weights(weights: Floats | None, n_coordinates: int) -> Floats:
    return np.ones(n_coordinates) if weights is None else np.asarray(weights, dtype=np.float64)
