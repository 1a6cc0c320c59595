"""From what a user has in hand to a table, in memory or where its rows are."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

from structlearn.data import Dataset, Kind
from structlearn.errors import DataError, DataNote, DataWarning, OptionError, needing, warn
from structlearn.naming import no_such
from structlearn.options import Instance, OneOf, OrNone, Rules, Whole, check_options
from structlearn.reading import Names, Reading
from structlearn.statistics.engines.choice import Choice
from structlearn.statistics.engines.elsewhere import MODULES, is_elsewhere, package_of
from structlearn.statistics.engines.files import Files
from structlearn.statistics.engines.protocol import Engine
from structlearn.statistics.engines.source_table import SourceTable

Where = Literal["memory", "engine"]
OWNER = "source"
MOST_IN_MEMORY = 1 << 30  # bytes of a table that is read whole unless somebody says otherwise
RULES: Rules = {
    "where": OrNone(OneOf(get_args(Where), "where rows are counted"), "by the size of the table"),
    "table": OrNone(Instance(str, meaning="the table of a database"), "the only one there"),
    "columns": OrNone(Names("the columns to use"), "all"),
    "sample_rows": OrNone(Whole(2, meaning="how many rows to draw"), "all rows"),
    "sample_seed": Whole(0, meaning="the seed of the rows that are drawn"),
}
DATABASES = (".duckdb", ".ddb", ".db", ".sqlite", ".sqlite3")
_IN_DUCKDB = ("duckdb", "_duckdb")


def source(  # noqa: PLR0913, what a user may say of a table, each by name
    data: Any,
    *,
    where: Where | None = None,
    table: str | None = None,
    columns: Sequence[str] | None = None,
    filter: Any = None,  # noqa: A002, the word that everybody knows
    weights: Any = None,
    kinds: Mapping[str, Kind] | None = None,
    sample_rows: int | None = None,
    sample_seed: int = 0,
    **reading: Any,
) -> Dataset | SourceTable:
    """A table to learn from, in memory or where its rows are, which every `fit` takes.

    Parameters
    ----------
    data : path, pattern, address, relation, ibis table, Dask or Spark frame, or a table in memory
        Files ("rows.parquet", "rows/*.parquet", a folder of them, "rows.csv"), a database
        ("postgresql://user@host/db", a DuckDB or SQLite file), or anything that `sl.Dataset` takes.
    where : "memory" or "engine", optional
        Whether to read the rows or to leave them where they are. By default files and DuckDB relations of
        more than a gibibyte are left, and so is everything in another database or a cluster.
    table, columns : str, list of str, optional
        The table or view of a database; the columns to use, all by default.
    filter : optional
        The rows to use: a condition in SQL for files, DuckDB and Spark, in pandas' words for Dask, an
        expression for ibis.
    weights : str or array, optional
        The column that says how many rows each row counts for; for a table in memory also the numbers.
    kinds : mapping of str to "discrete" or "continuous", optional
        As for `sl.Dataset`.
    sample_rows, sample_seed : int, optional
        Draw that many rows at random into memory, for methods that need rows; the same rows for a seed.
    **reading
        How a table that is read is written, as for `sl.Dataset`.

    Examples
    --------
    >>> import duckdb, structlearn as sl
    >>> rows = duckdb.sql("SELECT i % 2 = 0 AS even, i % 3 AS rest FROM range(6000) AS t(i)")
    >>> table = sl.source(rows, where="engine")
    >>> table.kinds, sl.PC().fit(table).graph_.edges
    ({'even': 'discrete', 'rest': 'discrete'}, ())
    """
    given = locals()
    check_options(OWNER, RULES, {name: given[name] for name in RULES})
    found = _located(data, table)
    stays = _stays(found, where) and sample_rows is None
    by_column = weights if isinstance(weights, str) else None
    choice = Choice(None if columns is None else tuple(columns), filter, by_column)
    if not (stays or filter is not None or sample_rows is not None or _has_no_reader(found)):
        return _in_memory(found, choice, weights, kinds, reading)
    drop = reading.pop("drop", ())
    check_options(OWNER, Reading.options, {"drop": drop})
    _refuse_of_memory(weights, reading)
    rows = SourceTable(_engine_of(found, replace(choice, drop=tuple(drop))), kinds=kinds)
    if stays:
        return rows
    return rows.sample(rows.n_rows if sample_rows is None else sample_rows, seed=sample_seed)


def keeps_places(data: Any, *, filter: Any = None, sample_rows: int | None = None) -> bool:  # noqa: A002, as above
    """Whether rows that are read into memory have the places that they have in the table."""
    if filter is not None or sample_rows is not None or _may_be_database(data):
        return False
    return not _has_no_reader(_located(data, None))


def is_read_whole(path: str | Path) -> bool:
    """Whether a file is read into memory where nothing is said: one that is neither a database nor large."""
    if _may_be_database(path):
        return False
    files = Files.at(path)
    return files is None or (len(files.paths) == 1 and files.n_bytes() <= MOST_IN_MEMORY)


def _located(data: Any, table: str | None) -> Any:
    """What stands for the rows: files, what the packages of engines have, or the table itself."""
    if _may_be_database(data):
        from structlearn.statistics.engines import addresses  # noqa: PLC0415, only for databases

        return addresses.table_at(data, table)
    if table is not None:
        raise OptionError(f"source(table={table!r}): this names a table of a database; there is none here.")
    files = Files.at(data) if isinstance(data, str | Path) else None
    return data if files is None else files


def _may_be_database(data: Any) -> bool:
    if isinstance(data, str) and "://" in data:
        return True
    return isinstance(data, str | Path) and Path(data).suffix.lower() in DATABASES and Path(data).is_file()


def _stays(found: Any, where: Where | None) -> bool:
    """Whether the rows stay where they are: large ones do, and those of databases and clusters."""
    if isinstance(found, Files):
        found.note_what_is_left_out()
    can_stay = isinstance(found, Files) or is_elsewhere(found)
    if where is not None:
        if where == "engine" and not can_stay:
            raise OptionError(
                "source(where='engine'): this is no file that DuckDB reads piece by piece (Parquet, CSV) and "
                "stands for no rows elsewhere. A table in memory is learnt from as it is."
            )
        return where == "engine"
    if not can_stay or not _is_read_here(found):
        return can_stay
    n_bytes = found.n_bytes() if isinstance(found, Files) else _bytes_of_relation(found)
    if n_bytes > MOST_IN_MEMORY:
        what = str(found) if isinstance(found, Files) else "The relation"
        warn(
            f"{what} takes about {n_bytes / 2**30:,.1f} GiB in memory: it stays where it is, and DuckDB "
            "counts. where='memory' reads it; with where='engine' nothing is said.",
            DataNote,
        )
    return n_bytes > MOST_IN_MEMORY


def _is_read_here(found: Any) -> bool:
    """Whether few rows are read into memory; those of other engines are left where they are."""
    return isinstance(found, Files) or package_of(found) in _IN_DUCKDB


def _has_no_reader(found: Any) -> bool:
    """Whether only the engine reads these rows: `Dataset` takes one file, or a relation of DuckDB."""
    return (
        len(found.paths) > 1 if isinstance(found, Files) else not _is_read_here(found) and is_elsewhere(found)
    )


def _bytes_of_relation(relation: Any) -> int:
    from structlearn.statistics.engines.duckdb_columns import clear_errors  # noqa: PLC0415, DuckDB is there

    with clear_errors():
        [[n_rows]] = relation.aggregate("count(*)").fetchall()
    return 8 * int(n_rows) * len(relation.columns)


def _engine_of(found: Any, choice: Choice) -> Engine:
    if isinstance(found, Files):
        return found.opened(choice)
    if not is_elsewhere(found):
        raise OptionError(
            "source(filter=…, sample_rows=…): a table in memory is filtered and sampled by its own library, "
            "and so is a file that DuckDB does not read."
        )
    module, extra = MODULES[package_of(found)]
    with needing(package_of(found), f"A table of {package_of(found)}", install=extra):
        made = import_module(f"structlearn.statistics.engines.{module}")
    engine: Engine = made.engine_of(found, choice)
    return engine


def _in_memory(
    data: Any, choice: Choice, weights: Any, kinds: Mapping[str, Kind] | None, reading: Mapping[str, Any]
) -> Dataset:
    """The table read whole; a column of weights is taken out of it."""
    if isinstance(data, Files):
        [data] = data.paths
    if choice.columns is not None and not isinstance(data, Dataset):
        weighed_by = () if choice.weights is None else (choice.weights,)
        reading = {**reading, "columns": tuple(dict.fromkeys((*choice.columns, *weighed_by)))}
    if choice.weights is None:
        found = Dataset(data, kinds=kinds, weights=weights, **reading)
        return found if choice.columns is None else found.select(choice.columns)
    kinds_given: dict[str, Kind] = {**(kinds or {}), choice.weights: "continuous"}
    try:
        found = Dataset(data, kinds=kinds_given, **reading)
    except OptionError:
        names = Dataset(data, kinds=kinds, **reading).names
        if choice.weights not in names:
            raise OptionError(no_such("column", choice.weights, names, owner="weights")) from None
        raise
    column = found.column(choice.weights)
    if column.missing is not None:
        raise DataError(f"weights={choice.weights!r}: {int(column.missing.sum()):,} rows have no weight.")
    if not isinstance(data, Dataset) and not column.decoded().all():
        # Rows of weight 0 have no say in the kinds. What there was to warn of was said above.
        with warnings.catch_warnings(action="ignore", category=DataWarning):
            found = Dataset(data, kinds=kinds_given, weights=column.decoded(), **reading)
    return Dataset(found.select(choice.names(found.names)), weights=column.decoded())


def _refuse_of_memory(weights: Any, reading: Mapping[str, Any]) -> None:
    """Refuse what can be said of tables in memory only."""
    if reading:
        raise OptionError(
            f"source({next(iter(reading))}=…): this says how to read rows into memory, and an engine goes "
            "through them where they are. Pass where='memory' and no filter, or store the table as Parquet."
        )
    if weights is not None and not isinstance(weights, str):
        raise OptionError("source(weights=…): the rows are not here; name the column that has their weights.")
