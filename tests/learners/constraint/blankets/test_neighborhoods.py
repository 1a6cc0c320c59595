"""Within blankets Grow-Shrink asks subsets of the smaller one, all or a choice, and finds common children."""

import itertools

import numpy as np
import pytest

from structlearn.graphs.links import Links
from structlearn.learners.constraint.blankets.neighborhoods import (
    ListedSubsets,
    RandomChoice,
    Within,
    arrows_into_common_children,
)
from tests.learners.constraint.scripted_tests import Scripted, Truth, asking
from tests.oracles import graphs as oracle


def links_of(n_nodes, lines):
    return Links(n_nodes, lines=np.array(sorted(lines), dtype=np.int64).reshape(-1, 2))


def moral(arrows, n_nodes=4):
    married = {(a, c) for (a, b), (c, d) in itertools.combinations(sorted(arrows), 2) if b == d}
    return links_of(n_nodes, {tuple(sorted(pair)) for pair in {*arrows, *married}})


def test_few_members_have_all_their_subsets_tried():
    assert RandomChoice(8, seed=0).subsets([1, 4, 6], (0, 2)) == [
        (),
        *[(1,), (4,), (6,)],
        *[(1, 4), (1, 6), (4, 6)],
        (1, 4, 6),
    ]


def test_of_many_subsets_some_are_chosen_with_the_first_and_the_last():
    members = list(range(10))

    chosen = RandomChoice(20, seed=1).subsets(members, (11, 12))

    assert len(chosen) == len(set(chosen)) == 20
    assert (chosen[0], chosen[-1]) == ((), tuple(members))
    assert all(set(subset) <= set(members) and list(subset) == sorted(subset) for subset in chosen)
    assert [len(subset) for subset in chosen] == sorted(len(subset) for subset in chosen)


def test_a_choice_depends_on_the_seed_and_the_pair_and_nothing_else():
    members = list(range(12))

    def choice(seed, key):
        return RandomChoice(16, seed).subsets(members, key)

    assert choice(0, (3, 4)) == choice(0, (3, 4))
    assert choice(0, (3, 4)) != choice(1, (3, 4))
    assert choice(0, (3, 4)) != choice(0, (3, 5))


def test_listed_subsets_of_a_size_are_handed_out_in_portions():
    pairs = np.array([[0, 1], [2, 3]])
    listed = ListedSubsets(pairs, [[(), (2,), (3,), (2, 3)], [(), (0,)]], 1, always=np.array([5, 6]))

    first, owners = listed.next(np.array([0, 1]), 1)
    assert first.tolist() == [[0, 1, 2, 5], [2, 3, 0, 6]]
    assert owners.tolist() == [0, 1]
    assert listed.is_exhausted(np.array([0, 1])).tolist() == [False, True]
    rest, owners = listed.next(np.array([0, 1]), 5)
    assert (rest.tolist(), owners.tolist()) == ([[0, 1, 3, 5]], [0])
    assert listed.is_exhausted(np.array([0, 1])).all()
    assert listed.next(np.array([0]), 2)[0].shape == (0, 4)


@pytest.mark.parametrize("choice", [None, RandomChoice(64, 0)], ids=["all", "a choice that has all"])
def test_with_the_truth_neighbours_are_the_members_that_nothing_separates(choice):
    for arrows in itertools.islice(oracle.all_dags(4), 0, None, 9):
        blankets = moral(arrows)
        pairs = blankets.lines

        largest_p, separators = Within(asking(Truth(arrows)), blankets, choice).separate(pairs)

        joined = {tuple(sorted(arrow)) for arrow in arrows}
        for pair, p in zip(pairs.tolist(), largest_p.tolist(), strict=True):
            assert np.isnan(p) == (tuple(pair) not in joined)
        for (a, b), known in zip(separators.pairs.tolist(), separators.given.tolist(), strict=True):
            assert oracle.d_separated(arrows, a, b, set(known) - {-1})


def test_the_smaller_blanket_is_conditioned_on():
    # 0 has the blanket {1, 2, 3}, 1 has {0} only: nothing but the empty set is asked about them.
    test = Scripted({})

    Within(asking(test), links_of(4, [(0, 1), (0, 2), (0, 3)]), None).separate(np.array([[0, 1]]))

    assert [set(question[:2]) for question in test.asked] == [{0, 1}]
    assert [question[2:] for question in test.asked] == [()]


def test_a_further_condition_is_always_given_and_never_chosen():
    test = Scripted({})
    blankets = links_of(4, [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)])

    Within(asking(test), blankets, None).separate(np.array([[0, 1]]), always=np.array([2]))

    assert {frozenset(question[2:]) for question in test.asked} == {frozenset({2}), frozenset({2, 3})}
    assert all(question[-1] == 2 for question in test.asked)


def test_the_largest_p_value_that_a_pair_survived_is_kept():
    test = Scripted({(0, 1): 0.01, (0, 1, 2): 0.04})

    largest_p, _ = Within(asking(test), links_of(3, [(0, 1), (0, 2), (1, 2)]), None).separate(
        np.array([[0, 1]])
    )

    assert largest_p.tolist() == [0.04]


def test_arrows_go_into_what_keeps_two_parents_dependent():
    arrows = {(0, 2), (1, 2), (2, 3)}
    within = Within(asking(Truth(arrows)), moral(arrows), None)

    found, conflicts = arrows_into_common_children(within, links_of(4, [(0, 2), (1, 2), (2, 3)]), set())

    assert set(found) == {(0, 2), (1, 2)}
    assert conflicts == []


def test_of_two_directions_the_one_with_the_smaller_p_value_stays():
    # 0 – 1 – 2 says 2 → 1 with 0.04, 1 – 2 – 3 says 1 → 2 with 0.01.
    lines = links_of(4, [(0, 1), (1, 2), (2, 3)])
    test = Scripted({(0, 2, 1): 0.04, (1, 3, 2): 0.01})

    found, _ = arrows_into_common_children(Within(asking(test), lines, None), lines, set())

    assert set(found) == {(0, 1), (1, 2), (3, 2)}
    assert found[1, 2] == 0.01


def test_known_arrows_win_and_what_contradicts_them_is_said():
    lines = links_of(3, [(0, 1), (1, 2)])

    found, conflicts = arrows_into_common_children(
        Within(asking(Scripted({})), lines, None), lines, known={(1, 0)}
    )

    assert found == {(1, 0): 0.0, (2, 1): 0.0}
    assert conflicts == [(0, 1)]
