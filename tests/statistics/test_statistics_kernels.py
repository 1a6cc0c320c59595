"""Kernels of statistics count and add up row by row."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.statistics.kernels import by_arrays, counting
from structlearn.statistics.kernels.counting import (
    BLOCK_OF_ROWS,
    WORDS_PER_CHUNK,
    count_joint,
    group_end,
    join_masks,
    joint_codes,
    joint_levels,
    list_cells,
    list_rows,
    room_for_masks,
    weigh_dense,
)
from structlearn.statistics.kernels.incomplete import clear_gaps, count_present
from structlearn.statistics.kernels.moments import group_moments, rows_by_group


@st.composite
def coded(draw, n_columns=4, most_rows=150):
    levels = np.array(draw(st.lists(st.integers(1, 4), min_size=n_columns, max_size=n_columns)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows = draw(st.integers(1, most_rows))
    codes = np.stack([rng.integers(0, r, n_rows) for r in levels]).astype(np.uint8)
    return codes, levels, rng


def table_of(codes, levels, columns, weights=None):
    """The joint counts, row by row."""
    table = np.zeros([levels[c] for c in columns])
    for row in range(codes.shape[1]):
        table[tuple(codes[c, row] for c in columns)] += 1 if weights is None else weights[row]
    return table.ravel()


def packed(codes, levels):
    """A bit for each row in the mask of each level of each column."""
    n_words = -(-codes.shape[1] // 64)
    first = np.cumsum([0, *levels[:-1]])
    masks = np.zeros((levels.sum(), n_words), dtype=np.uint64)
    for j, row in itertools.product(range(len(levels)), range(codes.shape[1])):
        masks[first[j] + codes[j, row], row // 64] |= np.uint64(1) << np.uint64(row % 64)
    return masks, first


def sets_and_starts(levels, size):
    """Every ordered set of some columns, those that share all but the last side by side."""
    sets = np.array(list(itertools.permutations(range(len(levels)), size)), dtype=np.int64)
    cells = np.prod(levels[sets], axis=1)
    return sets, np.concatenate([[0], np.cumsum(cells)[:-1]]), int(cells.sum())


def parts(counts, sets, starts, levels):
    return [counts[s : s + int(np.prod(levels[columns]))] for columns, s in zip(sets, starts, strict=True)]


@settings(deadline=None, max_examples=40)
@given(coded(), st.integers(1, 4))
def test_joint_states_are_counted_in_mixed_radix_order(drawn, size):
    codes, levels, rng = drawn
    columns = rng.permutation(4)[:size]
    counts, joint = (
        np.zeros(joint_levels(levels, columns), dtype=np.int64),
        np.empty(codes.shape[1], np.int64),
    )

    count_joint(codes, levels, columns, counts)
    joint_codes(codes, levels, columns, joint)

    wanted = table_of(codes, levels, columns)
    assert counts.tolist() == wanted.tolist()
    assert np.bincount(joint, minlength=len(wanted)).tolist() == wanted.tolist()


@pytest.mark.parametrize("n_rows", [BLOCK_OF_ROWS - 1, BLOCK_OF_ROWS, 2 * BLOCK_OF_ROWS + 1])
def test_blocks_of_rows_leave_none_out(n_rows):
    codes = np.random.default_rng(0).integers(0, 3, (2, n_rows)).astype(np.uint8)
    counts = np.zeros(9, dtype=np.int64)

    count_joint(codes, np.array([3, 3]), np.array([0, 1]), counts)

    wanted = Counter(zip(*codes.tolist(), strict=True))
    assert counts.tolist() == [wanted[cell] for cell in itertools.product(range(3), repeat=2)]


@pytest.mark.parametrize("tier", [counting, by_arrays])
@settings(deadline=None, max_examples=10)
@given(
    coded(most_rows=WORDS_PER_CHUNK * 64 + 100), st.integers(2, 3), st.integers(0, 2**32 - 1), st.booleans()
)
def test_a_batch_of_tables_is_the_same_by_masks_and_by_codes(tier, drawn, size, seed, are_margins_known):
    codes, levels, _ = drawn
    masks, first = packed(codes, levels)
    sets, starts, n_cells = sets_and_starts(levels, size)
    counts = np.zeros(n_cells, dtype=np.int64)
    by_masks = np.random.default_rng(seed).random(len(sets)) < 0.7

    margins = by_arrays.n_bits(masks)[: None if are_margins_known else 0]

    words = 0, masks.shape[1]
    how = levels - 1, margins, words, sets, starts, by_masks
    tier.count_by_masks(codes, masks, first, levels, *how, room_for_masks(64), counts)
    for found, is_counted in zip(parts(counts, sets, starts, levels), by_masks, strict=True):
        assert found.any() == is_counted

    tier.count_by_codes(
        codes, levels, words, sets, starts, by_masks, np.empty(codes.shape[1], np.int64), counts
    )
    for columns, found in zip(sets, parts(counts, sets, starts, levels), strict=True):
        assert found.tolist() == table_of(codes, levels, columns).tolist()


@pytest.mark.parametrize("tier", [counting, by_arrays])
@settings(deadline=None, max_examples=10)
@given(coded(most_rows=WORDS_PER_CHUNK * 64 + 300), st.integers(2, 3), st.data())
def test_tables_of_some_rows_are_those_of_a_table_without_the_others(tier, drawn, size, data):
    codes, levels, _ = drawn
    masks, first = packed(codes, levels)
    sets, starts, n_cells = sets_and_starts(levels, size)
    counts, room = np.zeros(n_cells, dtype=np.int64), np.empty(codes.shape[1], dtype=np.int64)
    begin = data.draw(st.integers(0, masks.shape[1] - 1))
    words = begin, data.draw(st.integers(begin + 1, masks.shape[1]))
    by_masks = np.arange(len(sets)) % 3 > 0

    margins = by_arrays.n_bits(masks[:, slice(*words)])
    how = levels - 1, margins, words, sets, starts, by_masks
    tier.count_by_masks(codes, masks, first, levels, *how, room_for_masks(64), counts)
    tier.count_by_codes(codes, levels, words, sets, starts, by_masks, room, counts)

    rows = codes[:, 64 * words[0] : 64 * words[1]]
    for columns, found in zip(sets, parts(counts, sets, starts, levels), strict=True):
        assert found.tolist() == table_of(rows, levels, columns).tolist()


@pytest.mark.parametrize("tier", [counting, by_arrays])
@pytest.mark.parametrize("n_rows", [1, 63, 64 * WORDS_PER_CHUNK, 64 * WORDS_PER_CHUNK + 2000])
@pytest.mark.parametrize("size", [2, 3])
def test_rare_states_and_frequent_ones_are_counted_in_one_table(tier, n_rows, size):
    levels, rng = np.array([2, 3, 4, 2, 3, 4]), np.random.default_rng(n_rows)
    draws = rng.random((len(levels), n_rows)) ** 8 * levels[:, None]  # mostly the first state
    draws[:, : n_rows // 2] *= rng.random()  # a state may be rare in a chunk, and frequent in the next
    codes = draws.astype(np.uint8)
    masks, first = packed(codes, levels)
    sets, starts, n_cells = sets_and_starts(levels, size)
    counts = np.zeros(n_cells, dtype=np.int64)

    words = 0, masks.shape[1]
    how = levels - 1, by_arrays.n_bits(masks), words, sets, starts, np.ones(len(sets), dtype=np.bool_)
    tier.count_by_masks(codes, masks, first, levels, *how, room_for_masks(64), counts)

    for columns, found in zip(sets, parts(counts, sets, starts, levels), strict=True):
        cells = np.ravel_multi_index(tuple(codes[columns]), tuple(levels[columns]))
        assert found.tolist() == np.bincount(cells, minlength=len(found)).tolist()


@settings(deadline=None, max_examples=20)
@given(coded())
def test_rows_of_few_are_listed_cell_by_cell(drawn):
    codes, levels, _ = drawn
    masks, _ = packed(codes, levels)
    _, totals, ends, rows = room_for_masks(len(masks))
    totals[:] = 7
    width = np.uint64(masks.shape[1])

    list_cells(masks, width, 20, totals, ends, rows)

    n_listed = 0
    cells = [(c, level) for c, n in enumerate(levels) for level in range(n)]
    for cell, (c, level) in enumerate(cells):
        own = np.flatnonzero(codes[c] == level).tolist()
        assert totals[cell] == 7 + len(own)
        assert (ends[cell] >= 0) == (len(own) <= 20)
        if len(own) <= 20:
            assert rows[n_listed : ends[cell]].tolist() == own
            n_listed = ends[cell]
    list_rows(masks[0], width, rows)
    first = np.flatnonzero(codes[0] == 0).tolist()
    assert rows[: len(first)].tolist() == first


@settings(deadline=None, max_examples=20)
@given(coded())
def test_masks_of_joint_states_have_the_rows_of_each(drawn):
    codes, levels, _ = drawn
    masks, first = packed(codes, levels)
    columns, width = np.array([[1, 0, 3], [2, 0, 1]]), masks.shape[1]
    joint = np.zeros((levels[2] * levels[0], width), dtype=np.uint64)

    assert join_masks(masks, first, levels, columns, 1, 0, width, joint) == len(joint)

    for cell, (c, a) in enumerate(itertools.product(range(levels[2]), range(levels[0]))):
        bits = [int(joint[cell, row // 64]) >> (row % 64) & 1 for row in range(codes.shape[1])]
        assert bits == ((codes[2] == c) & (codes[0] == a)).astype(int).tolist()


@pytest.mark.parametrize("tier", [counting, by_arrays])
@settings(deadline=None, max_examples=20)
@given(coded())
def test_all_levels_can_be_counted_instead_of_all_but_one(tier, drawn):
    codes, levels, _ = drawn
    masks, first = packed(codes, levels)
    sets = np.array([[0, 1], [0, 2], [0, 3]])
    cells = np.prod(levels[sets], axis=1)
    starts = np.concatenate([[0], np.cumsum(cells)[:-1]])
    counts = np.zeros(int(cells.sum()), dtype=np.int64)

    chosen = np.array([True, False, True])
    words = 0, masks.shape[1]
    how = levels, np.empty(0, dtype=np.int64), words, sets, starts, chosen
    tier.count_by_masks(codes, masks, first, levels, *how, room_for_masks(4), counts)

    found = parts(counts, sets, starts, levels)
    assert found[0].tolist() == table_of(codes, levels, sets[0]).tolist()
    assert not found[1].any()
    assert found[2].tolist() == table_of(codes, levels, sets[2]).tolist()


@settings(deadline=None, max_examples=30)
@given(coded(), st.integers(2, 3))
def test_weights_are_added_up(drawn, size):
    codes, levels, rng = drawn
    weights = rng.random(codes.shape[1])
    sets, starts, n_cells = sets_and_starts(levels, size)
    counts = np.zeros(n_cells)

    weigh_dense(codes, levels, weights, sets, starts, counts)

    for columns, found in zip(sets, parts(counts, sets, starts, levels), strict=True):
        assert found == pytest.approx(table_of(codes, levels, columns, weights))


@settings(deadline=None, max_examples=30)
@given(coded(), st.integers(2, 3))
def test_rows_that_miss_a_column_of_a_set_do_not_count_for_it(drawn, size):
    codes, levels, rng = drawn
    gaps, weights = rng.random(codes.shape) < 0.2, rng.random(codes.shape[1])
    sets, starts, n_cells = sets_and_starts(levels, size)
    counts = np.zeros(n_cells)

    count_present(codes, gaps, levels, weights, sets, starts, counts)

    for columns, found in zip(sets, parts(counts, sets, starts, levels), strict=True):
        is_present = ~gaps[columns].any(axis=0)
        wanted = table_of(codes[:, is_present], levels, columns, weights[is_present])
        assert found == pytest.approx(wanted)


@settings(deadline=None, max_examples=20)
@given(coded())
def test_masks_lose_the_rows_that_miss_their_column(drawn):
    codes, levels, rng = drawn
    gaps = rng.random(codes.shape) < 0.3
    masks, first = packed(codes, levels)
    kept = np.where(np.arange(4) == 1, -1, first)  # the second column has no masks
    before = masks.copy()

    clear_gaps(gaps, levels, kept, masks)

    for j, row in itertools.product(range(4), range(codes.shape[1])):
        for level in range(levels[j]):
            bit = int(masks[first[j] + level, row // 64]) >> (row % 64) & 1
            was = int(before[first[j] + level, row // 64]) >> (row % 64) & 1
            assert bit == (was and not (gaps[j, row] and j != 1))


def test_sets_that_share_all_but_the_last_column_form_a_group():
    sets = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])

    assert [group_end(sets, first) for first in range(4)] == [2, 2, 3, 4]


@pytest.mark.parametrize("tier", [counting, by_arrays])
def test_strata_and_widths_are_products_of_levels(tier):
    sets, levels = np.array([[0, 1, 2], [2, 0, 1]]), np.array([2, 3, 5])
    strata, widths, by_masks = np.empty(2), np.empty(2, dtype=np.int64), np.empty(2, dtype=np.bool_)

    assert tier.table_shapes(levels, np.array([0, 2, 5]), sets, 20, strata, widths, by_masks) == 30
    assert strata.tolist() == [2, 5]
    assert widths.tolist() == [15, 6]


@pytest.mark.parametrize("tier", [counting, by_arrays])
def test_few_masks_of_packed_columns_are_counted_and_else_codes(tier):
    sets, levels = np.array([[0, 1, 2], [2, 0, 1], [2, 3, 0], [0, 1, 3]]), np.array([2, 3, 5, 1])
    written = np.empty(4), np.empty(4, dtype=np.int64), np.empty(4, dtype=np.bool_)

    tier.table_shapes(
        levels, np.array([0, 2, 5, 10]), sets, 20, *written
    )  # 6 · 4, 10 · 2, 5 · 1 and 6 · 1 masks
    assert written[2].tolist() == [False, True, True, True]

    tier.table_shapes(levels, np.array([0, 2, 5, -1]), sets, 5, *written)
    assert written[2].tolist() == [False, False, False, False]


def test_rows_come_group_after_group_in_their_order():
    assert rows_by_group(np.array([1, -1, 0, 1, 0, 2]), 3).tolist() == [2, 4, 0, 3, 5]
    assert rows_by_group(np.array([-1, -1]), 2).tolist() == []


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 3), st.booleans())
def test_moments_of_groups_are_those_of_their_rows(seed, n_rows, n_groups, has_gaps):
    rng = np.random.default_rng(seed)
    values, weights = rng.normal(5, 2, (4, n_rows)), rng.random(n_rows) + 0.1
    groups = rng.integers(-1, n_groups, n_rows)
    gaps = rng.random((4, n_rows)) < 0.2 if has_gaps else np.zeros((0, 0), dtype=np.bool_)
    sets = np.array([[0, 1], [2, 0], [3, 1]])
    sizes, means = np.zeros((3, n_groups)), np.zeros((3, n_groups, 2))
    products = np.zeros((3, n_groups, 2, 2))

    group_moments(values, gaps, groups, weights, sets, sizes, means, products)

    for i, columns in enumerate(sets):
        for group in range(n_groups):
            kept = groups == group
            if has_gaps:
                kept &= ~gaps[columns].any(axis=0)
            weight, rows = weights[kept], values[np.ix_(columns, np.flatnonzero(kept))]
            assert sizes[i, group] == pytest.approx(weight.sum())
            if kept.any():
                centre = (rows * weight).sum(axis=1) / weight.sum()
                apart = rows - centre[:, None]
                assert means[i, group] == pytest.approx(centre)
                assert products[i, group] == pytest.approx((apart * weight) @ apart.T, abs=1e-9)
            else:
                assert not products[i, group].any()


def test_a_constant_column_of_a_group_has_exactly_no_products():
    values = np.array([[0.1] * 5, [1.0, 2.0, 3.0, 4.0, 5.0]])
    sizes, means, products = np.zeros((1, 1)), np.zeros((1, 1, 2)), np.zeros((1, 1, 2, 2))

    group_moments(
        values,
        np.zeros((0, 0), dtype=np.bool_),
        np.zeros(5, dtype=np.int64),
        np.ones(5),
        np.array([[0, 1]]),
        sizes,
        means,
        products,
    )

    assert products[0, 0].tolist() == [[0.0, 0.0], [0.0, 10.0]]
    assert means[0, 0].tolist() == [0.1, 3.0]
