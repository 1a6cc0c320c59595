"""Tails of weighted sums of squares of independent normal variables.

A mixture of p gamma distributions of one shape has the first 2p moments of the sum [1]_. Divided by those
of a gamma distribution of mean 1, moments are those of the means that are mixed; the shape is the one for
which these are of p means and no more.

References
----------
.. [1] Lindsay, Pilla and Basak (2000), Moment-based approximations of distributions using mixtures: theory
   and applications, Annals of the Institute of Statistical Mathematics 52.
"""

from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize, special

Floats = NDArray[np.float64]
N_MIXED = 4  # gamma distributions; with more, moments are too high to be told from rounding


def mixture_tail(statistic: float, weights: Floats, *, n_mixed: int = N_MIXED) -> float:
    """The probability that Σ wᵢ zᵢ² is at least this much.

    Where rounding leaves no mixture, as all weights but few are alike, fewer distributions are mixed; a
    single one is the gamma distribution of the same mean and variance.
    """
    total = float(weights.sum())
    if not total > 0.0:
        return 1.0
    moments = _moments(weights / total, 2 * n_mixed)
    shape = moments[2] - 1.0  # 1 / shape: the squared deviation, as the mean is 1
    means, shares = np.ones(1), np.ones(1)
    for n_means in range(2, n_mixed + 1):
        smaller = _shape_of(moments, n_means, shape)
        mixed = None if smaller is None else _mixed(moments, n_means, smaller)
        if smaller is None or mixed is None:
            break
        shape, (means, shares) = smaller, mixed
    tails = special.gammaincc(1.0 / shape, max(statistic, 0.0) / (total * shape * means))
    return float(np.clip(shares @ tails, 0.0, 1.0))


def _moments(weights: Floats, n_moments: int) -> Floats:
    """The moments of the sum from its cumulants, 2ʳ⁻¹ (r − 1)! Σ wʳ."""
    cumulants = [2 ** (r - 1) * factorial(r - 1) * float((weights**r).sum()) for r in range(1, n_moments + 1)]
    found = [1.0]
    for r in range(1, n_moments + 1):
        found.append(sum(comb(r - 1, k) * cumulants[k] * found[r - 1 - k] for k in range(r)))
    return np.array(found)


def _of_means(moments: Floats, shape: float) -> Floats:
    """The moments of the means that are mixed, if the gamma distributions have this squared deviation."""
    steps = np.maximum(np.arange(-1, len(moments) - 1), 0)  # the first two moments are as they are
    found: Floats = moments / np.cumprod(1.0 + shape * steps)
    return found


def _hankel(moments: Floats, shape: float, size: int) -> Floats:
    places = np.arange(size)
    found: Floats = _of_means(moments, shape)[places[:, None] + places]
    return found


def _shape_of(moments: Floats, n_means: int, most: float) -> float | None:
    """The one below the last at which so many means have these moments; None where rounding hides it."""

    def determinant(shape: float) -> float:
        return float(np.linalg.det(_hankel(moments, shape, n_means + 1)))

    if not determinant(0.0) > 0.0 > determinant(most):
        return None
    return float(optimize.brentq(determinant, 0.0, most, xtol=1e-14))


def _mixed(moments: Floats, n_means: int, shape: float) -> tuple[Floats, Floats] | None:
    """The means and their shares; None where rounding leaves none that are real and positive."""
    known = _of_means(moments, shape)
    matrix = _hankel(moments, shape, n_means)
    with np.errstate(all="ignore"):
        try:
            polynomial = np.linalg.solve(matrix, -known[n_means : 2 * n_means])
            means = np.polynomial.polynomial.polyroots(np.append(polynomial, 1.0))
            shares = np.linalg.solve(np.vander(means, increasing=True).T, known[:n_means])
        except np.linalg.LinAlgError:
            return None
    is_real = np.isrealobj(means) and np.isfinite(means).all() and np.isfinite(shares).all()
    return (means, shares) if is_real and (means > 0.0).all() and (shares >= 0.0).all() else None
