"""The minimum of a smooth function plus absolute values, by gradients with steps of spectral length."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from structlearn.run import MustStop, OutOfTime, never

Floats = NDArray[np.float64]
LENGTHS = (1e-10, 1e10)
LEAST_FALL = 1e-4  # of what a step promises, for it to be taken
REMEMBERED = 5  # values: a step may rise above the last, but not above all of these


def proximal_descent(
    function: Callable[[Floats], tuple[float, Floats]],
    start: Floats,
    prices: Floats,
    *,
    tolerance: float,
    most_steps: int,
    must_stop: MustStop = never,
) -> Floats:
    """Where `function`(x) + Σ prices · |x| is least, near `start`; where it is infinite is not entered.

    `function` gives its value and its gradient, or raises `OutOfTime`. Steps have the length of Barzilai and
    Borwein (Wright, Nowak and Figueiredo, 2009). It ends where a step changes nothing by more than
    `tolerance`.
    """
    best = start
    with suppress(OutOfTime):
        for found, moved in _improvements(function, start, prices, most_steps):
            best = found
            if moved <= tolerance or must_stop():
                break
    return best


def _improvements(
    function: Callable[[Floats], tuple[float, Floats]], start: Floats, prices: Floats, most_steps: int
) -> Iterator[tuple[Floats, float]]:
    """After each step the best point so far, and the most that it changed, for a step of its length."""
    here = start
    smooth, slope = function(here)
    best, best_value = here, smooth + float((prices * np.abs(here)).sum())
    values = deque([best_value], maxlen=REMEMBERED)
    length = 1.0
    for _ in range(most_steps):
        while True:
            there = _shrunk(here - length * slope, length * prices)
            smooth, new_slope = function(there)
            value = smooth + float((prices * np.abs(there)).sum())
            if value <= max(values) - LEAST_FALL / length * float(np.square(there - here).sum()):
                break
            length /= 2.0
            if length < LENGTHS[0]:
                return
        move, bend = there - here, new_slope - slope
        here, slope = there, new_slope
        values.append(value)
        if value < best_value:
            best, best_value = here, value
        yield best, float(np.abs(move).max(initial=0.0)) / min(length, 1.0)
        curvature = float(np.vdot(move, bend))
        length = float(np.vdot(move, move)) / curvature if curvature > 0.0 else 2.0 * length
        length = min(max(length, LENGTHS[0]), LENGTHS[1])


def _shrunk(values: Floats, by: Floats) -> Floats:
    found: Floats = np.sign(values) * np.maximum(np.abs(values) - by, 0.0)
    return found
