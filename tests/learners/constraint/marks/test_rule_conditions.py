"""Every condition of every rule of FCI matters: where one alone is not met, the rule asks for nothing."""

import pytest

from structlearn.graphs import Graph
from structlearn.learners.constraint.marks.arrow_rules import discriminating_path
from structlearn.learners.constraint.marks.marked_edges import ARROW, CIRCLE, TAIL
from structlearn.learners.constraint.marks.uncovered_paths import may_be_directed, uncovered_paths
from tests.learners.constraint.marks.test_rules import after, marked

UNMET = {
    "R1, a and c are joined": ("R1", ["0 o-> 1", "1 o-o 2", "0 o-o 2"]),
    "R1, no arrow at b": ("R1", ["0 o-o 1", "1 o-o 2"]),
    "R1, a tail at b": ("R1", ["0 o-> 1", "1 --> 2"]),
    "R1, b is a collider": ("R1", ["0 o-> 1", "2 o-> 1"]),
    "R2, no arrow at b": ("R2", ["0 --o 1", "1 --> 2", "0 o-o 2"]),
    "R2, no arrow at c": ("R2", ["0 --> 1", "1 o-o 2", "0 o-o 2"]),
    "R2, a tail at c": ("R2", ["0 --> 1", "1 --> 2", "0 o-- 2"]),
    "R2, a and c are not joined": ("R2", ["0 --> 1", "1 --> 2"]),
    "R3, a and c are joined": ("R3", ["0 o-> 1", "2 o-> 1", "0 o-o 3", "2 o-o 3", "3 o-o 1", "0 o-o 2"]),
    "R3, an arrow at d": ("R3", ["0 o-> 1", "2 o-> 1", "0 o-> 3", "2 o-o 3", "3 o-o 1"]),
    "R3, a tail at b": ("R3", ["0 o-> 1", "2 o-> 1", "0 o-o 3", "2 o-o 3", "3 o-- 1"]),
    "R3, no collider": ("R3", ["0 o-> 1", "2 o-o 1", "0 o-o 3", "2 o-o 3", "3 o-o 1"]),
    "R5, three nodes": ("R5", ["0 o-o 1", "1 o-o 2", "2 o-o 0"]),
    "R5, an arrow on the way": ("R5", ["0 o-o 1", "1 o-> 2", "2 o-o 3", "3 o-o 0"]),
    "R5, a path that does not close": ("R5", ["0 o-o 1", "1 o-o 2", "2 o-o 3"]),
    "R6, no line": ("R6", ["0 --o 1", "1 o-o 2"]),
    "R6, an arrow at b": ("R6", ["0 --- 1", "1 <-o 2"]),
    "R7, an arrow at a": ("R7", ["0 <-o 1", "1 o-o 2"]),
    "R7, a circle at a": ("R7", ["0 o-o 1", "1 o-o 2"]),
    "R8, a line from a": ("R8", ["0 --- 1", "1 --> 2", "0 o-> 2"]),
    "R8, a circle at b": ("R8", ["0 --> 1", "1 o-> 2", "0 o-> 2"]),
    "R8, an arrow at a": ("R8", ["0 --> 1", "1 --> 2", "0 <-> 2"]),
    "R8, a circle at c": ("R8", ["0 --> 1", "1 --> 2", "0 o-o 2"]),
    "R9, b and c are joined": ("R9", ["0 o-> 3", "0 o-o 1", "1 o-o 2", "2 --> 3", "1 o-o 3"]),
    "R9, an arrow against the way": ("R9", ["0 o-> 3", "0 o-o 1", "1 <-o 2", "2 --> 3"]),
    "R9, a line on the way": ("R9", ["0 o-> 3", "0 o-o 1", "1 --- 2", "2 --> 3"]),
    "R9, a circle at c": ("R9", ["0 o-o 3", "0 o-o 1", "1 o-o 2", "2 --> 3"]),
    "R10, a circle at a parent": ("R10", ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 o-> 3", "2 --> 3"]),
    "R10, an arrow at a": ("R10", ["0 o-> 3", "0 <-o 1", "0 o-o 2", "1 --> 3", "2 --> 3"]),
    "R10, one parent": ("R10", ["0 o-> 3", "0 o-o 1", "0 o-o 2", "1 --> 3"]),
}


@pytest.mark.parametrize(("rule", "edges"), UNMET.values(), ids=UNMET)
def test_where_one_condition_is_not_met_nothing_is_asked_for(rule, edges):
    before = marked(4, *edges)

    assert after(rule, before) == Graph("0123", edges=edges, kind="PAG")
    assert not before.conflicts
    assert not before.reasons


MET = {
    "R1 with a ↔ b": ("R1", ["0 <-> 1", "1 o-> 2"], ["0 <-> 1", "1 --> 2"]),
    "R2 with an arrow at a": ("R2", ["0 <-> 1", "1 --> 2", "0 <-o 2"], ["0 <-> 1", "1 --> 2", "0 <-> 2"]),
    "R2 with a tail at a": ("R2", ["0 --> 1", "1 <-> 2", "0 --o 2"], ["0 --> 1", "1 <-> 2", "0 --> 2"]),
    "R3 with an arrow at d's other end": (
        "R3",
        ["0 <-> 1", "2 --> 1", "0 <-o 3", "2 --o 3", "3 --o 1"],
        ["0 <-> 1", "2 --> 1", "0 <-o 3", "2 --o 3", "3 --> 1"],
    ),
    "R5 of five nodes": (
        "R5",
        ["0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 4", "4 o-o 0"],
        ["0 --- 1", "1 --- 2", "2 --- 3", "3 --- 4", "4 --- 0"],
    ),
    "R6 leaves the other end": ("R6", ["0 --- 1", "1 o-o 2", "0 o-o 2"], ["0 --- 1", "1 --o 2", "0 --o 2"]),
    "R7 leaves the other end": ("R7", ["0 --o 1", "1 o-o 2"], ["0 --o 1", "1 --o 2"]),
    "R9 along five nodes": (
        "R9",
        ["0 o-> 4", "0 --o 1", "1 --> 2", "2 o-> 3", "3 o-> 4"],
        ["0 --> 4", "0 --o 1", "1 --> 2", "2 o-> 3", "3 o-> 4"],
    ),
    "R10 along longer paths": (
        "R10",
        ["0 o-> 5", "0 o-o 1", "1 o-> 3", "3 --> 5", "0 o-o 2", "2 o-> 4", "4 --> 5", "1 o-o 5", "2 o-o 5"],
        ["0 --> 5", "0 o-o 1", "1 o-> 3", "3 --> 5", "0 o-o 2", "2 o-> 4", "4 --> 5", "1 o-o 5", "2 o-o 5"],
    ),
}


@pytest.mark.parametrize(("rule", "before", "wanted"), MET.values(), ids=MET)
def test_marks_that_a_rule_does_not_look_at_may_be_any(rule, before, wanted):
    assert after(rule, marked(6, *before)) == Graph("012345", edges=wanted, kind="PAG")


PATH = ["0 o-> 1", "1 <-> 2", "2 <-> 3", "1 --> 4", "2 --> 4", "3 o-o 4"]


@pytest.mark.parametrize(
    ("without", "with_"),
    [
        ("0 o-> 1", "0 o-o 1"),  # 1 is no collider
        ("1 <-> 2", "1 --> 2"),  # nor is it here
        ("1 <-> 2", "1 <-- 2"),  # 2 is none
        ("1 --> 4", "1 <-> 4"),  # 1 is no parent of 4
    ],
)
def test_a_path_with_one_mark_changed_discriminates_nothing(without, with_):
    changed = [with_ if edge == without else edge for edge in PATH]

    assert discriminating_path(marked(5, *PATH), 2, 3, 4) == (0, 1, 2, 3, 4)
    assert discriminating_path(marked(5, *changed), 2, 3, 4) is None


def test_the_ends_of_a_discriminating_path_are_not_joined():
    assert discriminating_path(marked(5, *PATH, "0 o-o 4"), 2, 3, 4) is None


def test_of_marks_that_contradict_none_is_set_and_of_those_that_agree_only_new_ones():
    edges = marked(3, "0 o-> 1", "1 o-o 2")

    assert not edges.put("X", [(1, 2, ARROW), (0, 1, TAIL)], (0, 1, 2))
    assert (edges.at[1][2], edges.at[0][1]) == (CIRCLE, ARROW)
    assert edges.put("Y", [(1, 2, ARROW), (0, 1, ARROW)], (0, 1, 2))
    assert edges.reasons == {(1, 2): ("Y", (0, 1, 2))}
    assert not edges.put("Z", [(1, 2, ARROW)], (0, 1, 2))
    assert list(edges.conflicts) == [("X", (0, 1, 2))]


def test_uncovered_paths_come_by_their_length_and_skip_what_is_joined_to_the_one_before():
    #  0 – 1 – 2 – 3 – 4, with a chord from 1 to 3
    edges = marked(5, "0 o-o 1", "1 o-o 2", "2 o-o 3", "3 o-o 4", "1 o-o 3")

    found = list(uncovered_paths(edges, 0, 1, may_be_directed))

    assert found == [(0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 3, 4)]
    assert list(uncovered_paths(marked(2, "0 <-o 1"), 0, 1, may_be_directed)) == []
