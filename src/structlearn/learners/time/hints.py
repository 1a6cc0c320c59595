"""Hints that what is learned of a series may mean little: its level changes, or it wanders."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.rows_in_order import SHOWN
from structlearn.numerics.information.columns import average_ranks
from structlearn.numerics.level_shifts import all_shifts, joint_shift, level_shifts
from structlearn.numerics.unit_roots import (
    STAYS,
    STAYS_BY_A_LINE,
    UNIT_ROOT,
    UNIT_ROOT_BESIDE_A_LINE,
    dickey_fuller,
    first_correlation,
    kpss,
    may_wander,
)
from structlearn.run import Run
from structlearn.statistics.lagged import LaggedTable

Floats = NDArray[np.float64]

FEWEST_ROWS = 100  # in fewer, series that remember look as if they changed
MOST_COLUMNS = 200  # a look takes no time
TOO_OFTEN = -0.4  # that of changes: noise that was differenced has -0.5


def warn_of_series(table: LaggedTable, run: Run, *, are_changes: bool) -> None:
    """Warn of numbers whose longest series changes its level, wanders, or was not to be differenced."""
    kinds = table.statistics.kinds[: len(table.variables)]
    numbers = [j for j, kind in enumerate(kinds) if kind == "continuous" and not table.is_context[j]]
    rows = np.flatnonzero(table.series == np.bincount(table.series).argmax())
    if not table.statistics.is_complete or not 0 < len(numbers) <= MOST_COLUMNS or len(rows) < FEWEST_ROWS:
        return
    values = table.statistics.rows(numbers).values[rows]
    names = [table.variables[j] for j in numbers]
    _warn_of_changed_levels(names, values, table.lags[-1], run)
    correlation = first_correlation(values)
    if are_changes:
        _warn_of_differences(names, correlation, run)
    else:
        _warn_of_wandering(names, values, correlation, run)


def _warn_of_changed_levels(names: list[str], values: Floats, lost: int, run: Run) -> None:
    """Of columns whose mean changes, one by one or together, more than chance and memory explain."""
    ranks = average_ranks(values.T).T
    _, beyond = level_shifts(ranks)
    changed = np.flatnonzero(beyond > 0.0)
    if len(changed):
        worst = changed[np.argsort(-beyond[changed])]
        who = f"level of {_shown(names, worst)} changes"
        steps = all_shifts(ranks[:, worst[:1]], among=len(names))
    else:
        at, beyond_all = joint_shift(ranks)
        who, steps = "levels of many columns change a little together", [at]
        if beyond_all <= 0.0:
            return
    places = " and ".join(f"{step + lost:,}" for step in steps)
    run.warn(
        f"the {who}, after {places} of {len(values) + lost:,} steps: arrows may hold in one part only, or "
        "come of the change. Learn from each part by itself."
    )


def _warn_of_wandering(names: list[str], values: Floats, correlation: Floats, run: Run) -> None:
    """Of columns that hardly forget, and whose changes may have nothing that pulls them back.

    Where both tests agree that a line over time does, that is said instead; where the test that takes columns
    to stay has nothing against it, that too.
    """
    found = np.flatnonzero(may_wander(correlation, len(values)))
    found = found[dickey_fuller(values[:, found]) > UNIT_ROOT]
    found = found[np.argsort(-correlation[found])]
    hardly = values[:, found]
    has_line = (dickey_fuller(hardly, line=True) < UNIT_ROOT_BESIDE_A_LINE) & (
        kpss(hardly, line=True) < STAYS_BY_A_LINE
    )
    if has_line.any():
        run.warn(
            f"nothing but a line over time seems to pull back {_shown(names, found[has_line])} (correlation "
            f"{correlation[found[has_line][0]]:.3f} with the step before). Arrows may come of such a trend; "
            "trend=True takes it out."
        )
    if not has_line.all():
        wander, may_stay = found[~has_line], found[~has_line & (kpss(hardly) < STAYS)]
        else_ = (
            f" KPSS's test has nothing against a level of {_shown(names, may_stay)}." if len(may_stay) else ""
        )
        run.warn(
            f"nothing seems to pull back {_shown(names, wander)} (correlation {correlation[wander[0]]:.3f} "
            "with the step before). What is learned of series that wander, or have a trend, may be chance; "
            f"difference=True learns from changes from step to step.{else_}"
        )


def _warn_of_differences(names: list[str], correlation: Floats, run: Run) -> None:
    """Of changes that undo the one before, as those of noise do."""
    found = np.flatnonzero(correlation < TOO_OFTEN)
    if len(found):
        worst = found[np.argsort(correlation[found])]
        run.warn(
            f"changes of {_shown(names, worst)} undo the change before (correlation "
            f"{correlation[worst[0]]:.2f}): the series did not wander. Learn from its values as they are."
        )


def _shown(names: list[str], chosen: Iterable[int]) -> str:
    words = [repr(names[j]) for j in chosen]
    return ", ".join(words[:SHOWN]) + (" and others" if len(words) > SHOWN else "")
