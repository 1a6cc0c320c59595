"""Decimals that floats cannot tell apart are refused in every engine, as in memory; others are used."""

import sqlite3
from decimal import Decimal

import duckdb
import pytest

import structlearn as sl
from tests.contracts.engines import connection_to
from tests.postgres import shared_server

N = 90
LONG = ["(9007199254740992 + 2 * (i % 3) + i % 2)", "(9007199254740992 + i % 30)"]  # 2^53 and next to it
FINE = ["(i % 3)", "(9007199254740992 + 2 * (i % 3))", "((i * 37 % 11) / 4.0)", "nullif(i % 4, 3)"]


def relation(expression, kind):
    rows = duckdb.connect().sql(f"FROM range({N}) AS t(i)")
    return rows.project(f"i % 2 AS a, {expression}::{kind} AS x")


def in_duckdb(expression, _, kind):
    return sl.source(relation(expression, kind), where="engine")


def in_parquet(expression, folder, kind):
    relation(expression, kind).write_parquet(str(folder / "made.parquet"))
    return sl.source(folder / "made.parquet", where="engine")


def in_sqlite(expression, folder, kind):
    with sqlite3.connect(folder / "made.db") as connection:
        connection.execute(f"CREATE TABLE t (a INTEGER, x {kind})")
        made = f"INSERT INTO t SELECT i % 2, {expression} FROM (SELECT ? AS i)"  # noqa: S608, our own words
        connection.executemany(made, [(i,) for i in range(N)])
    connection.close()
    return sl.source(folder / "made.db", table="t")


def in_postgres(expression, _, kind):
    backend = connection_to(shared_server())
    backend.raw_sql("DROP TABLE IF EXISTS long_decimals").close()
    chosen = f"i % 2 AS a, ({expression})::{kind} AS x FROM generate_series(0, {N - 1}) AS t(i)"
    backend.raw_sql(f"CREATE TABLE long_decimals AS SELECT {chosen}").close()
    return sl.source(backend.table("long_decimals"))


PLACES = [
    (in_duckdb, "DECIMAL(38, 4)"),
    (in_duckdb, "HUGEINT"),
    (in_parquet, "DECIMAL(38, 4)"),
    (in_sqlite, "DECIMAL(38, 4)"),
    (in_postgres, "NUMERIC"),
]


def of_python(expression):
    """The same values, as exact as Python has them."""
    exact = expression.replace("4.0", "Decimal(4)")
    names = {"Decimal": Decimal, "nullif": lambda value, none: None if value == none else value}
    return [eval(exact, names, {"i": i}) for i in range(N)]  # noqa: S307, our own words


@pytest.mark.parametrize("expression", LONG)
@pytest.mark.parametrize(("place", "kind"), PLACES)
def test_decimals_that_floats_cannot_tell_apart_are_refused_by_name(place, kind, expression, tmp_path):
    values = of_python(expression)
    assert len(set(map(float, values))) < len(set(values))
    with pytest.raises(sl.DataError, match="'x' holds numbers of more digits than can be told apart"):
        place(expression, tmp_path, kind)


@pytest.mark.parametrize("expression", FINE)
@pytest.mark.parametrize(("place", "kind"), [each for each in PLACES if each[1] != "HUGEINT"])
def test_other_decimals_are_what_they_are_in_memory(place, kind, expression, tmp_path):
    values = of_python(expression)
    expected = sl.Dataset(
        {"a": [i % 2 for i in range(N)], "x": [None if v is None else float(v) for v in values]}
    )
    found = place(expression, tmp_path, kind)

    assert found.kinds == expected.kinds
    assert found.labels == expected.labels
    assert found.missing == expected.missing
    assert sl.HillClimbing(missing="drop").fit(found).score_ == pytest.approx(
        sl.HillClimbing(missing="drop").fit(expected).score_, rel=1e-9
    )
