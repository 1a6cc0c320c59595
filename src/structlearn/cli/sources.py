"""Tables that may stay where they are, on the command line: databases by address, patterns, large files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.errors import OptionError

if TYPE_CHECKING:
    from structlearn.data import Dataset, Kind
    from structlearn.report import Source
    from structlearn.statistics import SourceTable

Where = Annotated[
    str | None,
    typer.Option(
        metavar="PLACE",
        help="Where to count: memory, or engine (DuckDB, the database). By default what is large stays.",
        rich_help_panel="Data",
    ),
]
Filter = Annotated[
    str | None,
    typer.Option(
        metavar="CONDITION", help="Use only the rows of this condition in SQL.", rich_help_panel="Data"
    ),
]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The column that says how many rows a row counts for.", rich_help_panel="Data"
    ),
]
SampleRows = Annotated[
    int | None,
    typer.Option(
        help="Draw so many rows at random, for methods that need rows of a table that is not in memory.",
        rich_help_panel="Data",
    ),
]
FLAGS = {"where": Where, "filter": Filter, "weights": Weights, "sample_rows": SampleRows}


@dataclass(frozen=True)
class OpenSource:
    """A table that stays where it is, and where that is."""

    rows: "SourceTable"
    source: "Source"
    dataset: None = None
    truth: None = None
    note: None = None


def is_for_source(table: str, part: Mapping[str, Any]) -> bool:
    """Whether a table is opened by `sl.source`: asked for, an address, several files, or a large one."""
    if any(value is not None for value in part.values()) or "://" in table:
        return True
    path = Path(table)
    if not path.is_file():
        return path.is_dir() or any(sign in table for sign in "*?[")
    from structlearn.statistics.engines.opening import MOST_IN_MEMORY  # noqa: PLC0415, --help needs none

    return path.stat().st_size > MOST_IN_MEMORY


def open_source(
    table: str,
    names: Sequence[str] | None,
    kinds: "dict[str, Kind]",
    columns: tuple[str, ...] | None,
    part: Mapping[str, Any],
    reading: Mapping[str, Any],
) -> "tuple[Dataset | SourceTable, Source]":
    """The table, and what a report says of where it is; a password is not among that."""
    from structlearn.data.addresses import shown  # noqa: PLC0415, --help needs none of it
    from structlearn.report import Source  # noqa: PLC0415, as above
    from structlearn.statistics.engines.opening import source  # noqa: PLC0415, as above

    if names is not None and len(names) > 1:
        raise OptionError(f"--table {names[1]}: one table is learnt from; join several in a view.")
    said = {name: value for name, value in part.items() if value is not None}
    chosen = names[0] if names else None
    found = source(table, table=chosen, columns=columns, kinds=kinds or None, **said, **reading)
    return found, Source(shown(table), kinds, columns, None, chosen, reading, part=said)
