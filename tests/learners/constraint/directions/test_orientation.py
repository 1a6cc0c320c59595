"""Skeletons are directed by knowledge first, then by colliders, then by what follows; conflicts are said."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs import open_triples
from structlearn.graphs.links import Links
from structlearn.independence.asking import SeparatedPairs
from structlearn.learners.constraint.directions import orientation
from structlearn.learners.constraint.directions.collider_votes import colliders_by_vote
from structlearn.learners.constraint.directions.orientation import (
    Colliders,
    as_triples,
    colliders_by_separator,
    orient,
    unshielded_triples,
)
from structlearn.learners.constraint.kernels.colliders import IN, LINE, OUT, leads, may_point, place_of
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import NamedSeparators, Separators
from tests.learners.constraint.scripted_tests import Scripted, asking

NO_ENDS = KnownPairs(tuple("abcde"), sl.Knowledge())


def lines_of(n_nodes, lines):
    return Links(n_nodes, lines=np.array(sorted(lines), dtype=np.int64).reshape(-1, 2))


def separators_of(n_nodes, found):
    """From {(a, b): (conditions, p-value)}."""
    levels = []
    for (a, b), (conditions, p) in found.items():
        one = SeparatedPairs(
            np.array([0]), np.array([conditions], dtype=np.int64), np.array([p]), np.array([p])
        )
        levels.append((np.array([[a, b]]), one))
    return Separators(n_nodes, levels)


def directed(lines, colliders, ends=NO_ENDS, n_nodes=5, ambiguous=()):
    triples = Colliders(as_triples(colliders), as_triples(ambiguous))
    found = orient(lines_of(n_nodes, lines), triples, ends, asking(Scripted({})))
    arrows = {tuple(arrow) for arrow in found.links.arrows.tolist()}
    return arrows, {tuple(line) for line in found.links.lines.tolist()}, found.conflicts


@settings(deadline=None)
@given(st.sets(st.sampled_from(list(itertools.combinations(range(5), 2)))))
def test_unshielded_triples_are_those_of_the_definition(lines):
    found = unshielded_triples(lines_of(5, lines))

    wanted = [
        (a, b, c)
        for b, a, c in itertools.product(range(5), repeat=3)
        if a < c and tuple(sorted((a, b))) in lines and tuple(sorted((b, c))) in lines and (a, c) not in lines
    ]
    assert [tuple(triple) for triple in found.tolist()] == wanted


def test_when_time_is_up_no_triples_are_looked_for_and_no_votes_are_counted(monkeypatch):
    monkeypatch.setattr(open_triples, "PAIRS_AT_ONCE", 1)
    lines = lines_of(5, [(0, 2), (1, 2), (2, 3)])
    looks = iter([False] * 2 + [True] * 9)
    assert unshielded_triples(lines, lambda: next(looks)).tolist() == [[0, 2, 1], [0, 2, 3]]
    assert not len(unshielded_triples(lines, lambda: True))

    hurried = asking(Scripted({}))
    hurried.must_stop = lambda: True
    separators = separators_of(5, {(0, 1): ((), 0.5)})
    found = colliders_by_vote(
        unshielded_triples(lines), lines, separators, hurried, rule="majority", max_conditioning=None
    )
    assert not len(found.triples)
    assert not len(found.ambiguous)


def test_a_triple_is_a_collider_where_its_middle_does_not_separate_its_ends():
    triples = as_triples([(0, 1, 2), (2, 3, 4), (0, 4, 3)])
    separators = separators_of(5, {(0, 2): ([], 0.5), (2, 4): ([3], 0.6)})  # nothing is known about 0, 3

    found = colliders_by_separator(triples, separators, asking(Scripted({})))

    assert found.triples.tolist() == [[0, 1, 2]]
    assert found.ambiguous.tolist() == []


def test_colliders_with_the_strongest_evidence_come_first():
    triples = as_triples([(0, 1, 2), (0, 3, 4), (2, 3, 4)])
    separators = separators_of(5, {(0, 2): ([], 0.5), (0, 4): ([1], 0.5), (2, 4): ([0, 1], 0.5)})
    test = Scripted({(0, 2, 1): 0.03, (0, 4, 1, 3): 0.001, (2, 4, 0, 1, 3): 0.02})

    found = colliders_by_separator(triples, separators, asking(test))

    assert found.triples.tolist() == [[0, 3, 4], [2, 3, 4], [0, 1, 2]]
    assert {len(question) for question in test.asked} == {3, 4, 5}  # each given its middle besides


def test_a_collider_and_what_follows_from_it():
    arrows, lines, conflicts = directed([(0, 1), (1, 2), (1, 3)], [(0, 1, 2)])

    assert arrows == {(0, 1), (2, 1), (1, 3)}  # 1 → 3, or 0, 1, 3 would be a collider
    assert lines == set()
    assert conflicts == []


def test_of_two_colliders_that_contradict_the_first_wins_and_the_other_is_said():
    lines = [(0, 1), (1, 2), (2, 3)]

    arrows, _, conflicts = directed(lines, [(0, 1, 2), (1, 2, 3)])
    turned, _, others = directed(lines, [(1, 2, 3), (0, 1, 2)])

    assert {(0, 1), (2, 1)} <= arrows
    assert conflicts == [(1, 2, 3)]
    assert {(1, 2), (3, 2)} <= turned
    assert others == [(0, 1, 2)]


def test_a_collider_that_would_close_a_cycle_is_left_out():
    ends = KnownPairs(tuple("abcde"), sl.Knowledge(required=[("a", "b"), ("b", "c")]))

    arrows, lines, conflicts = directed([(0, 1), (1, 2), (0, 2), (0, 3)], [(2, 0, 3)], ends)

    assert conflicts == [(2, 0, 3)]  # c → a would close a → b → c → a
    assert arrows == {(0, 1), (1, 2), (0, 2)}
    assert lines == {(0, 3)}


def test_knowledge_directs_before_colliders_do():
    ends = KnownPairs(tuple("abcde"), sl.Knowledge(required=[("b", "a")]))

    arrows, _, conflicts = directed([(0, 1), (1, 2)], [(0, 1, 2)], ends)

    assert (1, 0) in arrows
    assert conflicts == [(0, 1, 2)]


def test_an_ambiguous_triple_passes_no_direction_on():
    lines, collider = [(0, 1), (1, 2), (1, 3)], [(0, 1, 2)]

    arrows, left, _ = directed(lines, collider, ambiguous=[(0, 1, 3), (2, 1, 3)])

    assert arrows == {(0, 1), (2, 1)}
    assert left == {(1, 3)}


# The pair 0, 3 with the neighbours 1 and 2; a triple 0 – 1 – 3, decided by all sets that separate 0 and 3.
VOTES = {
    "no set has it": ({(0, 3): 0.5, (0, 3, 2): 0.4}, "collider", "collider", "collider"),
    "all sets have it": ({(0, 3, 1): 0.5, (0, 3, 1, 2): 0.4}, "other", "other", "other"),
    "one of three has it": ({(0, 3): 0.5, (0, 3, 2): 0.4, (0, 3, 1): 0.6}, "ambiguous", "collider", "other"),
    "half of them have it": ({(0, 3): 0.5, (0, 3, 1): 0.4}, "ambiguous", "ambiguous", "collider"),
    "two of three have it": (
        {(0, 3): 0.9, (0, 3, 1): 0.4, (0, 3, 1, 2): 0.3},
        "ambiguous",
        "other",
        "collider",
    ),
    "no set separates": ({}, "ambiguous", "ambiguous", "ambiguous"),
}


@pytest.mark.parametrize("name", VOTES)
def test_rules_count_the_separating_sets_that_have_the_middle(name):
    p_values, *wanted = VOTES[name]
    lines = lines_of(4, [(0, 1), (0, 2), (1, 3), (2, 3)])
    nothing_known = Separators(4, [])

    for rule, verdict in zip(("conservative", "majority", "max-p"), wanted, strict=True):
        found = colliders_by_vote(
            as_triples([(0, 1, 3)]),
            lines,
            nothing_known,
            asking(Scripted(p_values)),
            rule=rule,
            max_conditioning=None,
        )
        assert (len(found.triples), len(found.ambiguous)) == {
            "collider": (1, 0),
            "ambiguous": (0, 1),
            "other": (0, 0),
        }[verdict]


def test_the_set_found_before_has_a_vote_too():
    lines = lines_of(5, [(0, 1), (1, 3)])
    far_away = separators_of(5, {(0, 3): ([4], 0.3)})  # 4 is no neighbour of 0 or 3

    found = colliders_by_vote(
        as_triples([(0, 1, 3)]), lines, far_away, asking(Scripted({})), rule="majority", max_conditioning=None
    )

    assert found.triples.tolist() == [[0, 1, 3]]


def test_separators_are_found_in_either_order_and_by_name():
    separators = separators_of(5, {(1, 3): ([0, 4], 0.25), (0, 2): ([], 0.5)})
    named = NamedSeparators(tuple("abcde"), separators)

    assert separators.find(np.array([3, 2, 0]), np.array([1, 0, 4])).tolist() == [0, 1, -1]
    assert named["d", "b"] == named["b", "d"]
    assert (named["b", "d"].given, named["b", "d"].p_value) == (("a", "e"), 0.25)
    assert (list(named), len(named)) == ([("b", "d"), ("a", "c")], 2)
    with pytest.raises(KeyError):
        named["a", "b"]
    assert Separators(3, []).find(np.array([0]), np.array([1])).tolist() == [-1]


@settings(deadline=None)
@given(
    st.sets(st.sampled_from(list(itertools.combinations(range(6), 2)))),
    st.lists(st.permutations(range(6)).map(lambda nodes: tuple(nodes[:3])), max_size=8),
    st.sampled_from([1, 3, 1000]),
)
def test_colliders_are_pointed_at_in_order_unless_an_arrow_turns_or_a_cycle_closes(lines, triples, at_once):
    arrows, conflicts = set(), []
    for a, b, c in triples:
        wanted = {(a, b), (c, b)}
        is_there = all(tuple(sorted(arrow)) in lines for arrow in wanted)
        turns = any(arrow[::-1] in arrows for arrow in wanted)
        if is_there and not turns and all(is_acyclic({*arrows, arrow}) for arrow in wanted):
            arrows |= wanted
        else:
            conflicts.append((a, b, c))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(orientation, "TRIPLES_AT_ONCE", at_once)
        found, _, said = directed(lines, triples, n_nodes=6, ends=KnownPairs(tuple("abcdef"), sl.Knowledge()))

    assert arrows <= found
    assert said[: len(conflicts)] == conflicts


def is_acyclic(arrows):
    left = set(arrows)
    while left:
        sinks = {target for _, target in left} - {source for source, _ in left}
        if not sinks:
            return False
        left = {arrow for arrow in left if arrow[1] not in sinks}
    return True


@settings(deadline=None)
@given(st.sets(st.sampled_from(list(itertools.combinations(range(6), 2)))), st.data())
def test_arrows_lead_where_a_walk_along_them_comes_to(lines, data):
    signs = {line: data.draw(st.sampled_from(["line", "forward", "backward"])) for line in sorted(lines)}
    arrows = {line if sign == "forward" else line[::-1] for line, sign in signs.items() if sign != "line"}
    starts, adjacent = lines_of(6, lines).adjacent_rows
    owners = np.repeat(np.arange(6), np.diff(starts)).tolist()
    ends = list(zip(owners, adjacent.tolist(), strict=True))
    marks = np.array(
        [OUT if end in arrows else IN if end[::-1] in arrows else LINE for end in ends], np.int64
    )
    room = np.zeros(1, np.int64), np.zeros(6, np.int64), np.zeros((2, 6), np.int64)

    for a, b in itertools.permutations(range(6), 2):
        reached, front = {a}, {a}
        while front:
            front = {target for source, target in arrows if source in front} - reached
            reached |= front
        assert leads(a, b, starts, adjacent, marks, room) == (b in reached)
        assert place_of(starts, adjacent, a, b) == (ends.index((a, b)) if (a, b) in ends else -1)
        is_line = (a, b) in ends and not {(a, b), (b, a)} & arrows
        wanted = (a, b) in arrows or (is_line and is_acyclic_from(arrows, b, a))
        assert may_point(a, b, starts, adjacent, marks, room) == wanted


def is_acyclic_from(arrows, source, target):
    """Whether no walk along arrows leads from `source` to `target`."""
    return not any(
        all(step in arrows for step in itertools.pairwise((source, *between, target)))
        for length in range(5)
        for between in itertools.permutations(set(range(6)) - {source, target}, length)
    )
