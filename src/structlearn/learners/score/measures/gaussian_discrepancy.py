"""How far the correlations of continuous columns are from what a network says of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.run import Run
from structlearn.search.dags import parents_first
from structlearn.search.promises import Promises
from structlearn.statistics import Statistics


class GaussianDiscrepancy:
    """The divergence of each pair's normal distribution from the one that the network implies."""

    def __init__(self, statistics: Statistics) -> None:
        self._correlation = statistics.moments().correlation

    def of(self, parents: Sequence[Sequence[int]], run: Run) -> Promises:  # noqa: ARG002, quick enough
        """KL(data ‖ network) of each pair, with the network's regressions fitted to the same data.

        Without arcs it is −½ ln(1 − ρ²), the mutual information. A constant column has 0.
        """
        implied = implied_covariance(self._correlation, parents)
        observed = self._correlation
        with np.errstate(divide="ignore", invalid="ignore"):
            values = _divergences(observed, implied)
        is_constant = np.diag(observed) == 0.0
        values[is_constant, :] = values[:, is_constant] = 0.0
        np.fill_diagonal(values, 0.0)
        return Promises(np.nan_to_num(values, nan=0.0, posinf=np.inf), 0.0)


def implied_covariance(
    observed: NDArray[np.float64], parents: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """The covariance of the columns in a network whose regressions are fitted to the observed one."""
    implied = np.diag(np.diag(observed)).copy()
    done: list[int] = []
    for child in parents_first(parents):
        members = list(parents[child])
        if members:
            slopes = np.linalg.solve(observed[np.ix_(members, members)], observed[members, child])
            implied[child, done] = implied[done, child] = slopes @ implied[np.ix_(members, done)]
            left = observed[child, child] - slopes @ observed[members, child]
            implied[child, child] = left + slopes @ implied[members, child]
        done.append(child)
    return implied


def _divergences(observed: NDArray[np.float64], implied: NDArray[np.float64]) -> NDArray[np.float64]:
    """KL of each two columns with means in common, from the 2 × 2 parts of two covariance matrices."""
    of_observed, of_implied = np.diag(observed), np.diag(implied)
    determinant = np.outer(of_implied, of_implied) - implied**2
    trace = np.outer(of_observed, of_implied)
    trace = (trace + trace.T - 2.0 * implied * observed) / determinant
    log_ratio = np.log(determinant / (np.outer(of_observed, of_observed) - observed**2))
    return 0.5 * (trace - 2.0 + log_ratio)
