"""Text that is numbers in writing is read as numbers, with a note, or refused: never hundreds of labels."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.data.numerals import numeral
from structlearn.errors import DataError, DataNote, DataWarning

MANY = [f"{i / 7:.3f}" for i in range(30)]


@pytest.mark.parametrize(
    ("word", "point", "comma"),
    [
        ("12", 12, 12),
        ("-1.5", -1.5, None),
        ("1,5", None, 1.5),
        ("1,234", 1234, 1.234),
        ("1.234", 1.234, 1234),
        ("0,123", None, 0.123),
        ("1,234,567", 1234567, None),
        ("1,234.5", 1234.5, None),
        ("1.234,5", None, 1234.5),
        ("1.234.567,89", None, 1234567.89),
        ("1'234.5", 1234.5, None),
        ("1 234 567", 1234567, 1234567),
        ("1\u202f234,5", None, 1234.5),
        ("12,34", None, 12.34),
        ("2e3", 2000.0, 2000.0),
        ("1,5e-3", None, 0.0015),
        (".5", 0.5, None),
        ("5.", 5.0, None),
        ("−3", -3, -3),
        ("+3", 3, 3),
    ],
)
def test_a_number_in_writing_has_its_value_under_each_decimal_mark(word, point, comma):
    found = numeral(word).readings

    assert (found.get("."), found.get(",")) == (point, comma)


@pytest.mark.parametrize(
    ("word", "value", "unit"),
    [
        ("12.5%", 12.5, "%"),
        ("12 %", 12, "%"),
        ("$1,234.50", 1234.5, "$"),
        ("-$5", -5, "$"),
        ("€ 7", 7, "€"),
        ("7 EUR", 7, "EUR"),
        ("CHF 1'200", 1200, "CHF"),
    ],
)
def test_a_unit_beside_a_number_is_told_from_it(word, value, unit):
    found = numeral(word)

    assert (found.readings["."], found.unit) == (value, unit)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "%",
        "12,34,5",
        "1,23.4",
        "1.2.3",
        "007",
        "1_000",
        "$5€",
        "x1",
        "1x",
        "0x10",
        "5-6",
        "1/2",
        "1 23",
        "--1",
    ],
)
def test_other_words_are_no_numbers(word):
    assert numeral(word) is None


@pytest.mark.parametrize(
    ("words", "values", "note"),
    [
        (["1,5", "2,25", None], [1.5, 2.25, np.nan], "column 'x' is text .* numbers, '1,5' for 1.5"),
        (["1,234", "1,234,567"], [1234, 1234567], "'1,234' for 1234"),
        (["12%", "7.5%"], [12, 7.5], "'7.5%' for 7.5"),
        (["$1,200", "12.5"], [1200, 12.5], r"'\$1,200' for 1200"),
        (
            ["1.5", "NA", "*"],
            [1.5, np.nan, np.nan],
            r"'\*', 'NA' are taken for missing values among .* 'x' \(2 rows\)",
        ),
        (["3", "4", "?", "5"], [3, 4, np.nan, 5], r"'\?' is taken for a missing value .* 'x' \(1 row\)"),
        ([1.5, "#N/A", 2], [1.5, np.nan, 2], "'#N/A' is taken"),
        (MANY, [float(word) for word in MANY], "column 'x' is text that is read as numbers; kinds="),
    ],
)
def test_text_is_read_as_the_numbers_that_it_is_and_a_note_says_how(words, values, note):
    with pytest.warns(DataNote, match=note):
        found = Dataset({"x": words})

    assert np.array_equal(found.to_dict()["x"].astype(float), values, equal_nan=True)
    assert len(found.notes) == 1


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame, pa.table, dict], ids=["pandas", "polars", "arrow", "dict"]
)
def test_frames_of_every_library_get_the_same_treatment(frame):
    words = [f"{i},{i % 10}" for i in range(100)]

    with pytest.warns(DataNote, match="'0,0' for 0.0"):
        found = Dataset(frame({"x": words}))

    assert found.kinds == {"x": "continuous"}
    assert found.to_dict()["x"].tolist() == [float(word.replace(",", ".")) for word in words]


def test_a_hundred_different_numbers_as_text_are_said_to_be_so():
    with pytest.warns(DataNote, match="read as numbers"):
        assert Dataset({"x": [str(i % 100) for i in range(300)]}).kinds == {"x": "continuous"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["0", "1", "2"] * 2, id="codes that were given as text"),
        pytest.param(["1", "2", "3+"] * 2, id="a category with numbers in it"),
        pytest.param([f"{i:05}" for i in range(3)] * 2, id="leading zeros"),
        pytest.param(["NA", "?"] * 2, id="marks and nothing else"),
        pytest.param([f"{10**18 * i}" for i in range(11, 14)] * 2, id="digits that no number holds"),
    ],
)
def test_labels_stay_labels(words):
    found = Dataset({"x": words})

    assert set(found.labels["x"]) == set(words)
    assert found.notes == ()


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")  # of what numbers the rows
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataNote")
@pytest.mark.parametrize("n_rows", [2, 3, 5, 39, 40, 41, 42])
@pytest.mark.parametrize("n_different", [1, 2, 3, 20, 21])
@pytest.mark.parametrize("step", [1, 0.5])
def test_numbers_as_text_are_of_the_kind_that_they_have_as_numbers(n_rows, n_different, step):
    numbers = [step * (i % n_different) for i in range(n_rows)]

    assert Dataset({"x": [str(x) for x in numbers]}).kinds == Dataset({"x": numbers}).kinds


def test_numbers_with_words_among_them_are_refused_with_what_settles_it():
    words = [*MANY, "<0.01", "low"]

    with pytest.raises(
        DataError, match=r"'x' is numbers but for '<0.01', 'low'.*na=\['<0.01', 'low'\].*drop=\['x'\]"
    ):
        Dataset({"x": words})
    assert Dataset({"x": words}, na=["<0.01", "low"]).missing == {"x": 2}
    assert len(Dataset({"x": words}, kinds={"x": "discrete"}).labels["x"]) == 32
    assert Dataset({"x": words, "y": list("ab") * 16}, drop=["x"]).names == ("y",)


def test_two_decimal_marks_in_one_column_are_refused():
    with pytest.raises(DataError, match="'x' has numbers with decimal points and with decimal commas"):
        Dataset({"x": [*MANY, "1,5"]})
    with pytest.raises(DataError, match="'x' is numbers but for '1,5'"):
        Dataset({"x": [*MANY, "1,5"]}, decimal=".")


def test_words_that_are_most_of_the_rows_make_labels_of_the_numbers_too():
    words = [f"grade {i % 40}" for i in range(400)] + [str(i) for i in range(30)]

    assert Dataset({"x": words}).kinds == {"x": "discrete"}


@pytest.mark.parametrize(("n_words", "is_refused"), [(30, True), (31, False)])
def test_numbers_are_meant_if_they_are_half_of_the_rows(n_words, is_refused):
    words = [*MANY, *(f"grade {i % 5}" for i in range(n_words))]

    if is_refused:
        with pytest.raises(DataError, match="'x' is numbers but for 'grade 0', 'grade 1'"):
            Dataset({"x": words})
    else:
        with pytest.warns(DataWarning, match="'x' has 35 different words in 61 rows"):
            assert Dataset({"x": words}).kinds == {"x": "discrete"}


def test_of_few_words_every_one_is_looked_at():
    words = [word for i, number in enumerate(MANY) for word in (f"grade {i}", number)]

    with pytest.raises(DataError, match="'x' is numbers but for 'grade 0', 'grade 1'"):
        Dataset({"x": words})


def test_percent_beside_plain_numbers_and_two_currencies_are_refused():
    percent = [f"{i}%" for i in range(20)] + [f"0.{i}1" for i in range(20)]
    money = [f"${i}" for i in range(20)] + [f"€{i}" for i in range(20)]

    with pytest.raises(DataError, match="'x' has numbers with '%' and some without"):
        Dataset({"x": percent})
    with pytest.raises(DataError, match=r"'x' has numbers with '\$' and '€', which cannot be compared"):
        Dataset({"x": money})


def test_thousands_or_decimals_is_asked_where_nothing_tells():
    with pytest.raises(
        DataError, match=r"'1,234', which may be 1234 or 1.234: say decimal='.' or decimal=','"
    ):
        Dataset({"x": ["1,234", "2,500"]})
    assert Dataset({"x": ["1,234", "2,500"]}, decimal=".").to_dict()["x"].tolist() == [1234, 2500]
    assert Dataset({"x": ["1,234", "2,500"]}, decimal=",").to_dict()["x"].tolist() == [1.234, 2.5]


@pytest.mark.parametrize(
    ("other", "first"), [(["0,5", "1,5"], 1.234), (["1,234.5", "1.5"], 1234), ([0.5, 1.5], 1234)], ids=str
)
def test_other_columns_tell_thousands_from_decimals(other, first):
    with pytest.warns(DataNote):
        found = Dataset({"x": ["1,234", "2,500"], "y": other})

    assert found.to_dict()["x"][0] == first


def test_columns_that_disagree_tell_nothing():
    with pytest.raises(DataError, match="'1,234', which may be"):
        Dataset({"x": ["1,234", "2,500"], "y": ["0,5", "1,5"], "z": [0.5, 1.5]})


def test_a_column_given_as_continuous_is_read_in_every_way():
    with pytest.warns(DataNote):
        found = Dataset({"x": ["1,5", "NA"]}, kinds={"x": "continuous"})

    assert found.to_dict()["x"].tolist() == [1.5, pytest.approx(np.nan, nan_ok=True)]


@pytest.mark.parametrize(
    "table", [{"x": [1.5, -99, 2.5]}, {"x": ["1.5", "-99", "2.5"]}, {"x": [1, -99, -99.0]}], ids=str
)
@pytest.mark.parametrize("mark", [-99, "-99", [-99, "?"]], ids=str)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataNote")
def test_numbers_may_stand_for_missing_values_too(table, mark):
    assert Dataset(table, na=mark).missing["x"] == table["x"].count("-99") + table["x"].count(-99)


@pytest.mark.parametrize(
    "x", [["1.5", None, "-99", "2.5"], [1.5, None, -99.0, 2.5], [1, None, -99, 2.5]], ids=str
)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataNote")
def test_marks_are_missing_in_their_own_rows_beside_gaps_that_were_there(x):
    found = Dataset({"x": x, "y": [None, *"uvw"]}, na=-99).to_dict()["x"].tolist()

    assert found == pytest.approx([float(x[0]), np.nan, np.nan, 2.5], nan_ok=True)


def test_words_are_missing_in_their_own_rows_beside_gaps_that_were_there():
    found = Dataset({"x": ["a", None, "?", "b", "a", "?"]}, na="?")

    assert [str(label) for label in found.to_dict()["x"]] == ["a", "None", "None", "b", "a", "None"]
    assert found.missing == {"x": 3}


def test_a_category_that_stands_for_a_missing_value_is_none():
    column = pd.Series(pd.Categorical(["a", "?", "b"], categories=["b", "?", "a"]))

    found = Dataset({"x": column}, na="?")

    assert (found.labels, found.missing) == ({"x": ("b", "a")}, {"x": 1})


@pytest.mark.parametrize("mark", [-9, "-9", -9.0])
def test_a_mark_is_no_label_of_categories_of_numbers(mark):
    codes, others = [1, 2, -9, 2, 1] * 6, ["u", "v", "u", "v", "v"] * 6
    found = Dataset({"c": pd.Series(codes, dtype="category"), "d": others}, na=mark)
    unused = Dataset({"c": pd.Categorical([1, 2] * 9, categories=[2, -9, 1])}, na=mark)

    assert found == Dataset({"c": codes, "d": others}, na=mark)
    assert found.labels["c"] == (1, 2)
    assert unused.labels["c"] == (2, 1)


def test_options_are_checked_and_of_no_use_to_a_table_that_was_read():
    with pytest.raises(ValueError, match=r"Dataset\(decimal='x'\): decimal is the mark before the decimals"):
        Dataset({"x": [1]}, decimal="x")
    with pytest.raises(TypeError, match=r"no option 'decimals' \(did you mean 'decimal'\?\)"):
        Dataset({"x": [1]}, decimals=",")
    with pytest.raises(ValueError, match="this table is read already"):
        Dataset(Dataset({"x": [1]}), na="?")
    with pytest.raises(ValueError, match="drop: there is no column 'z'"):
        Dataset({"x": [1]}, drop=["z"])


NUMBERS = st.one_of(st.integers(-(10**9), 10**9), st.decimals(-(10**6), 10**6, places=3).map(float))


@settings(deadline=None, max_examples=60)
@given(
    numbers=st.lists(NUMBERS, min_size=1, max_size=30),
    decimal=st.sampled_from(".,"),
    grouped=st.booleans(),
    unit=st.sampled_from(["{}", "{}%", "{} €", "$ {}"]),
)
@pytest.mark.filterwarnings("ignore::structlearn.errors.DataWarning")
def test_a_number_in_any_writing_is_read_back(numbers, decimal, grouped, unit):
    swapped = {".": decimal, ",": "." if decimal == "," else ","}
    plain = [f"{number:{',' if grouped else ''}}" for number in numbers]
    words = [unit.format("".join(swapped.get(sign, sign) for sign in word)) for word in plain]

    found = Dataset({"x": words}, decimal=decimal, kinds={"x": "continuous"})

    assert found.to_dict()["x"].tolist() == numbers


@pytest.mark.parametrize("name", ["time", "Time (s)", "t", "DATE", "year"])
def test_a_column_of_times_in_order_hints_that_rows_may_not_be_independent(name):
    rng = np.random.default_rng(0)
    times = np.cumsum(rng.integers(1, 3, 40)) / 2

    with pytest.warns(DataWarning, match="rises from row to row: rows .* may not be independent"):
        Dataset({name: times})
    with pytest.warns(DataWarning, match="rises from row to row"):
        Dataset({name: np.tile([0.0, 1.0, 2.0, 3.5, 4.0], 8)})
    Dataset({name: rng.permutation(times)})
    Dataset({"tall": times, "temperature": times + 1})
    Dataset({name: times}, kinds={name: "continuous"})


def test_an_index_of_dates_in_order_hints_at_it_too():
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=20)})

    with pytest.warns(DataWarning, match="the index of the frame is dates in order"):
        Dataset(frame.set_index(pd.date_range("2020-01-01", periods=20)))
    Dataset(frame)
