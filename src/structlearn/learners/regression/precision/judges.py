"""What is said of each penalty of a sparse precision matrix, while the penalty falls."""

from dataclasses import dataclass
from operator import methodcaller

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.learners.regression.penalties.chooser import LeastLoss, MostStable
from structlearn.learners.regression.penalties.row_parts import folds, rows_by_value, subsamples
from structlearn.learners.regression.precision.covariances import (
    Values,
    covariance_of,
    loss,
    moments_beside,
)
from structlearn.learners.regression.precision.path import PathFollower, PenaltyRule, edges_of
from structlearn.numerics.covariance_selection import covariance_selection
from structlearn.numerics.extended_bic import price_of_one
from structlearn.numerics.precision.penalised_likelihood import Matrix, PrecisionFit
from structlearn.run import MustStop
from structlearn.search.chance_price import ALMOST_ONE, price_by_chance
from structlearn.statistics import Statistics, rows_of
from structlearn.statistics.blocks import COST_OF_A_THREAD, each_by_a_worker
from structlearn.statistics.varying import n_varying


class GivenPenalty:
    """For a path of one penalty, of which there is nothing to say."""

    def __init__(self) -> None:
        self.chooser = LeastLoss(1)

    def judge(self, place: int, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, the others use them
        """Nothing."""
        return np.nan


class ExtendedBIC:
    """Judges by the likelihood and the number of edges (Foygel and Drton, 2010).

    With no more rows than columns an edge costs what chance brings as seldom as theory has it, to normal
    columns and to these when they are shuffled.
    With `refit` the likelihood is the largest that the graph allows, without shrinkage; a graph for
    which that does not exist is not chosen, nor one with more edges. Nor is, with no more rows than columns,
    one whose edges do not pay even if each brings what it would alone: with few rows such graphs
    are those of chance, and their likelihoods take minutes.
    """

    def __init__(
        self,
        covariance: Matrix,
        n_penalties: int,
        *,
        statistics: Statistics,
        gamma: float,
        refit: bool,
        must_stop: MustStop,
        on_card: bool = False,
    ) -> None:
        size = statistics.size
        self._covariance, self._size = covariance, size
        n_columns = n_varying(statistics)
        self._price = price_of_one(size, float(n_columns) ** 2, gamma)
        if size <= n_columns:
            self._price = price_by_chance(statistics, self._price)
        self._refit, self._must_stop, self._on_card = refit, must_stop, on_card
        self._edges: NDArray[np.int64] | None = None
        self._criterion = np.nan
        self.chooser = LeastLoss(n_penalties)

    def judge(self, place: int, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, the others use it
        """The criterion; a graph seen at the penalty before has that of before, to the last digit."""
        edges = edges_of(fit.precision)
        is_known = self._refit and self._edges is not None and np.array_equal(edges, self._edges)
        if not is_known:
            is_idle = self._refit and self._is_idle(edges)
            found = np.inf if is_idle else self._size * self._loss(fit) + self._price * len(edges)
            self._criterion = np.inf if np.isnan(found) else found
        self._edges = edges
        self.chooser.note(place, self._criterion)
        if self._criterion == np.inf:
            self.chooser.close()
        return self._criterion

    def _is_idle(self, edges: NDArray[np.int64]) -> bool:
        variances = np.diag(self._covariance)
        if self._size > len(variances) or not len(edges):
            return False
        shared = self._covariance.take(edges) ** 2 / np.outer(variances, variances).take(edges)
        gains = -self._size * np.log1p(-np.minimum(shared, ALMOST_ONE))
        return float(gains.sum()) < self._price * len(edges)

    def _loss(self, fit: PrecisionFit) -> float:
        if not self._refit:
            return loss(fit.precision, self._covariance)
        refitted = covariance_selection(
            self._covariance,
            fit.precision != 0.0,
            start=fit.precision,
            must_stop=self._must_stop,
            on_card=self._on_card,
        )
        return np.nan if refitted is None else loss(refitted.precision, self._covariance)


@dataclass(frozen=True, eq=False)
class PartsOfRows:
    """Rows that are fitted in parts, which threads share; `standardise` gives each part variances of 1."""

    rows: Values
    by_value: NDArray[np.int64]
    rule: PenaltyRule
    standardise: bool
    generator: np.random.Generator
    n_jobs: int

    @classmethod
    def of(
        cls,
        owner: str,
        statistics: Statistics,
        rule: PenaltyRule,
        *,
        standardise: bool,
        generator: np.random.Generator,
    ) -> "PartsOfRows":
        """The rows of a table, which must count once each."""
        rows = rows_of(owner, statistics, range(len(statistics.names)))
        if rows.weights is not None:
            raise DataError(f"{owner} takes no case weights. Use 'ebic'.")
        # Threads that share a card would fill its memory, and none would be sooner done.
        n_jobs = 1 if rule.on_card else statistics.n_jobs
        return cls(rows.values, rows_by_value(rows), rule, standardise, generator, n_jobs)

    def paths(self, parts: list[Values]) -> "_Paths":
        """The paths of some parts, to be followed together."""
        covariances = [covariance_of(part, standardise=self.standardise) for part in parts]
        return _Paths([PathFollower(self.rule, covariance) for covariance in covariances], self.n_jobs)


class Stability:
    """Judges by how much the graphs of subsamples disagree (Liu, Roeder and Wasserman, 2010)."""

    def __init__(self, table: PartsOfRows, n_penalties: int) -> None:
        drawn = subsamples(table.by_value, table.generator)
        self._paths = table.paths([table.rows[some] for some in drawn])
        self.chooser = MostStable(n_penalties, n_nodes=table.rows.shape[1])

    def judge(self, place: int, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, others use it
        """The mean disagreement over all pairs."""
        for each in self._paths.move_to(penalty):
            self.chooser.note(place, edges_of(each.precision))
        return self.chooser.instability(place)


class CrossValidation:
    """Judges by the likelihood of rows that were held out."""

    def __init__(self, table: PartsOfRows, n_penalties: int, *, one_standard_error: bool) -> None:
        parts = folds(table.by_value, table.generator)
        kept = [np.delete(table.rows, part, axis=0) for part in parts]
        self._paths = table.paths(kept)
        self._held_out = [
            moments_beside(some, table.rows[part], standardise=table.standardise)
            for some, part in zip(kept, parts, strict=True)
        ]
        self.chooser = LeastLoss(n_penalties, n_parts=len(parts), one_standard_error=one_standard_error)

    def judge(self, place: int, penalty: float, fit: PrecisionFit) -> float:  # noqa: ARG002, others use it
        """The mean loss over the folds."""
        fits = self._paths.move_to(penalty)
        losses = [loss(each.precision, moments) for each, moments in zip(fits, self._held_out, strict=True)]
        for part, lost in enumerate(losses):
            self.chooser.note(place, lost, part=part)
        return float(np.mean(losses))


class _Paths:
    """The paths of parts of the rows, followed together."""

    def __init__(self, followers: list[PathFollower], n_jobs: int) -> None:
        self._followers, self._n_jobs = followers, n_jobs

    def move_to(self, penalty: float) -> list[PrecisionFit]:
        size, n_paths = len(self._followers[0].covariance), len(self._followers)
        go = methodcaller("moved_to", penalty)
        if n_paths * float(size) ** 3 < COST_OF_A_THREAD:
            moved = [go(follower) for follower in self._followers]
        else:
            moved = each_by_a_worker(go, self._followers, n_jobs=self._n_jobs)
        self._followers = [follower for follower, _ in moved]
        return [fit for _, fit in moved]
