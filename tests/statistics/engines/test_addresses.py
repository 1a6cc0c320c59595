"""A table is found by where it is, and a password is never shown."""

import gc
import sqlite3
import traceback

import duckdb
import pytest

import structlearn as sl
from structlearn.data.addresses import hidden, shown
from structlearn.statistics.engines.addresses import is_database_address, table_at
from tests.postgres import free_port

pytest.importorskip("ibis")


@pytest.fixture
def duckdb_file(tmp_path):
    path = tmp_path / "made.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute('CREATE TABLE "t x" AS SELECT 1 AS a')
        connection.execute("CREATE SCHEMA s")
        connection.execute("CREATE VIEW s.v AS SELECT 2 AS b")
    return path


@pytest.fixture
def sqlite_file(tmp_path):
    path = tmp_path / "made.db"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "t.x" (a INTEGER)')
        connection.execute('CREATE VIEW v AS SELECT * FROM "t.x"')
    connection.close()
    return path


def test_tables_and_views_of_a_duckdb_file_are_relations(duckdb_file):
    view = table_at(duckdb_file, "s.v")
    gc.collect()  # the connection that was opened for it stays
    assert view.fetchall() == [(2,)]
    assert table_at(f"duckdb://{duckdb_file}", "t x").columns == ["a"]


@pytest.mark.parametrize("name", ["t.x", "v", "main.v"])
def test_tables_and_views_of_an_sqlite_file_are_tables_of_ibis(sqlite_file, name):
    assert table_at(sqlite_file, name).columns == ("a",)
    assert table_at(f"sqlite://{sqlite_file}", name).columns == ("a",)


def test_an_address_with_three_strokes_may_be_of_a_file_right_here(sqlite_file, monkeypatch):
    monkeypatch.chdir(sqlite_file.parent)
    assert table_at("sqlite:///made.db", "v").columns == ("a",)


def test_a_file_is_never_made_nor_written_to(sqlite_file, tmp_path):
    with pytest.raises(sl.DataError, match="cannot be read"):
        table_at(f"sqlite://{tmp_path}/other.db", "t")
    assert not (tmp_path / "other.db").exists()
    table = table_at(sqlite_file, "v")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        table.get_backend().raw_sql('DELETE FROM "t.x"')


def test_a_connection_that_was_opened_for_a_table_ends_with_it(sqlite_file):
    table = table_at(sqlite_file, "v")
    backend = table.get_backend()
    assert backend.raw_sql("SELECT 1").fetchall() == [(1,)]
    del table
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        backend.raw_sql("SELECT 1")


def test_the_one_table_needs_no_name_and_of_several_one_must_be_chosen(sqlite_file, duckdb_file):
    for path, names in ((sqlite_file, "'t.x', 'v'"), (duckdb_file, "'t x', 's.v'")):
        with pytest.raises(sl.DataError, match=f"has the tables {names}: choose one with table="):
            table_at(path)
        with pytest.raises(sl.DataError, match=f"has the tables {names}, and no 'w'"):
            table_at(path, "w")
    with sqlite3.connect(sqlite_file) as connection:
        connection.execute("DROP VIEW v")
    assert table_at(sqlite_file).columns == ("a",)


def test_what_is_a_database_is_known_by_its_address_or_its_first_bytes(sqlite_file, duckdb_file, tmp_path):
    (tmp_path / "table.db").write_text("a,b\n1,2\n")
    assert is_database_address(sqlite_file)
    assert is_database_address(str(duckdb_file))
    assert is_database_address("postgresql://host/name")
    assert not is_database_address(tmp_path / "table.db")
    assert not is_database_address(tmp_path / "nowhere.db")
    with pytest.raises(sl.DataError, match="is no database of DuckDB or SQLite"):
        table_at(tmp_path / "table.db", "t")


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("postgresql://ann:s3cret@host:5432/db", "postgresql://ann@host:5432/db"),
        ("postgresql://ann:a%40b:c@host/db?sslmode=require", "postgresql://ann@host/db?sslmode=require"),
        ("mysql://host/db?user=ann&password=s3cret", "mysql://host/db?user=ann"),
        (
            "databricks://token:s3cret@host?http_path=%2Fx&access_token=y",
            "databricks://token@host?http_path=%2Fx",
        ),
        ("sqlite:///some/file.db", "sqlite:///some/file.db"),
        ("postgresql://ann:s3cret@[host/db", "postgresql://…"),
        ("plain/file.db", "plain/file.db"),
    ],
)
def test_an_address_is_shown_without_its_secrets(address, expected):
    assert shown(address) == expected


@pytest.mark.parametrize(
    ("address", "words", "expected"),
    [
        ("postgresql://ann:s3%21cret@host/db", "no 's3!cret' (s3%21cret)", "no '***' (***)"),
        ("x://host/db?password=s3cret", "s3cret?", "***?"),
        ("x://ann:a@host/db", "a bad day", "(the driver's words may hold the password, and are not shown)"),
        ("x://ann:zz@host/db", "a bad day", "a bad day"),
        ("x://ann@host/db", "a bad day", "a bad day"),
    ],
)
def test_what_a_driver_says_has_no_password(address, words, expected):
    assert hidden(words, address) == expected


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:s3cretword@127.0.0.1:{port}/db",  # nobody listens
        "postgresql://ann:s3cretword@127.0.0.1:nineteen/db",
        "postgresql://ann:s3cretword@[127.0.0.1/db",
        "postgresql://127.0.0.1:{port}/db?user=ann&password=s3cretword",
        "nodatabase://ann:s3cretword@host/db",
    ],
)
def test_no_error_holds_the_password(address):
    address = address.format(port=free_port())
    with pytest.raises(sl.DataError, match="cannot be opened") as raised:
        table_at(address, "t")
    assert "s3cretword" not in "".join(traceback.format_exception(raised.value))
    assert raised.value.__context__ is None
    for pass_on in (
        sl.PC().fit,
        sl.Dataset,
        lambda data: sl.learn(data, table="t"),
        lambda data: sl.source(data, table="t"),
        lambda data: sl.RelationalModel().fit(data),
    ):
        with pytest.raises(sl.DataError) as raised:
            pass_on(address)
        assert "s3cretword" not in str(raised.value)


@pytest.mark.parametrize(
    "address", ["https://ann:secret@host/t.csv", "s3://bucket/t.parquet", "file:///data/t.csv"]
)
def test_the_address_of_a_file_is_told_from_that_of_a_database(address):
    with pytest.raises(sl.DataError, match=r"this is the address of a file, .* Fetch it") as error:
        sl.source(address)

    assert "secret" not in str(error.value)
