"""States as users write them: by label, by a text that reads like it, or as likelihoods."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.inference.states import code_of, is_soft, likelihood_of, number_of


@pytest.mark.parametrize(("state", "code"), [("no", 0), ("yes", 1), ("1", 2), (1, 2), (2.5, 3), ("2.5", 3)])
def test_a_state_is_its_label_or_what_reads_like_it(state, code):
    assert code_of("x", ("no", "yes", 1, "2.5"), state) == code


def test_a_label_itself_comes_before_what_reads_like_it():
    assert code_of("x", ("1", 1), 1) == 1
    assert code_of("x", ("1", 1), "1") == 0


def test_an_unknown_state_is_refused_with_those_there_are():
    with pytest.raises(sl.DataError, match="'x' has no state 'maybe'; its states are 'no', 'yes'"):
        code_of("x", ("no", "yes"), "maybe")
    with pytest.raises(sl.DataError, match="0, 1, 2, 3, 4, 5, 6, 7 and 3 more"):
        code_of("x", tuple(range(11)), 11)


def test_evidence_on_a_continuous_node_is_a_finite_number_or_reads_like_one():
    assert number_of("x", "2.5") == number_of("x", np.float32(2.5)) == 2.5
    for said in (None, "tall", np.nan, -np.inf, 10**400):
        with pytest.raises(sl.DataError, match="'x' is continuous: its evidence is a finite number, not"):
            number_of("x", said)


def test_likelihoods_come_by_label_or_in_the_order_of_the_labels():
    labels = ("low", "mid", "high")

    assert likelihood_of("x", labels, {"high": 2, "low": 0.5}).tolist() == [0.5, 0.0, 2.0]
    assert likelihood_of("x", labels, [0.5, 0, 2]).tolist() == [0.5, 0.0, 2.0]
    assert likelihood_of("x", labels, np.array([1.0, 1.0, 1.0])).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([1.0], "has 1 likelihoods, and the node has 2 states"),
        ([0.0, 0.0], "not all 0"),
        ([1.0, -1.0], "none below 0"),
        ([1.0, float("nan")], "must be finite"),
        ([1.0, "much"], "'much' where a likelihood belongs"),
        ({"maybe": 1.0}, "no state 'maybe'"),
    ],
)
def test_likelihoods_that_are_none_are_refused(said, words):
    with pytest.raises(sl.DataError, match=words):
        likelihood_of("x", ("no", "yes"), said)


def test_one_state_is_hard_evidence_and_numbers_for_all_are_soft():
    assert [is_soft(said) for said in ("yes", 1, 2.5, True)] == [False] * 4
    assert [is_soft(said) for said in ({"yes": 1}, [1, 2], (1, 2), np.ones(2))] == [True] * 4
