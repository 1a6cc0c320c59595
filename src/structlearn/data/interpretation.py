"""What columns of text and of dates mean: numbers, missing values, dates, or the labels that they are."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from structlearn.data.aside import dates_aside, has_names
from structlearn.data.columns import Kind, RawColumn, RawTable
from structlearn.data.dates import come_again, dates_refused, is_dates, looks_like_dates, parsed, turned
from structlearn.data.kinds import are_whole, is_mark
from structlearn.data.refusals import Refusals
from structlearn.data.text_numbers import (
    Words,
    WrittenNumbers,
    may_be_numbers,
    refuse_strangers,
    refuse_two_readings,
    refuse_units,
    with_gaps,
    without_marks,
)
from structlearn.data.time_zones import refuse_two_zones
from structlearn.errors import DataError
from structlearn.naming import listed
from structlearn.reading import Dates, Decimal, Reading, Way

SHOWN = 8  # columns of a note
_WAYS: Mapping[Kind, Dates] = {"discrete": "text", "continuous": "days"}


def interpreted(table: RawTable, kinds: Mapping[str, Kind], reading: Reading) -> RawTable:
    """The columns as what they mean, with notes on what was not plain; what cannot be told is refused."""
    columns = list(table.columns)
    if reading.marks is not None:
        columns = [with_gaps(column, reading.marks) for column in columns]
    refusals = Refusals()
    columns = _dates_turned(columns, kinds, reading.dates, refusals)
    columns, numbered = _numbers_read(columns, kinds, reading, refusals)
    for column in columns:
        with refusals.kept():
            _refuse_empty(column)
    refusals.raise_all()
    return RawTable(tuple(columns), (*table.notes, *numbered))


def _dates_turned(
    columns: Sequence[RawColumn], kinds: Mapping[str, Kind], dates: Dates | None, refusals: Refusals
) -> list[RawColumn]:
    found, aside = [], dates_aside()
    for column in columns:
        how = _WAYS[kinds[column.name]] if column.name in kinds else aside.get(column.name) or dates
        if not _are_dates(column, asked=how is not None):
            found.append(column)
            continue
        dated = column if is_dates(column) else without_marks(column)
        with refusals.kept():
            if how is None:
                raise dates_refused(column.name, dated.value(0))
            found += [] if how == "drop" else [_as_dates(dated, how)]
    return found


def _as_dates(column: RawColumn, how: Way) -> RawColumn:
    if is_dates(column):
        return turned(column, how)
    if how == "text":
        return column
    seen = Words.of(column)
    words = [str(word) for word in seen.words]
    if how == "steps":
        refuse_two_zones(column.name, [words[code] for code in seen.codes.tolist()], column.missing)
    times = parsed(column.name, words)
    return turned(RawColumn(column.name, times[seen.codes], column.missing), how)


def _are_dates(column: RawColumn, *, asked: bool) -> bool:
    """Whether text is dates; where nobody asked for them, a few that come again are labels."""
    if is_dates(column):
        return True
    if not column.is_object or column.categories is not None or not column.present.size:
        return False
    first = str(column.value(0))
    if not looks_like_dates([first]) and not is_mark(first):
        return False
    found = column.words if column.words is not None else tuple(column.different())
    words = [word for word in found if not is_mark(str(word))]
    return (asked or not come_again(len(words), column.present.size)) and looks_like_dates(words)


def _numbers_read(
    columns: Sequence[RawColumn], kinds: Mapping[str, Kind], reading: Reading, refusals: Refusals
) -> tuple[list[RawColumn], list[str]]:
    written = {
        column.name: WrittenNumbers(column, reading.decimal)
        for column in columns
        if kinds.get(column.name) != "discrete" and not has_names(column.name) and may_be_numbers(column)
    }
    shown = _decimals_shown(columns, written.values())
    found, notes = [], _Notes(reading)
    for column in columns:
        one, read = written.get(column.name), None
        if one is not None:
            with refusals.kept():
                read = _as_numbers(one, shown, is_given=column.name in kinds)
        if one is not None and read is not None:
            notes.add(one, read[1])
        elif one is not None and column.name not in kinds:
            notes.add_labels(one)
        found.append(column if read is None else read[0])
    return found, notes.said()


def _as_numbers(
    written: WrittenNumbers, shown: set[Decimal], *, is_given: bool
) -> tuple[RawColumn, Decimal] | None:
    """The column as numbers and its decimal mark; None if it stays text."""
    if not written.decimals:
        if written.is_mostly_numbers and not is_given:
            refuse_strangers(written)
        return None
    if len(written.units) > 1 and (written.units & {"%", "‰"} or len(written.units - {""}) > 1):
        return refuse_units(written) if written.is_mostly_numbers else None
    if not written.is_settled and len(shown) != 1:
        refuse_two_readings(written)
    decimal: Decimal = "." if "." in (written.decimals if written.is_settled else shown) else ","
    # A few whole numbers that were given as text are labels, and stay as they were given.
    stays = written.is_plain(decimal) and not written.marks and (is_given or written.are_codes(decimal))
    return None if stays else (written.column(decimal), decimal)


def _refuse_empty(column: RawColumn) -> None:
    if not column.present.size and not column.categories:
        raise DataError(
            f"Column {column.name!r} has no values: all {column.n_rows:,} are missing. Drop it: "
            f"drop=[{column.name!r}]."
        )


def _decimals_shown(columns: Sequence[RawColumn], written: Iterable[WrittenNumbers]) -> set[Decimal]:
    """The decimal marks that other columns show, where a column does not show its own."""
    each = list(written)
    if all(one.is_settled or not one.decimals for one in each):
        return set()
    shown: set[Decimal] = set()
    for one in each:
        if len(one.decimals) == 1:
            shown |= one.decimals
    if any(column.present.dtype.kind == "f" and not are_whole(column.present) for column in columns):
        shown.add(".")
    return shown


class _Notes:
    """What to say of the columns of text that were read as numbers, where nobody has said how."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._written: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._examples: dict[tuple[str, ...], str] = {}
        self._marks: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._kept: list[str] = []

    def add(self, written: WrittenNumbers, decimal: Decimal) -> None:
        """Note a column and its decimal mark."""
        is_plain, units = written.is_plain(decimal), sorted(written.units)
        if written.marks:
            n_rows = sum(written.marks.values())
            place = f"{written.name!r} ({n_rows:,} row{'' if n_rows == 1 else 's'})"
            self._marks[tuple(sorted(written.marks))].append(place)
        if is_plain and (written.marks or self._reading.marks):
            return  # it was text for nothing else
        if is_plain or units != [""] or self._reading.decimal is None:
            found, form = written.example(), (decimal, *units) if not is_plain else ()
            how = "" if is_plain else f", {found.word!r} for {found.readings[decimal]!r}"
            self._written[form].append(written.name)
            self._examples.setdefault(form, how)

    def add_labels(self, written: WrittenNumbers) -> None:
        """Note a column that is mostly numbers and stays labels, because there are few different ones."""
        # Classes such as 3+, 0-10 and 65 or more begin with a number, and are no missing values.
        strangers = [word for word in written.strangers if not word[:1].isdigit()][:SHOWN]
        if not (strangers or len(written.units) > 1) or not written.has_numbers_in_most_rows:
            return
        stays = f"and stays the {len(written.seen.words)} labels that it has"
        if strangers:
            way = f"na={strangers!r} makes missing values of those"
            said = f"column {written.name!r} is numbers but for {listed(strangers, 3)}, {stays}; {way}."
        else:
            units = " and ".join(
                repr(unit) if unit else "none" for unit in sorted(written.units, reverse=True)
            )
            said = f"column {written.name!r} is numbers with different units ({units}), {stays}."
        self._kept.append(said)

    def said(self) -> list[str]:
        """A sentence for each way of writing, and one for each set of marks for missing values."""
        said = []
        for form, names in self._written.items():
            begins = f"column {listed(names)} is" if len(names) == 1 else f"columns {listed(names)} are"
            keep = f'kinds={{"{names[0]}": "discrete"}} keeps the text.'
            said.append(f"{begins} text that is read as numbers{self._examples[form]}; {keep}")
        for marks, places in self._marks.items():
            taken = "is taken for a missing value" if len(marks) == 1 else "are taken for missing values"
            more = f" and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
            where = f"{', '.join(places[:SHOWN])}{more}"
            said.append(f"{listed(marks)} {taken} among the numbers of {where}.")
        return said + self._kept
