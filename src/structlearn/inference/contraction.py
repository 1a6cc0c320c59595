"""Sums of products of tables, two tables at a time, in the order that opt_einsum finds.

This is the plain engine of exact inference; `elimination` has the quick one for small questions.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, needing
from structlearn.rounding import TINY

Floats = NDArray[np.float64]
Axes = tuple[int, ...]
Table = tuple[Axes, Floats]


class TooLargeError(DataError):
    """A question whose tables would not fit; the message says how large they are."""


class InaccurateError(ArithmeticError):
    """A positive number that may be too small for a float beside the others of its table."""


@dataclass(frozen=True)
class Step:
    """Two tables (or one) become one: their places in the list, in falling order, and the axes left."""

    places: tuple[int, ...]
    axes: Axes


def contracted(
    tables: Sequence[Table], kept: Axes, sizes: dict[int, int], *, cell_limit: int
) -> tuple[Floats, float]:
    """Multiply the tables and sum out all axes but those kept, which the result has in their order.

    Gives a table and the logarithm of what it was divided by, so that long products do not underflow; a
    table of zeros where the sum is zero. An InaccurateError where a float may not do.
    """
    waiting = list(tables)
    steps = planned([axes for axes, _ in waiting], kept, sizes)
    refuse_large([*(step.axes for step in steps), kept], sizes, cell_limit)
    log_scale = 0.0
    for step in steps:
        operands = [waiting.pop(place) for place in step.places]
        if math.prod(_smallest(table) for _, table in operands) < TINY:
            raise InaccurateError
        product, log_divisor = _scaled(_contracted_once(operands, step.axes))
        log_scale += log_divisor
        waiting.append((step.axes, product))
    ((axes, product),) = waiting or [((), np.ones(()))]
    return laid_out(axes, product, kept, sizes), log_scale


def laid_out(axes: Axes, table: Floats, onto: Axes, sizes: dict[int, int]) -> Floats:
    """A table with more axes, in their order, constant along those it lacks."""
    ordered = table.transpose([axes.index(axis) for axis in onto if axis in axes])
    sides = [sizes[axis] if axis in axes else 1 for axis in onto]
    return np.broadcast_to(ordered.reshape(sides), [sizes[axis] for axis in onto])


def planned(scopes: Sequence[Axes], kept: Axes, sizes: dict[int, int]) -> list[Step]:
    """The steps that leave one table of the axes kept."""
    if not scopes:
        return []
    with needing("opt_einsum", "Inference"):
        from opt_einsum.paths import greedy  # noqa: PLC0415, pictures and pages load without it

    symbols = [frozenset(map(str, axes)) for axes in scopes]
    path = greedy(symbols, frozenset(map(str, kept)), {str(axis): size for axis, size in sizes.items()})
    waiting = list(scopes)
    times = Counter(axis for axes in scopes for axis in axes) + Counter(kept)
    steps = []
    for places in path if len(scopes) > 1 else [(0,)]:
        falling = tuple(sorted(places, reverse=True))
        taken = [waiting.pop(place) for place in falling]
        times -= Counter(axis for axes in taken for axis in axes)
        axes = tuple(dict.fromkeys(axis for axes in taken for axis in axes if times[axis] > 0))
        times += Counter(axes)
        steps.append(Step(falling, axes))
        waiting.append(axes)
    return steps


def refuse_large(scopes: Sequence[Axes], sizes: dict[int, int], cell_limit: int) -> None:
    """Refuse before the work begins what would need a table of more cells than the limit."""
    widest = max(scopes, key=lambda axes: math.prod(sizes[axis] for axis in axes))
    cells = math.prod(sizes[axis] for axis in widest)
    if cells > cell_limit:
        raise too_large(cells, len(widest), cell_limit)


def too_large(cells: float, width: int, cell_limit: int) -> TooLargeError:
    """The error for a table of too many cells."""
    return TooLargeError(
        f"The exact answer needs a table of {width} nodes at once (a width of {width}): "
        f"{cells:.3g} cells, {cells / 2**27:.3g} GiB, more than the cell_limit of {cell_limit:,}. Give more "
        'evidence, or use method="loopy", "gibbs" or "weighting".'
    )


def _contracted_once(operands: Sequence[Table], axes: Axes) -> Floats:
    """One step, with its axes numbered anew: no step has as many as einsum has letters."""
    from opt_einsum import contract  # noqa: PLC0415, as above

    number: dict[int, int] = {}
    said: list[object] = []
    for of_operand, table in operands:
        said += [table, [number.setdefault(axis, len(number)) for axis in of_operand]]
    product: Floats = np.asarray(contract(*said, [number[axis] for axis in axes]))
    return product


def _smallest(table: Floats) -> float:
    """The smallest positive number, at most 1."""
    return float(np.min(table, where=table > 0, initial=1.0))


def _scaled(table: Floats) -> tuple[Floats, float]:
    largest = float(table.max())
    return (table / largest, math.log(largest)) if largest > 0 else (table, 0.0)
