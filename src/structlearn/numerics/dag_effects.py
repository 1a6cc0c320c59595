"""Linear effects along a DAG: row i of a matrix has those on column i."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.acyclic import acyclic_order
from structlearn.statistics.protocol import Moments

Floats = NDArray[np.float64]


def effects_of(moments: Moments, parents: Sequence[Sequence[int]]) -> Floats:
    """The regression of each column on its parents."""
    found = np.zeros(moments.covariance.shape)
    for child, members in enumerate(parents):
        if members:
            among = moments.correlation[np.ix_(members, members)]
            slopes = np.linalg.lstsq(among, moments.correlation[members, child], rcond=None)[0]
            deviation = np.sqrt(np.diag(moments.covariance))
            found[child, members] = slopes * deviation[child] / deviation[members]
    return found


def in_units(effects: Floats, log_units: Floats) -> Floats:
    """Effects in units of the columns before these were taken out; infinite where no number is as large."""
    units = np.exp(log_units)
    with np.errstate(over="ignore"):
        found: Floats = effects * units[:, None] / units
    return found


def total_effects(effects: Floats) -> Floats:
    """What one unit more of a column, over all directed paths, does to each of the others."""
    order = acyclic_order(effects != 0.0)
    assert order is not None, "effects are those of a DAG"  # noqa: S101, an invariant
    found = np.zeros_like(effects)
    for child in order:
        parents = np.flatnonzero(effects[child])
        found[child] = effects[child] + effects[child, parents] @ found[parents]
    return found
