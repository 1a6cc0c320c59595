"""Rows by their members: every row once for each, those of one member and one child together and in order."""

import numpy as np
import pytest

from structlearn.search.kernels.members import (
    sort_by_member,
    sort_by_member_at_once,
    write_bits,
    write_bits_at_once,
)
from tests.tiers import loops_of


def rows_of_children(seed, n_nodes, width):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, 6, size=n_nodes)
    first = np.concatenate([[0], np.cumsum(sizes)])
    members = np.full((first[-1], width), -1)
    for child in range(n_nodes):
        others = [node for node in range(n_nodes) if node != child]
        for row in range(first[child], first[child + 1]):
            chosen = rng.permutation(others)[: rng.integers(0, width + 1)]
            members[row, : len(chosen)] = np.sort(chosen)
    return first, members


@pytest.mark.parametrize("sort", [loops_of(sort_by_member), sort_by_member_at_once])
@pytest.mark.parametrize(("n_nodes", "width"), [(1, 1), (2, 1), (5, 3), (70, 2)])
@pytest.mark.parametrize("seed", range(4))
def test_each_part_has_the_rows_of_its_child_with_its_member(sort, n_nodes, width, seed):
    first, members = rows_of_children(seed, n_nodes, width)
    n_rows = int((members >= 0).sum())
    of_member, rows = np.empty(n_nodes + 1, dtype=np.int64), np.empty(n_rows, dtype=np.int64)
    child, begin = np.empty((2, n_rows + 1), dtype=np.int64)

    n_parts = sort(first, members, of_member, child, begin, rows)

    found = [
        (x, int(child[part]), rows[begin[part] : begin[part + 1]].tolist())
        for x in range(n_nodes)
        for part in range(of_member[x], of_member[x + 1])
    ]
    expected = [
        (x, y, having)
        for x in range(n_nodes)
        for y in range(n_nodes)
        if (having := [row for row in range(first[y], first[y + 1]) if x in members[row]])
    ]
    assert found == expected
    assert n_parts == len(expected)


@pytest.mark.parametrize("write", [loops_of(write_bits), write_bits_at_once])
def test_a_row_has_the_bits_of_its_members(write):
    _, members = rows_of_children(0, 9, 4)
    bits = np.empty(len(members), dtype=np.int64)

    write(members, np.left_shift(1, np.arange(9)), bits)

    assert bits.tolist() == [sum(1 << int(x) for x in row if x >= 0) for row in members]
