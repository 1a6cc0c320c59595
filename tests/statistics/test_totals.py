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


def with_totals_of(codes, levels):
    """The table of all columns with totals, and their strides there."""
    table, strides = np.empty(int(np.prod(levels)), dtype=np.int64), np.empty(len(levels), dtype=np.int64)
    room = np.empty(max(len(codes) // 3, 1), dtype=np.int64)  # for some rows at a time
    all_columns = np.arange(len(levels))
    n_cells = totals.fill_with_totals(
        codes_of(codes), np.array(levels), (0, len(codes)), all_columns, len(levels), strides, room, table
    )
    assert n_cells == table.size
    return table, strides


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_any_columns_are_read_off_the_table_of_all(coded, data):
    codes, levels = coded
    columns = data.draw(st.permutations(range(len(levels))))[: data.draw(st.integers(2, len(levels)))]
    table, strides = with_totals_of(codes, levels)
    n_cells = int(np.prod(np.array(levels)[columns]))
    counts, offsets = np.full(n_cells + 3, -1), np.empty_like(table)

    where = strides, np.arange(len(levels)), offsets, 2
    totals.read_table(table, table.size, np.array(levels), np.array([columns]), 0, *where, counts)

    assert counts.tolist() == [-1, -1, *oracle.dense(codes, levels, columns), -1]


@settings(deadline=None)
@given(coded=coded_tables(), data=st.data())
def test_a_table_with_totals_has_them_in_place_of_last_levels(coded, data):
    codes, levels = coded
    cell = data.draw(st.tuples(*(st.integers(0, n - 1) for n in levels)))

    n_matching = sum(
        all(state in (n - 1, value) for state, value, n in zip(cell, row, levels, strict=True))
        for row in codes
    )

    assert with_totals_of(codes, levels)[0].reshape(levels)[cell] == n_matching


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


def left_of_a_batch(count_runs, sets, n_columns, most_cells, rows=slice(0, 3000)):
    """How many of these sets of binary columns are not read off a larger table; the others are right."""
    levels = np.full(n_columns, 2)
    codes = codes_of(many_rows(levels))
    starts = 2 ** sets.shape[1] * np.arange(len(sets))
    counts = np.zeros(2 ** sets.shape[1] * len(sets), dtype=np.int64)
    is_left = np.ones(len(sets), dtype=np.bool_)
    sizes = n_columns, n_columns, n_columns, 500, most_cells, most_cells
    room = tuple(np.empty(size, dtype=np.int64) for size in sizes)
    order = np.arange(len(sets))
    count_runs(codes, levels, (rows.start, rows.stop), sets, order, starts, most_cells, room, counts, is_left)
    for columns, start in zip(sets[~is_left][::20], starts[~is_left][::20], strict=True):
        wanted = oracle.dense(codes[:, rows].T.tolist(), levels.tolist(), columns.tolist())
        assert counts[start : start + 2 ** sets.shape[1]].tolist() == wanted
    return int(is_left.sum())


@pytest.mark.parametrize("count_runs", [totals.count_runs, totals.count_runs_by_arrays])
def test_many_sets_of_few_columns_share_a_table_and_others_do_not(count_runs):
    close = np.array(list(itertools.combinations(range(9), 6)))
    apart = np.arange(60).reshape(10, 6)

    assert left_of_a_batch(count_runs, close, 9, most_cells=2**9) == 0
    assert left_of_a_batch(count_runs, close, 9, most_cells=2**5) == len(close)
    assert left_of_a_batch(count_runs, apart, 60, most_cells=2**9) == len(apart)
    assert left_of_a_batch(count_runs, close, 9, most_cells=2**9, rows=slice(700, 1900)) == 0
