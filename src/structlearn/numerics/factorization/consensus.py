"""Which variables are in one module again and again (Brunet et al. 2004)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.later import distance, hierarchy

Floats = NDArray[np.float64]


def consensus_of(runs: Sequence[Floats]) -> Floats:
    """The share of runs in which two variables have the same largest factor.

    Each run has a row per variable and a column per factor. A variable without a factor is alone.
    """
    together = np.zeros((len(runs[0]), len(runs[0])))
    for parts in runs:
        place, is_in = parts.argmax(axis=1), parts.max(axis=1) > 0.0
        together += (place[:, None] == place) & is_in[:, None] & is_in
    np.fill_diagonal(together, float(len(runs)))
    return together / len(runs)


def cophenetic_correlation(consensus: Floats) -> float:
    """How well a tree of clusters keeps the distances 1 − consensus; 1 where runs agree on clusters."""
    distances = distance.squareform(1.0 - consensus, checks=False)
    if len(distances) == 0 or np.ptp(distances) == 0.0:
        return 1.0
    correlation, _ = hierarchy.cophenet(hierarchy.linkage(distances, method="average"), distances)
    return float(correlation)
