"""What the processor prepares for kernels of graphics cards, and reads from them."""

import itertools
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from structlearn.gpu import families, order_sums, precision, subsets


def colexicographic(n, size):
    """All sets of so many of the first numbers, the smallest member changing fastest."""
    return sorted(itertools.combinations(range(n), size), key=lambda members: members[::-1])


@pytest.mark.parametrize(("n", "size"), [(2, 2), (6, 2), (3, 3), (7, 3)])
def test_ranks_become_the_sets_of_their_order(n, size):
    expected = colexicographic(n, size)

    found = families._positions(np.arange(len(expected)), n, size)

    assert [tuple(members) for members in found.tolist()] == expected


@pytest.mark.parametrize("n", [2, 3, 6])
def test_pairs_come_in_the_order_of_ranks(n):
    assert [tuple(members) for members in families._pairs(n).tolist()] == colexicographic(n, 2)


def test_masks_of_neighbouring_columns_lie_side_by_side():
    levels, first_mask = np.array([2, 3]), np.array([3, 0])
    masks = np.array([[10, 11], [20, 21], [30, 31], [40, 41], [50, 51]], dtype=np.uint64)

    found = families._side_by_side(masks, first_mask, levels)

    # A row per word: both columns at the first level, at the second, and at the third, which one has not.
    assert found.tolist() == [[40, 10, 50, 20, 0, 30], [41, 11, 51, 21, 0, 31]]


def test_families_are_packed_by_their_lower_nodes():
    # Node 0 has the parents {}, {2}, {1} and {1, 2}; node 2 has {0, 1}, {} and {1}.
    masks = [np.array([0b000, 0b100, 0b010, 0b110]), np.array([0]), np.array([0b011, 0b000, 0b010])]
    weights = [np.array([1.0, 2.0, 3.0, 4.0]), np.array([5.0]), np.array([6.0, 7.0, 8.0])]

    segments, highs, packed = order_sums._packed(masks, weights, n_low=2)

    # Without its own place, node 0 has {1} as the first of its lower nodes, and 2 is the only upper one.
    assert packed.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 6.0]
    assert highs.tolist() == [0, 1, 0, 1, 0, 0, 0, 0]
    assert segments.tolist() == [[0, 2, 4, 4, 4], [4, 5, 5, 5, 5], [5, 6, 6, 7, 8]]


@pytest.mark.parametrize("n_high", [0, 1, 4])
def test_batches_have_every_block_once_and_sets_of_one_size(n_high, monkeypatch):
    monkeypatch.setattr(subsets, "BLOCKS_AT_ONCE", 3)

    batches = [batch.tolist() for batch in subsets.in_batches(n_high)]

    assert sorted(itertools.chain.from_iterable(batches)) == list(range(1 << n_high))
    sizes = [{block.bit_count() for block in batch} for batch in batches]
    assert all(len(of_batch) == 1 for of_batch in sizes)
    assert [min(of_batch) for of_batch in sizes] == sorted(min(of_batch) for of_batch in sizes)
    assert max(map(len, batches)) <= 3


@pytest.mark.parametrize(
    ("needed", "most"),
    [
        (order_sums.bytes_needed, {8: 28, 24: 30, 80: 31, 141: 32}),
        (subsets.bytes_needed, {8: 29, 24: 31, 80: 33, 141: 34}),
    ],
)
def test_the_guide_says_how_many_columns_fit_on_a_card(needed, most):
    for gigabytes, n_columns in most.items():
        free = gigabytes * 10**9 - (1 << 30) - (1 << 28)
        assert needed(n_columns) <= free < needed(n_columns + 1)


def test_matrices_go_through_cupy_with_its_errors_and_its_memory_is_given_back(monkeypatch):
    said = []

    @contextmanager
    def errstate(linalg):
        said.append(linalg)
        yield

    def give_back():
        said.append("given back")

    pool = SimpleNamespace(free_all_blocks=give_back)
    monkeypatch.setitem(sys.modules, "cupyx", SimpleNamespace(errstate=errstate))
    monkeypatch.setattr(np, "get_default_memory_pool", lambda: pool, raising=False)
    monkeypatch.setattr(precision, "load_cupy", lambda: np)
    covariance, penalties = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([[0.0, 0.1], [0.1, 0.0]])

    found, inverse, log_det, gap, _ = precision.newton_on_card(
        covariance, penalties, np.eye(2), tolerance=1e-10
    )

    # Two columns have a closed form: the inverse is the covariance, shrunk by the penalty off the diagonal.
    np.testing.assert_allclose(inverse, [[2.0, 0.4], [0.4, 1.0]], atol=1e-4)
    np.testing.assert_allclose(found, np.linalg.inv([[2.0, 0.4], [0.4, 1.0]]), atol=1e-4)
    assert log_det == pytest.approx(-np.log(2.0 * 1.0 - 0.4**2), abs=1e-4)
    assert gap <= 2e-10
    assert said == ["raise", "given back"]
