"""structlearn on tables that stay where they are: patterns, databases by address, parts of a table."""

import html
import sqlite3

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from tests.contracts.engines import statements
from tests.postgres import free_port, shared_server

runner = CliRunner()
RNG = np.random.default_rng(0)
A = RNG.integers(0, 3, 90)
TABLE = {
    "a": [("u", "v", "w")[i] for i in A],
    "b": ((A + (RNG.random(90) < 0.1)) % 3).tolist(),
    "c": RNG.integers(0, 2, 90).tolist(),
    "n": [1 + i % 2 for i in range(90)],
}
SECRET = "s3cretword"  # noqa: S105, of nobody


def run(*words, status=0):
    found = runner.invoke(app, [str(word) for word in words])
    assert found.exit_code == status, found.output
    return found


@pytest.fixture
def folder(tmp_path):
    """Three Parquet files, and the same rows in both databases of one file."""
    place = tmp_path / "rows"
    place.mkdir()
    everything = pa.table(TABLE)
    with duckdb.connect() as connection:
        for i in range(3):
            part = connection.from_arrow(everything.slice(30 * i, 30))
            part.write_parquet(str(place / f"{i}.parquet"))
    with duckdb.connect(tmp_path / "made.duckdb") as connection:
        connection.from_arrow(everything).create("made")
    with sqlite3.connect(tmp_path / "made.db") as connection:
        create, insert, rows = statements("made", TABLE, "?")
        connection.execute(create)
        connection.executemany(insert, rows)
    connection.close()
    return place


@pytest.fixture
def address():
    """A server that takes any password, with the table in it."""
    psycopg = pytest.importorskip("psycopg")
    pytest.importorskip("ibis")
    server = shared_server()
    with psycopg.connect(server.owner, autocommit=True) as connection, connection.cursor() as cursor:
        create, insert, rows = statements("by address", TABLE, "%s")
        cursor.execute('DROP TABLE IF EXISTS "by address"')
        cursor.execute(create)
        cursor.executemany(insert, rows)
    return server.owner.replace("owner", f"owner:{SECRET}")


def test_files_of_a_pattern_are_one_table(folder, tmp_path):
    found = run("learn", folder / "*.parquet", "-m", "chow-liu", "-o", tmp_path / "g.json")

    assert "90 rows, 4 columns" in found.stdout
    assert sl.load(tmp_path / "g.json") == sl.ChowLiu().fit(TABLE).graph_
    assert "90 rows, 4 columns" in run("learn", folder, "-m", "chow-liu").stdout


@pytest.mark.parametrize("name", ["made.duckdb", "made.db"])
def test_a_table_of_a_database_file_may_stay_there(name, folder, tmp_path):
    page, path = tmp_path / "r.html", folder.parent / name
    words = ["--table", "made", "--where", "engine", "-m", "hill-climbing"]
    found = run("learn", path, *words, "--report", page, "-o", tmp_path / "g.bif")

    engine = "DuckDB" if name.endswith("duckdb") else "SQLite through ibis"
    assert f"{engine} gave its different rows, with their numbers and moments, once: " in found.stdout
    assert "round trips" in found.stdout
    assert "Where the rows are" in page.read_text()
    assert "round trips" in page.read_text()
    assert f"structlearn learn {path} --method hill-climbing --table made --where engine" in page.read_text()
    assert sl.load(tmp_path / "g.bif").graph == sl.HillClimbing().fit(TABLE).graph_


def test_a_part_of_a_table_is_learnt_from(folder):
    words = [folder / "*.parquet", "-m", "chow-liu", "--columns", "a,b", "--weights", "n"]
    found = run("learn", *words, "--filter", "c = 1 AND a <> 'w'", "--where", "engine")

    kept = [i for i in range(90) if TABLE["c"][i] == 1 and TABLE["a"][i] != "w"]
    assert f"{len(kept)} rows, 2 columns" in found.stdout
    part = {name: [TABLE[name][i] for i in kept] for name in "ab"}
    weights = [TABLE["n"][i] for i in kept]
    expected = sl.ChowLiu().fit(sl.Dataset(part, weights=weights)).score_
    assert f"Score {expected:.2f}"[:12] in found.stdout


def test_rows_are_drawn_for_methods_that_need_them(folder):
    found = run("learn", folder / "*.parquet", "-m", "aracne", "--sample-rows", 50)
    assert "50 rows, 4 columns" in found.stdout
    refused = run("learn", folder / "*.parquet", "-m", "aracne", "--where", "engine", status=1)
    assert "--sample-rows" in refused.output or "sample_rows=" in refused.output


def test_a_table_that_stays_is_described_and_fitted_but_not_predicted(folder, tmp_path):
    shown = run("describe", folder / "*.parquet", "--where", "engine").stdout
    assert shown == run("describe", folder / "*.parquet", "--where", "memory").stdout
    assert "90 rows, 4 columns" in shown

    run("learn", folder / "*.parquet", "-m", "hill-climbing", "-o", tmp_path / "g.json")
    words = [tmp_path / "g.json", folder / "*.parquet", "--where", "engine"]
    run("fit", *words, "-o", tmp_path / "m.bif")
    fitted, expected = (
        sl.load(tmp_path / "m.bif"),
        sl.BayesianNetwork(sl.load(tmp_path / "g.json")).fit(TABLE),
    )
    for node in TABLE:
        assert fitted.cpds[node].probabilities == pytest.approx(expected.cpds[node].probabilities)
    refused = run("fit", *words, "--columns", "a,b", status=1)
    assert "--columns a,b,c,n" in refused.output
    refused = run("predict", tmp_path / "m.bif", *words[1:], "--target", "a", status=2)
    assert "Say --where memory" in refused.output


@pytest.mark.parametrize("where", [["--where", "engine"], ["--where", "memory"], ["--weights", "n"]])
def test_columns_are_dropped_wherever_the_rows_are(where, folder, tmp_path):
    rest = {name: values for name, values in TABLE.items() if name != "b"}
    weights = rest.pop("n") if "--weights" in where else None
    page, graph = tmp_path / "r.html", tmp_path / "g.json"
    for place in (folder / "*.parquet", folder / "0.parquet"):
        n_rows = 90 if "*" in str(place) else 30
        expected = sl.Dataset(
            {name: values[:n_rows] for name, values in rest.items()},
            weights=None if weights is None else weights[:n_rows],
        )
        run("learn", place, "-m", "chow-liu", "--drop", "b", *where, "-o", graph, "--report", page)

        assert sl.load(graph) == sl.ChowLiu().fit(expected).graph_
        assert "--drop b" in page.read_text()
    assert "no column 'nobody'" in run("learn", folder, "--drop", "nobody", *where, status=2).output


def test_flags_that_mean_nothing_there_are_refused(folder):
    for flag in (["--transpose"], ["--discretize", "quantile"], ["--na", "?"]):
        assert (
            flag[0].removeprefix("--")
            in run("learn", folder / "*.parquet", "--where", "engine", *flag, status=2).output
        )
    assert "--where" in run("learn", "example:asia", "--where", "engine", status=2).output
    twice = run(
        "learn", folder.parent / "made.db", "--table", "made", "--table", "b", "--where", "engine", status=2
    )
    assert "join several in a view" in twice.output


def test_a_password_is_neither_printed_nor_written(address, tmp_path):
    page = tmp_path / "r.html"
    words = ["--table", "by address", "-m", "chow-liu"]
    found = run("learn", address, *words, "--report", page, "-o", tmp_path / "g.json")

    assert "ChowLiu on postgresql://owner@127.0.0.1:" in found.stdout
    assert "PostgreSQL through ibis" in found.stdout
    assert sl.load(tmp_path / "g.json") == sl.ChowLiu().fit(TABLE).graph_
    described = run("describe", address, "--table", "by address")
    wrong = run("learn", address, "--table", "nowhere", status=1)
    closed = address.rpartition(":")[0] + f":{free_port()}/postgres"
    nobody = run("learn", closed, *words, status=1)
    for said in (found, described, wrong, nobody):
        assert SECRET not in said.output
    for written in (page, tmp_path / "g.json"):
        assert SECRET not in written.read_text()
    assert "sl.source('postgresql://owner@127.0.0.1:" in html.unescape(page.read_text())


def test_the_password_of_a_database_of_several_tables_is_not_shown_either(address, tmp_path):
    page = tmp_path / "r.html"
    words = ["-m", "relational-model", "--table", "by address", "--report", page]
    found = run("learn", address, *words)
    assert "RelationalModel on postgresql://owner@" in found.stdout
    assert SECRET not in found.output
    assert SECRET not in page.read_text()
    # other tests leave tables on this server, so a description of all of it may ask for their keys
    assert SECRET not in runner.invoke(app, ["describe", address]).output
