"""Sums over the cells of all sets of columns are those of a dictionary of counts, taken either way."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.statistics import from_dataset
from structlearn.statistics.kernels import refining, small_sets
from structlearn.statistics.set_sums import CellTerms, choice, counted, set_sums_of
from structlearn.statistics.set_sums.counted import CountedSums
from structlearn.statistics.set_sums.refined import RefinedSums
from structlearn.statistics.set_sums.sums import numbers_of_cells
from tests.oracles import contingency as oracle
from tests.statistics.test_counting import coded_tables, dataset_of


def squares(n_rows):
    """Terms that are whole numbers: the square of the count."""
    return CellTerms(lambda counts, _: counts**2.0, n_rows, depends_on_cells=False)


def squares_by_cells(n_rows):
    """The square of the count, times the number of cells of the set."""
    return CellTerms(lambda counts, n_cells: n_cells * counts**2.0, n_rows, depends_on_cells=True)


def sets_in_order(n_columns, size):
    """Sets in colexicographic order: by their largest column, then by the next."""
    return sorted(itertools.combinations(range(n_columns), size), key=lambda columns: columns[::-1])


def expected(codes, levels, size, *, by_cells=False):
    """The sums of squares of the counts of all sets of so many columns."""
    return [
        sum(n**2 for n in oracle.counts(codes, columns).values())
        * (math.prod(levels[c] for c in columns) if by_cells else 1)
        for columns in sets_in_order(len(levels), size)
    ]


def go_on():
    return False


@pytest.mark.parametrize("way", [CountedSums, RefinedSums])
@pytest.mark.parametrize("by_cells", [False, True])
@settings(deadline=None)
@given(coded=coded_tables())
def test_every_set_has_the_sum_over_the_cells_of_its_table(way, by_cells, coded):
    codes, levels = coded
    statistics = from_dataset(dataset_of(codes, levels))
    terms = (squares_by_cells if by_cells else squares)(len(codes))
    sums = way(statistics, len(levels), terms)

    for size in range(1, len(levels) + 1):
        assert sums.of_size(size, go_on).tolist() == expected(codes, levels, size, by_cells=by_cells)
    assert sums.of_size(0, go_on).tolist() == [len(codes) ** 2]


@pytest.mark.parametrize("largest", [2, 3])
def test_smaller_sets_alone_have_the_same_sums(largest):
    codes = np.random.default_rng(0).integers(0, [2, 3, 1, 4, 2, 3], (90, 6))
    statistics = from_dataset(dataset_of(codes, [2, 3, 1, 4, 2, 3]))

    for way in (CountedSums, RefinedSums):
        sums = way(statistics, largest, squares(90))
        assert sums.of_size(largest, go_on).tolist() == expected(codes, [2, 3, 1, 4, 2, 3], largest)


def test_wide_columns_are_counted_row_by_row_beside_others(monkeypatch):
    levels = [20, 3, 2, 5, 17, 2]
    codes = np.random.default_rng(1).integers(0, levels, (500, 6))
    statistics = from_dataset(dataset_of(codes, levels))
    monkeypatch.setattr(counted, "SETS_AT_ONCE", 3)  # groups are cut anywhere

    sums = CountedSums(statistics, 4, squares(500))

    for size in (2, 3, 4):
        assert sums.of_size(size, go_on).tolist() == expected(codes, levels, size)


def test_long_tables_are_counted_in_chunks():
    levels = [2, 3, 3, 2]
    codes = np.random.default_rng(2).integers(0, levels, (64 * small_sets.WORDS_PER_CHUNK + 100, 4))
    sums = CountedSums(from_dataset(dataset_of(codes, levels)), 4, squares(len(codes)))

    assert sums.of_size(4, go_on).tolist() == expected(codes, levels, 4)


@pytest.mark.parametrize("way", [CountedSums, RefinedSums])
def test_threads_make_no_difference(way, monkeypatch):
    levels = [2, 3, 2, 4, 3, 2, 2, 3]
    codes = np.random.default_rng(3).integers(0, levels, (200, 8))
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    dataset = dataset_of(codes, levels)

    one, two = (way(from_dataset(dataset, n_jobs=n), 4, squares(200)).of_size(4, go_on) for n in (1, 2))

    assert one.tolist() == two.tolist() == expected(codes, levels, 4)


@pytest.mark.parametrize("way", [CountedSums, RefinedSums])
def test_a_run_that_must_stop_leaves_what_is_known(way):
    codes = np.random.default_rng(4).integers(0, 2, (50, 5))
    sums = way(from_dataset(dataset_of(codes, [2] * 5)), 3, squares(50))
    looks = iter([False])  # before the work begins

    assert sums.of_size(3, lambda: next(looks, True)) is None
    assert sums.of_size(1, lambda: True) is not None
    assert sums.of_size(3, go_on).tolist() == expected(codes, [2] * 5, 3)


@given(first=st.integers(0, 69), n_sets=st.integers(1, 70))
def test_sets_follow_each_other_from_any_rank_on(first, n_sets):
    binomials = np.array([[math.comb(n, k) for k in range(6)] for n in range(10)])
    sets = np.empty((min(n_sets, 70 - first), 4), dtype=np.int64)

    small_sets.sets_from(first, binomials, sets)

    in_order = sets_in_order(8, 4)[first : first + len(sets)]
    assert sets[:, ::-1].tolist() == [list(columns) for columns in in_order]


def test_rows_that_are_alone_in_a_group_leave_it():
    column, tally = np.array([0, 1, 1, 0, 1], dtype=np.uint8), np.zeros(2, dtype=np.int64)
    rows, ends = np.array([0, 1, 2, 3, 4], dtype=np.int32), np.array([3, 5], dtype=np.int32)
    finer_rows, finer_ends = np.full(5, -1, dtype=np.int32), np.full(5, -1, dtype=np.int32)
    terms = np.array([0.0, 1.0, 10.0, 100.0])
    before = rows, ends, 2, terms, tally

    total, n_groups = refining.refine(column, 2, *before, finer_rows, finer_ends)

    # {0, 1, 2} falls apart into {0} and {1, 2}, and {3, 4} into single rows.
    assert (total, n_groups) == (1.0 + 10.0 + 1.0 + 1.0, 1)
    assert (finer_rows.tolist(), finer_ends.tolist()) == ([1, 2, -1, -1, -1], [2, -1, -1, -1, -1])
    assert refining.sum_of_parts(column, 2, *before) == total
    assert tally.tolist() == [0, 0]


def test_few_columns_of_few_levels_are_counted_and_other_sets_refined():
    codes = np.random.default_rng(5).integers(0, 3, (100, 8))
    statistics = from_dataset(dataset_of(codes, [3] * 8))
    wide = from_dataset(dataset_of(np.arange(800).reshape(100, 8) % 100, [100] * 8))

    assert isinstance(set_sums_of(statistics, 4, squares(100)), CountedSums)
    assert isinstance(set_sums_of(statistics, 8, squares(100)), RefinedSums)
    assert isinstance(set_sums_of(wide, 4, squares(100)), RefinedSums)


def test_there_are_no_sums_of_weights_of_gaps_of_numbers_or_beyond_memory(monkeypatch):
    codes = np.random.default_rng(6).integers(0, 2, (30, 4))
    plain = from_dataset(dataset_of(codes, [2] * 4))
    with_gaps = sl.Dataset({"a": ["x", None, "y"], "b": ["x", "y", "y"]})
    refused = [
        from_dataset(dataset_of(codes, [2] * 4, weights=np.ones(30))),
        from_dataset(with_gaps, missing="testwise"),
        from_dataset(sl.Dataset({"a": [0.5, 1.5, 2.5], "b": ["x", "y", "y"]})),
    ]

    assert [set_sums_of(statistics, 2, squares(30)) for statistics in refused] == [None] * 3
    assert set_sums_of(plain, 2, squares(30)) is not None
    monkeypatch.setattr(choice, "MOST_SETS", 10)
    assert set_sums_of(plain, 2, squares(30)) is None  # 1 + 4 + 6


def test_columns_with_many_different_numbers_of_levels_have_no_terms_by_cells():
    levels = list(range(2, 17))
    statistics = from_dataset(dataset_of(np.random.default_rng(7).integers(0, 2, (5000, 15)), levels))

    # The products of fifteen such numbers are millions.
    assert set_sums_of(statistics, 15, squares_by_cells(5000)) is None
    assert set_sums_of(statistics, 15, squares(5000)) is not None
    assert set_sums_of(statistics, 3, squares_by_cells(5000)) is not None


def test_the_numbers_of_cells_are_products_of_two_levels_or_more():
    assert numbers_of_cells(np.array([2, 3, 2]), 3).tolist() == [4, 6, 8, 9, 12, 18, 27]
    assert len(numbers_of_cells(np.arange(2, 17), 15, most=1000)) > 1000
