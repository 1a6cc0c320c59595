"""Max-min parents and children: the paper's steps, the truth of random DAGs, published skeletons."""

import math

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.independence import G2, Answers, FisherZ, SeparationOracle
from structlearn.learners.hybrid.mmpc import MMPC
from structlearn.statistics import from_dataset
from tests.learners.hybrid.reference_tables import bnlearn_table
from tests.learners.score.candidate_tables import random_normals, random_table
from tests.oracles import max_min
from tests.oracles.independence import contingency_statistics

ASYMPTOTIC = G2(sparse="asymptotic")


class RandomStrengths:
    """The truth about independence, and for dependence any association that a seed happens to give."""

    def __init__(self, graph, seed):
        self._truth = SeparationOracle(graph)
        self._ends, self._given = np.random.default_rng(seed).uniform(1, 100, (2, len(graph.nodes)))

    def many(self, statistics, questions):
        p_value = self._truth.many(statistics, questions).p_value
        number = self._ends[questions[:, :2]].sum(axis=1) + self._given[questions[:, 2:]].sum(axis=1)
        log_p = np.where(p_value == 1.0, 0.0, -1.0 - 99.0 * np.abs(np.sin(1e4 * number)))
        nothing = np.full(len(questions), math.nan)
        return Answers(nothing, nothing, p_value, lambda: log_p)


def any_rows(names):
    """A table for learners whose test does not look at it."""
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=20) for name in names}


def neighbors(graph):
    return {node: set(graph.adjacent(node)) for node in graph.nodes}


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(10))
def test_parents_and_children_of_random_dags_are_found_whatever_the_strengths(seed):
    # From docs/references/hybrid.md#mmpc: none of 600 DAGs wrong with the symmetry check, 78 of them
    # without.
    n_too_many = 0
    for number in range(50):
        n_nodes = 3 + number % 5
        truth = sl.random_dag(n_nodes, kind="uniform", random_state=1000 * seed + number)
        test = RandomStrengths(truth, seed)
        learner = MMPC(test=test, reliability="none").fit(any_rows(truth.nodes))
        assert learner.graph_ == truth.skeleton()
        chosen = {name: set(found) for name, found in learner.one_sided_.items()}
        assert all(chosen[name] >= found for name, found in neighbors(truth).items())
        n_too_many += chosen != neighbors(truth)
    assert n_too_many > 0


@pytest.mark.parametrize("seed", range(20))
def test_the_choices_are_those_of_the_paper_whatever_the_strengths(seed):
    truth = sl.random_dag(8, expected_degree=4, random_state=seed)
    test = RandomStrengths(truth, seed)

    def associated(x, y, given):
        answer = test.many(None, np.array([[x, y, *given]]))
        return None if answer.p_value[0] > 0.05 else (-answer.log_p[0],)

    learner = MMPC(test=test).fit(any_rows(truth.nodes))

    for target, name in enumerate(truth.nodes):
        expected = max_min.parents_and_children(8, target, associated)
        assert set(learner.one_sided_[name]) == {truth.nodes[x] for x in expected}


def test_an_oracle_gives_the_skeleton_and_choices_that_are_not_mutual_are_dropped():
    truth = sl.Graph("TABC", directed=[("T", "A"), ("A", "C"), ("B", "A"), ("B", "C")])

    learner = MMPC().fit(sl.Oracle(truth))

    assert learner.one_sided_["T"] == ("A", "C")  # From docs/references/hybrid.md#mmpc: C is a false choice
    assert learner.one_sided_["C"] == ("A", "B")
    assert learner.neighbors_["T"] == ("A",)
    assert learner.graph_ == truth.skeleton()
    assert MMPC(symmetry="or").fit(sl.Oracle(truth)).graph_.edge("T", "C") is not None


@pytest.mark.parametrize("reliability", ["skip", "independent", "none"])
@pytest.mark.parametrize("seed", range(4))
def test_the_choices_are_those_of_the_paper_on_discrete_tables(seed, reliability):
    data = random_table(seed, n_columns=6, n_rows=150)
    columns = [data.column(name) for name in data.names]
    codes = np.column_stack([column.codes for column in columns]).tolist()
    levels = [len(column.labels) for column in columns]

    def associated(x, y, given):
        cells = math.prod(levels[column] for column in (x, y, *given))
        if reliability != "none" and 5 * cells > 150:
            return NotImplemented if reliability == "skip" else None
        g2, _, dof = contingency_statistics(codes, x, y, given)
        log_p = stats.chi2.logsf(g2, dof) if dof else 0.0
        return None if log_p > math.log(0.05) else (-log_p, g2)

    learner = MMPC(reliability=reliability, test=ASYMPTOTIC).fit(data)

    for target, name in enumerate(data.names):
        expected = max_min.parents_and_children(6, target, associated)
        assert set(learner.one_sided_[name]) == {data.names[x] for x in expected}
    assert (learner.n_skipped_ > 0) == (reliability != "none")


@pytest.mark.parametrize("seed", range(4))
def test_the_choices_are_those_of_the_paper_on_continuous_tables(seed):
    data = random_normals(seed, n_columns=6, n_rows=100)
    statistics = from_dataset(data)
    test = FisherZ()

    def associated(x, y, given):
        answer = test.many(statistics, np.array([[x, y, *given]]))
        return None if answer.p_value[0] > 0.05 else (-answer.log_p[0], abs(answer.statistic[0]))

    learner = MMPC().fit(data)

    for target, name in enumerate(data.names):
        expected = max_min.parents_and_children(6, target, associated)
        assert set(learner.one_sided_[name]) == {data.names[x] for x in expected}


# From docs/references/hybrid.md#mmpc: G² with adjusted degrees of freedom at level 0.05.
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("table", "edges"),
    [
        ("learning.test", "A-B A-D B-E C-D E-F"),
        ("asia", "S-L S-B T-E L-E B-D"),
        (
            "coronary",
            "Smoking-M. Work,Smoking-Pressure,Smoking-Proteins,M. Work-Pressure,M. Work-Proteins,"
            "Pressure-Proteins,Smoking-P. Work,M. Work-P. Work,M. Work-Family",
        ),
    ],
)
def test_published_skeletons(table, edges):
    found = MMPC(test=ASYMPTOTIC).fit(bnlearn_table(f"{table}.csv")).graph_

    pairs = edges.split("," if "," in edges else " ")
    assert found == sl.Graph(found.nodes, undirected=[tuple(pair.split("-")) for pair in pairs])


@pytest.mark.compiled
def test_associations_are_compared_where_p_values_are_all_zero():
    # From docs/references/hybrid.md#mmpc: 43 edges on the first 2000 rows of alarm; 42 where p-values that
    # underflow are ties.
    data = bnlearn_table("alarm.csv.gz", n_rows=2000, in_order_of_file=True)

    assert len(MMPC(test=ASYMPTOTIC).fit(data).graph_.edges) == 43


def test_pairs_without_an_edge_have_a_set_that_separates_them_at_the_p_value_told():
    data = random_table(1, n_columns=6, n_rows=300)
    learner = MMPC().fit(data)

    for (a, b), found in learner.separating_sets_.items():
        result = sl.test_independence(data, a, b, given=found.given)
        assert result.p_value == pytest.approx(found.p_value)
        assert result.independent()
        assert learner.graph_.edge(a, b) is None
    assert len(learner.separating_sets_) + len(learner.graph_.edges) == 15
    assert all(known.p_value <= 0.05 for known in learner.evidence_.values())


def test_without_conditions_the_graph_is_that_of_the_pairs():
    data = random_table(2, n_columns=5, n_rows=200)

    found = MMPC(max_conditioning=0).fit(data).graph_

    for a in data.names:
        for b in data.names:
            if a < b:
                is_joined = found.edge(a, b) is not None
                assert is_joined == (not sl.test_independence(data, a, b).independent())


def test_required_edges_are_members_from_the_start_and_stay():
    truth = sl.Graph("abcd", directed=[("a", "b"), ("b", "c"), ("c", "d")])
    knowledge = sl.Knowledge(required=[("a", "d")], forbidden=[("b", "c"), ("c", "b")])

    graph = MMPC(knowledge=knowledge).fit(sl.Oracle(truth)).graph_

    assert graph.directed == (("a", "d"),)
    assert graph.edge("b", "c") is None
    assert graph.edge("a", "b") is not None


def test_a_test_with_a_rule_of_its_own_is_skipped_where_that_says_so():
    data = random_table(0, n_columns=5, n_rows=150)
    own = sl.independence.G2(min_rows_per_cell=5)

    ours = MMPC().fit(data)
    theirs = MMPC(test=own, min_rows_per_cell=1e-9).fit(data)

    assert theirs.one_sided_ == ours.one_sided_
    assert theirs.n_skipped_ == ours.n_skipped_ > 0
