"""sl.source: what is read into memory, what stays where it is, and what is refused."""

import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import structlearn as sl
from structlearn.data.describe import describe
from structlearn.errors import DataNote
from structlearn.statistics.engines import duckdb_columns, in_duckdb, opening, source_table
from structlearn.statistics.engines.source_table import SourceTable

ODD_NAMES = ["select", "a b", 'say "hi"', "it's", "größe", "x" * 200, "c0", "w", "n", "Rows", "rows"]


@pytest.fixture
def parquet(frame, tmp_path):
    path = tmp_path / "rows.parquet"
    frame.write_parquet(path)
    return path


def test_a_small_file_goes_into_memory_and_a_large_one_stays_with_a_note(parquet, monkeypatch):
    assert isinstance(sl.source(parquet), sl.Dataset)
    monkeypatch.setattr(opening, "MOST_IN_MEMORY", 1000)
    with pytest.warns(DataNote, match=r"rows\.parquet takes about .* it stays where it is"):
        found = sl.source(parquet)
    assert isinstance(found, SourceTable)
    assert isinstance(sl.source(parquet, where="memory"), sl.Dataset)


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv"])
def test_a_file_in_the_engine_has_the_kinds_and_labels_that_it_has_in_memory(frame, tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    if ending == "parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="," if ending == "csv" else "\t")
    here, there = sl.Dataset(path), sl.source(path, where="engine")
    assert there.kinds == here.kinds
    assert there.labels == here.labels
    assert there.n_rows == len(there) == here.n_rows


@pytest.mark.parametrize("rows", ['a,b\n"",1\n,2\nx,""\ny,\n', 'a\nx\n""\n\ny\n', 'a,b\n"",""\nx,007\n,\n'])
@pytest.mark.filterwarnings("ignore:column '.' has the empty text")
def test_an_empty_text_in_quotes_is_the_label_there_that_it_is_in_memory(tmp_path, rows):
    path = tmp_path / "rows.csv"
    path.write_text(rows)
    here, there = sl.Dataset(path), sl.source(path, where="engine")

    assert there.labels == here.labels
    assert there.missing == here.missing
    assert str(there.describe()) == str(describe(here))


def test_a_pattern_or_a_folder_means_all_its_files(frame, tmp_path):
    (tmp_path / "rows").mkdir()
    for i in range(3):
        frame[100 * i : 100 * (i + 1)].write_parquet(tmp_path / f"part{i}.parquet")
        frame[100 * i : 100 * (i + 1)].write_parquet(tmp_path / "rows" / f"part{i}.parquet")
        frame[100 * i : 100 * (i + 1)].write_csv(tmp_path / f"part{i}.csv")
    for place in (tmp_path / "rows", tmp_path / "*.parquet", str(tmp_path / "part?.csv")):
        assert sl.source(place, where="engine").n_rows == 300
        assert sl.source(place).n_rows == 300
    assert sl.learn(str(tmp_path / "*.parquet"), columns=["a", "b", "c"]).nodes == ("a", "b", "c")
    with pytest.raises(sl.DataError, match="files of several kinds"):
        sl.source(tmp_path / "part*", where="engine")


def test_columns_a_filter_and_weights_choose_a_part(parquet, frame):
    kept = frame.filter(pl.col("x") > 0.5)
    there = sl.source(parquet, where="engine", columns=["c", "a", "times"], filter="x > 0.5", weights="times")
    here = sl.Dataset(kept.select("c", "a"), weights=kept["times"].to_numpy())
    assert there.names == ("c", "a")
    assert there.n_rows == here.n_rows
    graph = sl.Graph(["a", "c"], directed=[("a", "c")])
    assert sl.score(graph, there, "bdeu") == pytest.approx(sl.score(graph, here, "bdeu"), rel=1e-12)
    assert (
        sl.source(parquet, weights="times", columns=["a", "c"]).weights.tolist() == frame["times"].to_list()
    )


def test_a_filter_works_in_memory_too(parquet, frame):
    found = sl.source(parquet, filter="a = 'u'")
    assert isinstance(found, sl.Dataset)
    assert found.n_rows == frame.filter(pl.col("a") == "u").height


def test_a_sample_of_rows_is_the_same_each_time_and_says_so(parquet):
    one, again, other = (sl.source(parquet, sample_rows=40, sample_seed=seed) for seed in (3, 3, 4))
    assert one == again
    assert one != other
    assert one.n_rows == 40
    assert one.notes == ("40 of 300 rows of DuckDB, drawn at random (seed 3).",)


def test_names_of_any_kind_are_taken(tmp_path):
    rng = np.random.default_rng(0)
    table = {name: rng.choice(["it's", 'a "b"', "ü", "\\"], 200).tolist() for name in ODD_NAMES}
    table |= {"x y": rng.normal(size=200).tolist()}
    path = tmp_path / "odd 'names'.parquet"
    pl.DataFrame(table).write_parquet(path)
    there, here = sl.source(path, where="engine"), sl.Dataset(table)
    assert there.names == here.names
    assert there.labels == here.labels
    assert sl.PC().fit(there).graph_ == sl.PC().fit(here).graph_


def test_a_network_is_fitted_where_the_rows_are(parquet, frame):
    graph = sl.Graph(["a", "b", "c", "x"], directed=[("a", "b"), ("a", "x"), ("c", "x")])
    there = sl.source(parquet, where="engine", columns=["a", "b", "c", "x"])
    mine, theirs = sl.BayesianNetwork(graph).fit(there), sl.BayesianNetwork(graph).fit(frame.drop("times"))
    for node in "abc":
        np.testing.assert_allclose(mine.cpds[node].probabilities, theirs.cpds[node].probabilities)
    np.testing.assert_allclose(mine.cpds["x"].intercepts, theirs.cpds["x"].intercepts)
    np.testing.assert_allclose(mine.cpds["x"].variances, theirs.cpds["x"].variances)
    with pytest.raises(sl.DataError, match="log_likelihood needs the rows"):
        mine.log_likelihood(there)
    discrete = sl.source(parquet, where="engine", columns=["a", "b"])
    smaller = sl.BayesianNetwork(graph.subgraph(["a", "b"])).fit(discrete)
    assert smaller.log_likelihood(discrete) == pytest.approx(smaller.log_likelihood(frame.select("a", "b")))


def test_a_description_is_that_of_the_table_in_memory(parquet, frame):
    assert str(sl.source(parquet, where="engine").describe()) == str(describe(sl.Dataset(frame)))


def test_a_relation_that_is_small_is_read_and_a_large_one_left(frame, monkeypatch):
    relation = duckdb.connect().sql("SELECT * FROM frame")
    assert isinstance(sl.source(relation), sl.Dataset)
    monkeypatch.setattr(opening, "MOST_IN_MEMORY", 1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNote)
        learner = sl.HillClimbing().fit(relation)
    assert learner.graph_ == sl.HillClimbing().fit(frame).graph_
    assert learner.statistics_.engine == "DuckDB"
    assert learner.statistics_.rows_scanned >= 600
    assert "round trips" in str(learner.statistics_)


def test_temporary_tables_go_with_the_source(frame):  # noqa: ARG001, DuckDB finds it by its name
    connection = duckdb.connect()
    source = sl.source(connection.sql("SELECT a, b, c FROM frame"), where="engine")
    tables = "SELECT count(*) FROM duckdb_tables()"
    assert connection.execute(tables).fetchall() == [(1,)]
    del source
    assert connection.execute(tables).fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"where": "elsewhere"}, "where is where rows are counted, one of 'memory', 'engine', or None"),
        ({"where": "memory", "weights": "nope"}, "weights: there is no column 'nope'"),
        ({"where": "engine", "decimal": ","}, "decimal"),
        ({"where": "engine", "weights": [1.0] * 300}, "name the column"),
        ({"table": "t"}, "names a table of a database"),
        ({"where": "engine", "columns": ["a", "nope"]}, "nope"),
        ({"where": "engine", "filter": "nope > 3"}, "nope"),
        ({"where": "engine", "filter": "x > 99"}, "no rows"),
        ({"where": "engine", "kinds": {"a": "continuous"}}, "'a'"),
        ({"where": "engine", "kinds": "continuous"}, "give the kinds by name"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(parquet, options, words):
    with pytest.raises(ValueError, match=words) as refused:
        sl.source(parquet, **options)
    assert "\n" not in str(refused.value)


def test_a_table_in_memory_stays_there(frame):
    with pytest.raises(sl.OptionError, match="where='engine'"):
        sl.source(frame, where="engine")
    assert sl.source(frame, columns=["a"]).names == ("a",)


def test_rows_are_refused_to_who_needs_them_with_the_way_out(parquet):
    source = sl.source(parquet, where="engine", columns=["a", "x"])
    with pytest.raises(sl.DataError, match="sample_rows=100_000"):
        sl.Dataset(source)
    with pytest.raises(sl.DataError, match="sample_rows=100_000"):
        sl.PC(test="permutation").fit(
            sl.source(parquet, where="engine", columns=["x", "times"], kinds={"times": "continuous"})
        )


def test_a_file_that_is_cut_off_in_the_middle_is_one_clear_error(parquet):
    source = sl.source(parquet, where="engine", columns=["a", "b", "x"])
    whole = parquet.read_bytes()
    parquet.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(sl.DataError, match="DuckDB cannot answer"):
        sl.HillClimbing().fit(source)


def test_identifiers_and_dates_are_refused_by_name(monkeypatch):
    monkeypatch.setattr(duckdb_columns, "MOST_WORDS", 100)
    connection = duckdb.connect()
    many = connection.sql("SELECT 'id' || i AS who, i % 2 AS b FROM range(1000) AS t(i)")
    with pytest.raises(sl.DataError, match=r"'who'.*looks like an identifier"):
        sl.source(many, where="engine")
    dated = connection.sql("SELECT DATE '2026-01-01' + i::INT AS day, i % 2 AS b FROM range(1000) AS t(i)")
    with pytest.raises(sl.DataError, match=r"'day'.*date or time"):
        sl.source(dated, where="engine")


def test_codes_that_show_themselves_as_measurements_late_are_measurements():
    relation = duckdb.connect().sql(
        "SELECT CASE WHEN i < 150000 THEN i % 3 ELSE i END AS late, "
        "CASE WHEN i < 150000 THEN 1.0 ELSE 0.5 END AS half, i % 2 AS b FROM range(150100) AS t(i)"
    )
    assert sl.source(relation, where="engine").kinds == sl.Dataset(relation).kinds


def hostile(name):
    """Tables that nobody thinks of: noise with few rows, nearly equal columns, many levels, wide ones."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=200)
    return {
        "noise": {f"x{j}": rng.integers(0, 2, 20) for j in range(60)},
        "nearly equal": {"a": a, "b": a + 1e-9 * rng.normal(size=200), "c": rng.normal(size=200)},
        "300 levels": {"a": [f"w{i}" for i in rng.integers(0, 300, 2000)], "b": rng.integers(0, 3, 2000)},
        "wide": {f"x{j}": rng.normal(size=150) for j in range(120)},
    }[name]


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("name", ["noise", "nearly equal", "300 levels", "wide"])
@pytest.mark.parametrize("method", [sl.HillClimbing, sl.PC])
def test_a_hostile_table_has_the_answer_that_it_has_in_memory(method, name, tmp_path):
    table = hostile(name)
    pl.DataFrame(table).write_parquet(tmp_path / "rows.parquet")

    def answer(data):
        try:
            return method().fit(data).graph_
        except sl.DataError as error:
            return str(error)

    assert answer(sl.source(tmp_path / "rows.parquet", where="engine")) == answer(table)


def test_wide_tables_are_looked_at_in_several_statements(monkeypatch, parquet):
    whole = sl.source(parquet, where="engine")
    monkeypatch.setattr(in_duckdb, "FIELDS_AT_ONCE", 2)
    in_parts = sl.source(parquet, where="engine")
    assert (in_parts.kinds, in_parts.labels, in_parts.n_rows) == (whole.kinds, whole.labels, whole.n_rows)
    assert in_parts.account.round_trips > whole.account.round_trips


def test_a_statement_about_some_columns_of_a_wide_table_leaves_the_others_out(monkeypatch, parquet):
    whole = sl.source(parquet, where="engine", weights="times")
    monkeypatch.setattr(in_duckdb, "FIELDS_AT_ONCE", 2)
    monkeypatch.setattr(in_duckdb, "WIDEST", 1)
    in_parts = sl.source(parquet, where="engine", weights="times")
    assert (in_parts.kinds, in_parts.labels, in_parts.n_rows) == (whole.kinds, whole.labels, whole.n_rows)
    assert sl.ChowLiu().fit(in_parts).graph_ == sl.ChowLiu().fit(whole).graph_


@pytest.mark.parametrize("way", ["collapsed", "packed", "asked"])
def test_whole_numbers_beyond_2_to_53_in_a_file_have_the_moments_of_their_distances(
    way, monkeypatch, tmp_path
):
    rng = np.random.default_rng(0)
    away = np.stack([rng.integers(0, 1000, 300), rng.integers(0, 2**62, 300)])
    frame = pd.DataFrame(
        {"near": 2**60 + away[0], "far": (2**63 - 1 - 2**61) - away[1], "y": rng.normal(size=300)}
    )
    frame.to_parquet(tmp_path / "rows.parquet")
    monkeypatch.setattr(source_table, "MOST_BYTES", {"collapsed": 1 << 29}.get(way, 0))
    monkeypatch.setattr(source_table, "MOST_PACKED", {"asked": 0}.get(way, 1 << 29))
    source = sl.source(tmp_path / "rows.parquet", where="engine")

    found = source.statistics(source.names, kinds=source.kinds).moments()
    described = source.describe()

    assert source.account.way == way
    distances = np.array([away[0], -away[1], frame["y"]], dtype=np.float64)
    assert found.covariance == pytest.approx(np.cov(distances, bias=True), rel=1e-9)
    assert [each.mean for each in described.columns] == pytest.approx(frame.mean().tolist(), rel=1e-12)
    assert described.columns[0].deviation == pytest.approx(away[0].std(ddof=1), rel=1e-9)


def test_large_floats_that_few_rows_share_are_measurements_as_in_memory():
    frame = pd.DataFrame({"x": [1e18, 2e18, 3e18] * 20, "y": [1.0, 2.0] * 30})

    source = sl.source(duckdb.from_df(frame), where="engine")

    assert source.kinds == sl.Dataset(frame).kinds == {"x": "continuous", "y": "discrete"}


def test_a_network_of_whole_numbers_beyond_2_to_53_has_the_distributions_that_it_has_in_memory(tmp_path):
    rng = np.random.default_rng(0)
    d = rng.integers(0, 500, 400)
    frame = pd.DataFrame({"id": 2**60 + d * 2**50, "y": d + rng.normal(size=400), "z": d % 2})
    frame.to_parquet(tmp_path / "rows.parquet")
    graph = sl.Graph([*"yz", "id"], directed=[("id", "y"), ("z", "y")])

    here = sl.BayesianNetwork(graph).fit(frame)
    there = sl.BayesianNetwork(graph).fit(sl.source(tmp_path / "rows.parquet", where="engine"))

    assert there.log_likelihood(frame) == pytest.approx(here.log_likelihood(frame), rel=1e-6)


@pytest.mark.parametrize("way", ["collapsed", "packed"])
def test_numbers_over_the_whole_range_of_floats_give_the_answer_that_they_give_in_memory(way, monkeypatch):
    frame = pd.DataFrame({"x": np.linspace(-1.0, 1.0, 50) * 1.5e308})
    frame["y"] = frame["x"] / 1e308 + np.random.default_rng(0).normal(size=50)
    monkeypatch.setattr(source_table, "MOST_BYTES", {"collapsed": 1 << 29}.get(way, 0))
    source = sl.source(duckdb.from_df(frame), where="engine")

    here, there = sl.HillClimbing().fit(sl.Dataset(frame, rows="independent")), sl.HillClimbing().fit(source)

    assert there.statistics_.way == way
    assert there.graph_ == here.graph_
    assert there.score_ == pytest.approx(here.score_, rel=1e-9)
    spread = float(np.std(np.linspace(-1.0, 1.0, 50), ddof=1)) * 1.5e308
    assert source.describe().columns[0].deviation == pytest.approx(spread, rel=1e-9)


def test_one_row_is_described_without_a_deviation():
    source = sl.source(duckdb.sql("SELECT 1.5 AS x, 'a' AS k"), where="engine")

    assert str(source.describe()) == str(describe(sl.Dataset({"x": [1.5], "k": ["a"]})))


def test_json_is_the_text_in_the_engine_that_it_is_in_memory():
    rows = duckdb.connect().sql(
        "SELECT i % 2 AS a, ('{\"b\": ' || i % 3 || '}')::JSON AS j FROM range(60) AS t(i)"
    )
    here, there = sl.source(rows, where="memory"), sl.source(rows, where="engine")

    assert there.labels == here.labels
    assert sl.HillClimbing().fit(there).score_ == pytest.approx(sl.HillClimbing().fit(here).score_)
