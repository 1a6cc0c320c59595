"""Optimal reinsertion: brute force over all arcs at a node, XOR, known optima, knowledge, traces."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.optimal_reinsertion import OptimalReinsertion
from structlearn.search.parent_sets import ParentSets
from structlearn.search.starts import start_from
from tests.data_files import data_file
from tests.oracles import scores as oracle
from tests.oracles.reference_data import XOR
from tests.search import dependent_tables
from tests.search.spaces import space_of


def random_table(seed, n_columns=5, n_rows=80):
    return dependent_tables.random_table(seed, n_columns, n_rows)


def random_graph(names, rng, max_parents):
    """A DAG along a random order."""
    order = rng.permutation(len(names))
    arcs = []
    for place, v in enumerate(order):
        parents = [u for u in order[:place] if rng.random() < 0.5][:max_parents]
        arcs += [(names[u], names[v]) for u in parents]
    return sl.Graph(names, directed=arcs)


def ready_search(data, *, initial=None, knowledge=None, max_parents=None, score="bic", set_size=3):
    """A state to reinsert nodes into, and the parent sets."""
    space = space_of(data, score, knowledge=knowledge, max_parents=max_parents)
    return start_from(space, initial), ParentSets(space, set_size=set_size)


def test_an_exclusive_or_that_climbing_misses_is_found():
    climbed = sl.HillClimbing(score="bdeu", tabu=0, check_parity=0).fit(XOR)
    learner = OptimalReinsertion(score="bdeu").fit(XOR)

    assert climbed.score_ == pytest.approx(-46.797288, abs=1e-6)
    assert learner.score_ == pytest.approx(-34.897151, abs=1e-6)
    assert len(learner.graph_.edges) == 2


@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("coronary.csv", "bic", -6717.265384),
        ("asia.csv", "bdeu", -11095.788513),
        ("gaussian.test.csv", "bic", -53221.345687),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = OptimalReinsertion(score=score).fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)


def test_the_best_of_all_dags_is_reached_on_most_small_problems():
    reached = 0
    for seed in range(20):
        data = random_table(seed, n_columns=4, n_rows=100)
        state, _ = ready_search(data)
        best = max(state.scores.total(parents) for parents in oracle.all_parent_choices(4))
        found = OptimalReinsertion().fit(data).score_
        assert found <= best + 1e-8
        reached += math.isclose(found, best, abs_tol=1e-8)

    assert reached >= 19


def test_alarm_is_learnt_to_a_better_score_than_its_generating_graph():
    model = sl.load(data_file("networks/alarm.bif"))
    data = model.sample(10_000, random_state=0)

    assert OptimalReinsertion().fit(data).score_ > sl.score(model.graph, data, "bic")


@pytest.mark.parametrize("seed", range(4))
def test_the_score_rises_with_every_change_of_a_climb(seed):
    data = random_table(seed, n_columns=6)
    learner = OptimalReinsertion(restarts=3, random_state=seed).fit(data)
    trace = learner.trace_

    assert set(trace["climb"]) <= {0, 1, 2, 3, 4}
    for climb in set(trace["climb"]):
        assert (np.diff(trace["score"][trace["climb"] == climb]) > -1e-8).all()
    assert learner.score_ == pytest.approx(trace["score"].max())
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)


def test_knowledge_and_the_limit_on_parents_are_kept():
    data = random_table(2, n_columns=6, n_rows=300)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = OptimalReinsertion(knowledge=knowledge, max_parents=2, restarts=3).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert max(len(learner.graph_.parents(v)) for v in data.names) == 2


def test_the_search_starts_from_the_initial_graph():
    data = random_table(4)
    best = OptimalReinsertion().fit(data)
    again = OptimalReinsertion(initial=best.graph_, restarts=0).fit(data)

    assert again.graph_ == best.graph_
    assert len(again.trace_["move"]) == 0
