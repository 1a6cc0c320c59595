"""Databases through ibis: what their columns may hold, be called and do in the middle of a run."""

import sqlite3
import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics.engines import ibis_columns, ibis_questions, ibis_survey, through_ibis
from tests.contracts.engines import connection_to, statements
from tests.postgres import shared_server, started

ibis = pytest.importorskip("ibis")

N = 60


def base_table():
    rng = np.random.default_rng(0)
    a, x = rng.integers(0, 3, N), rng.normal(size=N)
    b = (a + (rng.random(N) < 0.1)) % 3
    return {
        "a": [("low", "mid", "top")[i] for i in a],
        "b": b.tolist(),
        "x": x.tolist(),
        "y": (x + 0.1 * a).tolist(),
    }


def in_sqlite(folder, *made, table=None, name="t"):
    """The connection to a file in which statements were executed, and a table put."""
    path = folder / "made.db"
    with sqlite3.connect(path) as connection:
        for statement in made:
            connection.execute(statement)
        if table is not None:
            create, insert, rows = statements(name, table, "?")
            connection.execute(create)
            connection.executemany(insert, rows)
    connection.close()
    return ibis.sqlite.connect(path)


@pytest.fixture
def postgres():
    """A connection of ibis to a schema of the test's own."""
    backend = connection_to(shared_server())
    backend.raw_sql("DROP SCHEMA IF EXISTS own CASCADE").close()
    backend.raw_sql("CREATE SCHEMA own").close()
    backend.raw_sql("SET search_path TO own").close()
    yield backend
    backend.raw_sql("SET search_path TO public").close()


def fill(backend, table, name="t"):
    create, insert, rows = statements(name, table, "%s")
    with backend.con.cursor() as cursor:
        cursor.execute(create)
        cursor.executemany(insert, rows)
    return backend.table(name)


NAMES = [
    "select",
    "GROUP BY",
    "a b",
    'say "no"',
    "it's",
    "größe",
    "日本",
    "50%",
    "c1",
    "w",
    "{x}",
    "t0",
    "a.b",
    "u0;--",
]


def with_names(names):
    columns = list(chain(len(names)).values())
    return dict(zip(names, columns, strict=True))


def chain(p):
    rng = np.random.default_rng(1)
    columns = [rng.integers(0, 2, N)]
    for _ in range(p - 1):
        columns.append(np.where(rng.random(N) < 0.7, columns[-1], rng.integers(0, 2, N)))
    return {f"v{i}": column.tolist() for i, column in enumerate(columns)}


def test_any_name_is_a_name_in_sqlite(tmp_path):
    table = with_names([*NAMES, "n" * 200])
    found = sl.ChowLiu().fit(in_sqlite(tmp_path, table=table, name='my "t"').table('my "t"'))
    assert found.graph_ == sl.ChowLiu().fit(table).graph_


def test_any_name_of_63_bytes_is_a_name_in_postgres(postgres):
    table = with_names([*NAMES, "n" * 63])
    found = sl.ChowLiu().fit(fill(postgres, table, 'my "t"'))
    assert found.graph_ == sl.ChowLiu().fit(table).graph_


def test_a_name_that_postgres_cut_is_explained(postgres):
    long = "ü" * 100
    table = fill(postgres, with_names(["a", long]))
    assert table.columns == ("a", "ü" * 31)
    with pytest.raises(
        sl.DataError, match=f"PostgreSQL keeps 63 bytes of a name, and this one is called '{'ü' * 31}'"
    ):
        sl.source(table, columns=["a", long])
    assert sl.source(table, columns=["ü" * 31, "a"]).names == ("ü" * 31, "a")


def test_columns_of_every_simple_type_are_read_as_in_memory(postgres):
    postgres.raw_sql("CREATE TYPE mood AS ENUM ('sad', 'ok', 'glad')").close()
    postgres.raw_sql(
        "CREATE TABLE t AS SELECT (ARRAY['sad', 'ok', 'glad'])[1 + i % 3]::mood AS mood, i % 2 = 0 AS even, "
        "i::smallint AS small, (i % 4)::numeric(9, 2) AS whole, (i / 8.0)::numeric AS eighths, "
        "CASE WHEN i % 5 = 0 THEN 'NaN' ELSE i / 4.0 END::real AS gaps, "
        "CASE WHEN i % 7 > 0 THEN (i % 3)::char(1) END AS letter FROM generate_series(1, 60) AS g(i)"
    ).close()
    rows = range(1, N + 1)
    expected = sl.Dataset(
        {
            "mood": [("sad", "ok", "glad")[i % 3] for i in rows],
            "even": [i % 2 == 0 for i in rows],
            "small": list(rows),
            "whole": [i % 4 for i in rows],
            "eighths": [i / 8 for i in rows],
            "gaps": [i / 4 if i % 5 else None for i in rows],
            "letter": [str(i % 3) if i % 7 else None for i in rows],
        },
        kinds={"small": "continuous", "letter": "discrete"},
    )
    found = sl.source(postgres.table("t"), kinds={"small": "continuous", "letter": "discrete"})
    assert found.kinds == expected.kinds
    assert found.labels == expected.labels
    assert found.missing == expected.missing
    drawn = found.sample(1000)
    assert drawn.to_dict()["even"].tolist() == expected.to_dict()["even"].tolist()
    found_moments = found.statistics(["eighths", "gaps"], kinds=found.kinds, missing="drop").moments()
    kept = sl.Dataset({"e": [i / 8 for i in rows if i % 5], "g": [i / 4 for i in rows if i % 5]}).to_dict()
    assert found_moments.covariance == pytest.approx(np.cov(np.array(list(kept.values())), bias=True))


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ("day DATE", "'day' holds date: a date or time.*view of the database.*columns="),
        ("day TIMESTAMP", "'day' holds timestamp.*: a date or time"),
        ("day BLOB", "'day' holds binary; each value must be text.*CAST"),
    ],
)
def test_dates_and_bytes_are_refused_by_name(declared, words, tmp_path):
    backend = in_sqlite(tmp_path, f"CREATE TABLE t (a TEXT, {declared})")
    with pytest.raises(sl.DataError, match=words):
        sl.source(backend.table("t"))


def test_dates_that_are_left_out_are_nobodys_business(tmp_path):
    made = ["CREATE TABLE t (a TEXT, day DATE)", "INSERT INTO t VALUES ('x', '2020-01-01'), ('y', NULL)"]
    assert sl.source(in_sqlite(tmp_path, *made).table("t"), columns=["a"]).labels == {"a": ("x", "y")}


@pytest.mark.parametrize(
    ("declared", "values", "words"),
    [
        ("REAL", "(1.5), ('many'), (2.5)", "numbers, and 1 of its values are text"),
        ("", "(1), ('many'), (2.5)", "numbers, and 1 of its values are text"),
        ("BOOLEAN", "('t'), (NULL), ('f'), (1)", "true or false, and 2 of its values are neither 0 nor 1"),
        ("BOOLEAN", "(0), (1), (2), (NULL)", "true or false, and 1 of its values are neither 0 nor 1"),
    ],
)
def test_values_of_sqlite_that_a_column_was_not_declared_for_are_refused(declared, values, words, tmp_path):
    made = [f"CREATE TABLE t (n {declared})", f"INSERT INTO t VALUES {values}"]  # noqa: S608, our own words
    with pytest.raises(sl.DataError, match=f"'n' is declared as {words}"):
        sl.source(in_sqlite(tmp_path, *made).table("t"), sample_rows=3)


@pytest.mark.filterwarnings("ignore:column 'a' has labels that differ in blanks or capitals")
def test_capitals_matter_even_where_sqlite_compares_without(tmp_path):
    made = ["CREATE TABLE t (a TEXT COLLATE NOCASE)", "INSERT INTO t VALUES ('x'), ('X'), ('x')"]
    source = sl.source(in_sqlite(tmp_path, *made).table("t"))
    assert source.labels == {"a": ("X", "x")}
    assert source.statistics(["a"], kinds=source.kinds).margins([0])[0].tolist() == [1, 2]


FILTERS = {
    "expression": lambda t: t["x"] > 0.5,
    "function": lambda _: lambda t: t["x"] > 0.5,
    "SQL": lambda _: "x > 0.5 AND a <> 'it''s;'",
}


@pytest.mark.parametrize("kind", FILTERS)
@pytest.mark.parametrize("where", ["sqlite", "duckdb"])
def test_a_filter_is_an_expression_a_function_or_sql(kind, where, tmp_path):
    table = base_table()
    if where == "sqlite":
        there = in_sqlite(tmp_path, table=table).table("t")
    else:
        backend = ibis.duckdb.connect()
        create, insert, rows = statements("t", table, "?")
        backend.con.execute(create)
        backend.con.executemany(insert, rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # ibis asks DuckDB in old words
            there = backend.table("t")
    source = sl.source(there, filter=FILTERS[kind](there), columns=["a", "b"], where="engine")
    kept = [i for i in range(N) if table["x"][i] > 0.5]
    assert source.n_rows == len(kept)
    assert source.names == ("a", "b")
    found = source.statistics(["a", "b"], kinds=source.kinds).counts([0, 1])
    expected = np.zeros_like(found)
    for i in kept:
        expected[source.labels["a"].index(table["a"][i]), source.labels["b"].index(table["b"][i])] += 1
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("wanted", ["x >", "1 = 1; DROP TABLE t", "nowhere > 1", lambda t: t.nowhere > 1])
def test_a_filter_that_is_none_is_refused_and_does_nothing(wanted, tmp_path):
    backend = in_sqlite(tmp_path, table=base_table())
    with pytest.raises(sl.DataError, match=r"filter|cannot answer: no such column: nowhere"):
        sl.source(backend.table("t"), filter=wanted)
    assert backend.list_tables() == ["t"]


def test_a_view_and_a_reader_who_may_only_select_suffice(postgres):
    fill(postgres, base_table())
    for statement in (
        "CREATE VIEW v AS SELECT a, b, x, y FROM t",
        "DROP ROLE IF EXISTS selecting",
        "CREATE ROLE selecting LOGIN",
        "GRANT USAGE ON SCHEMA own TO selecting",
        "GRANT SELECT ON v TO selecting",
        "ALTER ROLE selecting SET default_transaction_read_only = on",
    ):
        postgres.raw_sql(statement).close()
    address = shared_server().owner.replace("owner", "selecting")
    found = sl.HillClimbing().fit(sl.source(address, table="own.v"))
    assert found.graph_ == sl.HillClimbing().fit(base_table()).graph_
    postgres.raw_sql("DROP OWNED BY selecting").close()
    postgres.raw_sql("DROP ROLE selecting").close()


def test_numbers_that_postgres_cannot_multiply_are_learnt_from(postgres):
    table = {"x": [-1e300, 1e300, 1e-300, 5e299] * 5, "y": [1e-200, -1e-200, 3.0, -3.0] * 5}
    source = sl.source(fill(postgres, table))
    found = source.statistics(["x", "y"], kinds=source.kinds).moments()
    scaled = np.array([np.array(table["x"]) / 1e300, table["y"]])
    assert found.correlation[0, 1] == pytest.approx(np.corrcoef(scaled)[0, 1])


def test_databases_of_other_words_get_the_statements_translated(postgres, monkeypatch):
    monkeypatch.setattr(ibis_questions, "ALIKE", ())
    table = base_table()
    found = sl.HillClimbing().fit(fill(postgres, table))
    assert found.graph_ == sl.HillClimbing().fit(table).graph_


def test_databases_without_grouping_sets_are_asked_one_by_one(postgres, monkeypatch):
    table = fill(postgres, chain(4))
    expected = sl.source(table)
    monkeypatch.setattr(ibis_questions, "GROUPS_BY_SETS", ())
    found = sl.source(table)
    assert found.labels == expected.labels
    sets = [(0, 1), (2, 0, 3)]
    for mine, theirs in zip(found.engine.tables(sets, ()), expected.engine.tables(sets, ()), strict=True):
        assert sorted(map(tuple, mine.codes.tolist())) == sorted(map(tuple, theirs.codes.tolist()))
        assert mine.sizes.sum() == theirs.sizes.sum() == N
    assert found.engine.ledger.round_trips > expected.engine.ledger.round_trips


def test_many_columns_are_asked_in_several_statements(tmp_path, monkeypatch):
    rng = np.random.default_rng(2)
    table = {f"x{i}": rng.normal(size=N).tolist() for i in range(12)} | {"a": ["u", "v"] * (N // 2)}
    expected, names = sl.source(in_sqlite(tmp_path, table=table).table("t")), list(table)
    theirs = expected.statistics(names, kinds=expected.kinds).grouped_moments([12], np.arange(12)[None])
    assert expected.account.round_trips == 4
    monkeypatch.setattr(through_ibis, "AT_ONCE", 20)
    monkeypatch.setattr(ibis_survey, "AT_ONCE", 20)
    found = sl.source(ibis.sqlite.connect(tmp_path / "made.db").table("t"))
    assert found.kinds == expected.kinds
    mine = found.statistics(names, kinds=found.kinds).grouped_moments([12], np.arange(12)[None])
    np.testing.assert_array_equal(mine.products, theirs.products)
    assert found.account.round_trips >= 6 + 7
    drawn = found.sample(10, seed=3).to_dict()
    rows = {row[:2] + row[-2:] for row in zip(*table.values(), strict=True)}
    assert {(a, b, y, z) for a, b, *_, y, z in zip(*drawn.values(), strict=True)} <= rows


@pytest.mark.slow
def test_two_thousand_columns_are_a_table_too(tmp_path):
    rng = np.random.default_rng(5)
    table = {
        f"column {i}": (rng.normal(size=40) if i % 2 else rng.integers(0, 2, 40)).tolist()
        for i in range(2000)
    }
    source = sl.source(in_sqlite(tmp_path, table=table).table("t"))
    assert source.kinds == sl.Dataset(table).kinds
    assert source.account.round_trips < 40
    assert source.sample(5).n_rows == 5


def test_what_names_the_rows_is_refused_and_numbers_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(ibis_survey, "MOST_WORDS", 25)
    monkeypatch.setattr(ibis_survey, "GLANCE", 20)  # from which all columns look like codes
    table = {"n": [*[0] * 20, *range(40)], "b": [0, 1] * 30}
    source = sl.source(in_sqlite(tmp_path, table=table).table("t"))
    assert source.kinds == {"n": "continuous", "b": "discrete"}
    assert source.labels == {"b": (0, 1)}
    named = table | {"who": [f"p{i}" for i in range(N)]}
    (tmp_path / "other").mkdir()
    with pytest.raises(
        sl.DataError, match=r"'who' has more than 25 different values in 60 rows\. It looks like an id"
    ):
        sl.source(in_sqlite(tmp_path / "other", table=named).table("t"))


def test_pair_tables_of_all_columns_are_one_question(postgres, monkeypatch):
    monkeypatch.setattr("structlearn.statistics.engines.source_table.MOST_BYTES", 0)
    found = sl.ChowLiu().fit(fill(postgres, chain(10)))
    account = found.statistics_
    assert account.engine == "PostgreSQL through ibis"
    assert account.way == "asked"
    assert account.round_trips <= 6
    assert account.rows_scanned <= 6 * N
    cells = 45 * 4  # each with two values, what tells tables apart, rows and weight, and eight gaps
    assert cells * 48 < account.bytes_moved < cells * 48 + 3000  # and the first look


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, None, 2.0], "1 rows have no weight"),
        ([1.0, -1.0, 2.0], "they are from -1.0 to 2.0. A weight is a finite number, at least 0"),
        ([0.0, 0.0, 0.0], "no row has a weight above 0"),
        (["one", "two", "one"], "the column holds text; a weight is a number"),
    ],
)
def test_weights_that_are_none_are_refused(weights, words, tmp_path):
    table = {"a": ["x", "y", "x"], "w": weights}
    with pytest.raises(sl.DataError, match=f"weights='w': {words}"):
        sl.source(in_sqlite(tmp_path, table=table).table("t"), weights="w")


def test_an_empty_table_has_no_rows(tmp_path):
    with pytest.raises(sl.DataError, match="SQLite through ibis: the table has no rows"):
        sl.source(in_sqlite(tmp_path, "CREATE TABLE t (a TEXT, x REAL, n INTEGER)").table("t"))


def test_what_belongs_to_no_database_is_refused():
    with pytest.raises(sl.DataError, match="belongs to no database"):
        sl.source(ibis.table({"a": "int64"}, name="t"))
    with pytest.raises(sl.DataError, match="is no table"):
        sl.source(ibis.sqlite.connect().sql("SELECT 1 AS a")["a"])


class Disturbed:
    """A connection to which something happens before its n-th statement."""

    def __init__(self, backend, when, what):
        self._backend, self._left, self._what = backend, when, what

    def raw_sql(self, query):
        self._left -= 1
        if self._left == 0:
            self._what()
        return self._backend.raw_sql(query)

    def __getattr__(self, name):
        return getattr(self._backend, name)


def disturbed(source, when, what):
    source.engine._asked._backend = Disturbed(source.engine._asked._backend, when, what)
    return source


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("ALTER TABLE t DROP COLUMN b", "PostgreSQL through ibis cannot answer: column .*b.* does not exist"),
        ("DROP TABLE t", "PostgreSQL through ibis cannot answer: relation .*t.* does not exist"),
        ("UPDATE t SET a = 'other' WHERE x > 0", "the table changed while it was learnt from"),
    ],
)
@pytest.mark.parametrize("when", [1, 2])
def test_a_table_that_changes_in_the_middle_is_one_clear_error(postgres, statement, words, when, monkeypatch):
    monkeypatch.setattr("structlearn.statistics.engines.source_table.MOST_BYTES", 0)
    fill(postgres, base_table())
    other = ibis.connect(shared_server().owner)
    source = sl.source(postgres.table("t"), columns=["a", "b"])
    learner = sl.HillClimbing()
    with pytest.raises(sl.DataError, match=words):
        learner.fit(disturbed(source, when, lambda: other.raw_sql(statement.replace(" t", " own.t")).close()))
    other.disconnect()
    assert not hasattr(learner, "graph_")


def test_a_server_that_stops_in_the_middle_is_one_clear_error():
    server = started()
    backend = ibis.connect(server.owner)
    source = sl.source(fill(backend, base_table()))
    learner = sl.HillClimbing()
    with pytest.raises(sl.DataError, match="PostgreSQL through ibis cannot answer"):
        learner.fit(disturbed(source, 1, server.stop))
    assert not hasattr(learner, "graph_")
    backend.con.close()


def test_templates_of_types_are_found_once(tmp_path, monkeypatch):
    source = sl.source(in_sqlite(tmp_path, table=base_table()).table("t"))
    monkeypatch.setattr(ibis_columns.IbisColumns, "_compiled", None)  # a call would fail
    assert sl.HillClimbing().fit(source).statistics_.way == "collapsed"
