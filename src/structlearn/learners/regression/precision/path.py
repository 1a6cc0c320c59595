"""Sparse precision matrices along a falling penalty, each from the one before."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.precision.penalised_likelihood import Matrix, MustStop, PrecisionFit
from structlearn.numerics.sparse_precision import Solver, sparse_precision

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PenaltyRule:
    """How the entries of a precision matrix are penalised, and how its likelihood is maximised.

    `weights` multiply the penalty: 0 leaves an entry free, infinity keeps it at zero.
    """

    weights: Matrix
    solver: Solver
    tolerance: float
    must_stop: MustStop

    def solve(self, covariance: Matrix, penalty: float, start: Matrix | None = None) -> PrecisionFit:
        """The precision matrix of this covariance at this penalty."""
        return sparse_precision(
            covariance,
            self.penalties(penalty),
            solver=self.solver,
            start=start,
            tolerance=self.tolerance,
            must_stop=self.must_stop,
        )

    def penalties(self, penalty: float) -> Matrix:
        """The penalty of each entry."""
        finite = np.isfinite(self.weights)
        return np.where(finite, penalty * np.where(finite, self.weights, 0.0), np.inf)

    def largest_penalty(self, covariance: Matrix) -> float:
        """The smallest penalty at which every penalised entry off the diagonal is zero."""
        counts = np.isfinite(self.weights) & (self.weights > 0.0)
        np.fill_diagonal(counts, 0)
        return float(np.max(np.abs(covariance[counts]) / self.weights[counts], initial=0.0))


class PathFollower:
    """Moves from one penalty to the next on one covariance matrix."""

    def __init__(self, rule: PenaltyRule, covariance: Matrix) -> None:
        self.covariance = covariance
        self._rule = rule
        self._precision: Matrix | None = None

    def move_to(self, penalty: float) -> PrecisionFit:
        """The precision matrix at a penalty, beginning at that of the penalty before."""
        fit = self._rule.solve(self.covariance, penalty, self._precision)
        self._precision = fit.precision
        return fit


def edges_of(precision: Matrix) -> NDArray[np.int64]:
    """The numbers a·p + b of the pairs a < b that are joined."""
    return np.flatnonzero(np.triu(precision, k=1))


def covariance_of(rows: Values, *, standardise: bool) -> Matrix:
    """Of rows, with variances of 1 where asked, and in any case for columns that are constant."""
    centred = rows - rows.mean(axis=0)
    centred[:, (rows == rows[:1]).all(axis=0)] = 0.0
    return scaled(centred.T @ centred / len(rows), standardise=standardise)


def scaled(covariance: Matrix, *, standardise: bool) -> Matrix:
    """The covariances, or the correlations; a constant column has variance 1 and no covariances."""
    variances = np.diag(covariance)
    kept = np.where(variances > 0.0, variances, 1.0)
    found = covariance / np.sqrt(np.outer(kept, kept)) if standardise else covariance.copy()
    np.fill_diagonal(found, 1.0 if standardise else kept)
    return found
