"""Edges go where a set of neighbours separates, level by level, and the sets that did it are remembered."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.skeleton import (
    complete_links,
    prune_skeleton,
    skeleton_given_the_rest,
)
from structlearn.run import Run
from tests.learners.constraint.scripted_tests import Scripted, Truth, asking
from tests.oracles import graphs as oracle

FOUR = [frozenset(dag) for dag in itertools.islice(oracle.all_dags(4), 0, None, 7)]


def pruned(test, n_nodes, *, conditions="stable", max_conditioning=None, knowledge=None, **options):
    ends = KnownPairs(tuple("abcdefgh"[:n_nodes]), knowledge or sl.Knowledge())
    return prune_skeleton(
        asking(test, **options),
        n_nodes,
        ends,
        conditions=conditions,
        max_conditioning=max_conditioning,
        run=Run("test", progress=False),
    )


def pairs(array):
    return {tuple(pair) for pair in array.tolist()}


def moral_pairs(arrows):
    married = {(a, c) for (a, b), (c, d) in itertools.combinations(sorted(arrows), 2) if b == d}
    return {tuple(sorted(pair)) for pair in {*arrows, *married}}


@pytest.mark.parametrize("conditions", ["stable", "original", "all"])
def test_with_the_truth_every_way_of_conditioning_leaves_the_edges_of_the_dag(conditions):
    for arrows in FOUR:
        found = pruned(Truth(arrows), 4, conditions=conditions)

        assert pairs(found.edges) == {tuple(sorted(arrow)) for arrow in arrows}


class TruthBackwards(Truth):
    """The truth, which is soonest told of the last pairs."""

    def order(self, pairs):
        return np.arange(len(pairs))[::-1]


@pytest.mark.parametrize("conditions", ["stable", "all"])
def test_the_order_in_which_a_test_likes_to_be_asked_changes_nothing(conditions):
    for arrows in FOUR:
        found, same = (
            pruned(test, 4, conditions=conditions) for test in (Truth(arrows), TruthBackwards(arrows))
        )

        assert same.edges.tolist() == found.edges.tolist()
        assert same.largest_p.tolist() == found.largest_p.tolist()
        assert pairs(same.separators.pairs) == pairs(found.separators.pairs)


def test_what_separates_a_pair_is_remembered_and_separates_it():
    for arrows in FOUR:
        separators = pruned(Truth(arrows), 4).separators

        joined = {tuple(sorted(arrow)) for arrow in arrows}
        assert pairs(separators.pairs) == set(itertools.combinations(range(4), 2)) - joined
        for (a, b), given in zip(separators.pairs.tolist(), separators.given.tolist(), strict=True):
            assert oracle.d_separated(arrows, a, b, set(given) - {-1})


def test_separating_sets_are_the_smallest():
    for arrows in FOUR:
        separators = pruned(Truth(arrows), 4, conditions="all").separators
        for (a, b), given in zip(separators.pairs.tolist(), separators.given.tolist(), strict=True):
            size = len(set(given) - {-1})
            others = set(range(4)) - {a, b}
            for smaller in range(size):
                assert not any(
                    oracle.d_separated(arrows, a, b, set(z)) for z in itertools.combinations(others, smaller)
                )


def test_levels_are_traced():
    # a → b → c → d: the first level joins all, single nodes separate the three pairs that are apart.
    found = pruned(Truth({(0, 1), (1, 2), (2, 3)}), 4)

    assert found.trace["conditions"][:2] == [0, 1]
    assert found.trace["tests"][0] == 6
    assert found.trace["edges"][:2] == [6, 3]
    assert found.trace["removed"][:2] == [0, 3]


def test_a_limit_of_conditions_leaves_what_needs_more():
    diamond = {(0, 1), (0, 2), (1, 3), (2, 3)}  # only {1, 2} separates 0 and 3

    assert (0, 3) in pairs(pruned(Truth(diamond), 4, max_conditioning=1).edges)
    assert (0, 3) not in pairs(pruned(Truth(diamond), 4, max_conditioning=2).edges)
    assert pruned(Truth(diamond), 4, max_conditioning=0).trace["conditions"] == [0]


def test_stable_conditions_are_those_of_the_beginning_of_a_level():
    # Each pair is independent given the third. Stable asks all three while all edges are there; original
    # takes 0 – 1 and 0 – 2 out first, and then neither 1 nor 2 has a neighbour left besides the other.
    says = {(0, 1, 2): 0.9, (0, 2, 1): 0.8, (1, 2, 0): 0.7}

    stable = pruned(Scripted(says), 3)
    original = pruned(Scripted(says), 3, conditions="original")

    assert pairs(stable.edges) == set()
    assert stable.separators.given.tolist() == [[2], [1], [0]]
    assert stable.separators.p_value.tolist() == [0.9, 0.8, 0.7]
    assert pairs(original.edges) == {(1, 2)}
    assert original.separators.given.tolist() == [[2], [1]]


def test_the_largest_p_value_of_a_kept_edge_is_the_largest_asked():
    found = pruned(Scripted({(0, 1): 0.01, (0, 1, 2): 0.04, (0, 2): 0.03}), 3)

    by_pair = dict(zip(map(tuple, found.edges.tolist()), found.largest_p.tolist(), strict=True))
    assert by_pair == {(0, 1): 0.04, (0, 2): 0.03, (1, 2): 0.0}


def test_a_p_value_at_the_level_is_dependence():
    assert len(pruned(Scripted({(0, 1): 0.05}), 2).edges) == 1
    assert len(pruned(Scripted({(0, 1): 0.0500001}), 2).edges) == 0


def test_a_required_edge_stays_whatever_separates_it():
    knowledge = sl.Knowledge(required=[("a", "b")])

    found = pruned(Scripted({}, otherwise=1.0), 3, knowledge=knowledge)

    assert pairs(found.edges) == {(0, 1)}


def test_a_forbidden_pair_is_no_edge_but_its_separator_is_found():
    knowledge = sl.Knowledge(forbidden=[("a", "c"), ("c", "a")])

    found = pruned(Scripted({(0, 2, 1): 0.7}), 3, knowledge=knowledge)

    assert pairs(found.edges) == {(0, 1), (1, 2)}
    at = found.separators.find(np.array([0]), np.array([2]))[0]
    assert found.separators.given[at].tolist() == [1]
    assert found.separators.p_value[at] == 0.7


def test_given_all_others_the_moral_graph_is_left():
    for arrows in FOUR:
        known_pairs = KnownPairs(tuple("abcd"), sl.Knowledge())
        found = skeleton_given_the_rest(asking(Truth(arrows)), 4, known_pairs, Run("test", progress=False))

        assert pairs(found.edges) == moral_pairs(arrows)
        assert found.trace["conditions"] == [2]
        assert found.trace["tests"] == [6]


def test_one_column_has_no_pairs_to_ask_about():
    known_pairs = KnownPairs(("a",), sl.Knowledge())
    found = skeleton_given_the_rest(asking(Scripted({})), 1, known_pairs, Run("test", progress=False))

    assert len(found.edges) == 0
    assert len(pruned(Scripted({}), 1).edges) == 0


@pytest.mark.parametrize("n_nodes", [0, 1, 2, 5])
def test_complete_links_join_every_pair(n_nodes):
    assert pairs(complete_links(n_nodes).lines) == set(itertools.combinations(range(n_nodes), 2))
