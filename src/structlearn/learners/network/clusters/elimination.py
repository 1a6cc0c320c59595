"""Covariance selection by backward elimination: the weakest edge goes, until that costs too much.

Wermuth and Scheidt (1977), Fitting a covariance selection model to a matrix, Applied Statistics 26.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.later import linalg, special
from structlearn.numerics.completed_covariance import completed_covariance
from structlearn.numerics.partial_correlations import partial_correlations
from structlearn.run import Run

# Of 20 rows and 16 clusters of noise a quarter of all pairs stayed joined, of 79 and 34 a twelfth.
FEWEST_ROWS_PER_CLUSTER = 5

Floats = NDArray[np.float64]
Pairs = NDArray[np.bool_]
StopRule = Literal["fdr", "increment", "deviance", "bic"]


class Removal(NamedTuple):
    """An edge that was taken out on trial: what that cost, and whether it stayed out."""

    source: int
    target: int
    partial: float
    deviance: float
    increase: float
    p_value: float
    is_out: bool


@dataclass(frozen=True)
class Selected:
    """The graph that is left, its covariance matrix, and the steps that led there."""

    is_edge: Pairs
    covariance: Floats
    deviance: float
    removals: tuple[Removal, ...]

    @cached_property
    def partial(self) -> Floats:
        """The partial correlations; where there is no edge the fit has zero, and rounding is taken off."""
        found = partial_correlations(np.asarray(np.linalg.inv(self.covariance), dtype=np.float64))
        return np.where(self.is_edge | np.eye(len(found), dtype=np.bool_), found, 0.0)

    def without(self, i: int, j: int) -> Pairs:
        """The graph with an edge less."""
        is_edge = self.is_edge.copy()
        is_edge[i, j] = is_edge[j, i] = False
        return is_edge


@dataclass(frozen=True)
class Elimination:
    """Backward elimination in a correlation matrix of `size` rows, by one rule to stop at a level."""

    correlation: Floats
    size: float
    stop: StopRule
    alpha: float

    def selected(self, is_allowed: Pairs, run: Run) -> Selected:
        """Start with every allowed edge, and take out the weakest while the rule lets it go."""
        covariance = self._fitted(is_allowed, self.correlation)
        found = Selected(is_allowed, covariance, self._deviance(covariance), ())
        n_pairs = int(is_allowed.sum()) // 2
        while found.is_edge.any() and not run.must_stop():
            run.show("edges on trial", len(found.removals), n_pairs)
            left = self._without_weakest(found)
            if not left.removals[-1].is_out:
                return replace(found, removals=left.removals)
            found = left
        return found

    @cached_property
    def _root(self) -> Floats:
        return np.asarray(np.linalg.cholesky(self.correlation), dtype=np.float64)

    def cost(self, found: Selected, i: int, j: int) -> float:
        """What the deviance would rise by without an edge."""
        return self._deviance(self._fitted(found.without(i, j), found.covariance)) - found.deviance

    def _without_weakest(self, found: Selected) -> Selected:
        sizes = np.where(np.triu(found.is_edge, k=1), np.abs(found.partial), np.inf)
        i, j = divmod(int(sizes.argmin()), len(sizes))
        is_edge = found.without(i, j)
        covariance = self._fitted(is_edge, found.covariance)
        deviance = self._deviance(covariance)
        increase = deviance - found.deviance
        by_all = self.stop == "deviance"
        p_value = _p_value_of_all(is_edge, deviance) if by_all else self.p_value(found, i, j, increase)
        is_out = increase <= np.log(self.size) if self.stop == "bic" else p_value >= self._level(found)
        step = Removal(i, j, float(found.partial[i, j]), deviance, increase, p_value, bool(is_out))
        return Selected(is_edge, covariance, deviance, (*found.removals, step))

    def _fitted(self, is_edge: Pairs, start: Floats) -> Floats:
        return completed_covariance(start, ~is_edge & ~np.eye(len(is_edge), dtype=np.bool_))

    def _deviance(self, covariance: Floats) -> float:
        """How far the fit is from the complete graph: n log det R⁻¹Σ̂, of what is beside the identity in it.

        A difference of two log determinants would have no digits where an edge is next to nothing.
        """
        half = linalg.solve_triangular(self._root, covariance - self.correlation, lower=True)
        beside = np.linalg.eigvalsh(linalg.solve_triangular(self._root, half.T, lower=True))
        return float(self.size * np.log1p(beside).sum())

    def p_value(self, found: Selected, i: int, j: int, increase: float) -> float:
        """How often one edge that is not there would cost so much.

        Where an edge is in one clique only, its partial correlation given the rest of the clique has a t-test
        that is exact in normal data. Elsewhere the neighbours of the end that has most count as given.
        """
        if self.stop != "fdr":
            return float(special.chdtrc(1, max(increase, 0.0)))
        freedom = self.size - 1.0 - float(found.is_edge[[i, j]].sum(axis=1).max())
        if freedom <= 0.0:
            return 1.0
        return float(special.betainc(freedom / 2.0, 0.5, np.exp(-max(increase, 0.0) / self.size)))

    def _level(self, found: Selected) -> float:
        """What p-value lets an edge stay.

        Benjamini and Hochberg look for the largest k whose k-th smallest p-value is at most k / pairs of the
        level, and going down from the largest p-value they meet what backward elimination does.
        """
        if self.stop != "fdr":
            return self.alpha
        n_left = int(found.is_edge.sum()) // 2
        return self.alpha * n_left / (n_left + len(found.removals))


def _p_value_of_all(is_edge: Pairs, deviance: float) -> float:
    n_missing = (is_edge.size - len(is_edge) - int(is_edge.sum())) // 2
    return float(special.chdtrc(n_missing, max(deviance, 0.0)))


def warn_of_few_rows(n_rows: int, n_clusters: int, run: Run) -> None:
    """Deviances follow χ² only with many rows for each cluster; with few, edges of chance stay."""
    if n_clusters > 1 and n_rows < FEWEST_ROWS_PER_CLUSTER * n_clusters:
        run.warn(
            f"{n_rows} rows are few for {n_clusters} clusters: edges of chance may stay. Fewer clusters "
            "(n_clusters=…) or a smaller alpha leave fewer."
        )


def refuse_singular(owner: str, correlation: Floats) -> None:
    """Refuse profiles that determine each other: they have no partial correlations."""
    if len(correlation) and np.linalg.eigvalsh(correlation)[0] < 1e-10:  # below, an inverse has no digits
        raise DataError(
            f"{owner}: the profiles of the {len(correlation)} clusters determine each other. Ask for fewer "
            "clusters, or leave n_clusters= out to have as many as do not."
        )
