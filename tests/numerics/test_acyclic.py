"""Weights are dropped until there is no cycle, and no more than the rule says."""

import networkx as nx
import numpy as np
import pytest

from structlearn.numerics.acyclic import acyclic_order, descends, least_cut_order, without_cycles
from structlearn.numerics.lingam import direct_order

NONE = np.zeros((3, 3), dtype=bool)
# 0 → 1 → 2 → 0, entry [i, j] for j → i; the last arc is the weakest.
CYCLE = np.array([[0.0, 0.0, 0.2], [1.0, 0.0, 0.0], [0.0, -0.5, 0.0]])


def test_a_cycle_has_no_order():
    assert acyclic_order(CYCLE != 0.0) is None
    assert acyclic_order(np.tril(CYCLE) != 0.0).tolist() == [0, 1, 2]


def test_the_smallest_weight_on_a_cycle_goes():
    found = without_cycles(CYCLE, NONE)

    assert found.tolist() == np.tril(CYCLE).tolist()
    assert least_cut_order(CYCLE, NONE).tolist() == [0, 1, 2]


def test_a_weak_arc_off_the_cycle_stays():
    weights = np.zeros((4, 4))
    weights[:3, :3] = CYCLE
    weights[3, 0] = 0.01

    assert without_cycles(weights, np.zeros((4, 4), dtype=bool))[3, 0] == 0.01


def test_what_is_required_stays():
    required = NONE.copy()
    required[0, 2] = True

    found = without_cycles(CYCLE, required)

    assert found[0, 2] == 0.2
    assert found[2, 1] == 0.0  # the weaker of the two others
    assert least_cut_order(CYCLE, required).tolist() == [2, 0, 1]


@pytest.mark.parametrize("seed", range(5))
def test_the_rest_of_any_matrix_has_an_order(seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=(8, 8)) * (rng.random((8, 8)) < 0.4)
    np.fill_diagonal(weights, 0.0)

    found = without_cycles(weights, np.zeros((8, 8), dtype=bool))

    order = acyclic_order(found != 0.0)
    assert sorted(order.tolist()) == list(range(8))
    assert set(found[found != 0.0]) <= set(weights[weights != 0.0])
    # One by one from the smallest: each weight that is gone closes a cycle with larger ones.
    for lost in sorted(set(np.abs(weights[(found == 0.0) & (weights != 0.0)]))):
        assert acyclic_order(np.where(np.abs(weights) >= lost, weights, found) != 0.0) is None
    places = np.argsort(least_cut_order(weights, np.zeros((8, 8), dtype=bool)))
    levels = np.unique(np.abs(weights))
    first = next(level for level in levels if acyclic_order(np.abs(weights) > level) is not None)
    assert all(places[j] < places[i] for i, j in np.argwhere(np.abs(weights) > first))


def test_descendants_are_those_that_paths_lead_to():
    rng = np.random.default_rng(0)
    for density in (0.0, 0.1, 0.3):
        is_arc = rng.random((9, 9)) < density
        paths = nx.transitive_closure(nx.from_numpy_array(is_arc, create_using=nx.DiGraph), reflexive=False)
        np.testing.assert_array_equal(descends(is_arc), nx.to_numpy_array(paths) > 0)


def test_the_first_column_of_many_is_looked_for_no_longer_than_time_allows():
    answers = iter([False, True, True])  # before the first column, while it is looked for, and then

    order, penalties = direct_order(
        np.random.default_rng(0).normal(size=(50, 6)), must_stop=lambda: next(answers)
    )

    assert sorted(order.tolist()) == list(range(6))
    assert len(penalties) == 0


def test_where_time_is_up_all_that_is_left_of_cycles_goes_at_once():
    weights = np.zeros((5, 5))
    weights[:3, :3] = CYCLE
    weights[3, 4], weights[4, 3], weights[4, 0] = 0.7, 0.9, 0.1

    found = without_cycles(weights, np.zeros((5, 5), dtype=bool), lambda: True)

    assert np.argwhere(found).tolist() == [[4, 0]]
