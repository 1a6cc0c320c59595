"""Rows of codes from a product of factors: exactly along a junction tree, or by Gibbs sampling."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, warn
from structlearn.models.factors_layout import Floats, Integers, numbered
from structlearn.models.factors_product import FactorProduct
from structlearn.models.kernels.drawing import draw_states
from structlearn.models.kernels.factors import sweep_states
from structlearn.numerics.junction_tree import Calibrated, JunctionTree

# The logarithm that stands for that of 0 while chains look for a possible state: they hardly ever step
# there, yet a table of such states still has a slope.
UNLIKELY = -50.0


def exact_rows(tree: JunctionTree, found: Calibrated, n_rows: int, rng: np.random.Generator) -> Integers:
    """Independent rows of codes: each clique given what it shares with the one it hangs from."""
    states = np.zeros((n_rows, len(tree.levels)), dtype=np.int64)
    for i, (clique, belief) in enumerate(zip(tree.cliques, found.beliefs, strict=True)):
        known = tree.separator(i) if i else ()
        new = tuple(column for column in clique if column not in known)
        order = [clique.index(column) for column in (*known, *new)]
        shape = [tree.levels[column] for column in new]
        table = belief[0].transpose(order).reshape(-1, int(np.prod(shape)))
        drawn = draw_states(_cumulative(table), numbered(states, known, tree.levels), rng.random(n_rows))
        states[:, list(new)] = np.stack(np.unravel_index(drawn, shape), axis=1)
    return states


def gibbs_rows(product: FactorProduct, n_rows: int, sweeps: int, rng: np.random.Generator) -> Integers:
    """Rows of codes, each the end of a chain of its own that begins anywhere.

    Where some states are impossible the chains first look for a possible one, and there is a
    warning: one node at a time they may not reach all of them.
    """
    levels = np.array(product.layout.levels)
    states = rng.integers(0, levels, (n_rows, len(levels)))
    if not np.isfinite(product.logs).all():
        _sweep(states, product, np.maximum(product.logs, UNLIKELY), sweeps, rng)
        _check_possible(product, states)
    _sweep(states, product, product.logs, sweeps, rng)
    return states


def _sweep(
    states: Integers, product: FactorProduct, logs: Floats, sweeps: int, rng: np.random.Generator
) -> None:
    levels = np.array(product.layout.levels)
    for _ in range(sweeps):
        sweep_states(states, levels, logs, *product.layout.neighborhoods, rng.random(states.shape))


def _check_possible(product: FactorProduct, states: Integers) -> None:
    n_wrong = np.count_nonzero(product.log_weights(states) == -np.inf)
    if n_wrong:
        raise DataError(
            f"sample(method='gibbs'): {n_wrong} of {len(states)} chains found no state that the zeros of the "
            "factors allow. Use more sweeps, or method='exact' where the graph is narrow enough."
        )
    warn(
        "sample(method='gibbs'): some factors have zeros, and chains that change one node at a time may not "
        "reach all states. Use method='exact' where the graph is narrow enough, or factors above 0."
    )


def _cumulative(table: Floats) -> NDArray[np.float64]:
    sums = np.cumsum(table, axis=1)
    # A state of the separator that never occurs has no distribution, and none is drawn from it.
    cumulative = np.divide(sums, sums[:, -1:], out=np.ones_like(sums), where=sums[:, -1:] > 0.0)
    cumulative[:, -1] = 1.0
    return cumulative
