"""How fast the states of time courses change: states with their rates, row by row."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.smoothing_splines import smoothed
from structlearn.numerics.spline_slopes import spline_slopes
from structlearn.statistics.time_courses import Course

Floats = NDArray[np.float64]
Derivative = Literal["spline", "smoothing-spline", "difference", "midpoint"]
FEWEST_FOR_A_SPLINE = 4
FEWEST_TO_SMOOTH = 5  # of fewer, what is noise does not show


@dataclass(frozen=True, slots=True)
class Rates:
    """States and what they are followed by, one row per sample of all courses.

    `rates` is (rows, columns) as `states` is; `precision` says how much a row tells, and `course` which one
    it is of.
    """

    states: Floats
    rates: Floats
    precision: Floats
    course: NDArray[np.int64]


def rates_of(courses: Sequence[Course], rule: Derivative) -> Rates:
    """States and rates of change by a rule; a course too short for a spline is differenced."""
    return stacked([_rates(course, rule) for course in courses])


def steps_as_rates(courses: Sequence[Course]) -> Rates:
    """Each state with the one that follows it in its course: a model in steps, not in time."""
    return stacked(
        [(course.states[:-1], course.states[1:], np.ones(len(course.times) - 1)) for course in courses]
    )


def stacked(parts: Sequence[tuple[Floats, Floats, Floats]]) -> Rates:
    """The rows of all courses, one behind the other."""
    states, rates, precision = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Rates(states, rates, precision, np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts]))


def _rates(course: Course, rule: Derivative) -> tuple[Floats, Floats, Floats]:
    n_times = len(course.times)
    if n_times < FEWEST_FOR_A_SPLINE and rule in ("spline", "smoothing-spline"):
        rule = "difference"
    if n_times < FEWEST_TO_SMOOTH and rule == "smoothing-spline":
        rule = "spline"
    return RULES[rule](course)


def _by_spline(course: Course) -> tuple[Floats, Floats, Floats]:
    return course.states, spline_slopes(course.times, course.states), _precision_at_times(course)


def _by_smoothing_spline(course: Course) -> tuple[Floats, Floats, Floats]:
    """Each column smoothed by itself, as generalised cross-validation has it, and the states with it."""
    weights = course.n_replicates.astype(np.float64)
    return *smoothed(course.times, course.states, weights), _precision_at_times(course)


def _by_difference(course: Course) -> tuple[Floats, Floats, Floats]:
    steps = np.diff(course.times)
    return course.states[:-1], np.diff(course.states, axis=0) / steps[:, None], _precision_of_steps(course)


def _by_midpoint(course: Course) -> tuple[Floats, Floats, Floats]:
    _, rates, precision = _by_difference(course)
    return (course.states[:-1] + course.states[1:]) / 2.0, rates, precision


RULES: dict[Derivative, Callable[[Course], tuple[Floats, Floats, Floats]]] = {
    "spline": _by_spline,
    "smoothing-spline": _by_smoothing_spline,
    "difference": _by_difference,
    "midpoint": _by_midpoint,
}


def _precision_of_steps(course: Course) -> Floats:
    """The inverse variance of a difference over the step, but for the variance of the noise."""
    steps, variance = np.diff(course.times), 1.0 / course.n_replicates
    return np.asarray(steps**2 / (variance[:-1] + variance[1:]))


def _precision_at_times(course: Course) -> Floats:
    """The same at the times themselves: the mean of the steps on both sides."""
    of_steps = _precision_of_steps(course)
    sides = np.concatenate([of_steps[:1], of_steps, of_steps[-1:]])
    return np.asarray((sides[:-1] + sides[1:]) / 2.0)
