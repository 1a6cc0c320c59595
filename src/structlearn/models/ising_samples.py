"""Rows of spins from an Ising model, by Gibbs sampling."""

import numpy as np
from numpy.typing import NDArray

from structlearn.models.kernels.gibbs import sweep_spins
from structlearn.models.spins import Spins

Floats = NDArray[np.float64]


def gibbs_rows(spins: Spins, n_rows: int, sweeps: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows of 0 and 1, each the end of a chain of its own.

    Half of the chains begin with all spins up and half with all down, so that where they have
    not mixed the rows fall into two groups.
    """
    starts, neighbors, pulls = _rows_of_neighbors(spins)
    drawn = np.ones((n_rows, len(spins.fields)), dtype=np.int8)
    drawn[1::2] = -1
    for _ in range(sweeps):
        sweep_spins(drawn, spins.fields, starts, neighbors, pulls, rng.random(drawn.shape))
    return (drawn > 0).astype(np.int64)


def _rows_of_neighbors(spins: Spins) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Where each node's neighbours start, the neighbours, and their couplings."""
    owners, others = np.concatenate([spins.edges, spins.edges[:, ::-1]]).T
    order = np.lexsort((others, owners))
    n_neighbors = np.bincount(owners, minlength=len(spins.fields))
    starts = np.concatenate([[0], np.cumsum(n_neighbors)]).astype(np.int64)
    return starts, others[order], np.tile(spins.couplings, 2)[order]
