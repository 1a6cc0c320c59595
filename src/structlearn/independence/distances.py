"""Distances of rows, centred so that their products tell dependence (Székely and Rizzo, 2014)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import distance

Floats = NDArray[np.float64]
FEWEST_ROWS = 4  # below, the unbiased centring divides by nothing


def distances_of(columns: Floats) -> Floats:
    """How far apart every two rows are; rows of different states are all equally far."""
    apart: Floats = distance.squareform(distance.pdist(columns))
    return apart


def u_centred(apart: Floats) -> Floats:
    """Distances less what rows add alone, so that products of independent ones have mean 0."""
    n = len(apart)
    sums = apart.sum(axis=0) / (n - 2)
    found: Floats = apart - sums - sums[:, None] + apart.sum() / ((n - 1) * (n - 2))
    found[np.diag_indices(n)] = 0.0
    return found


def projected(one: Floats, other: Floats) -> Floats:
    """What is left of one matrix beside another."""
    size = float(np.vdot(other, other))
    found: Floats = one - (float(np.vdot(one, other)) / size) * other if size > 0.0 else one
    return found


def cosine(one: Floats, other: Floats) -> float:
    """The correlation of two centred matrices; 0 where one of them is 0."""
    size = float(np.sqrt(np.vdot(one, one) * np.vdot(other, other)))
    return float(np.vdot(one, other)) / size if size > 0.0 else 0.0
