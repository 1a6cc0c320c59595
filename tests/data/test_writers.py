"""A table that is written and read again is the same table."""

import csv

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import Dataset
from structlearn.errors import DataError, OptionError


def reads_as_number(word):
    """Whether a text file cannot tell the word from a number."""
    return any(character.isnumeric() for character in word) or word.lower().strip("+-") in {
        "nan",
        "inf",
        "infinity",
    }


WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0\r\n", exclude_categories=["Cc"]), min_size=1
).filter(lambda word: word == word.strip() and not reads_as_number(word))
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=64)


@st.composite
def tables(draw):
    n = draw(st.integers(1, 6))
    names = draw(st.lists(WORDS, min_size=1, max_size=4, unique_by=str.casefold))
    columns, kinds = {}, {}
    for name in names:
        kinds[name] = draw(st.sampled_from(["discrete", "continuous"]))
        values = WORDS if kinds[name] == "discrete" else NUMBERS
        columns[name] = draw(st.lists(values | st.none(), min_size=n, max_size=n))
        columns[name][0] = columns[name][0] if columns[name][0] is not None else draw(values)
    return Dataset(columns, kinds=kinds)


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet"])
@given(data=tables())
@settings(max_examples=25, deadline=None)
def test_what_is_written_is_read_back(data, ending, tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / f"table{ending}"

    data.save(path)

    again = Dataset(path, kinds=data.kinds)
    assert again == data


def test_numbers_and_truths_as_labels_read_as_they_are_shown(tmp_path):
    data = Dataset({"b": [True, False, True], "i": [3, 1, 3], "m": ["x", 2, "x"]})

    data.save(tmp_path / "t.csv")

    with (tmp_path / "t.csv").open(newline="") as file:
        assert list(csv.reader(file))[1:] == [["True", "3", "x"], ["False", "1", "2"], ["True", "3", "x"]]
    data.save(tmp_path / "t.parquet")
    assert Dataset(tmp_path / "t.parquet").labels == {"b": (False, True), "i": (1, 3), "m": ("2", "x")}


def test_a_number_keeps_all_its_digits(tmp_path):
    values = np.random.default_rng(0).normal(size=1000) * 10.0 ** np.arange(-150, 150, 0.3)

    Dataset({"x": values}).save(tmp_path / "t.csv")

    assert np.array_equal(Dataset(tmp_path / "t.csv").column("x").values, values)


def test_names_that_differ_in_capitals_only_are_written_to_csv_and_refused_for_parquet(tmp_path):
    data = Dataset({"a": ["x", "y"], "A": ["u", "v"]})

    data.save(tmp_path / "t.csv")

    assert Dataset(tmp_path / "t.csv") == data
    with pytest.raises(DataError, match="capital letters"):
        data.save(tmp_path / "t.parquet")


def test_an_earlier_file_stays_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "t.parquet"
    path.write_text("before")

    with pytest.raises(DataError):
        Dataset({"a": ["x", "y"], "A": ["u", "v"]}).save(path)

    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_an_unknown_ending_or_folder_is_refused(tmp_path):
    data = Dataset({"a": ["x", "y"]})

    with pytest.raises(OptionError, match=r"one of \.csv"):
        data.save(tmp_path / "t.xlsx")
    with pytest.raises(DataError, match="cannot be written"):
        data.save(tmp_path / "nowhere" / "t.csv")


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_a_name_like_a_comment_is_read_back(tmp_path, ending):
    data = Dataset({"#": [1.5, 2.5], "# b": ["u", "v"]})
    data.save(tmp_path / f"table{ending}")
    assert Dataset(tmp_path / f"table{ending}") == data


@pytest.mark.parametrize("ending", [".csv", ".tsv"])
def test_names_and_labels_with_line_ends_are_read_back(tmp_path, ending):
    data = Dataset({"a\rb": ["x\ry", "z"], "c\nd": ["u\n", "v"]})

    data.save(tmp_path / f"t{ending}")

    assert Dataset(tmp_path / f"t{ending}") == data


@pytest.mark.parametrize("largest", [2**63 - 1, 2**63, 2**64 - 1])
def test_labels_of_64_bits_are_written_to_parquet_and_read_back(tmp_path, largest):
    data = Dataset({"a": np.array([largest, largest - 1] * 20, dtype=np.uint64)})
    data.save(tmp_path / "t.parquet")

    assert Dataset(tmp_path / "t.parquet").to_dict()["a"].tolist() == [largest, largest - 1] * 20


def test_a_column_without_a_name_is_refused_for_parquet(tmp_path):
    with pytest.raises(DataError, match=r"A column has no name.*or write \.csv"):
        Dataset({"": [0, 1], "b": [1, 0]}).save(tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []
