"""What a curved regression predicts on average where one input has a given value."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.by_rows import median_distance, standardised
from structlearn.later import distance

Floats = NDArray[np.float64]
RIDGES = np.logspace(-8, 0, 17)  # times the rows
WIDTHS = (4.0, 2.0, 1.0, 0.5)  # of the median distance; wide ones bend like parabolas, also beyond the rows
ROUGHER = 2  # steps of the ridge below the best: what a prediction gains by bending less, a mean loses
NOTHING = 1e-10  # of the largest singular value: inputs that lines of others repeat


def averaged_curve(inputs: Floats, target: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The mean prediction where the first input is set to each value of `at`, and the covariance of these.

    A line and, of what it leaves, a Gaussian kernel of the inputs in units of their deviations; its width and
    the ridge are those of the least generalised cross-validation, the ridge then ten times smaller, since
    means of many predictions vary less than one. Predictions are averaged over all rows, each with its own
    other inputs. The covariance has three parts: the noise of the target, each row's by what is left of it,
    the choice of the rows that are averaged over, and what the ridge smooths away, as large as a curve has it
    whose prior, a Gaussian process, that ridge is the best for.
    """
    n = len(target)
    scaled = standardised(inputs)
    places = (at - inputs[:, 0].mean()) / inputs[:, 0].std()
    design = np.column_stack([np.ones(n), scaled])
    line = np.linalg.pinv(design, rcond=NOTHING)
    bent = target - design @ (line @ target)
    apart = distance.cdist(scaled, scaled, "sqeuclidean")
    fits = (
        _ridge_regression(np.exp(apart / (-2.0 * width**2)), bent, width)
        for width in np.multiply(WIDTHS, median_distance(scaled))
    )
    _, width, bend, n_free, ridge = min(fits, key=lambda fit: fit[0])
    kernel = np.exp(apart / (-2.0 * width**2))
    left = bent - kernel @ (bend @ bent)
    of_bend = bend - (bend @ design) @ line
    curves, weights, near = np.empty((3, len(at), n))
    for i, place in enumerate(places):
        points = scaled.copy()
        points[:, 0] = place
        lines = np.column_stack([np.ones(n), points])
        kernels = np.exp(distance.cdist(points, scaled, "sqeuclidean") / (-2.0 * width**2))
        near[i] = kernels.mean(axis=0)
        curves[i] = lines @ (line @ target) + kernels @ (bend @ bent)
        weights[i] = lines.mean(axis=0) @ line + near[i] @ of_bend
    of_noise, n_left = weights * left, max(n_free - len(line), 1.0)
    covariance = of_noise @ of_noise.T * (n / n_left) + np.atleast_2d(np.cov(curves)) / n
    others = np.exp((apart - np.square(scaled[:, :1] - scaled[:, 0])) / (-2.0 * width**2)).mean()
    within = np.exp(np.square(places[:, None] - places) / (-2.0 * width**2)) * others
    across, smoothed = near @ (near @ bend).T, near @ bend
    lost = within - across - across.T + smoothed @ kernel @ smoothed.T
    return curves.mean(axis=1), covariance + lost * (left @ left / n_left) / (ridge * n)


def _ridge_regression(
    kernel: Floats, target: Floats, width: float
) -> tuple[float, float, Floats, float, float]:
    """The criterion, the width, what makes coefficients of the target, the rows left free, the best ridge."""
    n = len(target)
    values, vectors = np.linalg.eigh(kernel)
    values, parts = np.maximum(values, 0.0), vectors.T @ target
    left = 1.0 - values / (values + RIDGES[:, None] * n)
    free = left.sum(axis=1)
    criterion = np.square(left * parts).sum(axis=1) / np.square(free)
    best = int(criterion.argmin())
    taken = max(best - ROUGHER, 0)
    coefficients: Floats = (vectors / (values + RIDGES[taken] * n)) @ vectors.T
    return float(criterion[best]), width, coefficients, float(free[taken]), float(RIDGES[best])
