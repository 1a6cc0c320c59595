"""Gaussian kernels of rows, and how far two of them agree (the Hilbert–Schmidt criterion)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.by_rows import gamma_tail, median_distance

Floats = NDArray[np.float64]


def gaussian_kernel(columns: Floats, width: float) -> Floats:
    """exp(−|a − b|² / 2w²) for every two rows."""
    squares = np.square(columns).sum(axis=1)
    apart = np.maximum(squares[:, None] + squares - 2.0 * columns @ columns.T, 0.0)
    found: Floats = np.exp(apart / (-2.0 * width**2))
    return found


def centred(kernel: Floats) -> Floats:
    """The kernel of features less their means."""
    means = kernel.mean(axis=0)
    found: Floats = kernel - means - means[:, None] + means.mean()
    return found


def agreement(one: Floats, other: Floats) -> tuple[float, float, float]:
    """Tr KL of centred kernels, with its mean and variance under independence (Gretton et al., 2008)."""
    n = len(one)
    mean = float(np.trace(one) * np.trace(other)) / n
    variance = 2.0 * float(np.vdot(one, one) * np.vdot(other, other)) / n**2
    return float(np.vdot(one, other)), mean, variance


def usual_kernel(columns: Floats) -> Floats:
    """The centred kernel as wide as the median distance."""
    return centred(gaussian_kernel(columns, median_distance(columns)))


def independence_of(one: Floats, other: Floats) -> tuple[float, float]:
    """The p-value of independence by two centred kernels, and by how many deviations they agree more."""
    statistic, mean, variance = agreement(one, other)
    if not variance > 0.0:
        return 1.0, 0.0
    return gamma_tail(statistic, mean, variance), (statistic - mean) / float(np.sqrt(variance))
