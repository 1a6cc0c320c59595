"""Sparse candidate search: published score sequences, rounds that end, tabu lists, knowledge."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score import sparse_candidate
from structlearn.learners.score.measures.measure import MEASURES
from structlearn.learners.score.sparse_candidate import SparseCandidate
from structlearn.search.promises import Promises
from tests.learners.score.candidate_tables import asia, random_normals, random_table

# From docs/references/search.md#sparse-candidate: scores of the rounds, with ties in the order of the file.
BY_SHIELD = {1: [-11467.704], 2: [-11465.654, -11356.778], 3: [-11107.293], 7: [-11107.293]}


@pytest.mark.parametrize(
    ("measure", "sequences"),
    [
        (
            "discrepancy",
            {1: [-11467.704, -11347.007], 2: [-11465.654, -11204.532], 3: [-11107.293], 5: [-11107.293]},
        ),
        ("shield", BY_SHIELD),
        ("score", BY_SHIELD),
    ],
)
def test_published_scores_of_the_rounds_on_asia(measure, sequences):
    data = asia(in_order_of_file=True)
    for n_candidates, expected in sequences.items():
        learner = SparseCandidate(candidates=n_candidates, measure=measure, tabu=0).fit(data)
        different = list(dict.fromkeys(learner.rounds_["score"].round(3)))
        assert different == pytest.approx(expected, abs=6e-4)


def test_tables_too_large_to_sum_out_are_drawn(monkeypatch):
    monkeypatch.setattr("structlearn.learners.score.measures.table_discrepancy.MOST_CELLS_TO_VISIT", 10)
    monkeypatch.setattr("structlearn.learners.score.measures.table_discrepancy.DEFAULT_SAMPLES", 1000)

    learner = SparseCandidate(measure="discrepancy").fit(random_table(0))

    assert (learner.rounds_["noise"] > 0).all()


def test_a_tabu_list_finds_the_optimum_of_asia_where_a_plain_climb_does_not():
    # From docs/references/search.md#hill-climbing: no DAG of asia has a larger BIC; in alphabetical order a
    # plain climb misses it.
    data = asia()

    assert SparseCandidate(candidates=3).fit(data).score_ == pytest.approx(-11107.293309, abs=1e-5)
    assert SparseCandidate(candidates=3, tabu=0).fit(data).score_ < -11108


@pytest.mark.parametrize("seed", range(5))
def test_a_tabu_climb_ends_at_the_best_graph_that_it_visited(seed):
    data = random_table(seed, n_columns=6, n_rows=80)
    learner = SparseCandidate(candidates=5, tabu=5, patience=7).fit(data)
    scores = learner.trace_["score"]

    assert learner.score_ == pytest.approx(scores.max())
    assert len(scores) - 1 - scores.argmax() == 7


@pytest.mark.parametrize("seed", range(3))
def test_a_tabu_climb_visits_none_of_the_last_graphs_again(seed):
    data = random_table(seed, n_columns=5, n_rows=80)
    trace = SparseCandidate(candidates=4, tabu=6, patience=12).fit(data).trace_
    assert set(trace["round"]) == {1}

    graphs = [frozenset()]
    for move, *arc in zip(trace["move"], trace["source"], trace["target"], strict=True):
        toggled = {"reverse": {tuple(arc), tuple(arc[::-1])}}.get(move, {tuple(arc)})
        graphs.append(graphs[-1] ^ toggled)
        assert graphs[-1] not in graphs[-7:-1]


def test_every_parent_is_a_candidate(monkeypatch):
    names = tuple("abcd")
    rows = np.random.default_rng(0).integers(0, 2, 300)
    noisy = [np.where(np.random.default_rng(j).random(300) < 0.8, rows, 1 - rows) for j in range(4)]
    offered = np.array([[0, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]], dtype=float)
    values = np.where(offered > 0, 1.0, -np.inf)
    monkeypatch.setattr(sparse_candidate, "measure_for", lambda *_, **__: Fixed(values))

    graph = SparseCandidate().fit(dict(zip(names, noisy, strict=True))).graph_

    assert set(graph.directed) == {("c", "b"), ("a", "c"), ("b", "d")}


class Fixed:
    """A measure that always promises the same."""

    def __init__(self, values):
        self.values = values

    def of(self, _parents, _run):
        return Promises(self.values, 0.0)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("stop", ["score", "candidates"])
def test_the_score_never_falls_from_round_to_round(measure, stop):
    for seed in range(4):
        data = random_table(seed, n_columns=8, n_rows=200)
        learner = SparseCandidate(candidates=2, measure=measure, stop=stop, samples=2000).fit(data)

        assert (np.diff(learner.rounds_["score"]) >= -1e-9).all()
        assert learner.score_ == pytest.approx(learner.rounds_["score"][-1])
        assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)
        assert max(len(learner.graph_.parents(v)) for v in data.names) <= 2
        assert learner.ended_by_ in {"score", "candidates", "loop", "idle rounds"}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("make", [random_table, random_normals])
def test_with_all_columns_as_candidates_it_is_hill_climbing(measure, make):
    data = make(2)

    for tabu in (0, 10):
        learner = SparseCandidate(candidates=4, measure=measure, tabu=tabu).fit(data)
        assert learner.graph_ == sl.HillClimbing(tabu=tabu, shakes=0).fit(data).graph_
    assert learner.ended_by_ == "candidates"
    assert len(learner.rounds_["score"]) == 1


def test_the_trace_adds_up_round_by_round():
    data = asia()
    learner = SparseCandidate(candidates=1, measure="discrepancy", tabu=0).fit(data)
    trace = learner.trace_

    start = sl.score(sl.Graph(data.names), data, "bic")
    np.testing.assert_allclose(start + trace["gain"].cumsum(), trace["score"])
    for number, score in enumerate(learner.rounds_["score"], start=1):
        assert trace["score"][trace["round"] <= number][-1] == pytest.approx(score)
    assert learner.rounds_["new"][0] == 8


class Alternating:
    """A measure that promises the first column and then the second, whatever the network is."""

    def __init__(self):
        self.n_asked = 0

    def of(self, parents, _run):
        self.n_asked += 1
        values = np.zeros((len(parents), len(parents)))
        values[:, self.n_asked % 2] = 1.0
        return Promises(values, 0.0)


@pytest.mark.parametrize(
    ("options", "ended_by", "n_rounds"),
    [
        ({"stop": "candidates"}, "loop", 3),
        ({"stop": "candidates", "idle_rounds": 2}, "idle rounds", 2),
        ({"stop": "score"}, "score", 1),
    ],
)
def test_rounds_that_lead_nowhere_end(monkeypatch, options, ended_by, n_rounds):
    rng = np.random.default_rng(0)
    data = {f"v{j}": rng.integers(0, 2, 100) for j in range(8)}
    alone = SparseCandidate().fit(data).graph_
    measure = Alternating()
    monkeypatch.setattr(sparse_candidate, "measure_for", lambda *_, **__: measure)

    learner = SparseCandidate(candidates=1, initial=alone, **options).fit(data)

    assert learner.ended_by_ == ended_by
    assert len(learner.rounds_["score"]) == n_rounds


def test_knowledge_is_kept_and_takes_no_candidates_from_others():
    data = random_table(2, n_columns=6, n_rows=300)
    free = SparseCandidate(candidates=1, measure="mutual-information").fit(data).graph_
    source, target = free.directed[0]
    knowledge = sl.Knowledge(required=[("v5", "v0")], forbidden=[(source, target)])

    learner = SparseCandidate(candidates=2, knowledge=knowledge, max_parents=2).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert max(len(learner.graph_.parents(v)) for v in data.names) <= 2


def test_the_search_starts_from_the_initial_graph_and_keeps_its_parents_as_candidates():
    data = random_table(4, n_columns=6, n_rows=300)
    best = sl.HillClimbing().fit(data).graph_

    again = SparseCandidate(candidates=1, initial=best).fit(data)

    assert again.graph_ == best
    assert SparseCandidate(candidates=1, initial=best, tabu=0).fit(data).trace_["move"].size == 0


def test_a_discrepancy_of_both_kinds_is_refused_and_the_other_measures_are_not():
    rng = np.random.default_rng(0)
    d = rng.integers(0, 3, 300)
    b = 3 * d + rng.normal(size=300)
    data = {"d": np.array(["low", "middle", "top"])[d], "b": b, "c": b + 3 * rng.normal(size=300)}

    for measure in ("score", "shield", "mutual-information"):
        graph = SparseCandidate(candidates=1, measure=measure).fit(data).graph_
        assert graph.skeleton() == sl.Graph("dbc", undirected=[("d", "b"), ("b", "c")])
    with pytest.raises(sl.OptionError, match=r"measure='discrepancy'.*two kinds"):
        SparseCandidate(measure="discrepancy").fit(data)


def test_the_same_seed_draws_the_same_rows():
    data = random_table(6, n_columns=7)
    first, again = (
        SparseCandidate(candidates=1, measure="discrepancy", samples=500, random_state=4).fit(data)
        for _ in range(2)
    )

    np.testing.assert_array_equal(first.rounds_["noise"], again.rounds_["noise"])
    assert first.graph_ == again.graph_


def test_an_interrupted_search_says_so():
    learner = SparseCandidate(time_limit=1e-9).fit(random_table(0))

    assert learner.ended_by_ == "interruption"
    assert len(learner.graph_.edges) == 0
