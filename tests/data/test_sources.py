"""A table is the same data set wherever it comes from."""

import csv

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from tests.oracles import tables as oracle

pytestmark = pytest.mark.filterwarnings("ignore::structlearn.errors.DataWarning")

WORDS = st.text(alphabet="ab é,\"';", max_size=4).map("v".__add__)
WHOLE = st.integers(-3, 3) | st.integers(-(10**12), 10**12)
BOOLEANS = st.booleans()
FLOATS = st.floats(-1e9, 1e9, allow_nan=False, allow_subnormal=False)


@st.composite
def tables(draw, values=(WORDS, WHOLE, FLOATS, BOOLEANS)):
    n_rows = draw(st.integers(1, 30))
    n_columns = draw(st.integers(1, 4))
    return {f"x{j}": draw(_columns(draw(st.sampled_from(values)), n_rows)) for j in range(n_columns)}


def _columns(values, n_rows):
    gappy = st.lists(values | st.none(), min_size=n_rows, max_size=n_rows)
    return gappy.filter(lambda column: any(value is not None for value in column))


def _object_array(table):
    array = np.empty((len(table["x0"]), len(table)), dtype=object)
    for j, column in enumerate(table.values()):
        array[:, j] = column
    return array


SOURCES = {
    "pandas": pd.DataFrame,
    "pandas objects": lambda table: pd.DataFrame(table, dtype=object),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "polars": pl.DataFrame,
    "polars lazy": lambda table: pl.DataFrame(table).lazy(),
    "arrow": pa.table,
    "numpy objects": _object_array,
    "series": lambda table: {name: pl.Series(values) for name, values in table.items()},
    "relation": lambda table: duckdb.connect().from_arrow(pa.table(table)),
    "itself": lambda table: Dataset(table),
}


@pytest.mark.parametrize("source", SOURCES)
@settings(deadline=None, max_examples=25)
@given(table=tables())
def test_every_kind_of_table_gives_the_same_data_set(source, table):
    assert Dataset(SOURCES[source](table)) == Dataset(table)


@settings(deadline=None, max_examples=60)
@given(table=tables())
def test_names_kinds_labels_and_values_are_those_of_the_table(table):
    dataset = Dataset(table)

    assert dataset.names == tuple(table)
    assert dataset.kinds == {name: oracle.kind(values) for name, values in table.items()}
    assert dataset.inferred == set(table)
    for name, values in table.items():
        shown = [None if oracle.is_missing(value) else value for value in dataset.to_dict()[name].tolist()]
        assert shown == values
        assert dataset.missing.get(name, 0) == values.count(None)
        if dataset.kinds[name] == "discrete":
            assert dataset.labels[name] == oracle.labels(values)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables(values=(WORDS, WHOLE, FLOATS)))
def test_a_csv_file_gives_back_what_was_written(table, tmp_path):
    with (tmp_path / "table.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))

    assert Dataset(tmp_path / "table.csv") == Dataset(table)


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(table=tables())
def test_a_parquet_file_gives_back_what_was_written(table, tmp_path):
    pl.DataFrame(table).write_parquet(tmp_path / "table.parquet")

    assert Dataset(str(tmp_path / "table.parquet")) == Dataset(table)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.float32, np.float64, object])
@settings(deadline=None, max_examples=30)
@given(values=st.lists(st.integers(0, 100), min_size=1, max_size=60))
def test_the_storage_type_changes_nothing(dtype, values):
    array = np.array(values, dtype=dtype).reshape(-1, 1)

    dataset = Dataset(array)

    assert dataset.kinds == {"x0": oracle.kind(values)}
    assert dataset == Dataset({"x0": values})


def test_booleans_are_discrete_in_numpy_and_keep_their_labels():
    dataset = Dataset(np.array([[True], [False], [True]]))

    assert dataset.labels == {"x0": (False, True)}
    assert [type(label) for label in dataset.labels["x0"]] == [bool, bool]


def test_a_numpy_table_of_text_keeps_its_labels():
    assert Dataset(np.array([["b", "1"], ["a", "2"]])).labels == {"x0": ("a", "b"), "x1": ("1", "2")}


def test_a_masked_array_is_missing_where_it_is_masked():
    table = np.ma.array([[1.5, 2.5], [3.5, 4.5]], mask=[[False, True], [False, False]])

    assert Dataset(table).missing == {"x1": 1}


def test_an_array_of_records_has_the_columns_that_it_names():
    records = np.array([(1.5, "x"), (2.5, "y"), (0.5, "x")], dtype=[("size", "f8"), ("kind", "U1")])

    assert Dataset(records) == Dataset({"size": [1.5, 2.5, 0.5], "kind": ["x", "y", "x"]})
    gap = np.ma.array(records, mask=[(True, False), (False, False), (False, False)])
    assert Dataset(gap).missing == {"size": 1}


def test_a_default_pandas_frame_gets_the_names_of_an_array():
    array = np.array([[0.5, 1.5], [2.5, 3.5]])

    assert Dataset(pd.DataFrame(array)) == Dataset(array)


def test_names_of_polars_columns_are_kept():
    assert Dataset(pl.DataFrame({"Größe": [1.5], "a b": ["x"]})).names == ("Größe", "a b")


def test_the_data_set_does_not_share_memory_with_the_array():
    array = np.array([[0.5], [1.5], [2.5]])
    dataset = Dataset(array)
    array[0, 0] = 9.0

    assert dataset.to_dict()["x0"].tolist() == [0.5, 1.5, 2.5]


def test_an_object_that_can_become_an_array_is_read_as_one():
    class Arraylike:
        def __array__(self, dtype=None, copy=None):
            return np.array([[0.5, 1.5]], dtype=dtype, copy=copy)

    assert Dataset(Arraylike()).names == ("x0", "x1")


ROWS = [3, 0, None, 7, 3, 0, 7, 7]  # 5 is a category that no row has
CATEGORICAL = {
    "pandas": lambda rows, levels: pd.Series(pd.Categorical(rows, categories=levels)),
    "arrow": lambda rows, levels: pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(_codes(part, levels), pa.array(levels))
            for part in (rows[:5], rows[5:])
        ]
    ),
    "arrow, a dictionary for each chunk": lambda rows, _: pa.chunked_array(
        [pa.array(part).dictionary_encode() for part in (rows[:5], rows[5:])]
    ),
    "polars": lambda rows, _: pl.Series(rows).cast(pl.String).cast(pl.Categorical),
    "polars, declared": lambda rows, levels: pl.Series(rows)
    .cast(pl.String)
    .cast(pl.Enum([*map(str, levels)])),
}


def _codes(rows, levels):
    return pa.array([None if row is None else levels.index(row) for row in rows], type=pa.int8())


@pytest.mark.parametrize("make", CATEGORICAL.values(), ids=CATEGORICAL)
@pytest.mark.parametrize("text", [False, True], ids=["numbers", "text"])
def test_categories_of_any_library_have_the_codes_of_their_values(make, text):
    rows, levels = ROWS, [0, 3, 5, 7]
    series = make(
        [None if row is None else str(row) for row in rows] if text else rows,
        [*map(str, levels)] if text else levels,
    )
    table = pa.table({"a": series}) if isinstance(series, pa.ChunkedArray) else {"a": series}

    column = Dataset(table, kinds={"a": "discrete"}).column("a")

    assert [
        None if gone else int(column.labels[code])
        for code, gone in zip(column.codes, column.missing, strict=True)
    ] == rows
    assert [int(label) for label in column.labels] in (levels, [0, 3, 7])
    assert {type(label) for label in column.labels} == {str if text or isinstance(series, pl.Series) else int}


@pytest.mark.parametrize("values", [[2, 1, 2], [2.5, 1.0, 2.5], [True, False, True]])
def test_categories_keep_their_order_and_their_type(values):
    order = sorted(set(values), reverse=True)

    column = Dataset({"a": pd.Series(pd.Categorical(values, categories=order))}).column("a")

    assert column.labels == tuple(order)
    assert column.codes.tolist() == [order.index(value) for value in values]
