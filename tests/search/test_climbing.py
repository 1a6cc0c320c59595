"""Climbs and starts: local maxima, tabu lists, what is noted, and what a start may not be."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.search.climbing import climb, tabu_climb
from structlearn.search.dag_state import DAGState
from structlearn.search.move_trace import MoveTrace
from structlearn.search.starts import shaken, start_from, state_with
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of

CHAIN = sl.Graph(["v0", "v1", "v2", "v3", "v4"], directed=[("v0", "v1"), ("v1", "v2"), ("v2", "v3")])


@pytest.mark.parametrize("seed", range(5))
def test_after_a_climb_no_single_arc_helps(seed):
    data = random_table(seed)
    state = DAGState(space_of(data))
    scores = [state.score]
    climb(state, lambda _, score: scores.append(score))

    assert (np.diff(scores) > 0).all()
    assert state.score == scores[-1]
    assert state.best_move().gain <= 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_a_tabu_climb_ends_at_the_best_graph_it_visits(seed):
    data = random_table(seed)
    state = DAGState(space_of(data))
    scores = [state.score]
    tabu_climb(state, lambda _, score: scores.append(score), tabu=5, patience=4)
    plain = DAGState(state.space)
    climb(plain)

    assert state.score == pytest.approx(max(scores), abs=1e-8)
    assert scores[-4:] <= [state.score + 1e-9] * 4
    assert state.score >= plain.score - 1e-9


def test_a_climb_drops_arcs_that_bring_nothing():
    class Flat:
        def local(self, statistics, families):  # noqa: ARG002, what a score is asked
            return np.zeros(len(families))

    state = start_from(space_of(random_table(0), Flat()), CHAIN)
    climb(state)

    assert not state.arcs.any()


def test_a_trace_has_the_moves_and_where_the_run_was():
    space = space_of(random_table(0))
    state, trace = start_from(space, CHAIN), MoveTrace(space, climb=0)
    move = state.best_move()
    state.apply(move)
    trace.add(move, state.score)
    trace.at["climb"] += 1
    trace.add_change("reinsert", 2, 0.5, state.score + 0.5)

    columns = trace.columns()
    assert columns["target"].tolist() == [space.names[move.v], "v2"]
    assert columns["source"].tolist() == [space.names[move.u], ""]
    assert columns["gain"].tolist() == [move.gain, 0.5]
    assert columns["climb"].tolist() == [0, 1]
    assert columns["score"].tolist() == [state.score, state.score + 0.5]
    assert len(trace) == 2


def test_a_start_has_the_required_arcs_and_those_of_the_graph():
    knowledge = sl.Knowledge(required=[("v4", "v0")])
    state = start_from(space_of(random_table(0), knowledge=knowledge), CHAIN)

    assert state.parents() == [[4], [0], [1], [2], []]
    assert state.score == pytest.approx(state.scores.total(state.parents()))
    np.testing.assert_array_equal(state_with(state.space, state.parents()).arcs, state.arcs)


@pytest.mark.parametrize(
    ("initial", "options", "message"),
    [
        (sl.Graph(["v0", "v1"]), {}, "initial is a DAG over the columns"),
        (CHAIN, {"knowledge": sl.Knowledge(forbidden=[("v1", "v2")])}, r"rule out its arc v1 → v2"),
        (CHAIN, {"candidates": {"v1": ["v0"]}}, r"rule out its arc v1 → v2"),
        (CHAIN, {"max_parents": 0}, r"with v0 → v1 a node has more parents than max_parents"),
    ],
)
def test_a_start_beyond_the_limits_is_refused(initial, options, message):
    with pytest.raises(sl.OptionError, match=message):
        start_from(space_of(random_table(0), **options), initial)


def test_shaking_makes_so_many_legal_moves_and_leaves_the_state_alone():
    space = space_of(random_table(0), max_parents=2, seed=1)
    state = start_from(space, CHAIN)
    twin = shaken(state, 6)

    assert state.parents() == [[], [0], [1], [2], []]
    assert (twin.arcs != state.arcs).sum() <= 12  # a reversal changes two places
    assert twin.arcs.sum(axis=1).max() <= 2
    assert twin.score == pytest.approx(twin.scores.total(twin.parents()))


def test_families_that_cannot_be_scored_lose_their_arcs_but_for_the_required():
    class NoPairs:
        def local(self, statistics, families):  # noqa: ARG002, what a score is asked
            return np.full(len(families), -np.inf if families.shape[1] == 3 else -1.0)

    graph = sl.Graph(CHAIN.nodes, directed=[("v0", "v1"), ("v2", "v1"), ("v3", "v4")])
    knowledge = sl.Knowledge(required=[("v2", "v1")])
    state = start_from(space_of(random_table(0), NoPairs(), knowledge=knowledge), graph)

    assert state.parents() == [[], [2], [], [], [3]]
    assert state.score == -5.0
