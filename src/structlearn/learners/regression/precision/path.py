"""Sparse precision matrices along a falling penalty, each from the one before."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.later import sparse
from structlearn.learners.regression.penalties.chooser import Chooser
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.precision.penalised_likelihood import Matrix, PrecisionFit
from structlearn.numerics.sparse_precision import Solver, sparse_precision
from structlearn.run import MustStop, Run


@dataclass(frozen=True, slots=True)
class PenaltyRule:
    """How the entries of a precision matrix are penalised, and how its likelihood is maximised.

    `weights` multiply the penalty: 0 leaves an entry free, infinity keeps it at zero. A graphics card may do
    the work.
    """

    weights: Matrix
    solver: Solver
    tolerance: float
    must_stop: MustStop
    on_card: bool = False

    def solve(self, covariance: Matrix, penalty: float, start: Matrix | None = None) -> PrecisionFit:
        """The precision matrix of this covariance at this penalty."""
        return sparse_precision(
            covariance,
            self.penalties(penalty),
            solver=self.solver,
            start=start,
            tolerance=self.tolerance,
            must_stop=self.must_stop,
            on_card=self.on_card,
        )

    def penalties(self, penalty: float) -> Matrix:
        """The penalty of each entry."""
        if np.isfinite(self.weights.max(initial=0.0)):
            return penalty * self.weights
        finite = np.isfinite(self.weights)
        return np.where(finite, penalty * np.where(finite, self.weights, 0.0), np.inf)

    def price(self, covariance: Matrix, penalty: float, precision: Any) -> float:
        """What is minimised of a sparse precision matrix, but for the determinant."""
        at, entries = precision.nonzero(), precision.data
        return float(covariance[at] @ entries + penalty * (self.weights[at] @ np.abs(entries)))

    def may_do_without(self, covariance: Matrix) -> bool:
        """Whether there is an optimum, and the solver finds it, where nothing is penalised."""
        # A triangular factor of a singular matrix is found or not as rounding has it.
        return self.solver != "nesterov" and np.linalg.matrix_rank(covariance, hermitian=True) == len(
            covariance
        )

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

    def moved_to(self, penalty: float) -> tuple["PathFollower", PrecisionFit]:
        """The follower, or its copy in another process, at a penalty, and the fit there."""
        return self, self.move_to(penalty)


@dataclass(frozen=True, slots=True, eq=False)
class PathPoint:
    """The precision matrix at a penalty, and what the criterion says of it."""

    penalty: float
    precision: Any  # a sparse matrix
    objective: float
    gap: float
    n_steps: int
    criterion: float

    def in_order(self, order: NDArray[np.int64]) -> "PathPoint":
        """The same point with the columns in another order."""
        return replace(self, precision=self.precision[order][:, order])

    @property
    def n_edges(self) -> int:
        """How many pairs are joined."""
        return int(self.precision.nnz - self.precision.shape[0]) // 2


class Judge(Protocol):
    """Judges the penalties of a path, one after the other, and tells the chooser."""

    @property
    def chooser(self) -> Chooser:
        """Takes one of them."""

    def judge(self, place: int, penalty: float, fit: PrecisionFit) -> float:
        """What the criterion says of this penalty, at which all rows have this fit."""


def follow_path(
    rule: PenaltyRule,
    covariance: Matrix,
    penalties: NDArray[np.float64],
    judge: Judge,
    run: Run,
) -> list[PathPoint]:
    """Let the penalty fall until the chooser has seen enough, or the run must stop."""
    follower = PathFollower(rule, covariance)
    points: list[PathPoint] = []
    with threads_for(len(covariance)):
        for place, penalty in enumerate(penalties.tolist()):
            run.show(f"penalty {penalty:.3g}", place, len(penalties))
            fit = follower.move_to(penalty)
            criterion = judge.judge(place, penalty, fit)
            precision = sparse.csr_array(fit.precision)
            objective = rule.price(covariance, penalty, precision) - fit.log_determinant
            points.append(PathPoint(penalty, precision, objective, fit.gap, fit.n_steps, criterion))
            if run.must_stop() or judge.chooser.has_seen_enough():
                break
    return points


def edges_of(precision: Matrix) -> NDArray[np.int64]:
    """The numbers a·p + b of the pairs a < b that are joined."""
    return np.flatnonzero(np.triu(precision, k=1))
