"""Greedy equivalence search: every move by brute force, local maxima, true classes, knowledge."""

import itertools
import math
from unittest.mock import patch

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.escape import Escape
from structlearn.learners.score.classes.gains import ClassGains
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.search import ClassSearch, climb_eagerly
from structlearn.learners.score.greedy_equivalence import GreedyEquivalence
from structlearn.scores import BIC, FamilyScores, GaussianBIC
from structlearn.search.limits import Limits
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.learners.score.classes.test_class_moves import FOUR, TOGGLED, random_table, valid_moves
from tests.oracles import equivalence_search as search_oracle
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1
from tests.search.spaces import space_of


@pytest.mark.parametrize("seed", range(10))
def test_no_valid_move_improves_the_result(seed):
    data = random_table(seed, n_columns=5, n_rows=60)
    learner = GreedyEquivalence().fit(data)
    scores = FamilyScores(BIC(), from_dataset(data))
    pattern = Pattern.of(learner.graph_.to_dag().links)

    assert learner.graph_ == learner.graph_.to_cpdag()
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"))
    assert max(move.gain for move in valid_moves(pattern, scores)) <= 1e-8


def dense_gaussian_table(seed, n_columns=10, n_rows=100):
    """Few rows of many linear dependences: hard enough for edges to be deleted and turned."""
    rng = np.random.default_rng(seed)
    weights = np.triu(rng.random((n_columns, n_columns)) < 0.4, 1) * rng.normal(size=(n_columns, n_columns))
    rows = rng.normal(size=(n_rows, n_columns)) @ np.linalg.inv(np.eye(n_columns) - weights)
    return sl.Dataset({f"v{j}": rows[:, j] for j in range(n_columns)})


def named(names, found):
    """The graph of a class of the oracle."""
    return sl.Graph(
        names,
        directed=[(names[a], names[b]) for a, b in found.links.arrows.tolist()],
        undirected=[(names[a], names[b]) for a, b in found.links.lines.tolist()],
    )


SCHEDULES = ("eager", "phases")


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("max_parents", [None, 2])
def test_every_step_is_that_of_a_search_that_lists_every_move(schedule, max_parents):
    kinds = set()
    for seed in (6, 10, 11, 29):
        data = dense_gaussian_table(seed)
        found = GreedyEquivalence(schedule=schedule, patience=0, max_parents=max_parents).fit(data)
        scores = FamilyScores(GaussianBIC(), from_dataset(data))
        made, end = search_oracle.search(scores, schedule, max_parents or math.inf)
        trace = found.trace_
        assert trace["move"].tolist() == [move.kind for move in made]
        assert trace["source"].tolist() == [f"v{move.source}" for move in made]
        assert trace["target"].tolist() == [f"v{move.target}" for move in made]
        assert trace["before"].tolist() == [", ".join(f"v{node}" for node in move.before) for move in made]
        assert trace["gain"] == pytest.approx([move.gain for move in made], abs=1e-8)
        assert found.graph_ == named(data.names, end)
        kinds |= set(trace["move"])

    assert kinds >= ({"insert", "delete", "turn"} if max_parents is None else {"insert", "turn"})


class Population:
    """BIC on the covariance of a linear model itself, as if from a billion rows."""

    is_equivalent = True
    size = 1e9

    def __init__(self, covariance):
        self.covariance = covariance

    def local(self, _statistics, families):
        return np.array([self._family(child, parents) for child, *parents in families.tolist()])

    def _family(self, child, parents):
        shared = self.covariance[parents, child]
        slopes = np.linalg.solve(self.covariance[np.ix_(parents, parents)], shared)
        left = self.covariance[child, child] - shared @ slopes
        return -0.5 * self.size * math.log(left) - 0.5 * len(parents) * math.log(self.size)


@pytest.mark.parametrize("seed", range(25))
def test_with_the_population_for_data_the_true_class_is_found(seed):
    rng = np.random.default_rng(seed)
    names = tuple("abcdefgh")
    truth = sl.Graph(
        names,
        directed=[pair for pair in itertools.combinations(rng.permutation(names), 2) if rng.random() < 0.35],
    )
    weights = truth.adjacency() * rng.uniform(0.4, 1.0, (8, 8)) * rng.choice([-1.0, 1.0], (8, 8))
    spread = np.linalg.inv(np.eye(8) - weights)
    score = Population(spread.T @ spread)

    learned = GreedyEquivalence(score=score).fit(dict(zip(names, rng.normal(size=(8, 30)), strict=True)))

    assert learned.graph_ == truth.to_cpdag()


def test_the_best_of_all_dags_is_often_found():
    reached = 0
    for seed in range(20):
        data = random_table(seed, n_rows=100)
        families = FamilyScores(BIC(), from_dataset(data))
        best = max(families.total(parents) for parents in oracle.all_parent_choices(4))
        found = GreedyEquivalence().fit(data).score_
        assert found <= best + 1e-8
        reached += math.isclose(found, best, abs_tol=1e-8)

    assert reached >= 17


# Published by the bnlearn repository's manual and by GOBNILP (docs/references/search.md#hill-climbing);
# asia's is the global optimum.
@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("learning.test.csv", "bic", -24006.734232),
        ("gaussian.test.csv", "bic", -53221.345687),
        ("asia.csv", "bic", -11107.293309),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = GreedyEquivalence(score=score).fit(data_file(f"tables/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)


def test_on_alarm_it_ends_no_lower_than_the_generating_graph():
    model = sl.load(data_file("networks/alarm.bif"))
    data = model.sample(10_000, random_state=0)

    assert GreedyEquivalence().fit(data).score_ > sl.score(model.graph, data, "bic") - 1.0


@pytest.mark.parametrize("patience", [0, 5])
def test_the_trace_adds_up_to_the_score(patience):
    data = random_table(3, n_columns=6, n_rows=400)
    learner = GreedyEquivalence(check_parity=0, patience=patience).fit(data)
    trace = learner.trace_
    n_more = np.sum(trace["move"] == "insert") - np.sum(trace["move"] == "delete")

    assert (trace["gain"] > 0).all() or patience
    assert trace["score"][-1] == pytest.approx(learner.score_)
    assert trace["score"][0] - trace["gain"][0] == pytest.approx(sl.score(sl.Graph(data.names), data, "bic"))
    assert len(learner.graph_.edges) == n_more


def test_with_patience_local_maxima_are_left_for_higher_ones():
    n_left = 0
    for seed in range(12):
        data = dense_gaussian_table(seed)
        first = GreedyEquivalence(patience=0).fit(data)
        last = GreedyEquivalence(patience=100).fit(data)
        assert last.score_ == pytest.approx(sl.score(last.graph_, data, "bic"))
        assert last.score_ >= first.score_ - 1e-8
        if last.score_ > first.score_ + 1e-6:
            n_left += 1
            same = len(first.trace_["gain"])
            assert last.trace_["gain"][:same] == pytest.approx(first.trace_["gain"])
            assert last.trace_["move"][same] == "delete"
            assert last.trace_["gain"][same] < 0

    assert n_left > 2


def test_an_edge_taken_away_in_vain_leaves_the_search_where_it_was():
    data = random_table(1, n_columns=5, n_rows=300)
    search = ClassSearch(space_of(data), Pattern.of(Links(5)))
    climb_eagerly(search, lambda _move, _score: None)
    home = search.pattern
    noted = []
    Escape(search, climb_eagerly).run(100, noted.append)

    assert noted == []
    assert search.pattern is home
    with patch.object(ClassGains, "moves", side_effect=AssertionError("listed anew")):
        assert not any(search.step(kind) for kind in TOGGLED)


def test_evidence_is_the_score_of_the_best_class_with_the_edge_removed():
    data = random_table(1, n_columns=4, n_rows=300)
    learner = GreedyEquivalence().fit(data)
    members = list(learner.graph_.members())

    assert learner.graph_.edges
    for edge in learner.graph_.edges:
        ends = {(edge.source, edge.target), (edge.target, edge.source)}
        smaller = [sl.Graph(data.names, directed=set(dag.directed) - ends) for dag in members]
        best = max(sl.score(graph, data, "bic") for graph in smaller)
        assert edge.weight == pytest.approx(learner.score_ - best, abs=1e-8)


def honouring(knowledge, names, max_parents):
    """Every DAG that honours knowledge and limit, by brute force."""
    for parents in oracle.all_parent_choices(len(names)):
        arrows = [(names[u], names[v]) for v, members in enumerate(parents) for u in members]
        graph = sl.Graph(names, directed=arrows)
        if max(map(len, parents)) <= max_parents and not knowledge.violations(graph):
            yield graph


KNOWLEDGE = {
    "required": sl.Knowledge(required=[("v3", "v0"), ("v0", "v1")]),
    "forbidden": sl.Knowledge(forbidden=[("v0", "v1"), ("v1", "v0"), ("v1", "v2"), ("v3", "v2")]),
    "apart": sl.Knowledge(forbidden=[("v0", "v1"), ("v1", "v0"), ("v2", "v3"), ("v3", "v2")]),
    "tiers": sl.Knowledge(tiers=[["v3"], ["v1", "v2"], ["v0"]]),
    "all": sl.Knowledge(required=[("v3", "v0")], forbidden=[("v2", "v1")], tiers=[["v3", "v2"], ["v0"]]),
}


@pytest.mark.parametrize("knowledge", KNOWLEDGE.values(), ids=KNOWLEDGE.keys())
def test_a_class_is_admitted_exactly_if_a_dag_of_it_honours_the_knowledge(knowledge):
    names = ("v0", "v1", "v2", "v3")
    admission = Admission(Limits.of(names, knowledge, 2))
    allowed = {graph.to_cpdag() for graph in honouring(knowledge, names, 2)}

    assert allowed
    for members in FOUR:
        pattern = Pattern.of(Links(4, arrows=sorted(members[0])))
        dag = sl.Graph(names, directed=[(names[a], names[b]) for a, b in members[0]])
        assert admission.admits(pattern) == (dag.to_cpdag() in allowed)


@pytest.mark.parametrize("knowledge", KNOWLEDGE.values(), ids=KNOWLEDGE.keys())
@pytest.mark.parametrize("seed", range(4))
def test_knowledge_and_the_limit_on_parents_are_kept(knowledge, seed):
    data = random_table(seed, n_columns=5, n_rows=300)
    graph = GreedyEquivalence(knowledge=knowledge, max_parents=2).fit(data).graph_

    assert knowledge.violations(graph) == []
    members = list(graph.members())
    assert members
    for dag in members:
        assert max(len(dag.parents(node)) for node in dag) <= 2
        assert knowledge.violations(dag) == []


def test_a_search_can_start_anywhere_and_from_its_own_result_it_does_not_move():
    data = random_table(5, n_columns=5, n_rows=400)
    found = GreedyEquivalence().fit(data)
    again = GreedyEquivalence(initial=found.graph_).fit(data)
    full = sl.Graph(data.names, directed=list(itertools.combinations(data.names, 2)))
    down = GreedyEquivalence(initial=full).fit(data)

    assert again.graph_ == found.graph_
    assert len(again.trace_["move"]) == 0
    assert down.trace_["move"][0] == "delete"
    assert down.score_ > sl.score(full, data, "bic")


@pytest.mark.parametrize(
    ("initial", "options", "message"),
    [
        (sl.Graph("AB"), {}, "'C' is in one of the two only"),
        (sl.Graph("ABC", undirected=[("A", "B")], directed=[("B", "C"), ("C", "B")]), {}, "cycle"),
        (sl.Graph("ABC", directed=[("A", "C"), ("B", "C")]), {"max_parents": 1}, "max_parents=1"),
        (
            sl.Graph("ABC", directed=[("A", "C"), ("B", "C")]),
            {"knowledge": sl.Knowledge(forbidden=[("A", "C")])},
            "initial cannot be the start",
        ),
    ],
)
def test_a_start_that_breaks_the_rules_is_refused(initial, options, message):
    with pytest.raises(sl.OptionError, match=message):
        GreedyEquivalence(initial=initial, **options).fit(T1)


def test_more_required_parents_than_allowed_are_refused():
    knowledge = sl.Knowledge(required=[("A", "C"), ("B", "C")])

    with pytest.raises(sl.OptionError, match="the required arrows of knowledge cannot be the start"):
        GreedyEquivalence(knowledge=knowledge, max_parents=1).fit(T1)


def test_a_score_that_differs_within_a_class_is_refused():
    class FewestParents:
        def local(self, _statistics, families):
            return np.full(len(families), -float(families.shape[1]))

    with pytest.raises(sl.OptionError, match="is_equivalent = True"):
        GreedyEquivalence(score=FewestParents()).fit(T1)
