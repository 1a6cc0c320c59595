"""Blankets grow by what depends on the target, shrink by what is not needed, and are made symmetric."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.constraint.blankets.blankets import BLANKET_METHODS, BlanketSearch, all_blankets
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.run import Run
from tests.learners.constraint.scripted_tests import Scripted, Truth, asking
from tests.oracles import graphs as oracle
from tests.strategies import dags


def by_definition(arrows, target):
    """Parents, children, and the other parents of children."""
    parents = {a for a, b in arrows if b == target}
    children = {b for a, b in arrows if a == target}
    return (parents | children | {a for a, b in arrows if b in children}) - {target}


def blanket(test, n_nodes, target, *, method="grow-shrink", always=(), **options):
    return BlanketSearch(asking(test), n_nodes, method=method, **options).blanket(target, always)


@pytest.mark.parametrize("method", BLANKET_METHODS)
def test_with_the_truth_every_method_finds_the_blanket(method):
    for arrows in itertools.islice(oracle.all_dags(4), 0, None, 5):
        for target in range(4):
            assert set(blanket(Truth(arrows), 4, target, method=method)) == by_definition(arrows, target)


@settings(deadline=None, max_examples=30)
@given(dags(2, 6), st.sampled_from(BLANKET_METHODS))
def test_the_blanket_is_that_of_the_graph(dag, method):
    place = {name: i for i, name in enumerate(dag.nodes)}
    arrows = {(place[a], place[b]) for a, b in dag.directed}

    for name, target in place.items():
        found = blanket(Truth(arrows), len(dag), target, method=method)
        assert {dag.nodes[v] for v in found} == set(dag.markov_blanket(name))


def test_grow_shrink_adds_the_first_dependent_candidate_in_the_order_of_association():
    # Marginal p-values order the candidates 2, 1, 3. Given 2, column 1 is independent and 3 is not.
    test = Scripted({(0, 1): 0.02, (0, 2): 0.01, (0, 3): 0.03, (0, 1, 2): 0.9, (0, 1, 2, 3): 0.9})

    assert set(blanket(test, 4, 0)) == {2, 3}
    grown = [question for question in test.asked if len(question) == 3]
    assert grown[0] == (0, 1, 2)  # 1 is asked before 3, given what is in already


def test_iamb_adds_the_most_dependent_candidate_given_the_members():
    p_values = {(0, 1): 0.03, (0, 2): 0.01, (0, 3): 0.02, (0, 1, 2): 0.001, (0, 3, 2): 0.04}
    test = Scripted(p_values | {(0, 3, 1, 2): 0.8}, otherwise=0.0)

    # After 2 column 1 is the strongest; given both, 3 is independent.
    assert set(blanket(test, 4, 0, method="iamb")) == {1, 2}


def test_fast_iamb_adds_all_that_depend_at_once_and_shrinks_afterwards():
    # 1 and 2 depend on the target, but 2 does not once 1 is there.
    test = Scripted(
        {(0, 1): 0.001, (0, 2): 0.01, (0, 3): 0.9, (0, 2, 1): 0.7, (0, 3, 1, 2): 0.9, (0, 3, 1): 0.9}
    )

    assert set(blanket(test, 4, 0, method="fast-iamb")) == {1}


def test_members_come_with_their_p_value_given_the_others():
    test = Scripted({(0, 1): 0.01, (0, 2): 0.02, (0, 1, 2): 0.03, (0, 2, 1): 0.04})

    assert blanket(test, 3, 0) == {1: 0.03, 2: 0.04}


def test_of_two_that_are_not_needed_the_less_dependent_goes_first():
    # Given the other, both are independent of the target; 2 more so. Without it, 1 stays.
    test = Scripted({(0, 1): 0.01, (0, 2): 0.02, (0, 2, 1): 0.01, (0, 1, 2): 0.3})

    assert set(blanket(test, 3, 0)) == {2}


def test_what_is_always_a_member_stays():
    independent = Scripted({}, otherwise=1.0)

    assert blanket(independent, 4, 0) == {}
    assert set(blanket(independent, 4, 0, always=[3])) == {3}


def test_no_more_conditions_than_allowed_while_growing():
    test = Scripted({})

    blanket(test, 5, 0, max_conditioning=1, method="iamb")

    growing = [question for question in test.asked if len(question) - 2 <= 1]
    assert growing
    assert max(len(question) - 2 for question in test.asked) <= 2  # shrinking asks given all members


def test_a_blanket_that_only_one_side_has_counts_where_one_is_enough():
    # 0 takes 1 for a member; 1 does not take 0, as 2 explains it.
    says = {(0, 1): 0.01, (0, 2): 0.9, (1, 2): 0.001, (0, 2, 1): 0.9, (0, 1, 2): 0.9}
    ends = KnownPairs(("a", "b", "c"), sl.Knowledge())
    found = {
        rule: all_blankets(
            asking(Scripted(says)),
            3,
            ends,
            symmetry=rule,
            max_conditioning=None,
            run=Run("test", progress=False),
        )
        for rule in ("and", "or")
    }

    assert {tuple(pair) for pair in found["and"].pairs.tolist()} == {(1, 2)}
    assert {tuple(pair) for pair in found["or"].pairs.tolist()} == {(0, 1), (1, 2)}
    assert found["or"].by_name(("a", "b", "c")) == {"a": ("b",), "b": ("a", "c"), "c": ("b",)}


def test_the_larger_p_value_of_the_two_sides_is_kept():
    says = {(0, 1): 0.03}
    ends = KnownPairs(("a", "b"), sl.Knowledge())

    found = all_blankets(
        asking(Scripted(says)),
        2,
        ends,
        symmetry="and",
        max_conditioning=None,
        run=Run("test", progress=False),
    )

    assert found.pairs.tolist() == [[0, 1]]
    assert found.largest_p.tolist() == [0.03]


def test_where_time_is_up_nothing_more_is_asked():
    test = Scripted({})
    search = BlanketSearch(asking(test, must_stop=lambda: True), 4, method="iamb")

    assert search.blanket(0) == {}
    assert np.all([len(question) == 2 for question in test.asked])
