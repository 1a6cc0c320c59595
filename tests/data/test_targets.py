"""What was set in which rows: cells with names, gaps and blanks, positions and masks."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data.targets import rows_set

NODES = ("a", "b", "long name", "7")


def table(n_rows, **more):
    return sl.Dataset({name: np.arange(n_rows) % 3 for name in NODES} | more)


def positions(found):
    return {name: np.flatnonzero(rows).tolist() for name, rows in found.items()}


@st.composite
def written_cells(draw):
    """The names set in each row, and cells that say so, in any order and with any spaces and commas."""
    rows = draw(st.lists(st.sets(st.sampled_from(NODES)), min_size=1, max_size=8))
    blank = st.sampled_from(["", " ", "  "])
    cells = []
    for names in rows:
        parts = draw(st.permutations([*sorted(names), *draw(st.lists(st.just(""), max_size=2))]))
        cells.append(",".join(draw(blank) + part + draw(blank) for part in parts))
    return rows, cells


@given(written_cells())
def test_names_are_read_from_cells_however_they_are_written(rows_and_cells):
    rows, cells = rows_and_cells
    expected = {
        name: [row for row, names in enumerate(rows) if name in names]
        for name in NODES
        if any(name in r for r in rows)
    }

    found = rows_set("Here", table(len(rows)), cells, NODES)

    assert positions(found) == expected
    assert all(mask.shape == (len(rows),) for mask in found.values())


@given(st.dictionaries(st.sampled_from(NODES), st.lists(st.integers(0, 9), max_size=6), max_size=4))
def test_positions_and_masks_and_cells_say_the_same(by_name):
    masks = {name: np.isin(np.arange(10), rows) for name, rows in by_name.items()}
    cells = np.array([",".join(name for name in by_name if masks[name][row]) for row in range(10)])
    expected = {name: sorted(set(rows)) for name, rows in by_name.items() if rows}

    for targets in (by_name, masks, {name: mask.tolist() for name, mask in masks.items()}, cells):
        assert positions(rows_set("Here", table(10), targets, NODES)) == expected


@pytest.mark.parametrize(
    "gap", [None, math.nan, np.float64("nan"), pd.NA, pd.NaT, "", "   ", ",", " , ,"], ids=repr
)
def test_a_gap_of_any_kind_is_a_row_in_which_nothing_was_set(gap):
    assert positions(rows_set("Here", table(3), [gap, "a", gap], NODES)) == {"a": [1]}
    assert rows_set("Here", table(3), [gap] * 3, NODES) == {}


@pytest.mark.parametrize("cell", ["7", 7, np.int64(7), " 7"], ids=repr)
def test_a_name_that_is_a_number_may_be_written_as_one(cell):
    assert positions(rows_set("Here", table(2), [None, cell], NODES)) == {"7": [1]}


@pytest.mark.parametrize(
    "cells", [[7, 7, None, None], [7.0, math.nan, math.nan, 7.0], ["a, 7", "7,b", None, "b"]]
)
def test_a_column_of_the_table_is_read_like_its_cells(cells):
    frame = pd.DataFrame({name: [0, 1, 0, 1] for name in NODES} | {"set": cells})
    expected = [row for row, cell in enumerate(cells) if cell is not None and "7" in str(cell)]

    assert positions(rows_set("Here", sl.Dataset(frame), "set", NODES))["7"] == expected


def test_a_name_with_a_comma_stands_alone():
    nodes = ("a,b", "a", "c")

    assert positions(rows_set("Here", table(2), ["a,b", "a, c"], nodes)) == {"a,b": [0], "a": [1], "c": [1]}
    with pytest.raises(sl.DataError, match="targets name 'b'"):
        rows_set("Here", table(1), ["a,b,c"], nodes)


def test_names_are_told_apart_by_their_case_and_all_strangers_are_named():
    with pytest.raises(sl.DataError, match=r"Here: targets name 'A', 'x y'|Here: targets name 'A' and 'x y'"):
        rows_set("Here", table(3), ["A", "a", "x y"], NODES)


@pytest.mark.parametrize(
    "rows",
    [[-1], [3], [[0, 1]], [0.0, 1.0], ["0"], [True], [True, False, True, True], 1, [None]],
    ids=repr,
)
def test_rows_that_are_neither_positions_nor_a_mask_are_refused(rows):
    with pytest.raises(
        sl.DataError, match="'a' was set are positions from 0 to 2, or a mask of 3 truth values"
    ):
        rows_set("Here", table(3), {"a": rows}, NODES)


def test_a_column_that_is_a_node_or_is_not_there_says_nothing_of_rows():
    with pytest.raises(sl.OptionError, match=r"Here\(targets='a'\): this column is a node"):
        rows_set("Here", table(3), "a", NODES)
    with pytest.raises(sl.OptionError, match=r"no column 'sets'.*'set'"):
        rows_set("Here", table(2, set=["a", "b"]), "sets", NODES)


@pytest.mark.parametrize(
    "column", [list, tuple, np.array, pd.Series, pl.Series], ids=lambda make: make.__name__
)
def test_a_column_of_any_library_says_what_was_set(column):
    rng = np.random.default_rng(0)
    table = {"a": rng.normal(size=40), "b": rng.normal(size=40)}
    cells = [""] * 20 + ["a"] * 20

    learner = sl.HillClimbing(targets=column(cells)).fit(table)

    assert learner.experiments_ == sl.HillClimbing(targets={"a": range(20, 40)}).fit(table).experiments_
