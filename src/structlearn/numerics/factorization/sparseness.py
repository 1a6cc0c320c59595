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


def made_sparse(rows: Floats, sparseness: float) -> Floats:
    """Each row as the nearest one of its length that has the sparseness; one of zeros stays."""
    root, lengths = math.sqrt(rows.shape[1]), np.linalg.norm(rows, axis=1)
    found, is_there = rows.copy(), lengths > 0.0
    lengths = lengths[is_there]
    found[is_there] = projected(rows[is_there], lengths * (root - sparseness * (root - 1.0)), lengths)
    return found


def projected(rows: Floats, totals: Floats, lengths: Floats) -> Floats:
    """The nearest rows without negative entries whose sums and Euclidean lengths are these.

    Of equal entries, where only some can stay, the first does.
    """
    found = np.zeros_like(rows)
    places, is_free = np.arange(len(rows)), np.ones(rows.shape, dtype=np.bool_)
    near = rows + ((totals - rows.sum(axis=1)) / rows.shape[1])[:, None]
    while len(places):
        n_free = is_free.sum(axis=1)
        middle = np.where(is_free, (totals / n_free)[:, None], 0.0)
        away = _away(near - middle, is_free, n_free, lengths)
        near = middle + _stretches(away, middle, lengths)[:, None] * away
        is_done = (near >= 0.0).all(axis=1) | (n_free == 1)
        found[places[is_done]] = np.maximum(near[is_done], 0.0)
        left = ~is_done
        places, near, totals, lengths = places[left], near[left], totals[left], lengths[left]
        is_free = is_free[left] & (near >= 0.0)
        near = np.where(is_free, near, 0.0)
        excess = (near.sum(axis=1) - totals) / np.maximum(is_free.sum(axis=1), 1)
        near = np.where(is_free, near - excess[:, None], 0.0)
    return found


def _away(away: Floats, is_free: NDArray[np.bool_], n_free: NDArray[np.int64], lengths: Floats) -> Floats:
    """The ways from the middles; where all entries are equal, the way to the first that is free."""
    is_flat = (away**2).sum(axis=1) <= EQUAL * lengths**2
    if is_flat.any():
        others = np.broadcast_to((-1.0 / np.maximum(n_free - 1, 1))[:, None], away.shape).copy()
        others[np.arange(len(away)), is_free.argmax(axis=1)] = 1.0
        away = np.where(is_flat[:, None], np.where(is_free, others, 0.0), away)
    return away


def _stretches(away: Floats, middle: Floats, lengths: Floats) -> Floats:
    """How far to go from each middle to have the length."""
    squares, halves = (away**2).sum(axis=1), (away * middle).sum(axis=1)
    rests = (middle**2).sum(axis=1) - lengths**2
    return np.asarray((-halves + np.sqrt(np.maximum(halves**2 - squares * rests, 0.0))) / squares)
