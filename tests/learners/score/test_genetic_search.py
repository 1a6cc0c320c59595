"""Genetic search: repair, crossing and selection by their definitions, known optima, orders, knowledge."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.genetic_search import GeneticSearch
from structlearn.models.random_models import random_model
from structlearn.scores import BIC, FamilyScores
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import best_dag
from tests.oracles.reference_data import T1
from tests.search import dependent_tables

CORONARY_OPTIMUM = -6717.265384  # the best of all DAGs: docs/references/orders.md#exact-search
N = 6
REQUIRED = [("v1", "v0"), ("v0", "v2"), ("v4", "v2")]


def random_table(seed, n_columns=N):
    return dependent_tables.random_table(seed, n_columns)


DATA = random_table(0)
SCORES = FamilyScores(BIC(), from_dataset(DATA))


def test_the_optimum_of_the_reference_table_is_found():
    # From docs/references/search.md#genetic-search.
    assert GeneticSearch().fit(T1).score_ == pytest.approx(-44.682228, abs=1e-6)


def n_coronary_optima(**options):
    data = sl.Dataset(data_file("tables/coronary.csv"))
    learners = [
        GeneticSearch(population=20, generations=20, patience=6, random_state=seed, **options)
        for seed in range(20)
    ]
    found = np.array([learner.fit(data).score_ for learner in learners])
    assert found.max() <= CORONARY_OPTIMUM + 1e-5
    return (found > CORONARY_OPTIMUM - 1e-5).sum()


def test_the_optimum_of_coronary_is_found_by_most_seeds_and_thanks_to_local_steps():
    # From docs/references/search.md#genetic-search: 19 of 20 seeds, 1 of 20 without local steps.
    assert n_coronary_optima(local_steps=3) >= 15
    assert n_coronary_optima(local_steps=0, polish=False) <= 7


@pytest.mark.parametrize(
    "options",
    [{"crossover": "one-point"}, {"selection": "tournament"}, {"elitist": False}, {"mutation_rate": 0.1}],
    ids=str,
)
def test_each_variant_finds_the_optimum_of_coronary(options):
    learner = GeneticSearch(**options).fit(data_file("tables/coronary.csv"))

    assert learner.score_ == pytest.approx(CORONARY_OPTIMUM, abs=1e-5)


@pytest.mark.slow
def test_the_best_of_all_dags_is_reached_on_a_hundred_problems_of_five_nodes():
    reached = 0
    for seed in range(100):
        graph = sl.random_dag(5, random_state=seed)
        data = random_model(graph, random_state=seed).sample(500, random_state=seed)
        best = best_dag.best_score(best_dag.bic_of_families(data), 5)
        found = GeneticSearch().fit(data).score_
        assert found <= best + 1e-7
        reached += found > best - 1e-7

    assert reached >= 98


@pytest.mark.slow
def test_alarm_is_learnt_to_a_better_score_than_by_hill_climbing():
    data = sl.Dataset(data_file("tables/alarm.csv.gz"))

    assert GeneticSearch().fit(data).score_ > sl.HillClimbing().fit(data).score_


@pytest.mark.parametrize("elitist", [True, False])
def test_the_best_of_a_generation_is_never_lost(elitist):
    learner = GeneticSearch(elitist=elitist, local_steps=0, population=12, generations=30, polish=False)
    trace = learner.fit(DATA).trace_

    assert len(trace["score"]) > 5
    assert (np.diff(trace["score"]) >= -1e-8).all()
    assert trace["score"][-1] == pytest.approx(learner.score_)
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, DATA, "bic"), abs=1e-8)
    if elitist:
        assert (np.diff(trace["worst"]) >= -1e-8).all()


def test_no_dag_is_kept_twice():
    # Of three nodes there are 25 DAGs.
    learner = GeneticSearch(generations=30, patience=30, mutation_rate=0.3, local_steps=0)
    trace = learner.fit(T1).trace_

    assert trace["size"].max() == 25
    assert (trace["worst"] <= trace["mean"]).all()
    assert (trace["mean"] <= trace["score"]).all()


def test_generations_end_by_their_number_or_by_patience():
    few = GeneticSearch(generations=2).fit(DATA).trace_
    patient = GeneticSearch(patience=4).fit(DATA).trace_

    assert len(few["score"]) == 3
    last_rise = np.flatnonzero(np.diff(patient["score"]) > 1e-9).max(initial=-1)
    assert len(patient["score"]) == last_rise + 2 + 4


def test_a_seed_gives_the_same_run_and_another_a_different_one():
    options = {"population": 10, "generations": 5, "local_steps": 0}
    one, again, other = (GeneticSearch(random_state=seed, **options).fit(DATA).trace_ for seed in (1, 1, 2))

    assert one["mean"].tolist() == again["mean"].tolist()
    assert one["mean"].tolist() != other["mean"].tolist()


def test_with_an_order_the_best_parents_before_each_node_are_found():
    order = ["v3", "v0", "v4", "v2", "v1"]
    data = random_table(1, n_columns=5)
    families = best_dag.bic_of_families(data)
    expected = 0.0
    for place, child in enumerate(order):
        earlier = sorted(int(name[1]) for name in order[:place])
        sets = (parents for k in range(place + 1) for parents in itertools.combinations(earlier, k))
        expected += max(families[int(child[1]), parents] for parents in sets)

    learner = GeneticSearch(order=order).fit(data)

    assert learner.score_ == pytest.approx(expected, abs=1e-8)
    assert all(order.index(u) < order.index(v) for u, v in learner.graph_.directed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": ["A", "B"]}, "every column once: A, B, C"),
        ({"order": "ABC"}, "a list of str"),
        (
            {"order": ["C", "B", "A"], "knowledge": sl.Knowledge(required=[("A", "B")])},
            "A → B is both required and forbidden",
        ),
        ({"crossover": "two-point"}, "'parents', 'one-point'"),
        ({"population": 1}, "at least 2"),
        ({"initial": sl.Graph("ab")}, "a DAG over the columns"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(sl.OptionError, match=message):
        GeneticSearch(**options).fit(T1)


def test_knowledge_and_the_limit_on_parents_are_kept():
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    for local_steps in (0, 3):
        learner = GeneticSearch(
            knowledge=knowledge, max_parents=2, local_steps=local_steps, polish=False, generations=10
        ).fit(DATA)

        assert knowledge.violations(learner.graph_) == []
        assert max(len(learner.graph_.parents(v)) for v in DATA.names) <= 2


def test_the_initial_graph_is_in_the_first_population():
    best = GeneticSearch().fit(DATA)
    again = GeneticSearch(initial=best.graph_, generations=0).fit(DATA)

    assert again.graph_ == best.graph_
    assert again.trace_["score"][0] == pytest.approx(best.score_)


def test_graphs_with_impossible_families_do_not_survive():
    class OnlySmallFamilies:
        def local(self, statistics, families):
            if families.shape[1] > 2:
                return np.full(len(families), -np.inf)
            return BIC().local(statistics, families)

    learner = GeneticSearch(score=OnlySmallFamilies(), generations=20).fit(DATA)

    assert np.isfinite(learner.trace_["worst"]).all()
    assert max(len(learner.graph_.parents(v)) for v in DATA.names) == 1
