"""How sparse a vector is, and the nearest one that is as sparse as wished (Hoyer 2004)."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

EQUAL = 1e-20  # squared: entries that differ by less than rounding have no order


def sparseness_of(vector: Floats) -> float:
    """From 0, where all entries are equal, to 1, where a single one is not 0."""
    root = math.sqrt(len(vector))
    length = float(np.linalg.norm(vector))
    return (root - float(np.abs(vector).sum()) / length) / (root - 1.0)


def sum_for(sparseness: float, size: int, length: float) -> float:
    """The sum of entries that a vector of so many, of this length, has at a sparseness."""
    root = math.sqrt(size)
    return length * (root - sparseness * (root - 1.0))


def projected(vector: Floats, total: float, length: float) -> Floats:
    """The nearest vector without negative entries whose sum and Euclidean length are these.

    Of equal entries, where only some can stay, the first does.
    """
    near = vector + (total - vector.sum()) / len(vector)
    is_free = np.ones(len(vector), dtype=np.bool_)
    while True:
        middle = np.where(is_free, total / is_free.sum(), 0.0)
        away = near - middle
        if float(away @ away) <= EQUAL * length**2:
            away = np.where(np.arange(len(vector)) == is_free.argmax(), 1.0, -1.0 / max(is_free.sum() - 1, 1))
            away = np.where(is_free, away, 0.0)
        near = middle + _stretch(away, middle, length) * away
        if (near >= 0.0).all() or is_free.sum() == 1:
            return np.asarray(np.maximum(near, 0.0))
        is_free &= near >= 0.0
        near = np.where(is_free, near, 0.0)
        near = np.where(is_free, near - (near.sum() - total) / is_free.sum(), 0.0)


def _stretch(away: Floats, middle: Floats, length: float) -> float:
    """How far to go from the middle to have the length."""
    square, half = float(away @ away), float(away @ middle)
    rest = float(middle @ middle) - length**2
    return (-half + math.sqrt(max(half**2 - square * rest, 0.0))) / square


def with_sparseness(vector: Floats, sparseness: float) -> Floats:
    """The nearest vector of the same length that has the sparseness."""
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        return vector
    return projected(vector, sum_for(sparseness, len(vector), length), length)
