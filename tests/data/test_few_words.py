"""Columns of a few short words are numbered as the library of the frame would have done it."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from structlearn.data import Dataset, few_words
from structlearn.data.few_words import (
    MOST_BYTES,
    MOST_LETTERS,
    MOST_WORDS,
    of_array,
    of_arrow,
    of_objects,
)

# Words that agree in four or eight bytes, or but for bytes that views are filled up with.
ALIKE = ["", "\0", "a", "a\0", "é", "abcd", "abcde", "abcd\0", "abcdefgh", "abcdefghijk", "abcdefghijkl"]
WORDS = st.lists(st.sampled_from(ALIKE), min_size=1, max_size=30)
ARRAYS = {
    "string": lambda words: pa.array(words, pa.string()),
    "large": lambda words: pa.array(words, pa.large_string()),
    "views": lambda words: pa.array(words, pa.string_view()),
    "slice": lambda words: pa.array(["x", "long enough to be elsewhere", *words, "y"]).slice(2, len(words)),
    "slice of views": lambda words: pa.array(["x", *words, "y"], pa.string_view()).slice(1, len(words)),
    "polars": lambda words: pl.Series(words).to_arrow(compat_level=pl.CompatLevel.newest()),
    "slice of polars": lambda words: (
        pl.Series([*words, "y" * 20]).head(len(words)).to_arrow(compat_level=pl.CompatLevel.newest())
    ),
}
FRAMES = {
    "str": lambda words: pd.DataFrame({"a": pd.Series(words, dtype="str")}),
    "objects": lambda words: pd.DataFrame({"a": pd.Series(words, dtype=object)}),
    "objects of a block": lambda words: pd.DataFrame(
        np.array([words, words], dtype=object).T, columns=[*"ab"]
    ),
    "polars": lambda words: pl.DataFrame({"a": words}),
    "arrow": lambda words: pa.table({"a": pa.array(words, pa.string())}),
    "a list": lambda words: {"a": words},
    "an array of objects": lambda words: {"a": np.array(words, dtype=object)[::-1][::-1]},
    "an array of text": lambda words: {"a": np.array([words, words]).T[:, 1]},
    "chunks": lambda words: pa.table({"a": pa.chunked_array([words[:3], words[3:]], pa.string())}),
}


def numbered_by_hand(words):
    """Each word has the place of its first occurrence among those of others."""
    different = list(dict.fromkeys(words))
    return [different.index(word) for word in words], different


def unlike(words):
    """The same texts, each an object of its own."""
    return [word.encode().decode() for word in words]


@pytest.mark.parametrize("array_of", ARRAYS.values(), ids=ARRAYS)
@given(words=WORDS)
def test_words_are_numbered_as_they_come(array_of, words):
    numbers, different = of_arrow(array_of(words))

    assert (numbers.tolist(), different) == numbered_by_hand(words)


@given(words=WORDS, step=st.sampled_from([1, -1, 2]))
def test_objects_are_numbered_by_their_text(words, step):
    found = of_objects(np.array([*words, *unlike(words)][:MOST_WORDS], dtype=object)[::step])
    expected = numbered_by_hand([*words, *unlike(words)][:MOST_WORDS][::step])

    assert (found[0].tolist(), found[1]) == expected


@given(words=WORDS, step=st.sampled_from([1, -1, 2]))
def test_text_of_numpy_is_numbered_as_numpy_has_it(words, step):
    values = np.array(words)[::step]

    if values.dtype.itemsize:
        numbers, different = of_array(values)
        assert (numbers.tolist(), different) == numbered_by_hand(values.tolist())


@pytest.mark.parametrize(
    "values",
    [
        np.array(["a" * (MOST_LETTERS + 1), "b"]),
        np.array([f"{i}" for i in range(99)]),
        np.array([1.0, 2.0]),
        np.array([], dtype="U3"),
        np.ma.masked_array(["a", "b"], mask=[True, False]),
    ],
    ids=["long", "many", "numbers", "none", "masked"],
)
def test_other_arrays_are_read_as_they_were(values):
    assert of_array(values) is None


@pytest.mark.parametrize(
    "words",
    [
        ["a" * (MOST_BYTES + 1), "b"],
        [f"{i}" for i in range(MOST_WORDS + 1)],
        ["a", None],
        [],
    ],
    ids=["long", "many", "a gap", "none"],
)
def test_other_text_is_left_to_the_library(words):
    assert of_arrow(pa.array(words, pa.string())) is None


@pytest.mark.parametrize("values", [["a", None], ["a", 1], [np.str_("a")], [], [f"{i}" for i in range(99)]])
def test_other_objects_are_left_to_the_library(values):
    assert of_objects(np.array(values, dtype=object)) is None


def test_text_is_left_to_the_library_where_arrow_has_no_views():
    class Old:
        type, null_count = pa.string(), 0

        def __len__(self):
            return 1

        def cast(self, _):
            raise pa.ArrowNotImplementedError

    assert of_arrow(Old()) is None
    assert of_arrow(pa.array(["a", "b"]).dictionary_encode()) is None


@pytest.mark.parametrize("frame_of", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize(
    "words",
    [
        ["b", "a", "é", "a", "b", "é", ""],
        ["b", "a", "longer than a view"] * 3,
        ["b", "a", "NA", "a", "b"] * 3,
    ],
)
@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_a_table_is_the_same_with_few_words_and_without(frame_of, words, monkeypatch):
    found = Dataset(frame_of(words)).column("a")
    for reader in ("of_series", "of_array"):
        monkeypatch.setattr(few_words, reader, lambda _: None)

    assert found == Dataset(frame_of(words)).column("a")
    assert found.decoded().tolist() == words
