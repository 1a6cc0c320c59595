"""structlearn on databases: all tables for one method, one table for the others."""

import sqlite3

import duckdb
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()
TABLES = (
    "CREATE TABLE student (id INTEGER PRIMARY KEY, clever TEXT, keen TEXT)",
    "CREATE TABLE exam (id INTEGER PRIMARY KEY, student INTEGER REFERENCES student(id), grade TEXT)",
)
STUDENTS = [(i, "yes" if i % 2 else "no", "yes" if i % 4 < 2 else "no") for i in range(40)]
EXAMS = [(i, i % 40, "A" if i % 2 else "B") for i in range(120)]


def filled(connection):
    for statement in TABLES:
        connection.execute(statement)
    connection.executemany("INSERT INTO student VALUES (?, ?, ?)", STUDENTS)
    connection.executemany("INSERT INTO exam VALUES (?, ?, ?)", EXAMS)
    connection.commit()
    connection.close()


@pytest.fixture(scope="module", params=["sqlite", "duckdb"])
def school(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("school") / f"school.{request.param}"
    filled(sqlite3.connect(path) if request.param == "sqlite" else duckdb.connect(str(path)))
    return str(path)


def run(*words):
    return runner.invoke(app, [str(word) for word in words])


def test_a_model_of_a_database_is_learnt_printed_and_written(school, tmp_path):
    graph, page = tmp_path / "g.json", tmp_path / "r.html"

    found = run("learn", school, "--method", "relational-model", "-o", graph, "--report", page)

    assert found.exit_code == 0, found.stderr
    assert "2 tables, 160 rows, 3 attributes, 1 reference" in found.stdout
    assert "exam.grade" in found.stdout
    assert sl.load(graph) == sl.RelationalModel().fit(school).graph_
    assert 'id="database"' in page.read_text()
    assert f"structlearn learn {school} --method relational-model" in page.read_text()


def test_tables_kinds_and_keys_are_given_by_flags(school):
    one = run("learn", school, "-m", "relational-model", "--table", "student")
    both = run("learn", school, "-m", "relational-model", "--kind", "exam.id=continuous", "--set", "bins=2")

    assert "1 table, 40 rows, 2 attributes" in one.stdout
    assert "2 tables, 160 rows, 4 attributes" in both.stdout


def test_keys_that_nobody_declared_can_be_given(tmp_path):
    with sqlite3.connect(tmp_path / "bare.db") as connection:
        connection.execute("CREATE TABLE student (id INTEGER, clever TEXT)")
        connection.execute("CREATE TABLE exam (student INTEGER, grade TEXT)")
        connection.executemany("INSERT INTO student VALUES (?, ?)", [row[:2] for row in STUDENTS])
        connection.executemany("INSERT INTO exam VALUES (?, ?)", [row[1:] for row in EXAMS])
    connection.close()
    learn = ("learn", tmp_path / "bare.db", "-m", "relational-model")

    given = run(*learn, "--set", "keys=exam.student=student.id")
    none = run(*learn)

    assert "1 reference" in given.stdout
    assert none.exit_code != 0
    assert "declares no foreign keys" in none.stderr


def test_the_word_none_is_a_word_where_an_option_has_it(school):
    assert run("learn", school, "-m", "relational-model", "--set", "dangling=none").exit_code == 0


def test_other_methods_learn_from_one_table(school, tmp_path):
    page = tmp_path / "r.html"
    found = run("learn", school, "-m", "chow-liu", "--table", "student", "--drop", "id", "--report", page)

    assert found.exit_code == 0, found.stderr
    assert "40 rows, 2 columns" in found.stdout
    assert "--table student" in page.read_text()


def test_describe_shows_the_schema_or_one_table(school):
    schema, table = run("describe", school), run("describe", school, "--table", "exam")

    assert "exam: 120 rows, key id" in schema.stdout
    assert "  student → student" in schema.stdout
    assert "  clever: no, yes" in schema.stdout
    assert "grade" in table.stdout
    assert "clever" not in table.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-m", "boss"], "has the tables 'student', 'exam'"),
        (["-m", "boss", "--table", "class"], "--table class"),
        (["-m", "boss", "--table", "exam", "--table", "student"], "choose one with --table"),
        (["-m", "relational-model", "--table", "class"], "there is no table 'class'"),
        (["-m", "relational-model", "--drop", "id"], "--drop: RelationalModel takes a database"),
        (["-m", "relational-model", "-o", "model.bif"], "holds a Bayesian network"),
    ],
)
def test_what_cannot_be_done_with_a_database_is_refused(school, words, message):
    found = run("learn", school, *words)

    assert found.exit_code == 2
    assert message in found.stderr


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")

    for words, message in (
        (["a.csv", "-m", "relational-model"], "is no DuckDB or SQLite database"),
        (["b.sqlite", "-m", "relational-model"], "there is no such file"),
        (["a.csv", "--table", "t"], "is no DuckDB or SQLite file"),
    ):
        found = run("learn", tmp_path / words[0], *words[1:])
        assert found.exit_code != 0
        assert message in found.stderr
