"""What is dropped, or not chosen, is not looked at, whatever the table is and whatever the column holds."""

import warnings
from datetime import date, timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import structlearn as sl
from structlearn.data import files
from structlearn.data.choosing import chosen_by
from structlearn.reading import Reading

N = 60
GOOD = {"b": [i % 3 for i in range(N)], "c": [i * 7 % 2 for i in range(N)]}
BAD = {
    "dates": [date(2020, 1, 1) + timedelta(days=i) for i in range(N)],
    "empty": [None] * N,
    "infinite": [float("inf")] + [0.5] * (N - 1),
    "lists": [[1, 2]] * N,
    "bytes": [b"a"] * N,
    "names": [f"n{i}" for i in range(N)],
}
WAYS = [{"columns": ["b", "c"]}, {"drop": ["other"]}]


def frames(values):
    table = {"b": GOOD["b"], "other": values, "c": GOOD["c"]}
    frame = pd.DataFrame(table)
    return [table, frame, pl.DataFrame(table), pa.table(table), duckdb.from_arrow(pa.table(table))]


@pytest.mark.parametrize("way", WAYS, ids=["columns", "drop"])
@pytest.mark.parametrize("values", BAD.values(), ids=BAD.keys())
def test_a_column_that_cannot_be_used_may_be_left_out_of_any_table(values, way):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in frames(values):
            assert sl.source(table, **way) == sl.Dataset(GOOD)
            assert sl.Dataset(table, **way) == sl.Dataset(GOOD)


@pytest.mark.parametrize("way", WAYS, ids=["columns", "drop"])
def test_truth_values_among_numbers_may_be_left_out(way):
    table = {**GOOD, "other": [1, True] * (N // 2)}

    assert sl.source(table, **way) == sl.Dataset(GOOD)


@pytest.mark.parametrize("way", WAYS, ids=["columns", "drop"])
@pytest.mark.parametrize("other", ["uuid()", "[1, 2]", "{'p': i}", "'a'::BLOB", "NULL"])
def test_types_of_duckdb_may_be_left_out_of_relations_and_files(other, way, tmp_path):
    wanted = f"i % 3 AS b, {other} AS other, i * 7 % 2 AS c"
    relation = duckdb.sql(f"SELECT {wanted} FROM range({N}) t(i)")  # noqa: S608, our own words
    relation.write_parquet(str(tmp_path / "rows.parquet"))

    for table in (relation, tmp_path / "rows.parquet"):
        assert sl.source(table, **way) == sl.Dataset(GOOD)
        assert sl.source(table, where="engine", **way).names == ("b", "c")


@pytest.mark.parametrize("way", WAYS, ids=["columns", "drop"])
@pytest.mark.parametrize("largest", [files.LARGE_BYTES, 0], ids=["small", "large"])
def test_columns_are_left_out_of_files_of_text_and_of_sheets(way, largest, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LARGE_BYTES", largest)
    frame = pd.DataFrame({"b": GOOD["b"], "other": BAD["infinite"], "c": GOOD["c"]})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.assign(other=[1, True] * (N // 2)).to_excel(tmp_path / "rows.xlsx", index=False)

    assert sl.source(tmp_path / "rows.csv", **way) == sl.Dataset(GOOD)
    assert sl.source(tmp_path / "rows.xlsx", **way) == sl.Dataset(GOOD)


def test_a_column_of_another_length_may_be_left_out():
    assert sl.Dataset({**GOOD, "other": [1]}, drop=["other"]) == sl.Dataset(GOOD)


def test_columns_come_in_the_order_asked_for_and_weights_need_not_be_named():
    table = {**GOOD, "other": BAD["lists"], "w": np.arange(1.0, N + 1.0)}

    found = sl.source(table, columns=["c", "b"], weights="w")

    assert found.names == ("c", "b")
    assert found.weights.tolist() == table["w"].tolist()


@pytest.mark.parametrize("table", frames(BAD["lists"]), ids=["dict", "pandas", "polars", "arrow", "duckdb"])
@pytest.mark.parametrize(
    ("way", "error", "words"),
    [
        ({"columns": ["b", "d"]}, sl.DataError, "no column 'd'"),
        ({"columns": ["b", "b"]}, sl.DataError, "must differ"),
        ({"columns": []}, sl.DataError, "at least one column"),
        ({"columns": ["b", "other"], "drop": ["other"]}, sl.DataError, "no column 'other'"),
        ({"drop": ["d"]}, sl.OptionError, "drop: there is no column 'd'"),
        ({"drop": ["b", "c", "other"]}, sl.OptionError, "no column is left"),
    ],
)
def test_names_that_cannot_be_chosen_are_refused(table, way, error, words):
    with pytest.raises(error, match=words):
        sl.Dataset(table, **way)


def test_kinds_may_be_said_of_columns_that_are_not_read():
    kinds = {"b": "discrete", "other": "discrete"}

    assert sl.Dataset({**GOOD, "other": BAD["lists"]}, kinds=kinds, drop=["other"]).inferred == {"c"}


def test_of_a_table_that_is_turned_columns_are_named_as_they_are_then():
    rows = {"gene": ["a", "b"], "s1": [1.5, 2.0], "s2": [3.0, 4.5], "s3": [0.5, 1.0]}

    assert sl.Dataset(rows, transpose=True, columns=["b"]).names == ("b",)
    assert sl.Dataset(rows, transpose=True, drop=["b"]).names == ("a",)


def test_columns_of_a_parquet_file_are_called_by_their_own_names(tmp_path):
    nested = "[i] AS list, {'p': i, 'q': {'r': i}} AS s, map {'k': i} AS m, i AS z"
    rows = duckdb.sql(f"SELECT {nested} FROM range(9) t(i)")  # noqa: S608, our own words
    rows.write_parquet(str(tmp_path / "rows.parquet"))

    for name in ("list", "s", "m"):
        for where in ("memory", "engine"):
            with pytest.raises(sl.DataError, match=f"Column '{name}' holds"):
                sl.source(tmp_path / "rows.parquet", columns=[name, "z"], where=where)


@pytest.mark.parametrize("where", ["memory", "engine"])
def test_a_column_without_a_type_has_no_values(where):
    with pytest.raises(sl.DataError, match="Column 'n' has no values: all 5 are missing"):
        sl.source(duckdb.sql("SELECT i, NULL AS n FROM range(5) t(i)"), where=where)


def test_a_choice_names_what_is_kept():
    names = ["a", "b", "c"]

    assert list(chosen_by(Reading(drop=["b"]))(names)) == ["a", "c"]
    assert list(chosen_by(Reading(columns=["c", "a"], drop=["b"]))(names)) == ["c", "a"]
