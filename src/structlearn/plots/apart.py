"""Boxes that overlap are pushed apart, and the picture keeps its shape."""

from itertools import count

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]

# Of the page, so that arrows between boxes can be followed; tried on random graphs of 60 to 800 nodes.
SHARE_OF_BOXES = 0.13
# Names are wider than they are high, and so are screens.
STRETCH = 1.3
# Most pictures are done in 60 rounds. From then on it grows with each round, and after 200 that is all it
# does, which ends since no two centres are the same.
ROUNDS_WITHOUT_GROWTH, ROUNDS_OF_PUSHING = 60, 200
GROWTH = 1.01


def apart(centres: Floats, sizes: Floats, *, gap: float) -> Floats:
    """Move boxes until every two have a gap between them, from a layout that knows of points only.

    `centres` and `sizes` have a row (x, y) and a row (width, height) for each box.
    """
    if len(centres) < 2:
        return centres
    half = sizes / 2 + gap / 2
    placed = _scaled(centres * [STRETCH, 1.0], half)
    if len(np.unique(placed, axis=0)) < len(placed):  # nodes with the same neighbours, for one
        placed = placed + np.random.default_rng(0).uniform(-1.0, 1.0, placed.shape)
    for turn in count():
        pairs, overlap = _overlapping(placed, half)
        if not len(pairs):
            return placed
        if turn < ROUNDS_OF_PUSHING:
            placed = placed + _push(placed, pairs, overlap)
        if turn >= ROUNDS_WITHOUT_GROWTH:
            placed = placed * GROWTH
    return placed


def below(centres: Floats, sizes: Floats, lone: NDArray[np.bool_], *, gap: float) -> Floats:
    """Put lone boxes in rows below the others, as wide as they are."""
    if not lone.any():
        return centres
    cells = sizes[lone].max(axis=0) + gap
    others, n_lone = centres[~lone], int(lone.sum())
    left, right = (others[:, 0].min(), others[:, 0].max()) if len(others) else (0.0, 0.0)
    alone = np.sqrt(STRETCH * n_lone * cells.prod())  # a page of them and nothing else
    n_across = max(1, round(max(right - left, alone * (len(others) == 0)) / cells[0]))
    row, across = np.divmod(np.arange(n_lone), n_across)
    top = others[:, 1].min() - cells[1] if len(others) else 0.0
    placed = centres.copy()
    placed[lone] = np.column_stack([left + across * cells[0], top - row * cells[1]])
    return placed


def _scaled(centres: Floats, half: Floats) -> Floats:
    page = np.prod(np.maximum(np.ptp(centres, axis=0), 1.0))
    return np.asarray(centres * np.sqrt(4 * np.prod(half, axis=1).sum() / (SHARE_OF_BOXES * page)))


def _overlapping(placed: Floats, half: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The pairs of boxes that overlap, and by how much in each direction."""
    reach = 2 * half.max(axis=0)
    near = cKDTree(placed / reach).query_pairs(1.0, p=np.inf, output_type="ndarray")
    first, second = near.T
    overlap = half[first] + half[second] - np.abs(placed[second] - placed[first])
    is_over = (overlap > 0).all(axis=1)
    return near[is_over], overlap[is_over]


def _push(placed: Floats, pairs: NDArray[np.int64], overlap: Floats) -> Floats:
    """How far each box moves: half of what it overlaps each other one, the shorter way."""
    first, second = pairs.T
    way = overlap.argmin(axis=1)
    each = np.arange(len(pairs))
    side = np.where(placed[second, way] >= placed[first, way], 1.0, -1.0)
    step = side * (overlap[each, way] / 2 + 0.05)  # a bit more, so that rounding cannot undo it
    moves = np.zeros_like(placed)
    np.add.at(moves, (second, way), step)
    np.add.at(moves, (first, way), -step)
    # A box that many others push would jump over them.
    n_pushes = np.bincount(pairs.ravel(), minlength=len(placed))
    return np.asarray(moves / np.sqrt(np.maximum(n_pushes, 1))[:, None])
