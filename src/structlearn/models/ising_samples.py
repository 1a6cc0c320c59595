"""Rows of spins from an Ising model: exactly along a junction tree, or by Gibbs sampling."""

import numpy as np
from numpy.typing import NDArray

from structlearn.models.kernels.drawing import draw_states
from structlearn.models.kernels.gibbs import sweep_spins
from structlearn.models.spins import Spins

Floats = NDArray[np.float64]


def exact_rows(spins: Spins, n_rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Independent rows of 0 and 1: each clique given what it shares with the one it hangs from."""
    tree = spins.tree
    states = np.zeros((n_rows, len(tree.levels)), dtype=np.int64)
    for i, (clique, belief) in enumerate(zip(tree.cliques, spins.calibrated.beliefs, strict=True)):
        known = tree.separator(i) if i else ()
        new = tuple(column for column in clique if column not in known)
        order = [clique.index(column) for column in (*known, *new)]
        shape = [tree.levels[column] for column in new]
        table = belief[0].transpose(order).reshape(-1, int(np.prod(shape)))
        given = _number(states, known, tree.levels)
        drawn = draw_states(_cumulative(table), given, rng.random(n_rows))
        states[:, list(new)] = np.stack(np.unravel_index(drawn, shape), axis=1)
    return states


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


def _number(
    states: NDArray[np.int64], columns: tuple[int, ...], levels: tuple[int, ...]
) -> NDArray[np.int64]:
    number = np.zeros(len(states), dtype=np.int64)
    for column in columns:
        number = number * levels[column] + states[:, column]
    return number


def _cumulative(table: Floats) -> Floats:
    sums = np.cumsum(table, axis=1)
    # A state of the separator that never occurs has no distribution, and none is drawn from it.
    cumulative = np.divide(sums, sums[:, -1:], out=np.ones_like(sums), where=sums[:, -1:] > 0.0)
    cumulative[:, -1] = 1.0
    return cumulative


def _rows_of_neighbors(spins: Spins) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Where each node's neighbours start, the neighbours, and their couplings."""
    owners, others = np.concatenate([spins.edges, spins.edges[:, ::-1]]).T
    order = np.lexsort((others, owners))
    n_neighbors = np.bincount(owners, minlength=len(spins.fields))
    starts = np.concatenate([[0], np.cumsum(n_neighbors)]).astype(np.int64)
    return starts, others[order], np.tile(spins.couplings, 2)[order]
