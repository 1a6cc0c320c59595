"""Smooth first-order minimisation of the penalised likelihood, for comparison.

Banerjee, El Ghaoui and d'Aspremont (2008), Model selection through sparse maximum likelihood
estimation for multivariate Gaussian or binary data, Journal of Machine Learning Research 9.
"""

import numpy as np

from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    PrecisionFit,
    dual_start,
    factor_of,
    log_determinant,
    objective,
)
from structlearn.run import MustStop, never

MOST_STEPS = 5000  # steps for an accuracy of 2e-4: about its inverse are needed
STEPS_BETWEEN_GAPS = 10  # a gap costs a factorisation, and a step changes it little


def nesterov(
    covariance: Matrix,
    penalties: Matrix,
    *,
    accuracy: float,
    tolerance: float,
    max_steps: int = MOST_STEPS,
    must_stop: MustStop = never,
) -> PrecisionFit:
    """Minimise a smooth function that is `accuracy` near until the true gap is at most `tolerance`.

    The answer has no zeros. A step takes two eigendecompositions, and about 1 / accuracy are needed.
    """
    low, high = eigenvalue_bounds(covariance, penalties)
    smoothing = accuracy / float(np.sum(penalties**2))
    stiffness = 1.0 / low**2 + 1.0 / smoothing
    point = best = high * np.eye(len(covariance))
    pull, dual = np.zeros_like(covariance), np.zeros_like(covariance)
    gap, n_steps = np.inf, 0
    while n_steps < max_steps and gap > tolerance and not must_stop():
        share = np.clip(point / smoothing, -penalties, penalties)
        gradient = covariance + share - np.linalg.inv(point)
        best = _within(point - gradient / stiffness, low, high)
        pull += 0.5 * (n_steps + 1) * gradient
        centre = _pulled(pull, stiffness * high**2, low, high)
        point = (2.0 * centre + (n_steps + 1) * best) / (n_steps + 3)
        dual += 2.0 / (n_steps + 2) * (share - dual)
        n_steps += 1
        if n_steps % STEPS_BETWEEN_GAPS == 0:
            gap = _gap(covariance, penalties, best, dual)
    inverse = np.linalg.inv(best).astype(np.float64)
    size = float(np.linalg.slogdet(best)[1])
    return PrecisionFit(best, inverse, size, _gap(covariance, penalties, best, dual), n_steps)


def eigenvalue_bounds(covariance: Matrix, penalties: Matrix) -> tuple[float, float]:
    """What the eigenvalues of the optimum lie between.

    Its trace with any matrix that the dual allows is at most p, and its inverse is such a matrix.
    """
    largest = np.linalg.eigvalsh(covariance)[-1] + penalties.sum(axis=0).max()
    smallest = np.linalg.eigvalsh(dual_start(covariance, penalties))[0]
    return 1.0 / float(largest), len(covariance) / float(smallest)


def _within(matrix: Matrix, low: float, high: float) -> Matrix:
    """The nearest matrix with eigenvalues in between."""
    values, vectors = np.linalg.eigh(matrix)
    nearest: Matrix = (vectors * np.clip(values, low, high)) @ vectors.T
    return nearest


def _pulled(pull: Matrix, stiffness: float, low: float, high: float) -> Matrix:
    """Where `tr(pull X) - stiffness log det X` is least, with eigenvalues in between."""
    values, vectors = np.linalg.eigh(pull)
    free = np.divide(stiffness, values, out=np.full_like(values, high), where=values > 0.0)
    least: Matrix = (vectors * np.clip(free, low, high)) @ vectors.T
    return least


def _gap(covariance: Matrix, penalties: Matrix, precision: Matrix, dual: Matrix) -> float:
    factor = factor_of(covariance + dual)
    if factor is None:
        return np.inf
    return objective(covariance, penalties, precision) - log_determinant(factor) - len(covariance)
