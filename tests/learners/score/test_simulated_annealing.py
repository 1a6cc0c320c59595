"""Simulated annealing: known optima, the law of its chain, knowledge, traces."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.simulated_annealing import SimulatedAnnealing
from tests.data_files import data_file
from tests.oracles.reference_data import T1

CORONARY_OPTIMUM = -6717.265384  # the best of all DAGs: docs/references/orders.md#exact-search


def random_table(seed, n_columns=5, n_rows=200):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        shift = sum((columns[k] for k in range(j) if rng.random() < 0.5), np.zeros(n_rows, dtype=int))
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def replayed(trace):
    """The arcs after each change, by the trace."""
    arcs = set()
    for move, u, v in zip(trace["move"], trace["source"], trace["target"], strict=True):
        arcs = arcs ^ ({(u, v), (v, u)} if move == "reverse" else {(u, v)})
        yield arcs


def test_the_optimum_of_coronary_is_found_by_most_seeds():
    data = sl.Dataset(data_file("tables/coronary.csv"))
    found = np.array([SimulatedAnnealing(random_state=seed).fit(data).score_ for seed in range(10)])

    assert found.max() == pytest.approx(CORONARY_OPTIMUM, abs=1e-5)
    assert (found > CORONARY_OPTIMUM - 1e-5).sum() >= 4
    assert found.min() >= -6718.5435


def test_at_a_fixed_temperature_graphs_are_visited_by_their_posterior():
    n_proposals = 60_000
    learner = SimulatedAnnealing(
        score="bdeu", temperature=1.0, proposals=n_proposals, changes=n_proposals, coolings=0, polish=False
    ).fit(T1)
    # From docs/references/search.md#simulated-annealing: sums over all 25 DAGs.
    exact = {"AB": 0.347446, "BA": 0.397811, "AC": 0.141251, "CA": 0.111851, "BC": 0.273624, "CB": 0.193859}
    time_in = dict.fromkeys(exact, 0)
    stays = np.diff(learner.trace_["proposal"], append=n_proposals)

    for arcs, stay in zip(replayed(learner.trace_), stays, strict=True):
        for u, v in arcs:
            time_in[u + v] += stay

    for arc, probability in exact.items():
        assert time_in[arc] / n_proposals == pytest.approx(probability, abs=0.015)


def test_a_cold_start_only_climbs():
    data = random_table(0)
    learner = SimulatedAnnealing(temperature=1e-300, coolings=5).fit(data)

    assert len(learner.trace_["gain"]) > 3
    assert (learner.trace_["gain"] >= 0).all()
    assert learner.trace_["score"][-1] == pytest.approx(learner.score_)


@pytest.mark.parametrize("seed", range(5))
def test_the_result_is_the_best_graph_visited_and_cannot_be_polished(seed):
    data = random_table(seed)
    learner = SimulatedAnnealing(random_state=seed, coolings=30).fit(data)

    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)
    assert learner.score_ >= learner.trace_["score"].max() - 1e-7
    for u, v in itertools.permutations(data.names, 2):
        other = sl.Graph(data.names, directed=set(learner.graph_.directed) ^ {(u, v)} - {(v, u)})
        if other.is_dag:
            assert sl.score(other, data, "bic") <= learner.score_ + 1e-8


def test_the_trace_has_the_schedule():
    learner = SimulatedAnnealing(temperature=8.0, cooling=0.5, coolings=3, changes=7, polish=False)
    trace = learner.fit(random_table(1)).trace_

    temperatures, n_changes = np.unique(trace["temperature"], return_counts=True)
    assert set(temperatures) <= {1.0, 2.0, 4.0, 8.0}
    assert n_changes.max() == 7
    assert (np.diff(trace["proposal"]) > 0).all()
    assert trace["proposal"][-1] <= 4 * 50 * 5
    assert all(sl.Graph(["v0", "v1", "v2", "v3", "v4"], directed=arcs).is_dag for arcs in replayed(trace))


def test_more_chains_never_end_lower():
    data = random_table(2)
    options = {"coolings": 3, "polish": False, "temperature": "auto"}
    one, five = (SimulatedAnnealing(chains=chains, **options).fit(data) for chains in (1, 5))

    assert five.score_ >= one.score_ - 1e-9
    assert set(five.trace_["chain"]) == set(range(5))


def test_knowledge_and_the_limit_on_parents_hold_at_every_step():
    data = random_table(3, n_columns=6)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = SimulatedAnnealing(knowledge=knowledge, max_parents=2, coolings=10, polish=False).fit(data)

    assert knowledge.violations(learner.graph_) == []
    for arcs in replayed(learner.trace_):
        graph = sl.Graph(data.names, directed=arcs | {("v5", "v0")})
        assert knowledge.violations(graph) == []
        assert max(len(graph.parents(v)) for v in data.names) <= 2


def test_the_search_starts_from_the_initial_graph():
    data = random_table(4)
    initial = sl.Graph(data.names, directed=[("v4", "v3"), ("v3", "v0")])
    learner = SimulatedAnnealing(
        initial=initial, temperature=1e-300, proposals=1, coolings=0, polish=False, random_state=0
    ).fit(data)

    assert len(set(learner.graph_.directed) ^ set(initial.directed)) <= 2
    assert SimulatedAnnealing(initial=initial).initial is initial


@pytest.mark.parametrize(
    ("initial", "options", "message"),
    [
        (sl.Graph("ab"), {}, "a DAG over the columns"),
        (sl.Graph("ABC", undirected=[("A", "B")]), {}, "a DAG over the columns"),
        (
            sl.Graph("ABC", directed=[("A", "B")]),
            {"knowledge": sl.Knowledge(forbidden=[("A", "B")])},
            "rule out its arc A → B",
        ),
        (
            sl.Graph("ABC", directed=[("A", "B")]),
            {"knowledge": sl.Knowledge(required=[("B", "A")])},
            "rule out its arc A → B",
        ),
        (
            sl.Graph("ABC", directed=[("A", "C"), ("B", "C")]),
            {"max_parents": 1},
            "more parents than max",
        ),
    ],
)
def test_an_initial_graph_that_does_not_fit_is_refused(initial, options, message):
    with pytest.raises(sl.OptionError, match=message):
        SimulatedAnnealing(initial=initial, **options).fit(T1)
