"""Which penalty of a sparse precision matrix to take, found while the penalty falls."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from structlearn.learners.regression.precision.path import (
    PathFollower,
    PenaltyRule,
    Values,
    covariance_of,
    edges_of,
)
from structlearn.learners.regression.selection import (
    MOST_INSTABILITY,
    extended_bic,
    folds,
    instability,
    predictive_choice,
    stable_choice,
    subsamples,
)
from structlearn.numerics.covariance_selection import covariance_selection
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    MustStop,
    PrecisionFit,
    factor_of,
    log_determinant,
)
from structlearn.statistics.blocks import in_blocks

Criterion = Literal["ebic", "stars", "cv", "cv-1se"]
PATIENCE = 5  # penalties without improvement that end a path
N_FOLDS = 10
N_SUBSAMPLES = 20


@dataclass(frozen=True, slots=True)
class PathPoint:
    """The precision matrix at a penalty, and what the criterion says of it."""

    penalty: float
    precision: csr_array
    gap: float
    n_steps: int
    criterion: float

    @property
    def n_edges(self) -> int:
        """How many pairs are joined."""
        return int(self.precision.nnz - self.precision.shape[0]) // 2


class Judge(Protocol):
    """Judges the penalties of a path, one after the other, until it has seen enough."""

    def judge(self, penalty: float, fit: PrecisionFit) -> float:
        """What the criterion says of this penalty, at which all rows have this fit."""

    def has_seen_enough(self) -> bool:
        """Whether no smaller penalty can be chosen."""

    def choice(self) -> int:
        """The place of the best penalty."""


class NoChoice:
    """For a penalty that is given."""

    def judge(self, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, the others use them
        """Nothing to say."""
        return np.nan

    def has_seen_enough(self) -> bool:
        """One is enough."""
        return True

    def choice(self) -> int:
        """The only one."""
        return 0


class ExtendedBIC:
    """Judges by the likelihood and the number of edges (Foygel and Drton, 2010).

    With `refit` the likelihood is the largest that the graph allows, without shrinkage; a graph for
    which that does not exist is not chosen.
    """

    def __init__(
        self, covariance: Matrix, *, size: float, gamma: float, refit: bool, must_stop: MustStop
    ) -> None:
        self._covariance, self._size, self._gamma = covariance, size, gamma
        self._refit, self._must_stop = refit, must_stop
        self._edges: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._found: list[float] = []

    def judge(self, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, the others use it
        """The criterion; a graph seen at the penalty before has that of before, to the last digit."""
        edges = edges_of(fit.precision)
        if self._refit and self._found and np.array_equal(edges, self._edges):
            self._found.append(self._found[-1])
        else:
            self._found.append(self._extended_bic(fit, len(edges)))
        self._edges = edges
        return self._found[-1]

    def has_seen_enough(self) -> bool:
        """Whether the criterion was better some penalties ago."""
        return _is_long_ago(self._found, self.choice())

    def choice(self) -> int:
        """The least, and of equals the first."""
        return int(np.argmin(self._found))

    def _extended_bic(self, fit: PrecisionFit, n_edges: int) -> float:
        likelihood = np.array([-0.5 * self._size * self._loss(fit)])
        return float(
            extended_bic(
                likelihood,
                np.array([float(n_edges)]),
                size=self._size,
                n_candidates=float(len(self._covariance)) ** 2,
                gamma=self._gamma,
            )[0]
        )

    def _loss(self, fit: PrecisionFit) -> float:
        if not self._refit:
            return loss(fit.precision, self._covariance)
        refitted = covariance_selection(
            self._covariance, fit.precision != 0.0, start=fit.precision, must_stop=self._must_stop
        )
        return np.nan if refitted is None else loss(refitted.precision, self._covariance)


class Stability:
    """Judges by how much the graphs of subsamples disagree (Liu, Roeder and Wasserman, 2010)."""

    def __init__(
        self,
        rows: Values,
        rule: PenaltyRule,
        standardise: bool,
        generator: np.random.Generator,
        n_jobs: int,
    ) -> None:
        drawn = subsamples(len(rows), n_subsamples=N_SUBSAMPLES, generator=generator)
        self._paths = _Paths([covariance_of(rows[some], standardise=standardise) for some in drawn], rule)
        self._n_jobs, self._n_nodes = n_jobs, rows.shape[1]
        self._found: list[float] = []

    def judge(self, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, others use it
        """The mean disagreement over all pairs."""
        graphs = [edges_of(each.precision) for each in self._paths.move_to(penalty, self._n_jobs)]
        self._found.append(instability(graphs, n_pairs=self._n_nodes * (self._n_nodes - 1) // 2))
        return self._found[-1]

    def has_seen_enough(self) -> bool:
        """Whether a graph was too unstable: smaller penalties are not chosen then."""
        return self._found[-1] > MOST_INSTABILITY

    def choice(self) -> int:
        """The last before disagreement was too much."""
        return stable_choice(np.array(self._found))


class CrossValidation:
    """Judges by the likelihood of rows that were held out."""

    def __init__(
        self,
        rows: Values,
        rule: PenaltyRule,
        standardise: bool,
        generator: np.random.Generator,
        n_jobs: int,
        *,
        one_standard_error: bool,
    ) -> None:
        parts = folds(len(rows), n_folds=N_FOLDS, generator=generator)
        kept = [np.delete(rows, part, axis=0) for part in parts]
        self._paths = _Paths([covariance_of(some, standardise=standardise) for some in kept], rule)
        self._held_out = [
            _moments_beside(some, rows[part], standardise=standardise)
            for some, part in zip(kept, parts, strict=True)
        ]
        self._one_standard_error, self._n_jobs = one_standard_error, n_jobs
        self._found: list[list[float]] = []

    def judge(self, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, others use it
        """The mean loss over the folds."""
        fits = self._paths.move_to(penalty, self._n_jobs)
        self._found.append(
            [loss(each.precision, moments) for each, moments in zip(fits, self._held_out, strict=True)]
        )
        return float(np.mean(self._found[-1]))

    def has_seen_enough(self) -> bool:
        """Whether the loss was less some penalties ago."""
        means = np.mean(self._found, axis=1).tolist()
        return _is_long_ago(means, int(np.argmin(means)))

    def choice(self) -> int:
        """The least mean loss, or the first within a standard error of it."""
        return predictive_choice(np.array(self._found).T, one_standard_error=self._one_standard_error)


class _Paths:
    """The paths of parts of the rows, followed together."""

    def __init__(self, covariances: list[Matrix], rule: PenaltyRule) -> None:
        self._followers = [PathFollower(rule, covariance) for covariance in covariances]

    def move_to(self, penalty: float, n_jobs: int) -> list[PrecisionFit]:
        fits: dict[int, PrecisionFit] = {}

        def follow(block: slice) -> None:
            for i in range(block.start, block.stop):
                fits[i] = self._followers[i].move_to(penalty)

        cost = float(len(self._followers)) * len(self._followers[0].covariance) ** 3
        in_blocks(follow, len(self._followers), cost=cost, n_jobs=n_jobs)
        return [fits[i] for i in range(len(self._followers))]


def follow_path(
    rule: PenaltyRule, covariance: Matrix, penalties: Values, judge: Judge, show: Callable[[int], None]
) -> list[PathPoint]:
    """Let the penalty fall until the judge has seen enough, or the run must stop."""
    follower = PathFollower(rule, covariance)
    points: list[PathPoint] = []
    for penalty in penalties.tolist():
        show(len(points))
        fit = follower.move_to(penalty)
        criterion = judge.judge(penalty, fit)
        points.append(PathPoint(penalty, csr_array(fit.precision), fit.gap, fit.n_steps, criterion))
        if rule.must_stop() or judge.has_seen_enough():
            break
    return points


def loss(precision: Matrix, covariance: Matrix) -> float:
    """-2 / n times the log-likelihood of rows with this covariance, but for a constant."""
    factor = factor_of(precision)
    if factor is None:
        return np.inf
    return float(np.vdot(precision, covariance)) - log_determinant(factor)


def _moments_beside(kept: Values, held_out: Values, *, standardise: bool) -> Matrix:
    """The second moments of held-out rows about the mean of the kept, in their units."""
    apart = held_out - kept.mean(axis=0)
    if standardise:
        deviation = kept.std(axis=0)
        apart = apart / np.where(deviation > 0.0, deviation, 1.0)
    moments: Matrix = apart.T @ apart / len(held_out)
    return moments


def _is_long_ago(found: list[float], best: int) -> bool:
    return len(found) - 1 - best >= PATIENCE
