"""Directed cycles are found, counted and broken as Grow-Shrink says."""

import itertools
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.graphs.links import Links
from structlearn.learners.constraint.directions.cycles import (
    LONGEST_COUNTED,
    arrows_on_cycles,
    break_cycles,
    count_cycles,
    directed_along_paths,
    put_back_reversed,
)
from tests.oracles import graphs as oracle

ARROWS = st.sets(st.sampled_from([(a, b) for a in range(5) for b in range(5) if a != b]), max_size=10)


def simple_cycles(arrows, n_nodes=5):
    """Every cycle without repeats, from its smallest node."""
    for size in range(2, n_nodes + 1):
        for nodes in itertools.permutations(range(n_nodes), size):
            cycle = list(zip(nodes, (*nodes[1:], nodes[0]), strict=True))
            if nodes[0] == min(nodes) and set(cycle) <= arrows:
                yield cycle


@settings(deadline=None)
@given(ARROWS)
def test_arrows_on_cycles_are_those_whose_head_leads_back(arrows):
    assert arrows_on_cycles(arrows) == {(a, b) for a, b in arrows if a in oracle.descendants(arrows, b)}


@settings(deadline=None)
@given(ARROWS)
def test_cycles_are_counted_by_going_through_all(arrows):
    assert LONGEST_COUNTED >= 5
    assert count_cycles(arrows) == Counter(arrow for cycle in simple_cycles(arrows) for arrow in cycle)


@settings(deadline=None)
@given(ARROWS, st.randoms(use_true_random=False))
def test_nothing_is_cyclic_after_breaking_and_only_cyclic_arrows_went(arrows, random):
    left = {arrow: random.random() for arrow in sorted(arrows)}

    removed = break_cycles(left, fixed=())

    assert oracle.is_acyclic(set(left))
    assert set(removed) | set(left) == arrows
    assert set(removed) <= arrows_on_cycles(arrows)


def test_the_arrow_on_most_cycles_goes_first():
    # 0 → 1 lies on both 0 → 1 → 2 → 0 and 0 → 1 → 3 → 0.
    arrows = dict.fromkeys([(0, 1), (1, 2), (2, 0), (1, 3), (3, 0)], 0.01)

    assert break_cycles(arrows, fixed=()) == [(0, 1)]


def test_among_arrows_on_as_many_cycles_the_least_certain_goes():
    assert break_cycles({(0, 1): 0.01, (1, 2): 0.04, (2, 0): 0.02}, fixed=()) == [(1, 2)]


def test_what_is_fixed_stays():
    assert break_cycles({(0, 1): 0.01, (1, 2): 0.04, (2, 0): 0.02}, fixed=[(1, 2)]) == [(2, 0)]


def test_removed_arrows_come_back_reversed_unless_they_close_a_cycle():
    arrows = {(1, 2): 0.0, (2, 0): 0.0}

    put_back_reversed(arrows, [(0, 1)])

    assert arrows == {(1, 2): 0.0, (2, 0): 0.0, (1, 0): 1.0}

    blocked = {(0, 2): 0.0, (2, 1): 0.0}
    put_back_reversed(blocked, [(0, 1)])  # 1 → 0 would close 0 → 2 → 1 → 0
    assert blocked == {(0, 2): 0.0, (2, 1): 0.0}


def test_the_last_removed_comes_back_first():
    arrows = {}

    put_back_reversed(arrows, [(0, 1), (1, 2), (2, 0)])

    # 0 → 2 and 2 → 1 are put back; 1 → 0 would close the cycle.
    assert list(arrows) == [(0, 2), (2, 1)]


def test_lines_follow_directed_paths_until_none_can():
    links = Links(4, arrows=[(0, 1), (1, 2)], lines=[(0, 2), (2, 3)])

    found = directed_along_paths(links)

    assert {tuple(arrow) for arrow in found.arrows.tolist()} == {(0, 1), (1, 2), (0, 2)}
    assert found.lines.tolist() == [[2, 3]]


def test_paths_may_be_longer_than_two_arrows():
    links = Links(4, arrows=[(0, 1), (1, 2)], lines=[(0, 2), (0, 3)])
    longer = Links(4, arrows=[(0, 1), (1, 2), (2, 3)], lines=[(0, 2), (0, 3)])

    assert directed_along_paths(links).lines.tolist() == [[0, 3]]
    assert directed_along_paths(longer).lines.tolist() == []
