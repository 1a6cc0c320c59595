"""A table with its variables in rows is said so, and can be turned."""

import warnings
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

import structlearn as sl

GENES = ("recA", "lexA", "dinI", "umuD")
VALUES = np.random.default_rng(0).normal(size=(4, 12))
SAMPLES = [f"sample{j}" for j in range(12)]
ON_ITS_SIDE = {"gene": list(GENES)} | dict(zip(SAMPLES, VALUES.T, strict=True))
UPRIGHT = sl.Dataset(dict(zip(GENES, VALUES, strict=True)))


def said_about(table: object, **options: object) -> list[str]:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        sl.Dataset(table, **options)
    return [str(warning.message) for warning in heard if "transposed" in str(warning.message)]


@pytest.mark.parametrize("made", [dict, pd.DataFrame, pl.DataFrame])
def test_the_first_column_of_text_names_the_variables(made):
    assert sl.Dataset(made(ON_ITS_SIDE), transpose=True) == UPRIGHT


def test_the_index_of_a_pandas_frame_names_the_variables():
    assert sl.Dataset(pd.DataFrame(ON_ITS_SIDE).set_index("gene"), transpose=True) == UPRIGHT


def test_an_array_has_no_names_to_give():
    assert sl.Dataset(VALUES, transpose=True) == sl.Dataset(VALUES.T)


def test_a_data_set_can_be_turned_unless_its_rows_have_weights():
    assert sl.Dataset(sl.Dataset(ON_ITS_SIDE, transpose=False), transpose=True) == UPRIGHT
    weighted = sl.Dataset(ON_ITS_SIDE, weights=np.ones(4), transpose=False)
    with pytest.raises(sl.DataError, match="weights of rows mean nothing"):
        sl.Dataset(weighted, transpose=True)


def test_missing_values_and_whole_numbers_are_turned_with_the_rest():
    turned = sl.Dataset({"id": ["a", "b"], "s": [1, 2], "t": [None, 3], "u": [1, 2]}, transpose=True)
    assert turned.missing == {"a": 1}
    assert turned.to_dict()["b"].tolist() == [2, 3, 2]


def test_tables_of_text_are_turned_too():
    turned = sl.Dataset({"snp": ["rs1", "rs2"], "s": ["AA", "AB"], "t": ["AB", "AB"]}, transpose=True)
    assert {name: list(values) for name, values in turned.to_dict().items()} == {
        "rs1": ["AA", "AB"],
        "rs2": ["AB", "AB"],
    }


def test_kinds_name_the_columns_as_they_are_after_the_turn():
    turned = sl.Dataset(
        {"id": ["a", "b"], "s": [1, 2], "t": [2, 1]}, kinds={"a": "continuous"}, transpose=True
    )
    assert turned.kinds == {"a": "continuous", "b": "discrete"}


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"gene": ["a", "b"], "note": ["x", "y"], "s": [1.0, 2.0]}, "'note' is text among numbers"),
        ({"gene": ["a", None], "s": [1.0, 2.0]}, "row 1, from 0, has no name"),
        ({"gene": ["a", "a"], "s": [1.0, 2.0]}, "'a' occurs more than once"),
    ],
)
def test_what_cannot_be_turned_is_an_error(table, said):
    with pytest.raises(sl.DataError, match=said):
        sl.Dataset(table, transpose=True)


def test_learn_says_that_a_table_looks_transposed_and_settles_it():
    with pytest.warns(sl.DataWarning, match=r"looks transposed.*'sample0', 'sample1', …") as heard:
        sl.Dataset(ON_ITS_SIDE)
    assert "transpose=True" in str(heard[0].message)
    graph = sl.learn(ON_ITS_SIDE, method="chow-liu", transpose=True)
    assert graph == sl.learn(UPRIGHT, method="chow-liu")


def test_fit_says_that_a_table_looks_transposed():
    with pytest.warns(sl.DataWarning, match="looks transposed"), pytest.raises(sl.DataError):
        sl.ShrinkagePartialCorrelation().fit(ON_ITS_SIDE)


def numbered(names: list[str], n_rows: int) -> dict[str, object]:
    return dict(zip(names, np.random.default_rng(1).normal(size=(len(names), n_rows)), strict=True))


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(numbered(["Sample_1", "Sample_2", "Sample_3"], 50), id="sample names alone"),
        pytest.param(
            {"id": [f"YAL{i:03}W" for i in range(30)]} | numbered(["GSM101", "GSM102", "GSM103"], 30),
            id="more genes than samples",
        ),
        pytest.param(
            {"": ["TP53", "BRCA1", "MYC"]} | numbered([f"wt {i}h" for i in range(9)], 3),
            id="many columns and gene labels",
        ),
        pytest.param(
            {"Gene Symbol": ["TP53", "BRCA1", "MYC", "EGFR"]} | numbered(["wt", "ko", "heat"], 4),
            id="a header for genes",
        ),
    ],
)
def test_tables_that_look_transposed(table):
    assert len(said_about(table)) == 1
    assert not said_about(table, transpose=False)
    assert not said_about(table, transpose=True)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(
            {"id": ["sample1", "sample2", "sample3"]} | numbered(["TP53", "MYC", "EGFR"], 3), id="upright"
        ),
        pytest.param({"id": ["P1", "P2", "P3"]} | numbered([f"x{i}" for i in range(9)], 3), id="patients"),
        pytest.param({"city": ["Rome", "Bonn", "Lyon"]} | numbered(["rain", "sun", "wind"], 3), id="cities"),
        pytest.param({"gene": ["TP53", "MYC", "TP53"]} | numbered(SAMPLES, 3), id="a gene that repeats"),
        pytest.param(
            {"id": ["TP53", "MYC", "EGFR"]} | numbered(["KRAS", "BRAF", "JUN"], 3), id="genes both ways"
        ),
        pytest.param(numbered(["sample1", "age"], 30), id="two columns"),
        pytest.param(np.zeros((3, 40)) + np.arange(40), id="an array"),
    ],
)
def test_tables_that_do_not(table):
    assert not said_about(table)


def test_a_kind_given_for_the_first_column_settles_it():
    assert not said_about(ON_ITS_SIDE, kinds={"gene": "discrete"})


def test_dates_are_no_samples():
    with pytest.raises(sl.DataError, match="transpose: 'day' holds dates or times"):
        sl.Dataset({"gene": ["a", "b"], "day": [date(2020, 1, 1), date(2020, 1, 2)]}, transpose=True)
