"""A joint state that no factor forbids, by drawing one column after the other and stepping back."""

from collections.abc import Sequence

import numpy as np

from structlearn.inference.contraction import Table
from structlearn.inference.parts import Floats

MOST_STEPS = 50_000  # a second or two; a network that is no puzzle takes a step for each of its nodes


class NoneFoundError(ValueError):
    """No state was found within the number of steps; there may be one."""


def draw_possible(
    tables: Sequence[Table], sizes: dict[int, int], order: Sequence[int], rng: np.random.Generator
) -> dict[int, int] | None:
    """Draw a state of each column in order, where those before leave one; None if there is none.

    Each is drawn by the factors whose other columns are known, so that in a network without evidence, its
    columns in topological order, the draw is a row of the network.
    """
    touching: dict[int, list[Table]] = {column: [] for column in order}
    for table in tables:
        for axis in table[0]:
            touching[axis].append(table)
    codes: dict[int, int] = {}
    waiting: list[list[int]] = []
    for _ in range(MOST_STEPS):
        if len(codes) == len(order):
            return codes
        if len(waiting) == len(codes):
            column = order[len(codes)]
            waiting.append(_shuffled(_log_weights(column, touching[column], codes, sizes), rng))
        if waiting[-1]:
            codes[order[len(waiting) - 1]] = waiting[-1].pop()
            continue
        waiting.pop()
        if not waiting:
            return None
        codes.popitem()
    raise NoneFoundError


def _log_weights(
    column: int, tables: Sequence[Table], codes: dict[int, int], sizes: dict[int, int]
) -> Floats:
    """How likely each state is beside those known; -inf where some factor would leave nothing.

    Logarithms, as the product of hundreds of small factors is 0.
    """
    logs = np.zeros(sizes[column])
    for axes, table in tables:
        left = [axis for axis in axes if axis not in codes]
        rest = table[tuple(codes.get(axis, slice(None)) for axis in axes)]
        others = tuple(i for i, axis in enumerate(left) if axis != column)
        with np.errstate(divide="ignore"):
            logs += np.log((rest > 0.0).any(axis=others) if others else rest)
    return logs


def _shuffled(logs: Floats, rng: np.random.Generator) -> list[int]:
    """The possible states; the last one is drawn by the weights, and so on."""
    possible = np.flatnonzero(logs > -np.inf)
    # The largest of log w − log(−log u) is a draw by the weights (Gumbel).
    keys = logs[possible] + rng.gumbel(size=possible.size)
    return [int(state) for state in possible[np.argsort(keys)]]
