"""One object holds what a fit searches; a DAG gets its names once, at the end."""

from dataclasses import replace

import numpy as np
import pytest

import structlearn as sl
from structlearn.run import Run, Status
from structlearn.search.candidates import candidate_matrix
from structlearn.search.dags import graph_of, parents_first
from structlearn.search.limits import NO_LIMIT, Limits
from structlearn.statistics import from_dataset
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of

NAMES = ("v0", "v1", "v2", "v3", "v4")


def test_the_outcome_of_a_dag_has_its_names_score_and_what_each_arc_is_worth():
    data = random_table(0)
    space = space_of(data)
    parents = [[], [0], [0, 1], [], [3]]

    found = space.outcome(parents, {"score": np.array([1.0])}, round=3)

    graph = sl.Graph(NAMES, directed=[("v0", "v1"), ("v0", "v2"), ("v1", "v2"), ("v3", "v4")])
    assert found.graph == graph
    assert found.score == pytest.approx(sl.score(graph, data))
    assert found.extra == {"round": 3}
    for arc in graph.directed:
        without = sl.Graph(NAMES, directed=[other for other in graph.directed if other != arc])
        lost = sl.score(graph, data) - sl.score(without, data)
        assert found.evidence[arc].score_gain == pytest.approx(lost, abs=1e-8)


def test_an_outcome_says_how_the_run_ended():
    run = Run("test", progress=False)
    run.status = Status.OUT_OF_TIME

    assert space_of(random_table(0), run=run).outcome([[]] * 5, {}).status is Status.OUT_OF_TIME


def test_knowledge_candidates_and_the_number_of_parents_are_limits():
    knowledge = sl.Knowledge(required=[("v0", "v1")], forbidden=[("v2", "v1")])
    limits = space_of(
        random_table(0), knowledge=knowledge, max_parents=2, candidates={"v3": ["v4"], "v2": ["v1", "v0"]}
    ).limits

    is_open = {(NAMES[u], NAMES[v]) for v, u in np.argwhere(~limits.closed) if u != v}
    assert is_open == {("v0", "v1"), ("v4", "v3"), ("v1", "v2"), ("v0", "v2")}
    assert limits.required_arcs() == [(0, 1)]
    assert limits.free_parents(2).tolist() == [0, 1]
    assert limits.free_parents(1).tolist() == []
    assert limits.max_parents == 2
    assert Limits.of(NAMES, knowledge).max_parents == NO_LIMIT


def test_among_candidates_only_arcs_between_them_are_open_and_what_is_known_stays_known():
    space = space_of(random_table(0))
    narrow = space.among(candidate_matrix("test", NAMES, {"v1": ["v0"]}))

    assert narrow.scores is space.scores
    assert np.argwhere(~narrow.limits.closed & ~np.eye(5, dtype=bool)).tolist() == [[1, 0]]
    assert not space.limits.closed.any()


def test_families_that_the_limits_forbid_are_left_unscored():
    class Spy:
        def __init__(self):
            self.seen = set()

        def local(self, statistics, families):  # noqa: ARG002, what a score is asked
            self.seen |= {tuple(row) for row in families.tolist()}
            return -families.shape[1] * np.ones(len(families))

    spy = Spy()
    space = space_of(random_table(0), spy, candidates={"v1": ["v0"], "v0": []}).scoring_candidates_only()
    gains, is_bound = space.scores.toggles_at_most_without_parents()

    assert {family for family in spy.seen if len(family) > 1} == {(1, 0)}
    assert gains[1, 0] == -1.0
    assert not is_bound[1, 0]
    assert gains[0, 1] == -np.inf


def test_parents_come_first_and_names_come_last():
    parents = [[2], [0, 2], [], [1]]

    assert parents_first(parents) == (2, 0, 1, 3)
    arcs = [("c", "a"), ("a", "b"), ("c", "b"), ("b", "d")]
    assert graph_of(tuple("abcd"), parents) == sl.Graph("abcd", directed=arcs)


def test_a_sample_of_a_space_scores_some_of_its_rows_whatever_order_they_come_in():
    data = random_table(0)
    space = space_of(data)
    sample = space.of_sample(40)
    shuffled = data.take(np.random.default_rng(0).permutation(data.n_rows))

    assert sample.statistics.n_rows == 40
    assert sample.limits is space.limits
    assert sample.scores.local(2, [0, 1]) != space.scores.local(2, [0, 1])
    assert sample.scores.local(2, [0, 1]) == space_of(shuffled).of_sample(40).scores.local(2, [0, 1])


def test_there_is_no_sample_of_few_rows_nor_of_rows_with_gaps():
    data = random_table(0)
    columns = {name: list(data.column(name).codes) for name in data.names}
    columns["v0"][0] = None
    gaps = from_dataset(sl.Dataset(columns), missing="testwise")
    space = space_of(data)

    assert space.of_sample(data.n_rows) is None
    assert replace(space, statistics=gaps).of_sample(40) is None
