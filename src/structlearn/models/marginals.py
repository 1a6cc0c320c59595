"""Joint probabilities of a few nodes of a discrete network, by summing the others out one at a time."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError

MOST_CELLS = 2**26
Factor = tuple[tuple[str, ...], NDArray[np.float64]]


def marginal_table(
    factors: Sequence[Factor], names: Sequence[str], levels: Mapping[str, int]
) -> NDArray[np.float64]:
    """Multiply the factors and sum out every node that is not in `names`: an axis per name.

    A factor is the names of its axes and a table. The node whose product is the smallest goes first.
    """
    left = list(factors)
    hidden = {name for axes, _ in left for name in axes} - set(names)
    while hidden:
        node = min(sorted(hidden), key=lambda name: _cells(_joint_axes(left, name), levels))
        touched = [factor for factor in left if node in factor[0]]
        axes = tuple(name for name in _joint_axes(left, node) if name != node)
        left = [factor for factor in left if node not in factor[0]]
        left.append((axes, _product(touched, axes, levels)))
        hidden.remove(node)
    return _product(left, tuple(names), levels)


def _joint_axes(factors: Sequence[Factor], node: str) -> tuple[str, ...]:
    """The axes of the product of all factors with this node, in the order of their first appearance."""
    return tuple(dict.fromkeys(name for axes, _ in factors if node in axes for name in axes))


def _product(
    factors: Sequence[Factor], axes: tuple[str, ...], levels: Mapping[str, int]
) -> NDArray[np.float64]:
    """The product of factors, summed over all axes but these."""
    every = tuple(dict.fromkeys([*axes, *(name for of_factor, _ in factors for name in of_factor)]))
    if _cells(every, levels) > MOST_CELLS:
        raise DataError(
            f"The joint table of {len(every)} nodes has {_cells(every, levels):.3g} cells, more than the "
            f"{MOST_CELLS:,} that are computed. Ask for fewer names, or for a network with fewer parents."
        )
    number = {name: i for i, name in enumerate(every)}
    operands: list[Any] = []
    for of_factor, table in factors:
        operands += [table, [number[name] for name in of_factor]]
    product: NDArray[np.float64] = np.einsum(*operands, [number[name] for name in axes])
    return product


def _cells(axes: Sequence[str], levels: Mapping[str, int]) -> int:
    return math.prod(levels[name] for name in axes)
