"""What other libraries would complain of is refused in our words."""

import decimal
from fractions import Fraction

import duckdb
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from structlearn import BayesianNetwork, GaussianGraphicalModel, Graph, MarkovNetwork
from structlearn.data import Dataset, Knowledge
from structlearn.errors import DataError, DataTypeError, DataWarning, OptionError

LONG = 2**70


@pytest.mark.parametrize("kinds", [["discrete"], "discrete", {"discrete"}])
def test_kinds_are_given_by_name(kinds):
    with pytest.raises(OptionError, match=r'give the kinds by name, kinds=\{"a": "discrete"\}, not as a'):
        Dataset({"a": [1, 2]}, kinds=kinds)


@pytest.mark.parametrize("option", ["required", "forbidden", "tiers"])
@pytest.mark.parametrize("value", [None, 5, "ab"])
def test_knowledge_asks_for_lists(option, value):
    with pytest.raises(
        OptionError, match=rf"Knowledge\({option}={value!r}\): give a list of .*; \[\] for none"
    ):
        Knowledge(**{option: value})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tiers": [5]}, "a tier is a list of names, but one holds 5"),
        ({"tiers": [[["a"]]]}, r"a tier is a list of names, but one holds \['a'\]"),
        ({"required": [5]}, "each edge is a pair of names, not 5"),
        ({"forbidden": [{"a", "b"}]}, "each edge is a pair of names, not"),
    ],
)
def test_what_is_in_knowledge_is_names(options, message):
    with pytest.raises(OptionError, match=message):
        Knowledge(**options)


def relation(values):
    rows = ", ".join(f"({value}::HUGEINT)" for value in values)
    return duckdb.connect().sql(f"SELECT * FROM (VALUES {rows}) AS t(a)")  # noqa: S608, our own numbers


SOURCES = {
    "list": lambda values: {"a": values},
    "pandas": lambda values: pd.DataFrame({"a": pd.Series(values, dtype=object)}),
    "polars": lambda values: pl.DataFrame({"a": pl.Series(values, dtype=pl.Int128)}),
    "decimals": lambda values: pa.table({"a": pa.array(map(decimal.Decimal, values), pa.decimal128(38))}),
    "relation": relation,
}


@pytest.mark.parametrize("source", SOURCES)
def test_integers_of_any_length_are_numbers_unless_rounding_would_join_them(source):
    make = SOURCES[source]

    assert Dataset(make([1, 2, 3])).to_dict()["a"].tolist() == [1, 2, 3]
    assert Dataset(make([LONG, 2 * LONG, 4 * LONG])).to_dict()["a"].tolist() == [LONG, 2 * LONG, 4 * LONG]
    with pytest.raises(
        DataError, match="Column 'a' holds numbers of more digits than can be told apart here"
    ):
        Dataset(make([LONG, LONG + 1, LONG + 2]))


def test_long_integers_in_writing_are_numbers_where_numbers_are_wanted():
    words = [str(2**60 + i) for i in range(5)]

    assert Dataset({"a": words}, kinds={"a": "continuous"}).to_dict()["a"].tolist() == [
        2**60 + i for i in range(5)
    ]
    with pytest.raises(DataError, match="more digits than can be told apart"):
        Dataset({"a": [str(LONG), str(LONG + 1)]}, kinds={"a": "continuous"})


@pytest.mark.parametrize("kinds", [{}, {"a": "continuous"}, {"a": "discrete"}])
@pytest.mark.parametrize("beside", [[1, 2], [0.5, 1], ["x", "y"]])
@pytest.mark.parametrize("huge", [10**400, Fraction(10**400), -(10**309)])
def test_a_number_that_no_float_holds_is_refused(huge, beside, kinds):
    with pytest.raises(DataError, match=r"Column 'a' holds a number beyond ±1\.8e308"):
        Dataset({"a": [*beside, huge]}, kinds=kinds)


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_a_column_of_lists_is_refused_as_data_and_as_a_type(make):
    with pytest.raises(DataTypeError, match=r"Column 'a' holds \[1, 2\] \(a list\)") as error:
        Dataset(make({"a": [[1, 2], [3, 4]]}))
    assert isinstance(error.value, DataError)
    assert isinstance(error.value, TypeError)


def test_whole_numbers_beyond_2_to_53_stay_what_they_are():
    values = [2**60 + 3 * i * i for i in range(9)]
    data = Dataset({"a": [*values, None], "b": list("xyxyxyxyxy")})

    assert data.kinds["a"] == "continuous"
    assert data.to_dict()["a"].tolist() == [*values, None]
    assert data.take(np.arange(3)).to_dict()["a"].tolist() == values[:3]
    assert data != Dataset({"a": [*[value + 1 for value in values], None], "b": list("xyxyxyxyxy")})


@pytest.mark.parametrize(
    "model",
    [
        BayesianNetwork(Graph("ab", directed=["ab"])).fit({"a": list("xyxy"), "b": list("xxyy")}),
        MarkovNetwork(Graph("ab", undirected=["ab"])).fit({"a": list("xyxy"), "b": list("xxyy")}),
        GaussianGraphicalModel(Graph("ab")).fit({"a": [0.1, 0.5, 0.7, 0.2], "b": [0.4, 0.1, 0.2, 0.9]}),
    ],
    ids=lambda model: type(model).__name__,
)
def test_rows_that_no_memory_holds_are_refused(model):
    with pytest.raises(
        DataError, match=r"sample: so many rows do not fit in memory\. Draw fewer at a time\."
    ):
        model.sample(10**15)


def test_a_warning_is_given_in_the_name_of_the_line_that_led_to_it():
    with pytest.warns(DataWarning, match="looks like an identifier") as heard:
        Dataset({"a": list(range(30))})

    assert heard[0].filename == __file__


@pytest.mark.parametrize("make", ["polars", "arrow", "pandas"])
def test_a_library_that_knows_of_no_gaps_is_not_asked_row_by_row(make, monkeypatch):
    words = {"a": ["x", "y", "x"]}
    table = {
        "polars": lambda: pl.DataFrame(words),
        "arrow": lambda: pa.table(words),
        "pandas": lambda: pd.DataFrame(words, dtype=pd.StringDtype("pyarrow")),
    }[make]()

    def ask(series):
        raise AssertionError(series)

    monkeypatch.setattr(nw.Series, "is_null", ask)

    assert Dataset(table).labels == {"a": ("x", "y")}
