"""What stands in for the kernel of chains over orders: neighbours, sets that fit, and their weights."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.chains.order_chain import shares_of
from structlearn.learners.order.families.family_rows import all_rows, members_at
from structlearn.learners.order.kernels import order_sampling
from structlearn.learners.order.kernels.sampling_of_lists import (
    NEGLIGIBLE,
    SetsOfChild,
    families_in,
    neighbor,
)
from tests.search.spaces import space_of


@pytest.fixture(scope="module")
def rows():
    data = sl.example("cancer").sample(300, random_state=0)
    return all_rows(space_of(data), most=1000)


@pytest.mark.parametrize("move", ["swap", "flip", "cut"])
def test_neighbours_are_those_that_the_kernel_proposes(move):
    shares, grid, order = shares_of({move: 1}), (np.arange(7) + 0.5) / 7, [3, 0, 2, 1]
    proposed = np.empty(4, dtype=np.int64)
    for first, second in itertools.product(grid, grid):
        draw = [0.5, first, second, 0.5]
        low, high = order_sampling.propose(np.array(order), proposed, shares, np.array(draw))

        assert neighbor(order, shares.tolist(), draw) == (proposed.tolist(), low, high)
    assert order == [3, 0, 2, 1]


def test_sets_that_fit_are_summed_but_for_what_is_negligible(rows):
    n = len(rows.starts) - 1
    for child, before in itertools.product(range(n), range(2**n)):
        if before >> child & 1:
            continue
        fitting = [
            row
            for row in range(rows.starts[child], rows.starts[child + 1])
            if all(before >> member & 1 for member in members_at(rows, row))
        ]
        found = SetsOfChild(rows, child)[before]

        assert found.rows == fitting[: len(found.rows)]
        assert found.best == rows.scores[fitting[0]]
        expected = found.best + math.log(sum(math.exp(rows.scores[row] - found.best) for row in fitting))
        assert found.log_sum == pytest.approx(expected, rel=10 * NEGLIGIBLE)


def test_families_are_drawn_by_where_a_number_falls_among_the_weights(rows):
    order = [2, 0, 1, 4, 3]
    sets = [SetsOfChild(rows, child) for child in range(5)]
    last, found = order[-1], sets[order[-1]][sum(1 << node for node in order[:-1])]
    for place, (end, weight) in enumerate(zip(found.sums, found.weights, strict=True)):
        if weight < 1e-6:
            break
        draws, arc_sums = [0.0] * 5, [[0.0] * 5 for _ in range(5)]
        draws[last] = (end - weight / 2) / found.sums[-1]
        drawn, first, best = families_in(order, sets, draws, arc_sums)

        assert drawn[last] == found.rows[place]
        assert first[last] == found.rows[0]
        assert best == pytest.approx(sum(rows.scores[row] for row in first))
        for parent in range(5):
            holders = [k for k, row in enumerate(found.rows) if parent in members_at(rows, row)]
            share = sum(found.weights[k] for k in holders) / found.sums[-1]
            assert arc_sums[last][parent] == pytest.approx(share)
    assert place > 0
