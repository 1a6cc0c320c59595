"""What RFCI tests again: edges of triples and of paths that rules rely on."""

import numpy as np
import pytest

from structlearn.data import Knowledge
from structlearn.independence import Answers
from structlearn.independence.asking import Asker, SeparatedPairs
from structlearn.learners.constraint.marks.confirmed_edges import ConfirmedEdges, EdgeRemovedError
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton


class Telling:
    """Separates what it is told, and writes down what it was asked."""

    def __init__(self, *apart):
        self.apart, self.asked = apart, []

    def many(self, _, questions):
        self.asked += [tuple(question) for question in questions.tolist()]
        p = np.array([float(tuple(question) in self.apart) for question in questions.tolist()])
        return Answers(p, p, p)


def skeleton_of(n_nodes, edges, apart):
    """Edges, and by pair the set that separates it."""
    widest = max(map(len, apart.values()), default=0)
    given = np.array([[*s, *[-1] * (widest - len(s))] for s in apart.values()]).reshape(len(apart), widest)
    ones = np.ones(len(apart))
    level = SeparatedPairs(np.arange(len(apart)), given, ones, ones)
    separators = Separators(n_nodes, [(np.array(list(apart)).reshape(-1, 2), level)])
    return Skeleton(np.array(edges), np.zeros(len(edges)), separators)


def confirmed(test, skeleton, knowledge=None):
    names = tuple("abcdef"[: skeleton.separators.n_nodes])
    known = KnownPairs(names, knowledge or Knowledge())
    return ConfirmedEdges(Asker(test, None, alpha=0.05), skeleton, known)


def test_both_edges_of_a_triple_are_tested_given_what_separates_its_ends_without_the_middle():
    test = Telling()
    edges = confirmed(test, skeleton_of(4, [(0, 1), (1, 2)], {(0, 2): (1, 3)}))

    edges.confirm_triples()

    assert sorted(test.asked) == [(0, 1, 3), (1, 2, 3)]
    assert edges.skeleton.edges.tolist() == [[0, 1], [1, 2]]


def test_what_was_confirmed_is_not_asked_again():
    test = Telling()
    edges = confirmed(test, skeleton_of(3, [(0, 1), (1, 2)], {(0, 2): ()}))

    edges.confirm_triples()
    edges.confirm_triples()

    assert sorted(test.asked) == [(0, 1), (1, 2)]


def test_an_edge_that_goes_makes_new_triples_which_are_tested_too():
    joined = [(0, 1), (1, 2), (0, 3), (1, 3)]
    test = Telling((0, 1, 4))
    edges = confirmed(test, skeleton_of(5, joined, {(0, 2): (4,), (2, 3): ()}))

    edges.confirm_triples()

    assert [0, 1] not in edges.skeleton.edges.tolist()
    assert (0, 3, 4) in test.asked  # of 0, 3, 1, which 0 — 1 no longer shields
    assert (1, 3, 4) in test.asked


def test_a_pair_that_nothing_was_found_to_separate_says_nothing_of_its_triples():
    test = Telling()

    confirmed(test, skeleton_of(3, [(0, 1), (1, 2)], {})).confirm_triples()

    assert test.asked == []


def test_every_edge_of_a_path_is_tested_given_every_subset_of_what_separates_its_ends():
    test = Telling()
    skeleton = skeleton_of(5, [(0, 1), (1, 2), (1, 3), (2, 3)], {(0, 3): (1, 4)})

    confirmed(test, skeleton).confirm_path((0, 1, 2, 3))

    assert set(test.asked) == {
        *((0, 1), (0, 1, 4)),
        *((1, 2), (1, 2, 4)),
        *((2, 3), (2, 3, 1), (2, 3, 4), (2, 3, 1, 4)),
    }


def test_a_path_that_loses_an_edge_has_to_be_looked_for_again():
    skeleton = skeleton_of(5, [(0, 1), (1, 2), (1, 3), (2, 3)], {(0, 3): (1, 4), (0, 2): ()})
    edges = confirmed(Telling((2, 3, 1)), skeleton)

    with pytest.raises(EdgeRemovedError):
        edges.confirm_path((0, 1, 2, 3))

    assert edges.skeleton.edges.tolist() == [[0, 1], [1, 2], [1, 3]]
    at = edges.skeleton.separators.find(np.array([2]), np.array([3]))[0]
    assert [v for v in edges.skeleton.separators.given[at] if v >= 0] == [1]


def test_an_edge_that_is_required_is_never_tested():
    test = Telling((0, 1))
    skeleton = skeleton_of(3, [(0, 1), (1, 2)], {(0, 2): ()})

    confirmed(test, skeleton, Knowledge(required=[("a", "b")])).confirm_triples()

    assert test.asked == [(1, 2)]
