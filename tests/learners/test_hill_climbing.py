"""Hill-climbing: published optima, local maximality, knowledge, tabu, restarts, traces."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC, FamilyScores
from structlearn.statistics import from_dataset
from tests.oracles import scores as oracle
from tests.oracles.reference_data import T1
from tests.shared_data import shared_file


def random_table(seed, n_columns=5, n_rows=200):
    """Discrete columns that depend on each other along a random order."""
    rng = np.random.default_rng(seed)
    columns = []
    for j in range(n_columns):
        parents = [columns[k] for k in range(j) if rng.random() < 0.5]
        shift = sum(parents) if parents else np.zeros(n_rows, dtype=int)
        noise = rng.integers(0, 3, n_rows) * (rng.random(n_rows) < 0.6)
        columns.append((shift + noise) % 3)
    return sl.Dataset({f"v{j}": column for j, column in enumerate(columns)})


def neighbours(graph):
    """Every graph one legal move away, by brute force."""
    arcs = set(graph.directed)
    for u, v in itertools.permutations(graph.nodes, 2):
        changed = [arcs ^ {(u, v)}] if (v, u) not in arcs else [arcs ^ {(u, v), (v, u)}]
        for candidate in changed:
            other = sl.Graph(graph.nodes, directed=candidate)
            if other.is_dag:
                yield other


# Card H1: those of learning.test and gaussian.test are published (bnlearn, GOBNILP); asia's are the
# global optima that the card's own dynamic programming found.
@pytest.mark.parametrize(
    ("table", "score", "published"),
    [
        ("learning.test.csv", "bic", -24006.734232),
        ("learning.test.csv", "bdeu", -24028.094778),
        ("gaussian.test.csv", "bic", -53221.345687),
        ("asia.csv", "bic", -11107.293309),
        ("asia.csv", "bdeu", -11095.788513),
    ],
)
def test_published_optima_are_found(table, score, published):
    learner = sl.HillClimbing(score=score).fit(shared_file(f"datasets/bnlearn/{table}"))

    assert learner.score_ == pytest.approx(published, abs=1e-5)
    assert learner.status_ == "The method ran to its end."


@pytest.mark.parametrize("seed", range(8))
def test_no_single_move_improves_the_result_of_plain_climbing(seed):
    data = random_table(seed)
    learner = sl.HillClimbing(tabu=0).fit(data)

    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, "bic"), abs=1e-8)
    assert learner.graph_.is_dag
    for other in neighbours(learner.graph_):
        assert sl.score(other, data, "bic") <= learner.score_ + 1e-8


def test_the_trace_tells_the_way_to_the_result():
    data = random_table(0)
    learner = sl.HillClimbing(tabu=0).fit(data)
    trace = learner.trace_

    assert (np.diff(trace["score"]) > 0).all()
    assert trace["score"][-1] == pytest.approx(learner.score_)
    arcs = set()
    for move, u, v in zip(trace["move"], trace["source"], trace["target"], strict=True):
        arcs ^= {(u, v), (v, u)} if move == "reverse" else {(u, v)}
    assert sl.Graph(data.names, directed=arcs) == learner.graph_


def test_evidence_is_what_the_score_loses_without_the_arc():
    data = random_table(1)
    learner = sl.HillClimbing().fit(data)

    assert set(learner.evidence_) == set(learner.graph_.directed)
    for edge in learner.graph_.edges:
        rest = [arc for arc in learner.graph_.directed if arc != (edge.source, edge.target)]
        without = sl.score(sl.Graph(data.names, directed=rest), data, "bic")
        assert edge.weight == pytest.approx(learner.score_ - without, abs=1e-8)


@pytest.mark.parametrize("seed", range(10))
def test_a_tabu_list_and_restarts_never_end_lower(seed):
    data = random_table(seed, n_columns=6)
    plain, tabu, both = (
        sl.HillClimbing(tabu=length, restarts=restarts, random_state=seed).fit(data).score_
        for length, restarts in ((0, 0), (10, 0), (10, 3))
    )

    assert plain <= tabu + 1e-9
    assert tabu <= both + 1e-9


def test_many_restarts_reach_the_best_of_all_dags():
    reached = 0
    for seed in range(20):
        data = random_table(seed, n_columns=4, n_rows=100)
        families = FamilyScores(BIC(), from_dataset(data))
        best = max(families.total(parents) for parents in oracle.all_parent_choices(4))
        found = sl.HillClimbing(restarts=10, perturb=4, random_state=0).fit(data).score_
        assert found <= best + 1e-8
        reached += math.isclose(found, best, abs_tol=1e-8)

    assert reached >= 19


def test_knowledge_and_the_limit_on_parents_are_kept():
    data = random_table(2, n_columns=6)
    knowledge = sl.Knowledge(
        required=[("v5", "v0")], forbidden=[("v0", "v1"), ("v1", "v0")], tiers=[["v5", "v4"], ["v0", "v1"]]
    )
    learner = sl.HillClimbing(knowledge=knowledge, max_parents=2, restarts=5, random_state=0).fit(data)

    assert knowledge.violations(learner.graph_) == []
    assert learner.graph_.edge("v5", "v0") is not None
    assert max(len(learner.graph_.parents(v)) for v in data.names) <= 2


def test_the_same_seed_gives_the_same_graph():
    data = random_table(3, n_columns=6)
    runs = [sl.HillClimbing(restarts=5, random_state=4).fit(data) for _ in range(2)]

    assert runs[0].graph_ == runs[1].graph_
    assert runs[0].trace_["gain"].tolist() == runs[1].trace_["gain"].tolist()


def test_a_score_of_ones_own_is_a_class_with_one_method():
    class FewestParents:
        def local(self, _statistics, families):
            return np.full(len(families), -float(families.shape[1]))

    learner = sl.HillClimbing(score=FewestParents()).fit(T1)

    assert learner.graph_.edges == ()
    assert learner.score_ == -3.0


def test_a_score_that_does_not_fit_the_columns_is_refused():
    rng = np.random.default_rng(0)
    continuous = {"a": rng.normal(size=20), "b": rng.normal(size=20)}

    with pytest.raises(sl.DataError, match="'bdeu' has no form for continuous columns; use 'bic'"):
        sl.HillClimbing(score="bdeu").fit(continuous)
    with pytest.raises(sl.DataError, match="no form for columns of two kinds"):
        sl.HillClimbing(score="bdeu").fit(continuous | {"c": ["x", "y"] * 10})
