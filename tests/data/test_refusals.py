"""What cannot be used is refused at once: what is wrong, where, and what to do."""

from datetime import date, timedelta

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import estimator_checks

from structlearn.data import Dataset
from structlearn.errors import ColumnsError, DataError

DATES = "Column 'd' holds (dates or times|durations).*dates='days' makes them days"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        # The words of the first five are looked for by scikit-learn's estimator checks.
        (np.empty((0, 3)), r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required"),
        (np.empty((12, 0)), r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."),
        (np.ones(3), "Reshape your data"),
        (np.ones((2, 2)) * 1j, "Complex data not supported: column 'x0'"),
        (np.array([[0.5, 1.5], [np.inf, -np.inf]]), r"Column 'x0' has 1 infinite value \(inf\); .* row 1"),
        (pd.DataFrame(), r"0 feature\(s\)"),
        (pl.DataFrame({"a": []}), r"0 sample\(s\)"),
        ({}, r"0 feature\(s\)"),
        (pd.Series([1, 2]), "Reshape your data"),
        ([[1, 2], [3, 4]], r"list of rows is not a table.*numpy\.array\(rows\)"),
        ({"a": [1, 2], "b": [1]}, r"'a' has 2 rows and 'b' has 1"),
        ({"a": np.ones((2, 2))}, "Column 'a' .* 2 dimensions"),
        ({"a": 5}, "Column 'a' .* 0 dimensions"),
        ({"a": [None, np.nan]}, "Column 'a' has no values: all 2 are missing. Drop it"),
        ({"a": [True, 1]}, "Column 'a' mixes True and False with numbers"),
        ({"a": [1j]}, "Complex data not supported: column 'a'"),
        (
            {"a": [None, np.inf, 1.5, -np.inf]},
            r"Column 'a' has 2 infinite values \(inf\); the first is in row 1",
        ),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "must differ, but 'a' occurs more than once"),
        (pa.Table.from_arrays([pa.array([1])] * 2, names=["a", "a"]), "must differ, but 'a'"),
        (pd.DataFrame([[1, 2]], columns=["a", 1]), r"names are strings, not 1 \(a int\)\. Rename"),
        (pd.DataFrame({("a", "b"): [1]}), r"names are strings, not \('a', 'b'\)"),
        ({"a": [1], None: [2]}, "names are strings, not None"),
        ({"d": [date(2020, 1, 1)]}, DATES),
        ({"d": [timedelta(1)]}, DATES),
        ({"d": np.array(["2020-01-01"], dtype="datetime64[D]")}, DATES),
        (pd.DataFrame({"d": pd.to_datetime(["2020-01-01"])}), DATES),
        (pl.DataFrame({"d": [date(2020, 1, 1)]}), DATES),
        (pl.DataFrame({"a": [[1, 2]]}), r"Column 'a' holds List\(Int64\)"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_table_that_cannot_be_used_says_what_where_and_what_to_do(table, message):
    with pytest.raises(DataError, match=message):
        Dataset(table)


def test_all_columns_that_cannot_be_used_are_named_at_once():
    days = [f"2020-01-{day:02d}" for day in range(1, 31)]
    words = [*map(str, np.linspace(0.1, 2.9, 29)), "k.A."]
    table = {"day": days, "empty": [None] * 30, "a": [0.5, 1.5] * 15, "pulse": words}

    with pytest.raises(ColumnsError, match="3 columns cannot be read as they are") as refused:
        Dataset(table)

    assert sorted(reason.split("'")[1] for reason in refused.value.reasons) == ["day", "empty", "pulse"]
    assert Dataset(table, drop=["day", "empty"], na="k.A.").names == ("a", "pulse")


def test_infinity_in_writing_is_refused_where_numbers_are_wanted():
    with pytest.raises(DataError, match="Column 'a' has 1 infinite value"):
        Dataset({"a": ["1.5", "inf"]}, kinds={"a": "continuous"})


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT 1 AS a, 2 AS a", "must differ, but 'a'"),
        ("SELECT DATE '2020-01-01' AS d", DATES),
        ("SELECT INTERVAL 1 DAY AS d", DATES),
        ("SELECT [1] AS a", r"Column 'a' holds INTEGER\[\]"),
        ("SELECT 1 AS a WHERE false", r"0 sample\(s\)"),
    ],
)
def test_a_relation_that_cannot_be_used_says_so(query, message):
    with pytest.raises(DataError, match=message):
        Dataset(duckdb.connect().sql(query))


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.coo_array])
def test_a_sparse_matrix_is_a_type_error(make):
    with pytest.raises(TypeError, match="sparse matrix is not supported"):
        Dataset(make(np.eye(2)))


def test_a_value_of_a_strange_type_is_a_type_error_in_the_words_of_scikit_learn():
    with pytest.raises(
        TypeError, match=r"Column 'x0' holds \{'foo': 'bar'\}.*argument must be .* string.* number"
    ):
        Dataset(np.array([[{"foo": "bar"}, 1.0]], dtype=object))


def test_something_else_altogether_is_a_type_error_that_says_what_to_pass():
    with pytest.raises(TypeError, match=r"type int is not a table\. Pass a pandas"):
        Dataset(5)


class Reader(BaseEstimator):
    """The smallest estimator: it only reads its data."""

    def fit(self, table, y=None):  # noqa: ARG002, scikit-learn's signature
        self.n_features_in_ = len(Dataset(table).complete("Reader").names)
        return self


@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_complex_data,
        estimator_checks.check_dtype_object,
        estimator_checks.check_estimator_sparse_array,
        estimator_checks.check_estimator_sparse_matrix,
        estimator_checks.check_estimators_dtypes,
        estimator_checks.check_estimators_empty_data_messages,
        estimator_checks.check_estimators_nan_inf,
        estimator_checks.check_fit1d,
        estimator_checks.check_fit2d_1feature,
        estimator_checks.check_fit2d_1sample,
        estimator_checks.check_readonly_memmap_input,
    ],
)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataWarning")
def test_an_estimator_that_reads_its_data_here_passes_the_checks_of_scikit_learn(check):
    check("Reader", Reader())
