"""Genetic search: repair, crossing and selection by their definitions, known optima, orders, knowledge."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import structlearn as sl
from structlearn.learners.score.evolution import breeding
from structlearn.learners.score.evolution.population import Individual, fittest
from structlearn.learners.score.genetic_search import GeneticSearch
from structlearn.learners.score.kernels.genetic import break_cycles
from structlearn.models.random_models import random_model
from structlearn.scores import BIC, FamilyScores
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import best_dag
from tests.oracles import graphs as oracle
from tests.oracles.reference_data import T1
from tests.search.spaces import space_of

CORONARY_OPTIMUM = -6717.265384  # the best of all DAGs: docs/references/orders.md#exact-search
N = 6
MATRICES = arrays.arrays(np.bool_, (N, N)).map(lambda arcs: arcs & ~np.eye(N, dtype=bool))
SEEDS = st.integers(0, 2**32)
REQUIRED = [("v1", "v0"), ("v0", "v2"), ("v4", "v2")]


def random_table(seed, n_columns=N, n_rows=200):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        shift = sum((columns[k] for k in range(j) if rng.random() < 0.5), np.zeros(n_rows, dtype=int))
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


DATA = random_table(0)
SCORES = FamilyScores(BIC(), from_dataset(DATA))


def arrows(arcs):
    return {(int(u), int(v)) for v, u in np.argwhere(arcs)}


@settings(deadline=None)  # the first call compiles
@given(arcs=MATRICES, seed=SEEDS)
def test_arcs_of_cycles_are_removed_until_none_is_left(arcs, seed):
    frozen = np.zeros((N, N), dtype=bool)
    frozen[0, 1] = frozen[1, 2] = frozen[3, 2] = True
    before = arcs | frozen
    after = before.copy()

    n_removed = break_cycles(after, frozen, np.random.default_rng(seed).random(N * N))

    assert oracle.is_acyclic(arrows(after))
    assert (after <= before).all()
    assert (frozen <= after).all()
    removed = arrows(before) - arrows(after)
    assert len(removed) == n_removed
    assert all(source in oracle.descendants(arrows(before), target) for source, target in removed)


def test_each_arc_of_a_cycle_is_as_likely_to_go():
    cycle = np.zeros((4, 4), dtype=bool)
    cycle[1, 0] = cycle[2, 1] = cycle[0, 2] = cycle[3, 2] = True
    none = np.zeros((4, 4), dtype=bool)

    gone = []
    for draw in (0.1, 0.5, 0.9):
        arcs = cycle.copy()
        break_cycles(arcs, none, np.full(4, draw))
        gone += arrows(cycle) - arrows(arcs)

    assert sorted(gone) == [(0, 1), (1, 2), (2, 0)]


@settings(deadline=None)
@given(arcs=MATRICES, seed=SEEDS, max_parents=st.integers(2, 4))
def test_what_is_repaired_is_a_dag_within_the_limits(arcs, seed, max_parents):
    knowledge = sl.Knowledge(required=REQUIRED, forbidden=[("v3", "v0"), ("v5", "v4")])
    space = space_of(DATA, knowledge=knowledge, max_parents=max_parents, seed=seed)

    mended = breeding.repaired(arcs, space)

    graph = sl.Graph(DATA.names, directed=[(f"v{u}", f"v{v}") for u, v in arrows(mended)])
    assert graph.is_dag
    assert knowledge.violations(graph) == []
    assert mended.sum(axis=1).max() <= max_parents
    assert (mended <= arcs | space.limits.frozen).all()


def test_of_too_many_parents_those_stay_that_the_score_would_miss_most():
    data = sl.example("asia").sample(2000, random_state=0)
    child = data.names.index("either")  # tub or lung
    arcs = np.zeros((8, 8), dtype=bool)
    arcs[child, [data.names.index(name) for name in ("smoke", "tub", "asia", "lung")]] = True

    mended = breeding.repaired(arcs, space_of(data, max_parents=2))

    assert [data.names[u] for u, _ in sorted(arrows(mended))] == ["tub", "lung"]


@pytest.mark.parametrize("crossover", breeding.CROSSOVERS)
@given(mother=MATRICES, father=MATRICES, seed=SEEDS)
def test_two_children_share_out_what_their_parents_have(crossover, mother, father, seed):
    one, other = breeding.CROSSOVERS[crossover](mother, father, np.random.default_rng(seed))

    np.testing.assert_array_equal(one + 1 * other, mother + 1 * father)


@given(mother=MATRICES, father=MATRICES, seed=SEEDS)
def test_parents_are_exchanged_whole(mother, father, seed):
    for child in breeding.exchange_parents(mother, father, np.random.default_rng(seed)):
        for row, *choices in zip(child, mother, father, strict=True):
            assert any((row == choice).all() for choice in choices)


def test_strings_are_cut_at_any_one_place():
    mother, father = np.zeros((3, 3), dtype=bool), np.ones((3, 3), dtype=bool)
    rng = np.random.default_rng(0)
    lengths = set()
    for _ in range(200):
        one, _ = breeding.exchange_tails(mother, father, rng)
        string = one.T.ravel()  # From docs/references/search.md#genetic-search: bit u·n + v is u → v
        lengths.add(int(string.sum()))
        assert (np.diff(string.astype(int)) >= 0).all()

    assert lengths == set(range(10))


def test_the_best_of_m_is_drawn_m_times_as_often_as_the_worst():
    drawn = breeding.by_rank(4, 40_000, np.random.default_rng(0))

    assert np.bincount(drawn) / 40_000 == pytest.approx([0.4, 0.3, 0.2, 0.1], abs=0.01)


def test_the_better_of_two_wins_a_tournament():
    drawn = breeding.by_tournament(3, 40_000, np.random.default_rng(0))
    pairs = [min(pair) for pair in itertools.product(range(3), repeat=2)]

    assert np.bincount(drawn) / 40_000 == pytest.approx(np.bincount(pairs) / 9, abs=0.01)


def test_mutation_changes_each_place_at_its_rate():
    rng = np.random.default_rng(0)
    arcs = rng.random((200, 200)) < 0.5

    changed = arcs != breeding.mutated(arcs, 0.1, rng)

    assert changed.mean() == pytest.approx(0.1, abs=0.01)
    assert changed[arcs].mean() == pytest.approx(changed[~arcs].mean(), abs=0.01)


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 10, 40])
def test_random_graphs_are_acyclic_with_two_arcs_at_a_node_or_fewer(n_nodes):
    rng = np.random.default_rng(0)
    found = [breeding.random_arcs(n_nodes, rng) for _ in range(200)]

    assert all(np.linalg.matrix_power(arcs.astype(float), n_nodes).sum() == 0 for arcs in found)
    pairs = n_nodes * (n_nodes - 1) / 2
    expected = pairs * min(0.5, 2 / (n_nodes - 1)) if n_nodes > 1 else 0
    assert np.mean([arcs.sum() for arcs in found]) == pytest.approx(expected, rel=0.1, abs=0.2)


def test_the_fittest_are_the_best_distinct_possible_ones():
    graphs = [np.eye(3, k=k, dtype=bool) for k in (-2, -1, 1, 2)]
    scores = [-5.0, -math.inf, -3.0, -4.0]
    individuals = [Individual(arcs, score) for arcs, score in zip(graphs, scores, strict=True)]

    assert [one.score for one in fittest([*individuals, *individuals], 10)] == [-3.0, -4.0, -5.0]
    assert [one.score for one in fittest(individuals, 2)] == [-3.0, -4.0]


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
