"""Engines that tables may stay in: a new one joins every test of test_every_engine.py by its line here."""

import atexit
import sqlite3
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import structlearn as sl
from structlearn.data.sql_words import quoted
from structlearn.statistics import SourceTable
from tests.clusters import dask_client, spark_session
from tests.oracles.row_engine import RowEngine
from tests.postgres import shared_server

Table = Mapping[str, list]


@dataclass(frozen=True)
class Place:
    """How to put a table of lists, None where a value is missing, into an engine.

    `make(table, folder, weights)` gives the source, with `weights` the name of the column that has them, or
    skips with its reason. Where a question takes long, `is_slow`: most of the fits are slow tests then.
    """

    make: Callable[[Table, Path, str | None], SourceTable]
    is_slow: bool = False


def in_rows(table: Table, _: Path, weights: str | None) -> SourceTable:
    """The slow engine that judges the others."""
    columns = {name: values for name, values in table.items() if name != weights}
    return SourceTable(RowEngine(columns, weights=None if weights is None else table[weights]))


def in_sqlite(table: Table, folder: Path, weights: str | None) -> SourceTable:
    """A file of SQLite."""
    pytest.importorskip("ibis")
    path = folder / "made.sqlite"
    with sqlite3.connect(path) as connection:
        create, insert, rows = statements("made", table, "?")
        connection.execute(create)
        connection.executemany(insert, rows)
    connection.close()
    return sl.source(f"sqlite://{path}", table="made", weights=weights)


def in_postgres(table: Table, _: Path, weights: str | None) -> SourceTable:
    """A real server, which all tests of a process share, and so do they each table that one has made."""
    pytest.importorskip("ibis")
    server = shared_server()
    made = POSTGRES.setdefault(repr(table), f"made {len(POSTGRES)}")
    backend = connection_to(server)
    if made not in backend.list_tables():
        create, insert, rows = statements(made, table, "%s")
        with backend.con.cursor() as cursor:
            cursor.execute(create)
            cursor.executemany(insert, rows)
    return sl.source(backend.table(made), weights=weights)


@cache
def connection_to(server):
    import ibis

    backend = ibis.connect(server.owner)
    atexit.register(backend.disconnect)
    return backend


def in_duckdb_by_ibis(table: Table, _: Path, weights: str | None) -> SourceTable:
    """A table of DuckDB that ibis knows."""
    ibis = pytest.importorskip("ibis")
    backend = ibis.duckdb.connect()
    backend.con.from_arrow(pa.table(dict(table))).create("made")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # ibis asks DuckDB in old words
        made = backend.table("made")
    return sl.source(made, weights=weights, where="engine")


def in_dask(table: Table, _: Path, weights: str | None) -> SourceTable:
    """On a cluster of two processes, in three partitions."""
    import dask.dataframe as dd

    with dask_client().as_current():
        # Dask makes text of Python objects, so that truth values with gaps need a type.
        frame = dd.from_pandas(pd.DataFrame(table).convert_dtypes(), npartitions=3)
        return sl.source(frame, weights=weights)


def in_spark(table: Table, _: Path, weights: str | None) -> SourceTable:
    """In a session on this computer, in two partitions."""
    frame = spark_session().createDataFrame(pa.table(table))
    return sl.source(frame.repartition(2), weights=weights)


def statements(name: str, table: Table, mark: str) -> tuple[str, str, list[tuple]]:
    """What makes a table, what fills it, and with what, for any of these databases."""
    kinds = {str: "TEXT", bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE PRECISION"}
    declared = [
        f"{quoted(column)} {kinds[next(type(value) for value in values if value is not None)]}"
        for column, values in table.items()
    ]
    create = f"CREATE TABLE {quoted(name)} ({', '.join(declared)})"
    insert = f"INSERT INTO {quoted(name)} VALUES ({', '.join([mark] * len(table))})"  # noqa: S608, it is quoted
    return create, insert, list(zip(*table.values(), strict=True))


POSTGRES: dict[str, str] = {}  # the names of the tables there
ENGINES = {
    "rows": Place(in_rows),
    "sqlite": Place(in_sqlite),
    "postgres": Place(in_postgres),
    "duckdb through ibis": Place(in_duckdb_by_ibis),
    "Dask": Place(in_dask),
    "Spark": Place(in_spark, is_slow=True),
}
