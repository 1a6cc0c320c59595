"""From measurements to two states: the threshold of a column."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Binarisation = Literal["two-means", "median", "step"]


def thresholds_of(courses: Sequence[Floats], rule: Binarisation) -> Floats:
    """For each column the number above which its state is 1; courses are (times, columns)."""
    columns = range(courses[0].shape[1])
    return np.array([RULES[rule]([course[:, j] for course in courses]) for j in columns])


def two_means(courses: Sequence[Floats]) -> float:
    """Halfway between the means of the two groups with the least squares within them."""
    values = np.sort(np.concatenate(courses))
    return _cut(values)[1]


def median(courses: Sequence[Floats]) -> float:
    """The median; where more than half of the values are the largest one, halfway to the next."""
    values = np.concatenate(courses)
    middle, largest = float(np.median(values)), float(values.max())
    below = values[values < largest]
    return (largest + float(below.max())) / 2.0 if middle == largest and len(below) else middle


def step(courses: Sequence[Floats]) -> float:
    """Halfway between the levels before and after the one step in time, in any course, that explains most."""
    return max((_cut(course) for course in courses), key=lambda cut: cut[0])[1]


RULES: Mapping[Binarisation, Callable[[Sequence[Floats]], float]] = dict(
    zip(get_args(Binarisation), (two_means, median, step), strict=True)
)


def _cut(values: Floats) -> tuple[float, float]:
    """The root of what the best cut in two explains of the squares, and halfway between its two means."""
    centre, size = values.mean(), np.abs(values - values.mean()).max(initial=0.0)
    if len(values) < 2 or size == 0.0:
        return 0.0, float(values[0])
    scaled = (values - centre) / size  # so that squares of huge and tiny numbers are numbers
    n = np.arange(1, len(values))
    before, after = np.cumsum(scaled)[:-1] / n, np.cumsum(scaled[::-1])[-2::-1] / (len(values) - n)
    explained = n * (len(values) - n) * (before - after) ** 2 / len(values)
    best = int(explained.argmax())
    return float(explained[best] ** 0.5 * size), float(centre + size * (before[best] + after[best]) / 2.0)
