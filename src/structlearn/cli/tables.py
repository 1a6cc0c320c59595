"""Tables as they are named on the command line: a file, or a bundled example."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from structlearn.cli.column_names import as_named, names_in
from structlearn.cli.databases import is_database_file, read_table, refuse_table_names
from structlearn.cli.own_words import keep_words
from structlearn.cli.sources import OpenSource, is_for_source, open_source
from structlearn.errors import DataError, OptionError
from structlearn.naming import no_such

if TYPE_CHECKING:
    from structlearn.data import Dataset, Kind
    from structlearn.data.choosing import Choose
    from structlearn.data.columns import RawTable
    from structlearn.data.model_columns import ModelColumns
    from structlearn.graphs import Graph
    from structlearn.report import Source
    from structlearn.statistics import SourceTable

DATA = "Data"
Table = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A .csv, .tsv, .txt, .xlsx or .parquet file with column names, a folder or a pattern "
        "('data/*.parquet'), a DuckDB or SQLite file, the address of a database (postgresql://…), or "
        "example:NAME: example:asia is 5,000 rows drawn from the bundled network with seed 0, example:iris a "
        "bundled table.",
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="COLUMN=KIND",
        help="Say that a column is discrete or continuous. Repeat for more.",
        rich_help_panel=DATA,
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B,…",
        help="Use only these columns, with commas between them. Repeat for more.",
        rich_help_panel=DATA,
    ),
]
Drop = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B,…",
        help="Leave these columns out, with commas between them. Repeat for more.",
        rich_help_panel=DATA,
    ),
]
Transpose = Annotated[
    bool | None,
    typer.Option(
        "--transpose/--no-transpose",
        help="The table has its variables in rows; the first column names them. Other flags name columns as "
        "they are then.",
        rich_help_panel=DATA,
    ),
]


@dataclass(frozen=True)
class OpenTable:
    """A table with where it came from and, for a bundled network, the graph it was drawn from."""

    dataset: "Dataset"
    source: "Source"
    truth: "Graph | None" = None
    note: str | None = None

    @property
    def rows(self) -> "Dataset":
        """What a learner takes."""
        return self.dataset


@dataclass(frozen=True)
class OpenDatabase:
    """A database; its rows stay where they are, and its password is not shown."""

    path: str
    dataset: None = None
    truth: None = None
    rows: None = None

    @property
    def source(self) -> "Source":
        """Where it is."""
        from structlearn.data.addresses import shown  # noqa: PLC0415, --help needs none
        from structlearn.report import Source  # noqa: PLC0415, as above

        return Source(shown(self.path))


def open_table(table: str, **of_table: Any) -> OpenTable:
    """Read a table into memory, whatever was said of it; what stays elsewhere is refused."""
    found = open_rows(table, **of_table)
    if isinstance(found, OpenTable):
        return found
    raise OptionError(
        f"{found.source.table}: the rows are needed here, and stay where they are. Say --where memory, or "
        "draw some: --sample-rows 100000."
    )


def open_rows(table: str, **of_table: Any) -> OpenTable | OpenSource:
    """Read a table as `_opened` does; messages keep the names of its columns as they are."""
    found = _opened(table, **of_table)
    keep_words(found.rows.names)
    return found


def _opened(  # noqa: PLR0913, what commands say of a table, each by name
    table: str,
    *,
    tables: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    transpose: bool | None = None,
    reading: Mapping[str, Any] | None = None,
    aside: Mapping[str, str] | None = None,
    model: "ModelColumns | None" = None,
    **part: Any,
) -> OpenTable | OpenSource:
    """Read a table, give its columns the kinds asked for, and keep the columns asked for.

    Columns that say something of a row are set `aside`. A `part` of it may be said as to `sl.source`; a table
    that is large or in a database stays where it is. A file is read as a `model` needs it, if there is one.
    """
    from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it
    from structlearn.data.aside import setting_aside  # noqa: PLC0415, as above
    from structlearn.data.choosing import all_of  # noqa: PLC0415, as above
    from structlearn.data.model_columns import ModelColumns  # noqa: PLC0415, as above
    from structlearn.report import Source  # noqa: PLC0415, as above
    from structlearn.report.subject import EXAMPLE  # noqa: PLC0415, as above

    given, said = parsed_kinds(kinds or []), dict(reading or {})
    cutting = _parsed_cutting(said)
    if not table.startswith(EXAMPLE) and is_for_source(table, part):
        if transpose is not None:
            raise OptionError(f"--transpose: {table} is not read row by row. Turn it where it is.")
        rows, source = _opened_source(table, tables, given, (columns, drop), part, said)
        if isinstance(rows, Dataset):
            return OpenTable(_cut(rows, cutting), replace(source, cutting=cutting))
        if cutting:
            raise OptionError("--discretize: this is for tables in memory; cut the columns in a view.")
        return OpenSource(rows, source)
    if not table.startswith(EXAMPLE):
        name = tables[0] if tables and is_database_file(table) else None
        choose = partial(_chosen, columns=columns, drop=drop) if not transpose else all_of
        # Numbers that are cut into a model's states are none of them yet.
        reader = ModelColumns() if model is None or cutting else model
        with reader.reading():
            read = _read(table, tables, said | _named_index(columns, drop), choose)
        names = [column.name for column in read.columns]
        roles = {role: as_named(name, names) for role, name in (aside or {}).items()}
        with reader.reading(), setting_aside(roles):
            found, kept = _dataset_of(read, given, (columns, drop), said, transpose=transpose, reader=reader)
        return OpenTable(_cut(found, cutting), Source(table, given, kept, transpose, name, said, cutting))
    refuse_table_names(table, tables)
    for flag in ["transpose"] * bool(transpose) + list(said) + list(part):
        raise OptionError(f"--{flag}: the bundled tables need none; they have samples in rows.")
    found, truth, note = _example(table.removeprefix(EXAMPLE))
    dataset = Dataset(found, kinds=given)
    kept = _kept(dataset.names, columns, drop)
    if kept is not None:
        dataset, truth = dataset.select(kept), None
    return OpenTable(_cut(dataset, cutting), Source(table, given, kept, cutting=cutting), truth, note)


def _opened_source(
    table: str,
    tables: Sequence[str] | None,
    kinds: "dict[str, Kind]",
    cut: tuple[Sequence[str] | None, Sequence[str] | None],
    part: Mapping[str, Any],
    reading: Mapping[str, Any],
) -> "tuple[Dataset | SourceTable, Source]":
    names = _header(table, tables, reading)
    if names:
        kinds = {as_named(name, names): kind for name, kind in kinds.items()}
        part = {**part, "weights": as_named(part["weights"], names)} if part.get("weights") else part
    columns, drop = (None if each is None else _split(each, names) for each in cut)
    reading = reading if drop is None else {**reading, "drop": drop}
    return open_source(table, tables, kinds, columns, part, reading)


def _parsed_cutting(said: dict[str, Any]) -> dict[str, Any]:
    """Take how columns are cut out of what was said of a table."""
    method, bins = said.pop("discretize", None), said.pop("bins", None)
    if method is None and bins is not None:
        raise OptionError(f"--bins {bins}: say --discretize quantile, width, hartemink or score with it.")
    found = {"method": method, "bins": bins}
    return {name: value for name, value in found.items() if value is not None}


def _cut(dataset: "Dataset", cutting: Mapping[str, Any]) -> "Dataset":
    if not cutting:
        return dataset
    from structlearn.numerics.discretization import discretize  # noqa: PLC0415, --help needs none of it

    return discretize(dataset, **cutting)


class _HeaderSeenError(Exception):
    """The names of the columns are known, and the rows are not needed."""


def _header(table: str, tables: Sequence[str] | None, reading: Mapping[str, Any]) -> list[str]:
    """The names of the columns of a file, of which no rows are read; none of what is no such file."""
    found: list[str] = []

    def see(names: Sequence[str]) -> Sequence[str]:
        found.extend(names)
        raise _HeaderSeenError

    if Path(table).is_file() and not is_database_file(table):
        with suppress(_HeaderSeenError):
            _read(table, tables, reading, see)
    return found


def _read(
    table: str, tables: Sequence[str] | None, reading: Mapping[str, Any], choose: "Choose"
) -> "RawTable":
    """The table of a file as it was read."""
    from structlearn.data.columns import RawTable  # noqa: PLC0415, --help needs none of it
    from structlearn.data.readers import read  # noqa: PLC0415, as above
    from structlearn.options import check_options  # noqa: PLC0415, as above
    from structlearn.reading import Reading  # noqa: PLC0415, as above

    check_options("Dataset", Reading.options, reading)
    if is_database_file(table):
        Reading(**reading).refuse_of_files(table)
        return RawTable(read_table(Path(table), tables, choose))
    refuse_table_names(table, tables)
    return read(Path(table), Reading(**reading), choose)


def _named_index(*flags: Sequence[str] | None) -> dict[str, Any]:
    """The index of a pandas frame, where a flag names it, which is no column otherwise."""
    from structlearn.data.unnamed_columns import is_index  # noqa: PLC0415, --help needs none of it

    named = [name for texts in flags for name in _split(texts or ()) if is_index(name)]
    return {"drop": named} if named else {}


def _dataset_of(
    raw: "RawTable",
    kinds: "dict[str, Kind]",
    cut: tuple[Sequence[str] | None, Sequence[str] | None],
    reading: Mapping[str, Any],
    *,
    transpose: bool | None,
    reader: "ModelColumns",
) -> "tuple[Dataset, tuple[str, ...] | None]":
    """The columns that are kept, and their names; of what is dropped nothing is said."""
    from structlearn.data import Dataset  # noqa: PLC0415, --help needs none of it
    from structlearn.data.columns import RawTable  # noqa: PLC0415, as above
    from structlearn.data.kinds import check_kinds  # noqa: PLC0415, as above
    from structlearn.data.orientation import transposed  # noqa: PLC0415, as above

    read = transposed(raw.columns) if transpose else raw.columns
    found = {column.name: column for column in read}
    kinds = {as_named(name, found): kind for name, kind in kinds.items()}
    check_kinds(kinds, tuple(found))
    kept = _kept(tuple(found), *cut)
    chosen = RawTable(tuple(found[name] for name in kept or found), raw.notes)
    wanted = {column.name for column in chosen.columns}
    said = reader.kinds_of(wanted) | {name: kind for name, kind in kinds.items() if name in wanted}
    looked_at = None if transpose is None else False  # what was turned need not be turned again
    return Dataset(chosen, kinds=said, columns=kept, transpose=looked_at, **reading), kept


def parsed_kinds(kinds: Sequence[str]) -> "dict[str, Kind]":
    """Read COLUMN=KIND; whether the column and the kind exist is seen with the table."""
    found = {}
    for text in kinds:
        name, equals, kind = text.rpartition("=")
        if not equals or not name:
            raise OptionError(f"--kind {text}: write COLUMN=discrete or COLUMN=continuous.")
        found[name] = kind
    return found  # type: ignore[return-value]  # Dataset refuses other words


def _example(name: str) -> "tuple[Dataset, Graph | None, str | None]":
    from structlearn.api import example  # noqa: PLC0415, --help needs none of it
    from structlearn.data import Dataset  # noqa: PLC0415, as above
    from structlearn.report.subject import EXAMPLE_ROWS, EXAMPLE_SEED  # noqa: PLC0415, as above

    found = example(name)
    if isinstance(found, Dataset):
        return found, None, None
    note = f"{EXAMPLE_ROWS:,} rows drawn from the bundled network {name!r} with seed {EXAMPLE_SEED}"
    return found.sample(EXAMPLE_ROWS, random_state=EXAMPLE_SEED), found.graph, note


def _kept(
    names: Sequence[str], columns: Sequence[str] | None, drop: Sequence[str] | None
) -> tuple[str, ...] | None:
    if columns is None and drop is None:
        return None
    wanted = _split(columns, names) if columns is not None else names
    dropped = _split(drop, names) if drop is not None else ()
    for name in (*wanted, *dropped):
        if name not in names:
            raise OptionError(no_such("column", name, names))
    kept = tuple(name for name in wanted if name not in dropped)
    if not kept:
        raise DataError("No column is left; keep at least one.")
    return kept


def _chosen(
    names: Sequence[str], *, columns: Sequence[str] | None, drop: Sequence[str] | None
) -> Sequence[str]:
    return _kept(names, columns, drop) or names


def _split(texts: Sequence[str], names: Sequence[str] = ()) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for text in texts for name in names_in(text, names)))
