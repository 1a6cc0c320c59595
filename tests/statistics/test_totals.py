"""Counts that are read off one table of more columns are those of a dictionary."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.statistics import from_dataset, memory
from structlearn.statistics.kernels import totals
from tests.oracles import contingency as oracle
from tests.statistics.test_counting import coded_tables, dataset_of, table


def codes_of(coded):
    """The codes of a table as kernels take them: a row per column."""
    return np.array(coded, dtype=np.uint8).T.copy()


def strides_of(levels):
    return np.array([np.prod(levels[c + 1 :], dtype=np.int64) for c in range(len(levels))])


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_any_columns_are_read_off_the_table_of_all(coded, data):
    codes, levels = coded
    columns = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(2, len(levels)))]
    strides, levels_array = strides_of(levels), np.array(levels)
    with_totals = totals.table_with_totals(codes_of(codes), levels_array, np.arange(len(levels)), strides)
    counts = np.full(np.prod(levels_array[columns]), -1)

    offsets = np.empty(with_totals.size, dtype=np.int64)
    totals.read_table(with_totals, levels_array, np.array(columns), strides[columns], offsets, counts)

    assert counts.tolist() == oracle.dense(codes, levels, columns)


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_a_table_with_totals_has_them_in_place_of_last_levels(coded, data):
    codes, levels = coded
    with_totals = totals.table_with_totals(
        codes_of(codes), np.array(levels), np.arange(len(levels)), strides_of(levels)
    ).reshape(levels)
    cell = data.draw(st.tuples(*(st.integers(0, n - 1) for n in levels)))

    n_matching = sum(
        all(state in (n - 1, value) for state, value, n in zip(cell, row, levels, strict=True))
        for row in codes
    )

    assert with_totals[cell] == n_matching


def many_rows(levels, n_rows=3000):
    rng = np.random.default_rng(0)
    return np.column_stack([rng.integers(0, n, n_rows) for n in levels]).tolist()


@pytest.mark.parametrize("cells_per_row", [0, 0.1, 8], ids=["no runs", "short runs", "one run"])
def test_all_sets_of_six_of_nine_columns_are_dictionary_counts(cells_per_row, monkeypatch):
    monkeypatch.setattr(memory, "RUN_CELLS_PER_ROW", cells_per_row)
    levels = [2, 2, 3, 2, 2, 1, 2, 3, 2]
    codes = many_rows(levels)
    sets = np.array(list(itertools.combinations(range(9), 6)))
    np.random.default_rng(1).shuffle(sets)
    np.random.default_rng(2).shuffle(sets, axis=1)

    tables = from_dataset(dataset_of(codes, levels)).tables(sets)

    for i, columns in enumerate(sets):
        assert table(tables, i, sets, levels).ravel().tolist() == oracle.dense(codes, levels, columns)


def left_of_a_batch(sets, n_columns, most_cells):
    """How many of these sets of binary columns are not read off a larger table."""
    levels = np.full(n_columns, 2)
    codes = codes_of(many_rows(levels))
    starts = 2 ** sets.shape[1] * np.arange(len(sets))
    counts = np.zeros(2 ** sets.shape[1] * len(sets), dtype=np.int64)
    is_left = np.ones(len(sets), dtype=np.bool_)
    totals.count_runs(codes, levels, sets, np.arange(len(sets)), starts, most_cells, counts, is_left)
    return int(is_left.sum())


def test_many_sets_of_few_columns_share_a_table_and_others_do_not():
    close = np.array(list(itertools.combinations(range(9), 6)))
    apart = np.arange(60).reshape(10, 6)

    assert left_of_a_batch(close, 9, most_cells=2**9) == 0
    assert left_of_a_batch(close, 9, most_cells=2**5) == len(close)
    assert left_of_a_batch(apart, 60, most_cells=2**9) == len(apart)
