"""Regressions of one column on another and a set, from moments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from structlearn.errors import DataError, OptionError
from structlearn.graphs.names import counted
from structlearn.options import check_options
from structlearn.statistics import Missing, opened, statistics_of
from structlearn.statistics.missing import MISSING_BY_ROW
from structlearn.statistics.units import log_units

OWNER = "effect"
SINGULAR = 1e-10  # of a column's variance left given others, below which rounding is all there is


@dataclass(frozen=True, slots=True)
class LinearEffect:
    """A coefficient with its standard error, an interval, and what it was adjusted for.

    `n_members` is the number of members of a class that it is the effect in; None where nobody counted.
    """

    value: float
    standard_error: float
    interval: tuple[float, float]
    given: tuple[str, ...]
    n_members: int | None = None

    def __str__(self) -> str:
        low, high = self.interval
        members = "" if self.n_members is None else f", in {counted(self.n_members, 'member')}"
        given = ", ".join(self.given) or "nothing"
        return f"{self.value:.4g} ({low:.4g} to {high:.4g}), given {given}{members}"


class Regressions:
    """Regressions of y on x and others in one table.

    Parameters
    ----------
    data : data frame, array, dict of columns, path or Dataset
        The table.
    columns : sequence of str
        The columns that may be asked for.
    x, y : str
        What the coefficient is of, and what is regressed.
    level : float
        How sure intervals are.
    missing : "error" or "drop"
        What to do about missing values.
    """

    def __init__(
        self, data: Any, columns: Sequence[str], x: str, y: str, *, level: float, missing: Missing
    ) -> None:
        if not 0.0 < level < 1.0:
            raise OptionError(f"effect(level={level!r}): a number between 0 and 1.")
        check_options(OWNER, {"missing": MISSING_BY_ROW}, {"missing": missing})
        statistics = statistics_of(opened(data), columns, owner=OWNER, only="continuous", missing=missing)
        self._moments, self._level = statistics.moments(), level
        self._place = {name: i for i, name in enumerate(statistics.names)}
        self._x, self._y = self._place[x], self._place[y]
        units = log_units(statistics)
        self._unit = float(np.exp(units[self._y] - units[self._x]))

    def given(self, names: Sequence[str]) -> LinearEffect:
        """The coefficient of x, with others held fixed."""
        columns = [self._x, *(self._place[name] for name in names)]
        n_free = self._moments.size - len(columns) - 1
        if n_free < 1:
            raise DataError(
                f"effect: {self._moments.size:.0f} rows are too few to adjust for {len(names)} columns; at "
                f"least {len(columns) + 2} are needed."
            )
        deviation = np.sqrt(np.diag(self._moments.covariance))
        among = self._moments.correlation[np.ix_(columns, columns)]
        if np.linalg.eigvalsh(among)[0] < SINGULAR:
            raise DataError(
                f"effect: given {', '.join(names) or 'nothing'} the cause does not vary by itself: a column "
                "is constant, or a linear combination of others."
            )
        inverse = np.linalg.inv(among)
        along = self._moments.correlation[columns, self._y]
        unexplained = max(1.0 - float(along @ inverse @ along), 0.0)
        unit = self._unit * deviation[self._y] / deviation[self._x]
        value = float(unit * (inverse @ along)[0])
        error = float(unit * np.sqrt(unexplained * inverse[0, 0] / n_free))
        reach = float(stdtrit(n_free, 0.5 + self._level / 2.0)) * error
        return LinearEffect(value, error, (value - reach, value + reach), tuple(names))
