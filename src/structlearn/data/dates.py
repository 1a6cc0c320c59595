"""Columns of dates and times: told from other text, and made into numbers or categories."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Label, RawColumn
from structlearn.data.kinds import MOST_LEVELS
from structlearn.data.times import in_seconds
from structlearn.errors import DataError
from structlearn.reading import Way

Times = NDArray[np.datetime64]

LONGEST = 60  # signs that a date in writing may have
DAY = np.timedelta64(1, "D")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
FULL_YEAR = 100  # a year below it has lost its century
TURN_OF_CENTURY = 69  # the last year of two digits that is in this century, as POSIX has it

_CLOCK = (
    r"(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,](?P<fraction>\d+))?)?"
    r" ?(?P<half>[AaPp]\.?[Mm]\.?)?"
)
_ZONE = r"(?:Z| ?[+-]\d\d:?\d\d)?"
_MARK = r"(?P<mark>[-/.])"
_DATES = (
    rf"(?P<year>\d{{4}}){_MARK}(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)",
    r"(?P<year>\d{4})-(?P<month>\d\d)",
    rf"(?P<first>\d\d?){_MARK}(?P<second_part>\d\d?)(?P=mark)(?P<year>\d{{4}}|\d\d)",
    r"(?P<day>\d\d?)[- .]+(?P<name>[A-Za-z]{3,9})[-., ]+(?P<year>\d{4}|\d\d)",
    r"(?P<name>[A-Za-z]{3,9})\.? (?P<day>\d\d?), (?P<year>\d{4})",
)
_PATTERNS = tuple(re.compile(rf"\s*{date}(?:[T ]+{_CLOCK}{_ZONE})?\s*") for date in _DATES)
_TIME = re.compile(rf"\s*{_CLOCK}\s*")
_FIRST_SIGNS = re.compile(r"\s*[A-Za-z]*\.? ?\d{1,4}[-/. :,]")

_PARTS: dict[Way, Callable[[Times], NDArray[Any]]] = {
    "year": lambda times: times.astype("datetime64[Y]").astype(np.int64) + 1970,
    "month": lambda times: times.astype("datetime64[M]").astype(np.int64) % 12 + 1,
    "weekday": lambda times: (times.astype("datetime64[D]").astype(np.int64) + 3) % 7,
    "hour": lambda times: times.astype("datetime64[h]").astype(np.int64) % 24,
}


def is_dates(column: RawColumn) -> bool:
    """Whether the values of a column are stored as dates or times."""
    return column.present.dtype.kind in "mM"


def looks_like_dates(words: Sequence[Label]) -> bool:
    """Whether words are dates or times in writing, all of them."""
    return bool(words) and all(
        isinstance(word, str)
        and len(word) <= LONGEST
        and _FIRST_SIGNS.match(word) is not None
        and _matched(word) is not None
        for word in words
    )


def come_again(n_words: int, n_rows: int) -> bool:
    """Whether dates in writing are so few for their rows that they are labels."""
    return n_words <= 2 or (n_words <= MOST_LEVELS and 2 * n_words <= n_rows)


def parsed(name: str, words: Sequence[str]) -> Times:
    """The dates or times that words are in writing; times are those of the first day there is."""
    found = [_matched(word) or {} for word in words]
    day_first = _is_day_first(name, [each for each in found if each.get("first")], words)
    try:
        times = [_time(each, day_first=day_first) for each in found]
    except ValueError as error:
        raise DataError(f"Column {name!r} has a date that does not exist: {error}. Correct it.") from None
    return in_seconds(np.array(times, dtype="datetime64[us]"))


def turned(column: RawColumn, how: Way) -> RawColumn:
    """The column of dates as days since the first of them or as steps of time, as a category, or as text."""
    values, is_span = column.present, column.present.dtype.kind == "m"
    if how == "text":
        words, codes = np.unique(values, return_inverse=True)
        return RawColumn(column.name, codes, column.missing, words=tuple(map(_written, words)))
    if how == "steps" and not is_span and _are_months(values):
        months = values.astype("datetime64[M]").astype(np.float64)
        return RawColumn(column.name, months - months.min(), column.missing)
    if how in ("days", "steps"):
        since = values - values.min() if values.size else values - values
        return RawColumn(column.name, since / DAY, column.missing)
    if is_span:
        values = np.datetime64(0, "s") + values
    is_of_a_day = bool((values.astype("datetime64[D]") == np.datetime64(0, "D")).all())
    if is_of_a_day and how != "hour":
        raise DataError(
            f"Column {column.name!r} holds times of a day, which have no {how}. Say dates='hour' or 'days'."
        )
    if is_span and not is_of_a_day:
        raise DataError(
            f"Column {column.name!r} holds durations, which have no {how}. Say dates='days' or 'text'."
        )
    part = _PARTS[how](values)
    seen = np.unique(part).tolist()
    if how != "weekday":
        return RawColumn(column.name, part, column.missing, categories=tuple(seen))
    days = tuple(WEEKDAYS[day] for day in seen)
    codes = np.searchsorted(np.array(seen), part)
    return RawColumn(column.name, codes, column.missing, days, days)


def dates_refused(name: str, example: object) -> DataError:
    """The error for a column of dates, times or durations that nobody has said anything about."""
    days = "dates='days' makes them days since the first"
    part = "dates='year', dates='month', dates='weekday' or dates='hour' a category"
    kind, ways = f"dates or times, such as {str(example)!r}", f"{days}; {part}"
    if isinstance(example, timedelta | np.timedelta64):
        kind, ways = "durations", "dates='days' makes them days beyond the shortest"
    return DataError(
        f"Column {name!r} holds {kind}, which no method reads as they are. {ways}; dates='text' labels; "
        f"drop=[{name!r}] leaves the column out; methods for series take it as the time of rows, "
        f"time={name!r}."
    )


def _written(word: np.datetime64 | np.timedelta64) -> str:
    return str(word if isinstance(word, np.datetime64) else word.astype("timedelta64[us]").item())


def _are_months(times: Times) -> bool:
    """Whether times are some months apart to the second: on one day of the month, or on the last."""
    if not times.size:
        return False
    on_first = [np.unique(each - each.astype("datetime64[M]")) for each in (times, times + DAY)]
    return min(len(places) for places in on_first) == 1 < len(np.unique(times))


def _matched(word: str) -> dict[str, str] | None:
    for pattern in (*_PATTERNS, _TIME):
        found = pattern.fullmatch(word)
        if found is not None and ("name" not in pattern.groupindex or found["name"][:3].lower() in MONTHS):
            return found.groupdict()
    return None


def _is_day_first(name: str, found: Sequence[dict[str, str]], words: Sequence[str]) -> bool:
    """Whether 3/4/2020 is in April; where no date tells, points do, and else it is asked."""
    if not found or any(int(each["first"]) > 12 for each in found) or any(e["mark"] == "." for e in found):
        return True
    if any(int(each["second_part"]) > 12 for each in found):
        return False
    raise DataError(
        f"Column {name!r} has dates such as {words[0]!r}, of which none tells the day from the month. Write "
        "them as 2020-12-31; or dates='text' takes them as labels and "
        f"drop=[{name!r}] leaves the column out."
    )


def _time(found: dict[str, str], *, day_first: bool) -> datetime:
    day, month = found.get("day") or 1, found.get("month")
    if found.get("first"):
        day, month = (found["first"], found["second_part"])[:: 1 if day_first else -1]
    if found.get("name"):
        month = str(MONTHS.index(found["name"][:3].lower()) + 1)
    hour = int(found.get("hour") or 0)
    if found.get("half"):
        hour = hour % 12 + 12 * (found["half"][0] in "Pp")
    millionths = int((found.get("fraction") or "0").ljust(6, "0")[:6])
    clock = time(hour, int(found.get("minute") or 0), int(found.get("second") or 0), millionths)
    if not found.get("year"):
        return datetime.combine(date(1970, 1, 1), clock)
    year = int(found["year"])
    if year < FULL_YEAR:
        year += 2000 if year < TURN_OF_CENTURY else 1900
    return datetime.combine(date(year, int(month or 1), int(day)), clock)
