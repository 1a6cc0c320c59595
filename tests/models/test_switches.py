"""Nodes that are off or on: every joint state of their parents, and the table of what is known of each."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.cpds.switches import refuse_other_than_switches, switch_states, table_of_switches
from tests.oracles.cpds import family_of


@pytest.mark.parametrize("n_parents", [0, 1, 3])
def test_joint_states_come_with_the_first_parent_slowest(n_parents):
    assert switch_states("X", n_parents).T.tolist() == [
        list(state) for state in itertools.product((0, 1), repeat=n_parents)
    ]


def test_a_table_has_the_share_of_on_in_each_joint_state():
    states = switch_states("X", 2)
    shares = 0.1 + 0.2 * states[0] + 0.4 * states[1]

    table = table_of_switches(shares, 2)

    assert table.shape == (2, 2, 2)
    for a, b in itertools.product((0, 1), repeat=2):
        np.testing.assert_allclose(table[a, b], [0.9 - 0.2 * a - 0.4 * b, 0.1 + 0.2 * a + 0.4 * b])


def test_a_table_of_too_many_parents_is_refused():
    with pytest.raises(sl.DataError, match="134,217,728 are possible"):
        switch_states("noisy-or", 30)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"x": ["a", "b", "c"], "p": ["0", "1", "1"]}, "'x' has 3"),
        ({"x": ["a", "b", "b"], "p": ["u", "v", "w"]}, "'p', a parent of 'x', has 3"),
        ({"x": ["a", "b", "b"], "p": [0.5, 1.5, 2.5]}, "'p', a parent of 'x', is continuous"),
    ],
)
def test_what_is_no_switch_is_refused(data, words):
    family = family_of(sl.Dataset(data), "x", ["p"])

    with pytest.raises(sl.DataError, match=words):
        refuse_other_than_switches("noisy-or", family)


def test_continuous_parents_may_be_welcome():
    family = family_of(sl.Dataset({"x": ["a", "b", "b"], "p": [0.5, 1.5, 2.5]}), "x", ["p"])

    refuse_other_than_switches("sigmoid", family, continuous=True)
