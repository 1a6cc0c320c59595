"""How similar columns must be to be joined."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.numerics.information.columns import Matrix

Rule = Literal["family-wise", "fdr", "fisher", "density", "soft", "mutual-neighbors"]


@dataclass(frozen=True)
class Verdict:
    """Which pairs of the upper triangle are joined, beyond which strength, and how probable by chance."""

    is_edge: NDArray[np.bool_]
    threshold: float | None = None
    p_value: Matrix | None = None


def beyond(strength: Matrix, threshold: float) -> Verdict:
    """The pairs that are more similar than this."""
    return Verdict(np.triu(strength > threshold, k=1), threshold)


def densest(strength: Matrix, density: float) -> Verdict:
    """The strongest pairs, as many as this share of all; pairs that tie with the last come with it."""
    values = np.sort(strength[np.triu_indices(len(strength), k=1)])[::-1]
    n_edges = round(density * len(values))
    if n_edges == 0:
        return beyond(strength, math.inf)
    return Verdict(np.triu(strength >= values[n_edges - 1], k=1), float(values[n_edges - 1]))


def fisher_threshold(n_rows: int, alpha: float, n_pairs: int) -> float:
    """The correlation that any of so many independent pairs exceeds with probability alpha at most."""
    if n_rows <= 3 or n_pairs == 0 or alpha == 0.0:
        return math.inf
    return math.tanh(float(-special.ndtri(alpha / (2.0 * n_pairs))) / math.sqrt(n_rows - 3.0))


def family_wise(strength: Matrix, permuted: Iterator[Matrix], alpha: float) -> Verdict:
    """The pairs stronger than the strongest of permuted columns, but for a share alpha of the permutations.

    A p-value is the share of permutations, and of the table itself, whose strongest pair is as strong.
    """
    largest = np.sort([_largest(each) for each in permuted])
    place = math.ceil((1.0 - alpha) * (len(largest) + 1)) - 1
    threshold = float([-math.inf, *largest, math.inf][place + 1])
    n_as_strong = len(largest) - np.searchsorted(largest, strength, side="left")
    p_value = np.asarray((n_as_strong + 1.0) / (len(largest) + 1.0), dtype=np.float64)
    return Verdict(beyond(strength, threshold).is_edge, threshold, p_value)


def false_discoveries(strength: Matrix, permuted: Iterator[Matrix], alpha: float) -> Verdict:
    """The pairs that Benjamini and Hochberg take at alpha, chance pooled over all permuted pairs."""
    observed, n_seen = _pairs(strength), 0
    n_as_strong = np.zeros(len(observed))
    for each in permuted:
        chance = np.sort(_pairs(each))
        n_as_strong += len(chance) - np.searchsorted(chance, observed, side="left")
        n_seen += len(chance)
    p_value = (n_as_strong + 1.0) / (n_seen + 1.0)
    ordered = np.sort(p_value)
    is_below = ordered <= alpha * np.arange(1, len(ordered) + 1) / max(len(ordered), 1)
    limit = float(ordered[np.flatnonzero(is_below)[-1]]) if is_below.any() else -1.0
    by_pair = np.ones_like(strength)
    by_pair[np.triu_indices(len(strength), k=1)] = p_value
    is_edge = np.triu(by_pair <= limit, k=1)
    threshold = float(strength[is_edge].min()) if is_edge.any() else math.inf
    return Verdict(is_edge, threshold, by_pair)


def mutual_neighbors(strength: Matrix, n_nearest: int) -> Verdict:
    """The pairs of which each is among the nearest of the other; ties go to the first names."""
    others = strength.copy()
    np.fill_diagonal(others, -np.inf)
    nearest = np.argsort(-others, axis=1, kind="stable")[:, :n_nearest]
    is_near = np.zeros(strength.shape, dtype=np.bool_)
    np.put_along_axis(is_near, nearest, values=True, axis=1)
    return Verdict(np.triu(is_near & is_near.T, k=1))


def permutations(
    values: Matrix, strength_of: Callable[[Matrix], Matrix], n_permutations: int, rng: np.random.Generator
) -> Iterator[Matrix]:
    """The strengths of columns that are permuted, each by itself; put in order first, as rows have none."""
    ordered = np.sort(values, axis=1)
    varies = ordered[:, 0] != ordered[:, -1]
    for _ in range(n_permutations):
        permuted = ordered.copy()
        permuted[varies] = rng.permuted(ordered[varies], axis=1)
        yield strength_of(permuted)


def _largest(strength: Matrix) -> float:
    """The strength of the strongest pair."""
    np.fill_diagonal(strength, -np.inf)
    return float(strength.max(initial=-np.inf))


def _pairs(matrix: Matrix) -> NDArray[np.float64]:
    return np.asarray(matrix[np.triu_indices(len(matrix), k=1)])
