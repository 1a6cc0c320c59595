"""Normal distributions, many rows at once: rows with the same gaps share one regression."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr, solve_triangular

from structlearn.inference.gaussian import LinearNetwork
from structlearn.inference.predictions.known_rows import Flags, by_pattern

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowNormals:
    """One joint normal distribution: `weights` times (x - `mean`) are independent noises of variance 1.

    What is unknown is found by least squares on the noises. Covariances, and their inverses, would have half
    of the digits where a node is nearly determined by others.
    """

    mean: Floats
    weights: Floats

    @classmethod
    def of(cls, network: LinearNetwork, nodes: tuple[str, ...]) -> "RowNormals":
        """The distribution of a network with one regime and without nodes of variance 0."""
        n = len(nodes)
        weights = np.eye(n)
        for i, (parents, slopes) in enumerate(zip(network.parents, network.slopes, strict=True)):
            weights[i, parents] = -slopes[0]
        weights /= network.deviations[0][:, None]
        place = [network.names.index(node) for node in nodes]
        return cls(network.means()[0, place], weights[:, place])

    def means(self, numbers: Floats, unknown: Flags, target: int) -> Floats:
        """The mean of a node given what is known of the others in each row."""
        found = np.empty(len(numbers))
        open_target = unknown.copy()
        open_target[:, target] = True
        for pattern, rows in by_pattern(open_target):
            place = int(pattern[:target].sum())
            found[rows] = self._given(numbers[rows], pattern)[0][:, place]
        return found

    def filled(self, numbers: Floats, unknown: Flags, rng: np.random.Generator | None) -> Floats:
        """The numbers with gaps filled: by their means or, with a generator, by a joint draw."""
        filled = numbers.copy()
        for pattern, rows in by_pattern(unknown):
            if not pattern.any():
                continue
            means, root = self._given(numbers[rows], pattern)
            if rng is not None:
                means = means + rng.standard_normal(means.shape) @ root.T
            filled[np.ix_(rows, np.flatnonzero(pattern))] = means
        return filled

    def _given(self, numbers: Floats, unknown: Flags) -> tuple[Floats, Floats]:
        """The means of the unknown nodes in each row, and a root of their covariance, the same in all."""
        scale = np.linalg.norm(self.weights[:, unknown], axis=0)
        of_unknown = self.weights[:, unknown] / scale
        # Large rows first and columns by their size: small noises among large ones then keep their digits
        # (Cox and Higham, 1998, Stability of Householder QR factorization for weighted least squares).
        largest = np.abs(of_unknown).max(axis=1)
        order = np.argsort(-largest, kind="stable")[: np.count_nonzero(largest)]
        turned, triangle, columns = qr(of_unknown[order], mode="economic", pivoting=True)
        noises = (numbers[:, ~unknown] - self.mean[~unknown]) @ self.weights[np.ix_(order, ~unknown)].T
        moves = np.empty((int(unknown.sum()), len(numbers)))
        moves[columns] = solve_triangular(triangle, turned.T @ noises.T)
        root = np.empty_like(triangle)
        root[columns] = solve_triangular(triangle, np.eye(len(triangle)))
        return self.mean[unknown] - moves.T / scale, root / scale[:, None]
