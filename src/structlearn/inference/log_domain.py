"""Sums and maxima of products of tables in logarithms, where nothing underflows; the states of a maximum."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from structlearn.inference.contraction import laid_out, too_large
from structlearn.inference.kernels.orders import best_order, interaction_bits
from structlearn.inference.parts import compressed

Floats = NDArray[np.float64]
Axes = tuple[int, ...]
Table = tuple[Axes, Floats]


def elimination_order(
    scopes: Sequence[Axes], kept: Sequence[int], sizes: dict[int, int], cell_limit: int
) -> list[int]:
    """The order in which to eliminate all axes but those kept; refused where a product would be too large."""
    axes = list(dict.fromkeys([*kept, *(axis for scope in scopes for axis in scope)]))
    number = {axis: i for i, axis in enumerate(axes)}
    numbered = compressed([[number[axis] for axis in scope] for scope in scopes])
    lengths = np.array([sizes[axis] for axis in axes], dtype=np.int64)
    bits = interaction_bits(*numbered, len(axes))
    order, largest, _, width = best_order(bits, lengths, np.arange(len(axes)) < len(kept))
    if largest > cell_limit:
        raise too_large(largest, width + 1, cell_limit)
    return [axes[i] for i in order.tolist()]


def summed_out(
    tables: Sequence[Table], kept: Sequence[int], sizes: dict[int, int], *, cell_limit: int
) -> list[Table]:
    """Sum out all axes but those kept, of tables of logarithms; what is left multiplies to the answer."""
    order = elimination_order([axes for axes, _ in tables], kept, sizes, cell_limit)
    left = list(tables)
    for axis in order:
        left, (axes, product) = _gathered(left, axis, sizes)
        left.append((axes, _log_sum(product)))
    return left


def maximised(
    tables: Sequence[Table], sizes: dict[int, int], *, cell_limit: int
) -> tuple[dict[int, int], float]:
    """The state of every axis at the largest product, and the logarithm of that product.

    Of states that tie, the first one of the node that was eliminated last is taken.
    """
    order = elimination_order([axes for axes, _ in tables], (), sizes, cell_limit)
    left, memory = list(tables), []
    for axis in order:
        left, (axes, product) = _gathered(left, axis, sizes)
        left.append((axes, product.max(axis=-1)))
        memory.append((axis, axes, product.argmax(axis=-1)))
    states: dict[int, int] = {}
    for axis, axes, best in reversed(memory):
        states[axis] = int(best[tuple(states[other] for other in axes)])
    return states, math.fsum(float(table) for _, table in left)


def _gathered(tables: Sequence[Table], axis: int, sizes: dict[int, int]) -> tuple[list[Table], Table]:
    """The tables without this axis, and the product of those with it, whose last axis it becomes."""
    touched = [table for table in tables if axis in table[0]]
    others = tuple(dict.fromkeys(a for axes, _ in touched for a in axes if a != axis))
    product = np.zeros([sizes[a] for a in (*others, axis)])
    for axes, table in touched:
        product += laid_out(axes, table, (*others, axis), sizes)
    return [table for table in tables if axis not in table[0]], (others, product)


def _log_sum(product: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        total: Floats = logsumexp(product, axis=-1)
    return total
