"""From a table to pairs of states: along its courses, or from columns with the states that follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError, OptionError
from structlearn.learners.network.boolean.binarisation import Binarisation, Floats, thresholds_of
from structlearn.learners.network.boolean.pairs import Codes, Pairs
from structlearn.naming import listed
from structlearn.statistics import Statistics
from structlearn.statistics.protocol import WEIGHED_ROWS, rows_of
from structlearn.statistics.time_courses import time_courses
from structlearn.statistics.units import log_units, origins

OFF_AND_ON = (0, 1)
Labels = tuple[Label, ...]


@dataclass(frozen=True)
class Reading:
    """Pairs of states, and above which number a measurement is state 1; NaN where states were given."""

    pairs: Pairs
    thresholds: Floats


def pairs_of_courses(
    owner: str,
    statistics: Statistics,
    names: Sequence[str],
    rule: Binarisation,
    *,
    time: str | None,
    series: str | None,
    lag: int,
) -> Reading:
    """Each state with the one `lag` steps later in its course."""
    weights = rows_of(owner, statistics, []).weights
    in_order = getattr(statistics, "has_order", True)  # different rows of an engine come in any
    if time is None and weights is not None and ((weights != 1.0).any() or not in_order):
        raise DataError(
            f"{owner}: the table has weights, and a row of a course cannot count more often than it comes. "
            "Leave the weights out, or name the column of the times for rows that are replicates. "
            f"{WEIGHED_ROWS}"
        )
    courses = time_courses(owner, statistics, time=time, series=series, fewest_times=lag + 1)
    labels = [_labels(statistics, name) for name in names]
    thresholds, coded = _coded(labels, [course.states for course in courses], rule)
    before = np.concatenate([course[:-lag] for course in coded])
    after = np.concatenate([course[lag:] for course in coded])
    units, starts = _scales(statistics, names)
    return Reading(Pairs(tuple(names), _named(labels), before, after), units * thresholds + starts)


def pairs_of_columns(
    owner: str, statistics: Statistics, names: Sequence[str], rule: Binarisation, after: Mapping[str, str]
) -> Reading:
    """Each row is a pair: the states of the nodes, and by node the columns with the states after them."""
    _refuse_other_nodes(owner, names, after)
    columns = [statistics.names.index(name) for name in [*names, *(after[name] for name in names)]]
    found = rows_of(owner, statistics, columns)
    rows = _repeated(owner, found.values, found.weights)
    units, starts = _scales(statistics, names)
    later_units, later_starts = _scales(statistics, [after[name] for name in names])
    first, second = (
        rows[:, : len(names)],
        (later_units * rows[:, len(names) :] + later_starts - starts) / units,
    )
    labels = []
    for j, name in enumerate(names):
        before, behind = _labels(statistics, name), _labels(statistics, after[name])
        if bool(before) != bool(behind):
            raise DataError(
                f"{owner}(after=…): columns {name!r} and {after[name]!r} are of different kinds. Say what "
                "both are, with sl.Dataset(table, kinds=…)."
            )
        labels.append(tuple(dict.fromkeys([*before, *behind])))
        if behind:
            place = np.array([labels[-1].index(label) for label in behind], dtype=np.float64)
            second[:, j] = place[second[:, j].astype(np.int64)]
    thresholds, coded = _coded(labels, [np.concatenate([first, second])], rule)
    n_rows = len(rows)
    pairs = Pairs(tuple(names), _named(labels), coded[0][:n_rows], coded[0][n_rows:])
    return Reading(pairs, units * thresholds + starts)


def _scales(statistics: Statistics, names: Sequence[str]) -> tuple[Floats, Floats]:
    """The unit of each of these columns, and where it is counted from."""
    places = [statistics.names.index(name) for name in names]
    return np.exp2(np.rint(log_units(statistics)[places] / np.log(2.0))), origins(statistics)[places]


def _repeated(owner: str, rows: Floats, weights: Floats | None) -> Floats:
    """Each pair as often as its weight says."""
    if weights is None:
        return rows
    if (weights != np.rint(weights)).any():
        raise DataError(f"{owner}: weights of pairs are whole numbers, as often as each pair was seen.")
    return np.repeat(rows, weights.astype(np.int64), axis=0)


def _labels(statistics: Statistics, name: str) -> Labels:
    return tuple(statistics.labels[statistics.names.index(name)])


def _named(labels: Sequence[Labels]) -> tuple[Labels, ...]:
    """The states of the nodes; measurements have become 0 and 1."""
    return tuple(known or OFF_AND_ON for known in labels)


def _coded(
    labels: Sequence[Labels], courses: Sequence[Floats], rule: Binarisation
) -> tuple[Floats, list[Codes]]:
    """The thresholds of the nodes that were measured, and the courses as codes."""
    is_measured: NDArray[np.bool_] = np.array([not known for known in labels], dtype=np.bool_)
    thresholds = np.where(is_measured, thresholds_of(courses, rule), np.inf)
    coded = [np.where(is_measured, course > thresholds, course).astype(np.int64) for course in courses]
    return np.where(is_measured, thresholds, np.nan), coded


def _refuse_other_nodes(owner: str, names: Sequence[str], after: Mapping[str, str]) -> None:
    strangers, without = [n for n in after if n not in names], [n for n in names if n not in after]
    if strangers or without:
        raise OptionError(
            f"{owner}(after=…): it names for each node the column with its state one step later. There is "
            + (f"no node {listed(strangers)}." if strangers else f"none for {listed(without)}.")
        )
