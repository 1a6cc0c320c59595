"""How a table is written, where its own look does not tell: options of everything that reads one."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

from structlearn.errors import OptionError
from structlearn.options import Configured, Flag, Instance, OneOf, OrNone, Whole, one_of, option

Decimal = Literal[".", ","]
Dates = Literal["days", "year", "month", "weekday", "hour", "text", "drop"]
Way = Dates | Literal["steps"]  # of the times of rows, in whole months where they are that
Mark = str | float

SEPARATORS = {",": ",", ";": ";", "|": "|", "\t": "\t", "tab": "\t", "space": " "}


@dataclass(frozen=True)
class Marks:
    """Words or numbers, one or a list of them."""

    meaning: str = ""
    allowed: str = "a word or a number, or a list of them"

    def accepts(self, value: Any) -> bool:
        """Whether `value` is one, or a list of them."""
        members = value if isinstance(value, list | tuple) else [value]
        return all(isinstance(each, str | Real) and not isinstance(each, bool) for each in members)


@dataclass(frozen=True)
class Names:
    """Names of columns in a list, which may be empty."""

    meaning: str = ""
    allowed: str = "a list of names"

    def accepts(self, value: Any) -> bool:
        """Whether `value` is such a list."""
        return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)


class Reading(Configured):
    """How a table is written, where its own look does not tell, or tells wrong."""

    na: Sequence[Mark] | Mark | None = option(
        OrNone(Marks(), "no more"),
        "What stands for a missing value, in every column: words or numbers. Empty fields always do, and "
        "among numbers marks such as NA, ? and #N/A.",
        default=None,
    )
    decimal: Decimal | None = option(
        OrNone(one_of(Decimal), "as the columns show it"),
        "The mark before the decimals of a number.",
        default=None,
    )
    dates: Dates | None = option(
        OrNone(one_of(Dates), "they are refused"),
        "What becomes of dates and times: days since the first, a part of the date as a category, the text "
        "as it is, or nothing.",
        default=None,
    )
    separator: str | None = option(
        OrNone(OneOf(tuple(SEPARATORS)), "as the first lines show it"),
        "What stands between the fields of a text file.",
        default=None,
    )
    header: bool | None = option(
        OrNone(Flag(), "as the first line looks"),
        "Whether the first line of a file has the names of the columns; without them they are x0, x1, …",
        default=None,
    )
    skip: int | None = option(
        OrNone(Whole(1), "none"),
        "How many lines of a file to leave out above the names of the columns, such as a title.",
        default=None,
    )
    encoding: str | None = option(
        OrNone(Instance(str), "UTF-8, or else what the bytes show"),
        "The encoding of a text file, such as utf-8, utf-16, latin-1 or cp1252.",
        default=None,
    )
    sheet: str | None = option(
        OrNone(Instance(str), "the first one"), "The sheet of a spreadsheet.", default=None
    )
    columns: Sequence[str] | None = option(
        OrNone(Names(), "all"), "The columns to use, in this order; others are not looked at.", default=None
    )
    drop: Sequence[str] = option(
        Names(), "Columns to leave out before anything is looked at or said about them.", default=()
    )

    @property
    def marks(self) -> frozenset[Mark] | None:
        """What stands for missing values; None where nobody said."""
        if self.na is None:
            return None
        found = self.na if isinstance(self.na, list | tuple) else [self.na]
        return frozenset(each if isinstance(each, str) else float(each) for each in found)

    def refuse_of_files(self, source: str, but: Sequence[str] = ()) -> None:
        """Refuse options of files that mean nothing for a source, all but those that do."""
        for name in ("separator", "header", "skip", "encoding", "sheet"):
            if getattr(self, name) is not None and name not in but:
                raise OptionError(f"{name}={getattr(self, name)!r}: this means nothing for {source}.")
