"""What a CPD is made of is checked, and refused in words that begin with the class."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models.cpds.arguments import (
    checked_labels,
    checked_mapping,
    checked_names,
    finite,
    finite_array,
    probability,
    refuse_other_levels,
    two_labels,
)


def test_what_is_right_is_given_back():
    assert checked_labels("X", ["no", "yes"]) == ("no", "yes")
    assert two_labels("X", (0, 1)) == (0, 1)
    assert checked_mapping("X", "slopes", {"a": 1}) == {"a": 1}
    assert checked_names("X", "off", ["a"], ["a", "b"]) == ("a",)
    assert finite("X", "mean", 3) == 3.0
    assert finite_array("X", "means", [[1, 2], [3, 4]]).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert probability("X", "leak", 1) == 1.0


@pytest.mark.parametrize("labels", ["no", [], ["a", "a"], [("a",)], None, 3])
def test_labels_are_different_texts_or_numbers(labels):
    with pytest.raises(sl.DataError, match="X: labels are one or more different texts or numbers"):
        checked_labels("X", labels)


def test_a_switch_has_two_states():
    with pytest.raises(sl.DataError, match=r"X: the node has two states.*are 3"):
        two_labels("X", ["a", "b", "c"])


@pytest.mark.parametrize("known", [["a"], {1: 2.0}, None])
def test_parameters_of_parents_come_by_their_names(known):
    with pytest.raises(sl.DataError, match="X: slopes are a mapping from the name of each parent"):
        checked_mapping("X", "slopes", known)


@pytest.mark.parametrize("names", ["a", ["c"], 3])
def test_names_are_some_of_the_parents(names):
    with pytest.raises(sl.DataError, match="X: the off parents are some of a, b"):
        checked_names("X", "off", names, ["a", "b"])


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "1", None, True, 10**400])
def test_a_number_is_finite(value):
    with pytest.raises(sl.DataError, match="X: the mean must be a finite number"):
        finite("X", "mean", value)


@pytest.mark.parametrize("values", [[1, [2, 3]], ["a"], [np.inf], [None, object()]])
def test_an_array_has_finite_numbers_only(values):
    with pytest.raises(sl.DataError, match="X: the means must be finite numbers"):
        finite_array("X", "means", values)


def test_an_array_is_a_copy():
    mine = np.zeros(2)

    finite_array("X", "means", mine)[0] = 1.0

    assert mine.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("value", [-0.001, 1.001])
def test_a_probability_is_between_0_and_1(value):
    with pytest.raises(sl.DataError, match="X: the leak is a probability"):
        probability("X", "leak", value)


@pytest.mark.parametrize(
    ("expected", "found", "words"),
    [
        (2, 3, "as a node of 2 states, and it is a node of 3 states"),
        (0, 1, "as a continuous node.*of 1 state."),
    ],
)
def test_a_parent_has_as_many_states_as_expected(expected, found, words):
    refuse_other_levels("table", "x", {"p": expected}, {"p": expected})
    with pytest.raises(sl.DataError, match=f"The table CPD of 'x' takes 'p' {words}"):
        refuse_other_levels("table", "x", {"p": expected}, {"p": found})
