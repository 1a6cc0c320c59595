"""Rows that come into memory through an engine keep the order that they have, which may be that of time."""

import duckdb
import numpy as np
import polars as pl
import pytest

import structlearn as sl
from structlearn.statistics.engines import source_table

N = 300_000  # more than DuckDB gives to one thread


def relation():
    return duckdb.connect().sql(f"FROM range({N}) AS t(i)").project("i AS step, (i * 37) % 11 / 4 AS x")


def one_file(folder, ending):
    path = folder / f"rows.{ending}"
    (relation().write_parquet if ending == "parquet" else relation().write_csv)(str(path))
    return path


def two_files(folder, ending):
    for number, part in enumerate((relation().limit(N // 3), relation().limit(N, N // 3))):
        path = str(folder / f"{number}.{ending}")
        part.write_parquet(path) if ending == "parquet" else part.write_csv(path)
    return folder / f"*.{ending}"


PLACES = {
    "relation": lambda _: relation(),
    "parquet": lambda folder: one_file(folder, "parquet"),
    "csv": lambda folder: one_file(folder, "csv"),
    "several parquet": lambda folder: two_files(folder, "parquet"),
    "several csv": lambda folder: two_files(folder, "csv"),
}


@pytest.mark.parametrize("said", [{"filter": "step % 3 > 0"}, {"where": "memory"}, {"sample_rows": N + 1}])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.filterwarnings("ignore:column 'step'")
def test_all_rows_that_are_read_are_in_order(place, said, tmp_path):
    found = sl.source(PLACES[place](tmp_path), kinds={"step": "continuous", "x": "continuous"}, **said)
    steps = np.arange(N)
    steps = steps[steps % 3 > 0] if "filter" in said else steps
    np.testing.assert_array_equal(found.to_dict()["step"], steps)


def test_a_filter_leaves_a_course_of_time_as_it_is(tmp_path):
    rng = np.random.default_rng(0)
    x = np.zeros(400)
    for t in range(1, 400):
        x[t] = 0.9 * x[t - 1] + rng.normal()
    table = pl.DataFrame({"x": x, "y": np.roll(x, 1)})
    table.write_parquet(tmp_path / "rows.parquet")
    found = sl.PCMCI().fit(sl.source(tmp_path / "rows.parquet", filter="x < 1000"))
    assert found.graph_ == sl.PCMCI().fit(table).graph_
    assert found.graph_.edges


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_rows_that_come_over_as_codes_are_a_course_of_time_too(ending, tmp_path, monkeypatch):
    monkeypatch.setattr(source_table, "WIDE", 0)  # so that rows come over as they are
    a = np.random.default_rng(0).integers(0, 2, N)
    table = pl.DataFrame({"a": a, "b": np.roll(a, 1)})
    path = tmp_path / f"rows.{ending}"
    (table.write_parquet if ending == "parquet" else table.write_csv)(path)
    source = sl.source(path, where="engine")
    rows = source.statistics(source.names, kinds=source.kinds).rows([0, 1]).values
    np.testing.assert_array_equal(rows, table.to_numpy())
