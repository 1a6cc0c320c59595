"""Precision matrices in closed form: of a decomposable graph, of a linear-Gaussian network, of a part."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.models.cliques import Clique
from structlearn.models.cpds import LinearGaussianCPD

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
DEPENDENT = 1e-10  # the least eigenvalue of correlations, of which six digits are right


def decomposable_precision(covariance: Matrix, cliques: Sequence[tuple[Clique, Clique]]) -> Matrix | None:
    """The sum of the inverses on the cliques less those on the separators (Lauritzen, 1996, section 5.3).

    None where the covariance matrix of a clique is singular.
    """
    precision = np.zeros_like(covariance)
    for clique, separator in cliques:
        place = np.ix_(clique, clique)
        if np.linalg.eigvalsh(covariance[place])[0] < DEPENDENT:
            return None
        precision[place] += symmetric(np.linalg.inv(covariance[place]))
        if separator:
            shared = np.ix_(separator, separator)
            precision[shared] -= symmetric(np.linalg.inv(covariance[shared]))
    return precision


def network_parameters(cpds: Mapping[str, LinearGaussianCPD]) -> tuple[Vector, Matrix]:
    """The mean and the precision matrix (I − B)ᵀ D⁻¹ (I − B) of linear regressions with normal noise."""
    place = {node: i for i, node in enumerate(cpds)}
    apart = np.eye(len(cpds))
    for node, cpd in cpds.items():
        for parent, slope in cpd.coefficients.items():
            apart[place[node], place[parent]] -= slope
    mean = np.linalg.solve(apart, np.array([cpd.intercept for cpd in cpds.values()]))
    weights = np.array([1.0 / cpd.variance for cpd in cpds.values()])
    return mean, symmetric(apart.T @ (apart * weights[:, None]))


def marginal_precision(precision: Matrix, kept: Sequence[int]) -> Matrix:
    """The precision matrix of some nodes alone: the Schur complement of the others."""
    others = [i for i in range(len(precision)) if i not in set(kept)]
    own = precision[np.ix_(kept, kept)]
    if not others:
        return own
    across = precision[np.ix_(others, kept)]
    return symmetric(own - across.T @ np.linalg.solve(precision[np.ix_(others, others)], across))


def symmetric(matrix: NDArray[Any]) -> Matrix:
    """A matrix without the rounding that makes it differ from its transpose."""
    halves: Matrix = 0.5 * (matrix + matrix.T)
    return halves
