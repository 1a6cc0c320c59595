"""Pairs may be joined if one direction is allowed, and must be if one is required."""

import numpy as np

import structlearn as sl
from structlearn.learners.hybrid.skeletons.joins import Joins
from structlearn.search.limits import Limits


def test_limits_of_arcs_become_those_of_pairs():
    knowledge = sl.Knowledge(required=[("a", "b")], forbidden=[("b", "c"), ("a", "c"), ("c", "a")])

    joins = Joins.of(Limits.of(("a", "b", "c"), knowledge))

    assert np.argwhere(joins.is_required).tolist() == [[0, 1], [1, 0]]
    assert np.argwhere(joins.is_possible).tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]
