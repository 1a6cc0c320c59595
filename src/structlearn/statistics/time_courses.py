"""Rows in time: the courses of a long table, one for each series, never joined."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError, OptionError
from structlearn.naming import listed, no_such
from structlearn.statistics.protocol import Statistics, rows_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Course:
    """The states of one series, in the order of time.

    `states` is (times, columns), with the codes of discrete columns. Replicates, rows at one time, are
    averaged; `n_replicates` says how many there were. Without a series column `series` is None.
    """

    series: Label | None
    times: Floats
    states: Floats
    n_replicates: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Steps:
    """What follows what in the courses, one row per step; no step leads from one course to another."""

    before: Floats
    after: Floats
    durations: Floats


def check_names_aside(owner: str, aside: Mapping[str, str], names: Sequence[str]) -> None:
    """Refuse the name of a time or series column that the table has not, has twice, or has alone."""
    for option, name in aside.items():
        if name not in names:
            raise OptionError(no_such("column", name, names, owner=f"{owner}({option}={name!r})"))
    if len(set(aside.values())) < len(aside):
        named = ", ".join(f"{option}={name!r}" for option, name in aside.items())
        raise OptionError(f"{owner}({named}): one column cannot be both. Name two.")
    if len(aside) == len(names):
        raise DataError(
            f"{owner}: beside {listed(list(aside.values()))} the table has no columns to learn from."
        )


def time_courses(
    owner: str,
    statistics: Statistics,
    *,
    time: str | None = None,
    series: str | None = None,
    fewest_times: int = 2,
) -> tuple[Course, ...]:
    """The courses of a long table, in the order of the names of their series.

    Parameters
    ----------
    owner : str
        In whose name to refuse.
    statistics : Statistics
        A source that has its rows.
    time, series : str, optional
        The columns with the time of each row and with the course that it belongs to; all others are
        states, in their order. Without a time the rows of a course are in order, with equal steps of one
        unit.
    fewest_times : int, default 2
        How many times each course must have.

    Notes
    -----
    Neither the order of the rows nor that of the series changes the answer where there is a time. Replicates
    of a discrete column must agree: states have no average.
    """
    aside = {option: name for option, name in (("time", time), ("series", series)) if name is not None}
    check_names_aside(owner, aside, statistics.names)
    states = [j for j, name in enumerate(statistics.names) if name not in aside.values()]
    rows = rows_of(owner, statistics, range(len(statistics.names)))
    weights = np.ones(len(rows.values)) if rows.weights is None else rows.weights
    groups = labelled(statistics, rows.values, series) if series is not None else None
    times = times_of(owner, statistics, rows.values, time)
    found = []
    for label, members in _members(groups, len(weights)):
        kept = members[weights[members] > 0.0]
        own = np.arange(len(kept), dtype=np.float64) if times is None else times[kept]
        own_states = rows.values[kept][:, states]
        course = _course(label, own, own_states, weights[kept])
        _refuse_disagreement(owner, statistics, states, course, own, own_states)
        _refuse_short(owner, course, fewest_times)
        found.append(course)
    return tuple(found)


def steps_of(courses: Sequence[Course]) -> Steps:
    """Each state with the one that follows it in its course, and the time between them."""
    width = courses[0].states.shape[1] if courses else 0
    return Steps(
        np.concatenate([np.zeros((0, width)), *(course.states[:-1] for course in courses)]),
        np.concatenate([np.zeros((0, width)), *(course.states[1:] for course in courses)]),
        np.concatenate([np.zeros(0), *(np.diff(course.times) for course in courses)]),
    )


def labelled(statistics: Statistics, rows: Floats, column: str) -> list[Label]:
    """The value of a column in each row, its label where it is discrete."""
    place = statistics.names.index(column)
    labels = statistics.labels[place]
    return [labels[int(code)] for code in rows[:, place]] if labels else rows[:, place].tolist()


def times_of(owner: str, statistics: Statistics, rows: Floats, time: str | None) -> Floats | None:
    """The time of each row; None where no column has it."""
    if time is None:
        return None
    values = labelled(statistics, rows, time)
    wrong = next((v for v in values if isinstance(v, bool) or not isinstance(v, int | float)), None)
    if wrong is not None:
        raise DataError(
            f"{owner}(time={time!r}): a time is a number, and column {time!r} holds {wrong!r}. Write times "
            "as numbers of one unit, such as hours."
        )
    return np.array(values, dtype=np.float64)


def _members(groups: list[Label] | None, n_rows: int) -> Iterator[tuple[Label | None, NDArray[np.int64]]]:
    """The rows of each series; those without one are all of a single course."""
    if groups is None:
        yield None, np.arange(n_rows)
        return
    members: dict[Label, list[int]] = {}
    for row, label in enumerate(groups):
        members.setdefault(label, []).append(row)
    # Labels of one column are all text or all numbers, so that they can be put in order.
    for label in sorted(members, key=lambda found: (isinstance(found, str), found)):
        yield label, np.array(members[label])


def _course(label: Label | None, times: Floats, states: Floats, weights: Floats) -> Course:
    moments, place, counts = np.unique(times, return_inverse=True, return_counts=True)
    in_time, ends = np.argsort(place, kind="stable"), np.cumsum(counts)
    averaged = states[in_time[ends - counts]]
    for moment in np.flatnonzero(counts > 1):
        here = in_time[ends[moment] - counts[moment] : ends[moment]]
        # Sums in the order of size: the order of the rows must not change the last bit.
        total = np.sort(weights[here, None] * states[here], axis=0).sum(axis=0)
        alike = (states[here] == states[here[0]]).all(axis=0)  # an average of equal numbers is rounded
        averaged[moment] = np.where(alike, states[here[0]], total / np.sort(weights[here]).sum())
    return Course(label, moments, averaged, counts)


def _refuse_disagreement(
    owner: str, statistics: Statistics, states: list[int], course: Course, times: Floats, rows: Floats
) -> None:
    place = np.searchsorted(course.times, times)
    is_discrete = np.array([statistics.kinds[j] == "discrete" for j in states], dtype=np.bool_)
    differs = (rows != course.states[place]) & is_discrete
    if not differs.any():
        return
    row, column = (int(found) for found in np.argwhere(differs)[0])
    raise DataError(
        f"{owner}: rows at time {times[row]:g}{_of(course)} have different states in column "
        f"{statistics.names[states[column]]!r}, and states have no average. Keep one of the rows, or number "
        "the replicates as series of their own."
    )


def _refuse_short(owner: str, course: Course, fewest_times: int) -> None:
    if len(course.times) >= fewest_times:
        return
    points = "1 time point" if len(course.times) == 1 else f"{len(course.times)} time points"
    raise DataError(
        f"{owner}: the course{_of(course)} has {points}, and {fewest_times} or more are needed. Leave it "
        "out, or check which columns hold the times and the series."
    )


def _of(course: Course) -> str:
    if course.series is None:
        return ""
    series = course.series
    return f" of series {f'{series:g}' if isinstance(series, float) else repr(series)}"
