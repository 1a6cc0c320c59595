"""Singular values of a table, and how many of them are more than noise."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# The part of an even share that makes a component count: the rule of thumb of Everitt and Dunn.
SHARE_OF_EVEN = 0.7


class Decomposition(NamedTuple):
    """A matrix of variables by samples as `loadings` · diag(`values`) · `courses`.

    Columns of `loadings` and rows of `courses` have length 1. The largest loading of each is positive, so
    that the same matrix always has the same signs.
    """

    loadings: Floats
    values: Floats
    courses: Floats

    def cut(self, rank: int) -> "Decomposition":
        """The first components alone."""
        return Decomposition(self.loadings[:, :rank], self.values[:rank], self.courses[:rank])

    def without(self, components: list[int]) -> "Decomposition":
        """All but these components, counted from 0."""
        kept = np.setdiff1d(np.arange(len(self.values)), components)
        return Decomposition(self.loadings[:, kept], self.values[kept], self.courses[kept])

    def matrix(self) -> Floats:
        """The matrix that they make."""
        return (self.loadings * self.values) @ self.courses


def decomposed(matrix: Floats) -> Decomposition:
    """The singular value decomposition of a matrix of variables by samples."""
    loadings, values, courses = np.linalg.svd(matrix, full_matrices=False)
    largest = np.abs(loadings).argmax(axis=0)
    signs = np.where(loadings[largest, np.arange(len(values))] < 0.0, -1.0, 1.0)
    return Decomposition(loadings * signs, values, courses * signs[:, None])


def fractions_of(values: Floats) -> Floats:
    """The share of each component in the sum of squares; nothing of nothing is 0."""
    squares = values**2
    total = squares.sum()
    return squares / total if total > 0.0 else squares


def entropy_of(values: Floats) -> float:
    """How evenly the components share the sum of squares: 0 where one has all, 1 where all have the same."""
    if len(values) < 2:
        return 0.0
    shares = fractions_of(values)
    shares = shares[shares > 0.0]
    return float(-(shares * np.log(shares)).sum() / math.log(len(values)))


def rank_by_thumb(values: Floats) -> int:
    """How many components have more than 0.7 of an even share."""
    return int((fractions_of(values) > SHARE_OF_EVEN / len(values)).sum())


def rank_by_chance(matrix: Floats, values: Floats, chance: Floats, level: float = 0.05) -> int:
    """How many components, from the first on, are larger than in tables of the same columns by chance.

    `chance` has the singular values of permuted tables, one table a row (`values_by_chance`).
    """
    bounds = np.quantile(chance, 1.0 - level, axis=0)
    # Rounding makes singular values that should be 0 larger than those of permuted tables.
    is_more = values > np.maximum(bounds, max(matrix.shape) * np.finfo(float).eps * values[0])
    return int(len(values) if is_more.all() else is_more.argmin())


def values_by_chance(matrix: Floats, rng: np.random.Generator) -> Floats:
    """The singular values once each variable has its samples in an order of its own.

    `matrix` has the values of each variable sorted, so that the order of the samples cannot matter.
    """
    shuffled = rng.permuted(matrix, axis=1)
    # Squares lose the small values, with which none is compared, and are several times as fast.
    gram = shuffled @ shuffled.T if len(shuffled) <= shuffled.shape[1] else shuffled.T @ shuffled
    return np.sqrt(np.maximum(np.linalg.eigvalsh(gram)[::-1], 0.0))


def rank_by_noise(values: Floats, shape: tuple[int, int]) -> int:
    """How many singular values are above the optimal hard threshold for noise of unknown size.

    Gavish and Donoho (2014): λ(β)/√μ(β) times the median, with β the ratio of the sides and μ the median of
    the law of Marchenko and Pastur.
    """
    ratio = min(shape) / max(shape)
    return int((values > noise_factor(ratio) * np.median(values)).sum())


def noise_factor(ratio: float) -> float:
    """What multiplies the median singular value in the optimal hard threshold."""
    root = math.sqrt(ratio**2 + 14.0 * ratio + 1.0)
    known = math.sqrt(2.0 * (ratio + 1.0) + 8.0 * ratio / (ratio + 1.0 + root))
    return known / math.sqrt(_median_of_noise(ratio))


def _median_of_noise(ratio: float) -> float:
    """The median of the eigenvalues of noise, by the law of Marchenko and Pastur."""
    low, high = (1.0 - math.sqrt(ratio)) ** 2, (1.0 + math.sqrt(ratio)) ** 2
    # With x = middle + half·sin(t) the density has no steep ends, and the midpoint rule is enough.
    steps = 20_000
    angles = -math.pi / 2.0 + (np.arange(steps) + 0.5) * (math.pi / steps)
    half = (high - low) / 2.0
    points = (low + high) / 2.0 + half * np.sin(angles)
    masses = np.cumsum((half * np.cos(angles)) ** 2 / points)
    return float(points[np.searchsorted(masses, masses[-1] / 2.0)])
