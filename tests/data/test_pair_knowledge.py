"""Methods whose edges have no direction take knowledge of pairs and refuse knowledge of directions."""

import pytest

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import forbidden_pairs
from structlearn.errors import OptionError

NAMES = ("a", "b", "c")


def test_pairs_forbidden_both_ways_are_forbidden_in_both_places():
    known = Knowledge(forbidden=[("a", "c"), ("c", "a")])

    found = forbidden_pairs("Toy", NAMES, known)

    assert found.tolist() == [[False, False, True], [False, False, False], [True, False, False]]


def test_nothing_known_forbids_nothing():
    assert not forbidden_pairs("Toy", NAMES, Knowledge()).any()


@pytest.mark.parametrize(
    "known",
    [
        Knowledge(forbidden=[("b", "c")]),
        Knowledge(required=[("b", "c")]),
        Knowledge(tiers=[["b"], ["c"]]),
        Knowledge(forbidden=[("a", "b"), ("b", "a"), ("c", "b")]),
    ],
)
def test_knowledge_of_one_direction_is_refused_by_name(known):
    with pytest.raises(OptionError, match=r"Toy: knowledge says which way an edge between '[bc]' and '[bc]'"):
        forbidden_pairs("Toy", NAMES, known)
