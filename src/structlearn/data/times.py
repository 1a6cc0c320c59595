"""Dates, durations and times of a day, as objects of any library, in one array."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError

Times = NDArray[Any]


def times_of(name: str, items: list[Any]) -> Times:
    """Dates as they stand on calendars and clocks, whatever their zone; durations and times of a day."""
    are_durations = [isinstance(item, timedelta | time | np.timedelta64) for item in items]
    if all(are_durations):
        return in_seconds(np.array([_since_midnight(item) for item in items], dtype="timedelta64[us]"))
    if any(are_durations):
        raise DataError(
            f"Column {name!r} has durations or times of a day among its dates. Write all as one of these."
        )
    local = [item.replace(tzinfo=None) if isinstance(item, datetime) else item for item in items]
    return in_seconds(np.array(local, dtype="datetime64[us]"))


def instants(name: str, items: list[Any]) -> Times:
    """Dates by the time between them, though clocks were put forward or back; whole days are a calendar's."""
    on_clocks = times_of(name, items)
    if len(np.unique(on_clocks - on_clocks.astype("datetime64[D]"))) == 1:
        return on_clocks
    zoned = (isinstance(item, datetime) and item.tzinfo is not None for item in items)
    in_utc = [item.astimezone(UTC) if has_zone else item for item, has_zone in zip(items, zoned, strict=True)]
    return times_of(name, in_utc)


def in_seconds(times: Times) -> Times:
    """Whole seconds as such, since labels show the unit; fractions stay."""
    whole = times.astype(f"{times.dtype.kind}8[s]")
    return whole if (whole == times).all() else times


def _since_midnight(item: Any) -> Any:
    if not isinstance(item, time):
        return item
    return timedelta(hours=item.hour, minutes=item.minute, seconds=item.second, microseconds=item.microsecond)
