"""The slopes of cubic splines at their knots; scipy.interpolate takes a second to load for them."""

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg

Floats = NDArray[np.float64]


def spline_slopes(times: Floats, states: Floats) -> Floats:
    """The slopes (knots, columns) of the splines through rows of states, of four knots or more.

    The first two pieces are one cubic, and so are the last two. Second derivatives that meet make a system
    of three diagonals (de Boor, 1978, chapter IV).
    """
    steps = np.diff(times)
    rises = np.diff(states, axis=0) / steps[:, None]
    diagonals, right = np.zeros((3, len(times))), np.zeros(states.shape)
    diagonals[0, 2:], diagonals[2, :-2] = steps[:-1], steps[1:]
    diagonals[1, 1:-1] = 2.0 * (steps[:-1] + steps[1:])
    right[1:-1] = 3.0 * (steps[1:, None] * rises[:-1] + steps[:-1, None] * rises[1:])
    both = steps[0] + steps[1], steps[-1] + steps[-2]
    diagonals[1, 0], diagonals[0, 1], right[0] = _end(both[0], steps[:2], rises[:2])
    diagonals[1, -1], diagonals[2, -2], right[-1] = _end(both[1], steps[:-3:-1], rises[:-3:-1])
    return np.asarray(linalg.solve_banded((1, 1), diagonals, right))


def _end(both: float, steps: Floats, rises: Floats) -> tuple[float, float, Floats]:
    """The row of a knot at the end: on the diagonal, beside it, and on the right."""
    near, next_one = steps
    right = ((near + 2.0 * both) * next_one * rises[0] + near**2 * rises[1]) / both
    return next_one, both, right
