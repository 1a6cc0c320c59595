"""What is opened as a database, what is refused, and how names and values stand in a statement."""

import sqlite3

import duckdb
import pytest

import structlearn as sl
from structlearn.data.relational.databases.opening import is_database
from structlearn.data.relational.sql import interval_of
from structlearn.data.sql_words import literal, quoted
from tests.relational.databases import UNIVERSITY, in_duckdb, in_sqlite, schema_of


@pytest.mark.parametrize("content", [b"", b"id,name\n1,anna\n2,bert\n", b"\0" * 40])
def test_a_file_is_judged_by_its_content_and_not_by_its_name(content, tmp_path):
    path = tmp_path / "named.duckdb"
    path.write_bytes(content)

    assert not is_database(path)
    with pytest.raises(sl.DataError, match=r"named\.duckdb is no DuckDB or SQLite database"):
        schema_of(path)


def test_a_database_under_another_name_is_opened(tmp_path):
    expected = ("course.diff", "registration.grade", "student.intel")
    for made in (in_duckdb(UNIVERSITY, tmp_path), in_sqlite(UNIVERSITY, tmp_path)):
        other = made.rename(tmp_path / f"{made.suffix[1:]}.txt")

        assert is_database(other)
        assert schema_of(str(other)).nodes == expected


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(sl.DataError, match=r"cannot be read: Is a directory"):
        schema_of(tmp_path)


@pytest.fixture(params=["duckdb", "sqlite"])
def connection(request):
    made = duckdb.connect() if request.param == "duckdb" else sqlite3.connect(":memory:")
    yield made
    made.close()


@pytest.mark.parametrize("value", ["it's", "''; DROP TABLE t; --", "ü\n", "", 7, -3, 0.1, 1e300])
def test_a_value_in_a_statement_is_that_value(connection, value):
    assert connection.execute(f"SELECT {literal(value)}").fetchone() == (value,)


@pytest.mark.parametrize("name", ['a"b', "select", "x.y", "two words", "ключ"])
def test_a_quoted_name_is_that_name(connection, name):
    connection.execute(f"CREATE TABLE {quoted(name)} ({quoted(name)} INTEGER)")
    connection.execute(f"INSERT INTO {quoted(name)} VALUES (5)")

    assert connection.execute(f"SELECT {quoted(name, name)} FROM {quoted(name)}").fetchone() == (5,)


def test_a_name_that_no_database_takes_is_refused():
    with pytest.raises(sl.DataError, match="a character of code 0"):
        quoted("a\0b")


@pytest.mark.parametrize(("number", "place"), [(-9.0, 0), (1.0, 0), (1.5, 1), (2.0, 1), (2.1, 2)])
def test_intervals_have_their_upper_end(connection, number, place):
    query = f"SELECT {interval_of('v', (1.0, 2.0))} FROM (SELECT {literal(number)} AS v) AS t"

    assert connection.execute(query).fetchone() == (place,)
