"""Kernels of orders agree with enumeration: the best totals of all subsets, sets that fit into an order."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.learners.order.kernels.fitting_rows import NONE, FamilyRows, first_fit, fits
from structlearn.learners.order.kernels.subsets import (
    add_lower_nodes,
    best_within,
    fill_blocks,
    spread_maxima,
    without_bit,
)


def random_families(seed, n_nodes):
    """A few parent sets for each node, always the empty one, with their gains."""
    rng = np.random.default_rng(seed)
    found = []
    for node in range(n_nodes):
        others = [v for v in range(n_nodes) if v != node]
        sets = {frozenset(rng.permutation(others)[: rng.integers(0, n_nodes)].tolist()) for _ in range(4)}
        found.append({s: float(rng.normal()) for s in sets | {frozenset()}})
    return found


def packed(families, n_low):
    """Lower bits without the node's own, and upper bits, as the kernels take them."""
    starts, lows, highs, gains = [0], [], [], []
    for node, sets in enumerate(families):
        for members, gain in sets.items():
            low = sum(1 << v for v in members if v < n_low)
            if node < n_low:
                low = without_bit(low, 1 << node)
            lows.append(low)
            highs.append(sum(1 << (v - n_low) for v in members if v >= n_low))
            gains.append(gain)
        starts.append(len(lows))
    return tuple(np.array(part) for part in (starts, lows, highs, gains))


def best_total(families, subset):
    """By trying all orders of a subset."""
    best = -np.inf
    for order in itertools.permutations(subset):
        total = 0.0
        for place, node in enumerate(order):
            total += max(g for members, g in families[node].items() if members <= set(order[:place]))
        best = max(best, total)
    return best if subset else 0.0


def members_of(subset):
    return [v for v in range(subset.bit_length()) if subset >> v & 1]


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 4))
def test_totals_of_all_subsets_are_the_best_over_all_orders(seed, n_low):
    n_nodes = 5
    families, totals = random_families(seed, n_nodes), np.empty(1 << n_nodes)
    blocks = np.array(sorted(range(1 << (n_nodes - n_low)), key=lambda block: (block.bit_count(), block)))

    fill_blocks(
        blocks,
        n_low,
        n_nodes,
        packed(families, n_low),
        totals,
        np.empty((n_low, max(1, (1 << n_low) // 2))),
        np.empty(1 << n_low),
    )

    for subset in range(1 << n_nodes):
        assert totals[subset] == pytest.approx(best_total(families, members_of(subset)))


def test_runs_of_subsets_and_single_ones_add_up_alike():
    """Seven lower nodes are more than one run has."""
    families, totals = random_families(3, 7), np.empty(128)
    tables = np.empty((7, 64))
    for node in range(7):
        best_within(packed(families, 7), node, 0, tables[node])
    totals[:] = -np.inf
    totals[0] = 0.0

    add_lower_nodes(totals, tables)

    wanted = [0.0] + [-np.inf] * 127
    for subset in range(1, 128):
        for node in members_of(subset):
            before = set(members_of(subset)) - {node}
            gain = max(g for members, g in families[node].items() if members <= before)
            wanted[subset] = max(wanted[subset], wanted[subset ^ 1 << node] + gain)
    assert totals == pytest.approx(np.array(wanted))


@settings(deadline=None)
@given(st.lists(st.floats(-5, 5), min_size=16, max_size=16))
def test_maxima_are_spread_to_all_supersets(values):
    table = np.array(values)

    spread_maxima(table)

    for subset in range(16):
        assert table[subset] == max(values[other] for other in range(16) if other & ~subset == 0)


def test_the_place_of_a_bit_is_left_out():
    for node, subset in itertools.product(range(5), range(32)):
        bits = [subset >> v & 1 for v in range(5) if v != node]
        assert without_bit(subset, 1 << node) == sum(bit << i for i, bit in enumerate(bits))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.permutations(range(5)), st.integers(0, 4), st.integers(0, 5))
def test_the_first_set_that_fits_is_the_best_before_a_place(seed, order, child, limit):
    families = random_families(seed, 5)
    listed = [sorted(sets.items(), key=lambda item: -item[1]) for sets in families]
    rows = [members for sets in listed for members, _ in sets]
    starts = np.cumsum([0, *(len(sets) for sets in listed)])
    members = np.full((len(rows), 5), -1, dtype=np.int16)
    for i, row in enumerate(rows):
        members[i, : len(row)] = sorted(row)
    family_rows = FamilyRows(
        starts, members, np.zeros(len(rows), np.uint64), np.zeros(len(rows)), np.zeros(len(rows))
    )
    position = np.empty(5, dtype=np.int64)
    position[list(order)] = np.arange(5)
    before = set(order[:limit])

    found = first_fit(family_rows, child, position, limit, starts[child])

    wanted = [i for i in range(starts[child], starts[child + 1]) if rows[i] <= before]
    assert found == wanted[0]  # the empty set always fits
    assert [fits(family_rows, i, position, limit) for i in range(len(rows))] == [
        row <= before for row in rows
    ]
    after = first_fit(family_rows, child, position, limit, wanted[-1] + 1)
    assert after == NONE
    assert first_fit(family_rows, child, position, limit, NONE) == NONE
