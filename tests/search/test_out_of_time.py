"""A search of which the time is over scores no family that it will not come to."""

from unittest.mock import patch

import numpy as np

import structlearn as sl
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.run import Run
from structlearn.scores import FamilyScores
from structlearn.search.climbing import climb
from structlearn.search.dag_state import DAGState
from tests.search.spaces import space_of


def table():
    values = np.random.default_rng(0).normal(size=(13, 100)).cumsum(axis=0)
    return {f"x{j}": column for j, column in enumerate(values)}


def test_a_climb_whose_time_ends_in_a_step_scores_no_further_arcs():
    space = space_of(sl.Dataset(table()))
    with patch.object(Run, "must_stop", return_value=True):
        state = DAGState(space)  # which leaves all arcs unscored then

    with (
        patch.object(Run, "must_stop", side_effect=[False] + [True] * 100),
        patch.object(FamilyScores, "gains_of", side_effect=AssertionError("scored")),
    ):
        climb(state)

    assert not state.arcs.any()


def test_no_edge_is_forced_into_a_class():
    with patch.object(ClassGains, "insertions", side_effect=AssertionError("listed")):
        found = sl.GreedyEquivalence(time_limit=1e-9, targets={"x3": range(10)}).fit(table())

    assert found.status_.startswith("Stopped at time_limit")
