"""Time courses on an even grid, by interpolation: more rows, no more information."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.later import interpolate
from structlearn.statistics.time_courses import Course

Floats = NDArray[np.float64]
Interpolant = Literal["cubic", "pchip", "linear"]
STEPS_PER_GAP = 10  # of the shortest time between two measurements: Euler's rule wants short steps
FEWEST_FOR_A_CURVE = 3  # two points lie on a line


def usual_step(courses: Sequence[Course]) -> float:
    """The grid step where none is given."""
    return min(float(np.diff(course.times).min()) for course in courses) / STEPS_PER_GAP


def on_a_grid(course: Course, interpolant: Interpolant, step: float) -> Course:
    """The course at even times from its first to its last, which is hit only where the steps fit.

    Nothing is extrapolated. Two points are joined by a line whatever the interpolant.
    """
    n_steps = int(np.floor((course.times[-1] - course.times[0]) / step + 1e-9))
    times = course.times[0] + step * np.arange(n_steps + 1)
    states = interpolated(course, interpolant, np.minimum(times, course.times[-1]))
    return Course(course.series, times, states, np.ones(len(times), dtype=np.int64))


def interpolated(course: Course, interpolant: Interpolant, times: Floats) -> Floats:
    """The states at other times within the course."""
    if interpolant == "linear" or len(course.times) < FEWEST_FOR_A_CURVE:
        return np.asarray(interpolate.make_interp_spline(course.times, course.states, k=1)(times))
    curve = interpolate.CubicSpline if interpolant == "cubic" else interpolate.PchipInterpolator
    return np.asarray(curve(course.times, course.states)(times))


def numerical_rank(states: Floats, *, tolerance: float = 1e-9) -> int:
    """How many directions the states span, beside the largest."""
    sizes = np.linalg.svd(states, compute_uv=False)
    return int((sizes > tolerance * sizes.max(initial=0.0)).sum())
