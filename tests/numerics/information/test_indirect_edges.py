"""The weakest side of a triangle, by the node that explains it."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest

from structlearn.numerics.information.indirect_edges import mediators_of
from structlearn.numerics.information.kernels.indirect_edges import fill_mediators
from tests.oracles import information as oracle

# docs/references/networks.md#aracne
FOUR = np.zeros((4, 4))
for (a, b), value in {(0, 1): 0.5, (0, 2): 0.3, (0, 3): 0.28, (1, 2): 0.4, (1, 3): 0.1, (2, 3): 0.35}.items():
    FOUR[a, b] = FOUR[b, a] = value


def removed(information, **options):
    found = mediators_of(information, **options)
    return {(int(i), int(j)) for i, j in np.argwhere(found >= 0)}


@pytest.mark.parametrize(
    ("tolerance", "expected"),
    [
        (0.0, {(0, 2), (0, 3), (1, 3)}),
        (0.1, {(0, 2), (1, 3)}),
        (0.3, {(1, 3)}),
        (1.0, set()),
    ],
)
def test_the_weakest_sides_go_by_more_than_the_tolerance(tolerance, expected):
    assert removed(FOUR, factor=1.0 - tolerance) == expected


def test_the_order_of_the_nodes_does_not_matter():
    for order in permutations(range(4)):
        turned = FOUR[np.ix_(order, order)]

        found = {tuple(sorted((order[i], order[j]))) for i, j in removed(turned)}
        assert found == {(0, 2), (0, 3), (1, 3)}


def test_a_chain_is_left_where_information_is_exact():
    steps = np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
    information = np.where(steps > 0, -0.5 * np.log1p(-(0.8 ** (2.0 * np.maximum(steps, 1)))), 0.0)

    # docs/references/networks.md#aracne
    assert information[0, 1:4] == pytest.approx([0.5108256238, 0.2634775028, 0.1520032977], abs=1e-10)
    assert set(combinations(range(8), 2)) - removed(information) == set(pairwise(range(8)))


@pytest.mark.parametrize("seed", range(20))
def test_every_triangle_is_looked_at_as_it_is(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    values = np.round(rng.random((n, n)), 1)  # with ties
    information = np.triu(np.where(rng.random((n, n)) < 0.7, values, 0.0), k=1)
    information += information.T
    regulators = rng.random(n) < 0.5

    assert removed(information) == oracle.indirect(information)
    assert removed(information, factor=0.85) == oracle.indirect(information, factor=0.85)
    assert removed(information, difference=0.15) == oracle.indirect(information, difference=0.15)
    through = removed(information, may_mediate=regulators)
    assert through == oracle.indirect(information, regulators=set(np.flatnonzero(regulators)))


def test_a_mediator_is_stronger_to_both_ends_and_threads_agree(monkeypatch):
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    values = np.random.default_rng(0).random((40, 40))
    information = np.triu(values, k=1) + np.triu(values, k=1).T

    found = mediators_of(information)

    assert (
        found == mediators_of(information + 9.0 * np.eye(40))
    ).all()  # what a node has with itself is no side
    monkeypatch.setattr("structlearn.numerics.information.indirect_edges.FEW_PER_NODE", 0)
    assert (found == mediators_of(information, n_jobs=2)).all()
    for i, j in np.argwhere(found >= 0):
        assert information[i, j] < min(information[i, found[i, j]], information[j, found[i, j]])


def test_only_the_edges_of_a_block_are_written():
    three = np.ascontiguousarray(FOUR[:3, :3])
    starts, strongest_first = np.array([0, 2, 4, 6]), np.array([1, 2, 0, 2, 1, 0], dtype=np.int32)
    found = np.full((3, 3), 7, dtype=np.int32)

    fill_mediators(three, starts, strongest_first, 1.0, 0.0, 0, 1, found)

    assert found.tolist() == [[7, -1, 1], [7, 7, 7], [7, 7, 7]]
