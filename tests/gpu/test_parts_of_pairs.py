"""What is done on the processor before and after kernels of pairs, against small cases by hand."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.gpu import pairs, partial_correlations, spanning
from structlearn.independence.asking import SeparatedPairs
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import NamedSeparators, Separators
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.on_card import _all_but_last
from structlearn.numerics.information.settings import Settings
from structlearn.numerics.information.tables import packed


def test_masks_have_all_states_but_the_last_of_each_column():
    columns = Columns(np.array([[0.0, 1.0, 2.0, 1.0], [1.0, 0.0, 0.0, 1.0]]), np.array([3, 2]))

    masks, margins = _all_but_last(packed(columns, Settings()))

    assert masks.shape == (2, 2, 2)  # states, words of 32 rows (64 are packed at once), columns
    assert masks[:, 0, 0].tolist() == [0b0001, 0b1010]
    assert masks[:, 0, 1].tolist() == [0b0110, 0]  # the only other state is the last
    assert margins.tolist() == [[1, 2, 1], [2, 0, 2]]


def test_a_constant_column_has_its_rows_in_the_last_state():
    columns = Columns(np.zeros((2, 3)), np.array([1, 1]))

    masks, margins = _all_but_last(packed(columns, Settings()))

    assert not masks.any()
    assert margins.tolist() == [[0, 3], [0, 3]]


def test_nodes_with_fewer_neighbours_that_may_mediate_come_first():
    edges = np.array([[0, 1], [0, 2], [0, 3], [1, 2]])  # degrees 3, 2, 2, 1

    assert pairs._fewest_first(edges, np.ones(4, dtype=np.bool_)).tolist() == [3, 1, 2, 0]
    only_3 = np.array([False, False, False, True])  # a neighbour of 0 alone
    assert pairs._fewest_first(edges, only_3).tolist() == [1, 2, 3, 0]


def test_parts_take_the_label_of_the_lowest():
    labels = np.array([0, 0, 2, 3, 4])

    joined = spanning._joined(labels, np.array([[1, 4], [3, 4]]))

    assert joined.tolist() == [0, 0, 2, 0, 0]


def test_a_part_takes_its_heaviest_edge_and_of_equal_ones_the_first():
    edges = np.array([[-2.0, 1.0, 3.0], [-2.0, 0.0, 3.0], [-9.0, 2.0, 3.0], [-1.0, 0.0, 2.0]])

    chosen = spanning._in_order(edges, np.array([7, 7, 8, 8]))

    assert chosen.tolist() == [[-2.0, 0.0, 3.0], [-9.0, 2.0, 3.0]]


@pytest.mark.parametrize("n_columns", [1, 1000])
def test_bytes_are_those_of_the_largest_arrays_together(n_columns):
    numbers, list_of_all = 8 * n_columns**2, (4 + 8) * n_columns**2 // 2
    assert pairs.bytes_needed(n_columns, 50) == numbers + list_of_all + 8 * 50 * n_columns
    assert partial_correlations.bytes_needed(n_columns) >= numbers + list_of_all


def test_pairs_that_knowledge_joins_or_keeps_apart():
    knowledge = sl.Knowledge(required=[("c", "a")], forbidden=[("a", "b"), ("b", "a"), ("b", "c")])

    known = KnownPairs(("a", "b", "c"), knowledge)

    assert known.required_pairs().tolist() == [[0, 2]]
    assert known.n_closed == 1  # b — c may still be c → b
    nothing = KnownPairs(("a", "b"), sl.Knowledge())
    assert nothing.required_pairs().shape == (0, 2)
    assert nothing.n_closed == 0


def test_a_pair_with_two_separators_has_the_one_that_was_found_first():
    pair, one = np.array([[0, 2]]), np.array([0])
    levels = [
        (pair, SeparatedPairs(one, np.zeros((1, 0), dtype=np.int64), np.array([0.2]), np.array([0.2]))),
        (pair, SeparatedPairs(one, np.array([[1]]), np.array([0.7]), np.array([0.7]))),
    ]

    separators = Separators(3, levels)

    assert NamedSeparators(("a", "b", "c"), separators)["c", "a"].p_value == 0.2
    assert list(separators) == [(0, 2), (0, 2)]
    found = separators.p_values(np.array([2, 0]), np.array([0, 1]))
    np.testing.assert_array_equal(found, [0.2, np.nan])
