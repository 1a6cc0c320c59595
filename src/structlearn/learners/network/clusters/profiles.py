"""Clusters of columns and their profiles, all from the correlations of the columns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.later import lapack
from structlearn.learners.network.similarity.dendrogram import Dendrogram, Linkage, dendrogram_of
from structlearn.run import Run

Floats = NDArray[np.float64]
Members = tuple[NDArray[np.int64], ...]
Distance = Literal["euclidean", "correlation"]
ProfileName = Literal["mean", "medoid", "component"]
CANCELLED = 1e-12  # the variance of a mean of opposite columns, which is rounding: it correlates with nothing


@dataclass(frozen=True)
class Profiles:
    """Which columns make each cluster, and by how much each standardised column makes its profile."""

    members: Members
    weights: Floats  # (columns, clusters)
    correlation: Floats  # of the profiles

    @property
    def inflation(self) -> Floats:
        """The variance inflation factor of each profile: infinite where the others determine it."""
        return inflation_of(self.correlation)


def tree_of(
    names: tuple[str, ...], correlation: Floats, size: float, distance: Distance, linkage: Linkage
) -> Dendrogram:
    """The tree of the columns: at distance 1 − r, or that of standardised columns, √(2 n (1 − r))."""
    far = np.maximum(1.0 - correlation, 0.0)
    return dendrogram_of(names, np.sqrt(2.0 * size * far) if distance == "euclidean" else far, linkage)


def chosen_profiles(
    tree: Dendrogram, correlation: Floats, most: int, max_inflation: float, profile: ProfileName, run: Run
) -> Profiles:
    """As many clusters as there may be for all inflation factors of their profiles to stay below the most.

    A run that has to stop tries a quarter as many each time.
    """
    most = min(most, len(tree.names))
    for members in _cuts(tree, most):
        if len(members) > most:
            continue
        run.show("clusters", len(tree.names) - len(members), len(tree.names))
        found = profiles_of(members, correlation, profile)
        if len(members) == 1 or (found.inflation < max_inflation).all():
            return found
        most = len(members) // 4 if run.must_stop() else most
    return profiles_of((), correlation, profile)  # no column varies


def given_profiles(
    owner: str, tree: Dendrogram, correlation: Floats, n_clusters: int, most: int, profile: ProfileName
) -> Profiles:
    """So many clusters; refused where there are more than columns, or as many as rows."""
    if n_clusters > min(most, len(tree.names)):
        raise OptionError(
            f"{owner}(n_clusters={n_clusters}): there are {len(tree.names)} columns that vary and "
            f"{most + 1} rows, and clusters must be fewer than rows: at most {min(most, len(tree.names))}."
        )
    return profiles_of(next(_cuts(tree, n_clusters)), correlation, profile)


def profiles_of(members: Members, correlation: Floats, profile: ProfileName) -> Profiles:
    """The profile of each cluster, as weights of its columns, and the correlations of the profiles."""
    weights = np.zeros((len(correlation), len(members)))
    for k, places in enumerate(members):
        weights[places, k] = PROFILES[profile](correlation[np.ix_(places, places)])
    covariance = weights.T @ correlation @ weights
    variance = np.diag(covariance)
    varies = variance > CANCELLED
    scale = np.where(varies, 1.0 / np.sqrt(np.where(varies, variance, 1.0)), 0.0)
    between = covariance * np.outer(scale, scale)
    np.fill_diagonal(between, 1.0)
    return Profiles(members, weights, between)


def inflation_of(correlation: Floats) -> Floats:
    """The diagonal of the inverse; infinite everywhere where there is none."""
    factor, failed = lapack.dpotrf(correlation, lower=1)
    if failed or not len(correlation):
        return np.full(len(correlation), np.inf)
    inverse, _ = lapack.dtrtri(factor, lower=1)
    return np.asarray((np.tril(inverse) ** 2).sum(axis=0))


def _mean(correlation: Floats) -> Floats:
    return np.full(len(correlation), 1.0 / len(correlation))


def _medoid(correlation: Floats) -> Floats:
    """The column that is nearest to all others of its cluster."""
    weights = np.zeros(len(correlation))
    weights[int(np.round(correlation.sum(axis=0), 9).argmax())] = 1.0  # ties go to the first name
    return weights


def _component(correlation: Floats) -> Floats:
    """The first principal component, which goes with most of its columns."""
    direction = np.linalg.eigh(correlation)[1][:, -1]
    return np.asarray(direction * (1.0 if direction.sum() >= 0.0 else -1.0))


PROFILES: dict[ProfileName, Callable[[Floats], Floats]] = {
    "mean": _mean,
    "medoid": _medoid,
    "component": _component,
}


def _cuts(tree: Dendrogram, n_clusters: int) -> Iterator[Members]:
    """The clusters where the tree is cut into so many, then into ever fewer; each merge joins two."""
    n_columns = len(tree.names)
    parts = {j: np.array([j]) for j in range(n_columns)}
    if len(parts) <= n_clusters:
        yield _in_order(parts)
    for step, (first, second) in enumerate(tree.merges[:, :2].astype(np.int64).tolist()):
        parts[n_columns + step] = np.sort(np.concatenate([parts.pop(first), parts.pop(second)]))
        if len(parts) <= n_clusters:
            yield _in_order(parts)


def _in_order(parts: dict[int, NDArray[np.int64]]) -> Members:
    """The largest cluster first, and of equal ones the one whose first column comes first."""
    return tuple(sorted(parts.values(), key=lambda places: (-len(places), int(places[0]))))
