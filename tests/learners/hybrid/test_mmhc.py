"""Max-min hill-climbing: published scores, the skeleton as a fence, candidates from elsewhere."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import G2
from structlearn.learners.hybrid.mmhc import MMHC
from structlearn.learners.hybrid.mmpc import MMPC
from structlearn.learners.hybrid.skeletons.restricted_climb import RestrictedClimb, restricted_climb
from structlearn.scores import BDeu, FamilyScores
from structlearn.search.candidates import AmongCandidates, candidate_matrix
from structlearn.statistics import from_dataset
from tests.learners.hybrid.reference_tables import bnlearn_table
from tests.learners.score.candidate_tables import random_normals, random_table
from tests.search.spaces import space_of


# From docs/references/hybrid.md#mmhc: BDeu with a prior worth ten rows, ties in the order of the file.
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("table", "n_rows", "score"),
    [
        ("learning.test.csv", None, -23967.649625),
        ("coronary.csv", None, -6697.726075),
        ("asia.csv", None, -12205.838735),
        ("alarm.csv.gz", 2000, -22442.594681),
    ],
)
def test_published_scores(table, n_rows, score):
    data = bnlearn_table(table, n_rows=n_rows, in_order_of_file=True)

    learner = MMHC(test=G2(sparse="asymptotic")).fit(data)

    assert learner.score_ == pytest.approx(score, abs=1e-5)
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, score=BDeu(ess=10)))


@pytest.mark.compiled
def test_the_class_of_learning_test_is_the_true_one():
    # The network that bnlearn drew the table from.
    arcs = [("A", "B"), ("A", "D"), ("C", "D"), ("B", "E"), ("F", "E")]

    found = MMHC().fit(bnlearn_table("learning.test.csv")).graph_

    assert found.to_cpdag() == sl.Graph(found.nodes, directed=arcs).to_cpdag()


@pytest.mark.parametrize("seed", range(5))
def test_arcs_are_of_the_skeleton_and_no_single_move_within_it_helps(seed):
    data = random_table(seed, n_columns=6, n_rows=200)
    learner = MMHC().fit(data)
    score = BDeu(ess=10)

    assert learner.skeleton_ == MMPC().fit(data).graph_
    assert all(learner.skeleton_.edge(*arc) is not None for arc in learner.graph_.directed)
    assert learner.score_ >= sl.score(sl.Graph(data.names), data, score=score)
    for other in neighbors_within(learner.graph_, learner.skeleton_):
        assert sl.score(other, data, score=score) <= learner.score_ + 1e-9


def neighbors_within(graph, skeleton):
    """The DAGs one move away, with arcs of the skeleton only."""
    arcs = set(graph.directed)
    for a, b in skeleton.undirected:
        rest = arcs - {(a, b), (b, a)}
        for own in ([], [(a, b)], [(b, a)]):
            other = sl.Graph(graph.nodes, directed=[*rest, *own])
            if other.is_dag and other != graph:
                yield other


def test_normal_columns_are_scored_by_bic():
    data = random_normals(0, n_columns=5, n_rows=400)
    learner = MMHC().fit(data)

    assert learner.score_ == pytest.approx(sl.score(learner.graph_, data, score="bic"))
    assert all(known.p_value <= 0.05 for known in learner.evidence_.values())


def test_without_dependence_there_are_no_arcs():
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=50) for name in "ab"}

    assert MMHC(alpha=1e-6).fit(data).graph_ == sl.Graph("ab")


def test_required_arcs_and_those_of_the_start_may_leave_the_skeleton():
    data = random_table(0, n_columns=5, n_rows=200)
    absent = next(iter(MMPC().fit(data).separating_sets_))

    required = MMHC(knowledge=sl.Knowledge(required=[absent])).fit(data)
    start = sl.Graph(data.names, directed=[absent])
    stuck = MMHC(initial=start, alpha=0.0, tabu=0, score="loglik").fit(data)

    assert absent in required.graph_.directed
    assert stuck.graph_ == start


def climbed(data, candidates, score="bic"):
    """The DAG that a climb among candidates finds."""
    chosen = candidate_matrix("climb", data.names, candidates)
    return restricted_climb(space_of(data, score), chosen, RestrictedClimb())


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_with_all_columns_as_candidates_the_climb_is_hill_climbing(score):
    data = random_table(3, n_columns=6, n_rows=200)
    everything = {name: set(data.names) - {name} for name in data.names}

    found = climbed(data, everything, score=score)

    assert found.graph == sl.HillClimbing(score=score, check_parity=0).fit(data).graph_


def test_columns_that_are_no_candidates_are_not_scored():
    data = random_table(3, n_columns=6, n_rows=200)
    statistics = from_dataset(data)
    chosen = candidate_matrix("climb", data.names, sl.Graph(data.names, undirected=[("v0", "v1")]))
    asked = set()

    class Spy(BDeu):
        def local(self, statistics, families):
            asked.update(map(tuple, families.tolist()))
            return super().local(statistics, families)

    gains, _ = FamilyScores(AmongCandidates(Spy(), chosen), statistics).toggles_at_most_without_parents()

    assert {family for family in asked if len(family) > 1} <= {(0, 1), (1, 0)}
    assert gains[0, 2] == -np.inf


def test_candidates_come_as_a_graph_or_a_mapping_and_unknown_names_are_refused():
    names = ("a", "b", "c")

    both_ways = candidate_matrix("owner", names, sl.Graph("abc", directed=[("a", "b")]))
    one_way = candidate_matrix("owner", names, {"b": ["a"]})

    assert np.argwhere(both_ways).tolist() == [[0, 1], [1, 0]]
    assert np.argwhere(one_way).tolist() == [[1, 0]]
    with pytest.raises(sl.OptionError, match="no column 'x'"):
        candidate_matrix("owner", names, {"b": ["x"]})


@pytest.mark.compiled
def test_with_the_true_skeleton_the_true_class_is_found_mostly():
    # From docs/references/hybrid.md#mmhc: at least 8 of 10 networks of 10 binary nodes; never a score below
    # that of the truth.
    n_right = 0
    for seed in range(10):
        truth = sl.random_dag(10, expected_degree=2, random_state=seed)
        data = drawn_binary(truth, 100_000, seed)
        found = climbed(data, truth)
        assert found.score >= sl.score(truth, data, score="bic") - 1e-6
        n_right += found.graph.to_cpdag() == truth.reordered(data.names).to_cpdag()
    assert n_right >= 8


def drawn_binary(truth, n_rows, seed):
    """Rows of a binary network whose probabilities are uniform on [0.1, 0.9]."""
    rng = np.random.default_rng(seed)
    columns = {}
    for node in truth.topological_order():
        state = np.zeros(n_rows, dtype=np.int64)
        for parent in truth.parents(node):
            state = 2 * state + columns[parent]
        chance = rng.uniform(0.1, 0.9, size=2 ** len(truth.parents(node)))
        columns[node] = (rng.random(n_rows) < chance[state]).astype(np.int64)
    names = sorted(columns)
    return sl.Dataset({name: columns[name] for name in names}, kinds=dict.fromkeys(names, "discrete"))
