"""Skeletons get the directions that knowledge gives, and their names."""

import numpy as np

import structlearn as sl
from structlearn.learners.hybrid.skeletons.named_skeleton import by_name, with_known_directions
from structlearn.search.limits import Limits

EDGES = np.array([[0, 1], [0, 2], [1, 2]])


def test_an_edge_is_an_arrow_where_one_direction_is_required_or_the_other_forbidden():
    knowledge = sl.Knowledge(required=[("b", "a")], forbidden=[("c", "b")])

    links = with_known_directions(EDGES, Limits.of(("a", "b", "c"), knowledge))

    assert sorted(links.arrows.tolist()) == [[1, 0], [1, 2]]
    assert links.lines.tolist() == [[0, 2]]


def test_without_knowledge_all_edges_are_lines():
    links = with_known_directions(EDGES, Limits.of(("a", "b", "c"), sl.Knowledge()))

    assert len(links.arrows) == 0
    assert links.lines.tolist() == EDGES.tolist()


def test_rows_of_a_matrix_become_names():
    chosen = np.array([[False, True, True], [False, False, False], [True, False, False]])

    assert by_name(chosen, ("a", "b", "c")) == {"a": ("b", "c"), "b": (), "c": ("a",)}
