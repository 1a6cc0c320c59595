"""The options that all learners of lagged networks share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from structlearn.errors import OptionError
from structlearn.naming import no_such
from structlearn.options import Above, Configured, Either, Flag, Instance, ListOf, OrNone, Whole, option
from structlearn.statistics.lagged import checked_lags


@dataclass(frozen=True)
class LagRule:
    """How many steps back, or a list of how many."""

    meaning: str = ""
    allowed: str = "a whole number of steps, at least 1, or a list of them, or these by column, or 'bic'"

    def accepts(self, value: Any) -> bool:
        """Whether all are whole numbers of steps, or they are to be chosen."""
        if isinstance(value, str):
            return value == "bic"
        if isinstance(value, Mapping):
            names_and_lags = [isinstance(name, str) and _are_lags(each) for name, each in value.items()]
            return bool(value) and all(names_and_lags)
        return _are_lags(value)


def _are_lags(value: Any) -> bool:
    each = value if isinstance(value, list | tuple) and len(value) else [value]
    return all(isinstance(lag, int) and not isinstance(lag, bool) and lag >= 1 for lag in each)


AS_PREPARED = {"resample": False, "difference": False, "trend": False, "season": None}


class Lagged(Configured):
    """Where in time a row stands, and how far back causes are looked for."""

    time: str | None = option(
        OrNone(Instance(str), "the rows are in order, a step apart"),
        "The column with the time of each row. It becomes no node. Rows may stand in any order; a step that "
        "is not there is a gap, over which nothing is learned.",
        default=None,
    )
    series: str | None = option(
        OrNone(Instance(str), "all rows are of one series"),
        "The column that says which series a row belongs to. It becomes no node. No row looks back into "
        "another series.",
        default=None,
    )
    equal_series: bool = option(
        Flag(),
        "Whether each series counts alike, however long it is. All rows together then count as many as they "
        "are worth so.",
        default=False,
    )
    lags: int | Sequence[int] | Literal["bic"] | Mapping[str, int | Sequence[int]] = option(
        LagRule(),
        "How many steps back a cause may be. A list names the steps; with 'bic' there are as many as have "
        "most BIC. A mapping says it of each column as a cause; those that it does not name act one step "
        "later.",
        default=1,
    )
    max_lags: int = option(Whole(1), "The most lags that lags='bic' looks at.", default=10)
    no_own_past: bool | Sequence[str] = option(
        Either((Flag(), ListOf(str))),
        "Whether no column follows from its own past, or which columns do not.",
        default=False,
    )
    step: float | None = option(
        OrNone(Above(0), "the smallest difference of two times of a series"),
        "The time between two steps.",
        default=None,
    )
    mask: str | None = option(
        OrNone(Instance(str), "all rows are"),
        "A column that is true in rows to learn from, such as those of a season. It becomes no node; other "
        "rows are still what came before.",
        default=None,
    )
    resample: bool = option(
        Flag(),
        "Whether uneven times are brought to even steps, of `step` or the median between two rows. Numbers "
        "are on lines between rows, states as they last were.",
        default=False,
    )
    difference: bool = option(
        Flag(),
        "Whether to learn from the changes of all numbers from step to step, for series that wander.",
        default=False,
    )
    trend: bool = option(
        Flag(),
        "Whether a line over time, the same in all series, is taken out of each number first.",
        default=False,
    )
    season: int | None = option(
        OrNone(Whole(2), "there is none"),
        "After how many steps a season comes again, such as 12 of months. The mean of each of its steps is "
        "taken out of each number first.",
        default=None,
    )

    def furthest(self) -> int:
        """The largest lag that may come of the option."""
        if isinstance(self.lags, Mapping):
            return max(checked_lags(each)[-1] for each in self.lags.values())
        return self.max_lags if isinstance(self.lags, str) else checked_lags(self.lags)[-1]

    def lags_by_column(self, owner: str, columns: Sequence[str]) -> dict[str, tuple[int, ...]] | None:
        """The lags of each column as a cause; None where they are the same for all."""
        if not isinstance(self.lags, Mapping):
            return None
        for name in self.lags:
            if name not in columns:
                raise OptionError(no_such("column", name, columns, owner=f"{owner}(lags=…)"))
        return {column: checked_lags(self.lags.get(column, 1)) for column in columns}

    def without_own_past(self, owner: str, columns: Sequence[str]) -> list[bool]:
        """Of each column whether it may not follow from its own past."""
        if isinstance(self.no_own_past, bool):
            return [self.no_own_past] * len(columns)
        for name in self.no_own_past:
            if name not in columns:
                raise OptionError(no_such("column", name, columns, owner=f"{owner}(no_own_past=…)"))
        return [column in self.no_own_past for column in columns]

    def when(self) -> dict[str, Any]:
        """The options that say where in time a row stands, for a lagged table."""
        return {name: getattr(self, name) for name in ("time", "series", "step", "mask")}

    def preparation(self) -> dict[str, Any]:
        """The options that say what becomes of values before their rows stand beside earlier ones."""
        return {name: getattr(self, name) for name in AS_PREPARED}
