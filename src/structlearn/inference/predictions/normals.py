"""Normal distributions, many rows at once: rows with the same gaps share one regression."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.inference.gaussian import TOLERANCE, Normal
from structlearn.inference.predictions.known_rows import Flags, by_pattern

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowNormals:
    """One joint normal distribution, `mean` (nodes,) and `covariance` (nodes, nodes)."""

    mean: Floats
    covariance: Floats

    @classmethod
    def of(cls, joint: Normal) -> "RowNormals":
        """The distribution of the only regime."""
        return cls(joint.mean[0], joint.covariance[0])

    def means(self, numbers: Floats, unknown: Flags, target: int) -> Floats:
        """The mean of a node given what is known of the others in each row."""
        found = np.empty(len(numbers))
        open_target = unknown.copy()
        open_target[:, target] = True
        for pattern, rows in by_pattern(open_target):
            asked = np.arange(len(pattern)) == target
            found[rows] = self._given(numbers[rows], asked, ~pattern)[0][:, 0]
        return found

    def filled(self, numbers: Floats, unknown: Flags, rng: np.random.Generator | None) -> Floats:
        """The numbers with gaps filled: by their means or, with a generator, by a joint draw."""
        filled = numbers.copy()
        for pattern, rows in by_pattern(unknown):
            if not pattern.any():
                continue
            means, covariance = self._given(numbers[rows], pattern, ~pattern)
            if rng is not None:
                noise = rng.standard_normal(means.shape)
                means = means + noise @ _root(covariance).T
            filled[np.ix_(rows, np.flatnonzero(pattern))] = means
        return filled

    def _given(self, numbers: Floats, asked: Flags, known: Flags) -> tuple[Floats, Floats]:
        """The means of some nodes in each row given others, and their covariance, the same in all rows."""
        own = self.covariance[np.ix_(asked, asked)]
        if not known.any():
            return np.tile(self.mean[asked], (len(numbers), 1)), own
        among, across = self.covariance[np.ix_(known, known)], self.covariance[np.ix_(known, asked)]
        scale = np.sqrt(np.maximum(np.diag(among), 0.0))
        scale = np.where(scale > 0, scale, 1.0)
        # A direction without variance says nothing more.
        inverse = np.linalg.pinv(among / np.outer(scale, scale), rcond=TOLERANCE, hermitian=True)
        slopes = (inverse @ (across / scale[:, None])) / scale[:, None]
        means = self.mean[asked] + (numbers[:, known] - self.mean[known]) @ slopes
        return means, own - across.T @ slopes


def _root(covariance: Floats) -> Floats:
    """A matrix whose square is the covariance, also where that is singular."""
    strengths, directions = np.linalg.eigh(covariance)
    root: Floats = directions * np.sqrt(np.maximum(strengths, 0.0))
    return root
