"""Rows of a long table by series and step of time: which row is how many steps before which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Label
from structlearn.errors import DataError

Places = NDArray[np.int64]
Floats = NDArray[np.float64]

EVEN = 1e-6  # of a step: times written with a few digits are even, those measured by a clock are not
ALIKE = 1e-4  # of the smallest difference: what rounding takes from it, and unevenness does not


@dataclass(frozen=True, slots=True)
class TimeSteps:
    """Rows in the order of series and time: `series` numbers the series, `index` counts steps from its start.

    `order` has the positions of these rows in the table, and `labels` what the series are called.
    """

    order: Places
    series: Places
    index: Places
    step: float
    labels: tuple[Label | None, ...]

    def at_lags(self, lags: Sequence[int]) -> Places:
        """Positions in the table, (rows, lags), of the rows for which every one of these lags is there.

        No row reaches over a gap or from one series into another. Rows are in the order of series and time.
        """
        n_steps = int(self.index.max(initial=0)) + max(lags) + 1
        key = self.series * n_steps + self.index
        found, is_there = np.empty((len(key), len(lags)), dtype=np.int64), np.ones(len(key), dtype=np.bool_)
        for place, lag in enumerate(lags):
            at = np.searchsorted(key, key - lag)
            is_there &= (self.index >= lag) & (key[at] == key - lag)
            found[:, place] = self.order[at]
        return found[is_there]

    def longest_run(self) -> int:
        """How many steps follow each other without a gap, at most."""
        breaks = np.flatnonzero((np.diff(self.index) != 1) | (np.diff(self.series) != 0))
        return int(np.diff(np.concatenate([[-1], breaks, [len(self.index) - 1]])).max())


def time_steps(
    owner: str, times: Floats | None, series: Sequence[Label] | None, n_rows: int, step: float | None = None
) -> TimeSteps:
    """Number the steps of each series.

    Parameters
    ----------
    owner : str
        In whose name to refuse.
    times : array or None
        The time of each row; without, the rows of a series are in order, a step apart.
    series : sequence or None
        What series each row belongs to; without, all are of one.
    n_rows : int
        How many rows there are.
    step : float or None
        The time between two steps; by default the smallest difference of two times of a series.
    """
    labels, codes = _numbered(series, n_rows)
    by_row = np.arange(n_rows, dtype=np.float64) if times is None else times
    order = np.lexsort((by_row, codes))
    codes, sorted_times = codes[order], by_row[order]
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    if times is None:
        index = np.arange(n_rows) - np.repeat(starts, np.diff(starts, append=n_rows))
        return TimeSteps(order, codes, index, 1.0, labels)
    is_same_series = np.diff(codes) == 0
    differences = np.diff(sorted_times)[is_same_series]
    _refuse_twice(owner, labels, codes, sorted_times, is_same_series)
    found = _usual_step(differences) if step is None else float(step)
    since = sorted_times - np.repeat(sorted_times[starts], np.diff(starts, append=n_rows))
    index = np.rint(since / found)
    rounding = 2.0 * np.spacing(np.abs(sorted_times).max(initial=0.0)) / found
    is_uneven = np.abs(since / found - index) > EVEN + rounding
    _refuse_uneven(owner, labels, codes, sorted_times, is_uneven, found)
    return TimeSteps(order, codes, index.astype(np.int64), found, labels)


def rows_by_series(owner: str, times: Floats, series: Sequence[Label] | None) -> list[Places]:
    """The rows of each series in the order of their times, which may be uneven but not be there twice."""
    labels, codes = _numbered(series, len(times))
    order = np.lexsort((times, codes))
    is_same_series = np.diff(codes[order]) == 0
    _refuse_twice(owner, labels, codes[order], times[order], is_same_series)
    return np.split(order, np.flatnonzero(~is_same_series) + 1)


def refuse_too_long_lags(
    owner: str, steps: TimeSteps, lags: Sequence[int], n_lagged: int, *, most: int | None = None
) -> None:
    """Refuse lags that no row has, or a single one.

    A method may look further back than the `most` that it is asked for.
    """
    longest = steps.longest_run()
    if n_lagged == 1:
        raise DataError(
            f"{owner}: of {len(steps.index)} rows one has its lags, up to {max(lags)} steps, within its "
            "series, and dependence shows only in several. Look at fewer lags, or bring more rows."
        )
    if not n_lagged:
        raise DataError(
            f"{owner}: none of {len(steps.index)} rows has its lags, up to {max(lags)} steps, within its "
            f"series. The longest run without a gap has {longest} steps, {_so_that(longest, lags, most)}."
        )


def _so_that(longest: int, lags: Sequence[int], most: int | None) -> str:
    times = max(lags) // (most or max(lags))
    possible = (longest - 1) // times
    if possible == 0:
        return "too few for any lag"
    back = "" if times == 1 else f"and tests look {times} times as far back, "
    return f"{back}so that lags go up to {possible}"


def _numbered(series: Sequence[Label] | None, n_rows: int) -> tuple[tuple[Label | None, ...], Places]:
    if series is None:
        return (None,), np.zeros(n_rows, dtype=np.int64)
    labels = sorted(set(series), key=lambda label: (isinstance(label, str), label))
    place = {label: i for i, label in enumerate(labels)}
    return tuple(labels), np.array([place[label] for label in series], dtype=np.int64)


def _usual_step(differences: Floats) -> float:
    """The smallest difference; by all of them where it is theirs but for rounding, which would add up."""
    smallest = float(differences.min(initial=np.inf))
    if not np.isfinite(smallest):
        return 1.0
    average = float(differences.sum() / np.rint(differences / smallest).sum())
    return average if abs(average / smallest - 1.0) < ALIKE else smallest


def _refuse_twice(
    owner: str, labels: tuple[Label | None, ...], codes: Places, times: Floats, is_same: NDArray[np.bool_]
) -> None:
    twice = np.flatnonzero(is_same & (np.diff(times) == 0.0))
    if len(twice):
        raise DataError(
            f"{owner}: time {times[twice[0]]:g}{_of(labels[codes[twice[0]]])} is there twice. Name the "
            "column that tells the series apart as series=, or leave one of the rows out."
        )


def _refuse_uneven(
    owner: str,
    labels: tuple[Label | None, ...],
    codes: Places,
    times: Floats,
    is_uneven: NDArray[np.bool_],
    step: float,
) -> None:
    uneven = np.flatnonzero(is_uneven)
    if len(uneven):
        row = uneven[0]
        raise DataError(
            f"{owner}: times are uneven: {times[row]:g}{_of(labels[codes[row]])} is no whole number of steps "
            f"of {step:g} after the first. Pass step= if it is another, number the steps yourself, pass "
            "resample=True for values on lines between them, or use SystemIdentification, which takes uneven "
            "times."
        )


def _of(label: Label | None) -> str:
    return (
        ""
        if label is None
        else f" of series {label:g}"
        if isinstance(label, float)
        else f" of series {label!r}"
    )
