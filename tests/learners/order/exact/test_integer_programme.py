"""Integer programming finds the best DAG, proves it, and never claims more than it has proven."""

import gzip
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.order.exact import dynamic_programme, family_programme, integer_programme
from structlearn.learners.order.exact.family_programme import Families, FamilyProgramme
from structlearn.learners.order.exact.rank_cuts import CutSearch, RankCut
from structlearn.learners.order.exact_search import ExactSearch
from structlearn.run import Run, Status
from structlearn.search.local_scores import LocalScores, greedy_rows
from structlearn.search.parent_sets import ScoredSets
from tests.data_files import data_file, published_optimum
from tests.oracles import best_dag

pytestmark = pytest.mark.kernels

pytest.importorskip("highspy", reason="needs the `exact` extra")
SEEDS = st.integers(0, 10_000)


class RunWithSteps(Run):
    """A run that must stop at the given look at the clock."""

    def __init__(self, n_steps):
        super().__init__("test")
        self.n_left = n_steps

    def must_stop(self):
        self.n_left -= 1
        if self.n_left < 0:
            self.status = Status.OUT_OF_TIME
        return super().must_stop()


def random_table(seed, n_nodes, scale=1.0):
    """A random score for every family, by (child, parents); all nodes want parents, so that they conflict."""
    rng = np.random.default_rng(seed)
    families = best_dag.every_family(n_nodes)
    return {family: scale * (rng.normal() + 0.5 * len(family[1])) for family in families}


def lists_of(table, n_nodes):
    """All families of a table, also those that score less than a subset."""
    sets = []
    for child in range(n_nodes):
        families = [parents for node, parents in table if node == child]
        members = [[*parents, *[-1] * (n_nodes - 1 - len(parents))] for parents in families]
        scores = [table[child, parents] for parents in families]
        sets.append(ScoredSets.of(np.array(members).reshape(len(families), n_nodes - 1), np.array(scores)))
    return LocalScores(tuple(f"n{node}" for node in range(n_nodes)), tuple(sets))


def parents_of(of_node):
    """The sets of a node in the order of its list."""
    return [tuple(sorted(m for m in row if m >= 0)) for row in of_node.members.tolist()]


def solved(lists, run=None):
    with run or Run("test") as until:
        return integer_programme.solve(lists, lists.parents(greedy_rows(lists)), until)


def score_of(table, parents):
    return math.fsum(table[child, tuple(members)] for child, members in enumerate(parents))


@pytest.mark.parametrize("seed", range(15))
def test_the_best_of_all_dags_is_found_and_proven(seed):
    n_nodes = 2 + seed % 3
    table = random_table(seed, n_nodes)

    found = solved(lists_of(table, n_nodes))

    assert found.score == pytest.approx(best_dag.best_score(table, n_nodes), abs=1e-9)
    assert found.score == pytest.approx(score_of(table, found.parents), abs=1e-12)
    assert found.bound == found.score


@pytest.mark.parametrize("seed", range(15))
def test_dynamic_programming_finds_no_better_dag(seed):
    lists = lists_of(random_table(seed, 6, scale=(1.0, 1e-4, 1e6)[seed % 3]), 6)
    with Run("test") as run:
        by_subsets = dynamic_programme.solve(lists, lists.parents(greedy_rows(lists)), run)

    found = solved(lists)

    assert found.score == pytest.approx(by_subsets.score, rel=1e-9)
    assert found.bound == found.score


def test_branches_prove_what_cuts_cannot(monkeypatch):
    monkeypatch.setattr(CutSearch, "_of_higher_rank", lambda *_: [])
    branches = integer_programme._Branches
    follow, followed = branches._follow, []
    monkeypatch.setattr(branches, "_follow", lambda *of: (followed.append(of), follow(*of)))
    for seed in range(8):
        lists = lists_of(random_table(seed, 6), 6)
        with Run("test") as run:
            by_subsets = dynamic_programme.solve(lists, lists.parents(greedy_rows(lists)), run)

        found = solved(lists)

        assert found.score == pytest.approx(by_subsets.score, rel=1e-9)
        assert found.bound == found.score
    assert len(followed) > 8


def test_every_dag_is_in_one_of_two_branches():
    lists = lists_of(random_table(0, 4), 4)
    families = [(node, parents) for node, of_node in enumerate(lists.sets) for parents in parents_of(of_node)]
    with Run("test") as run:
        branches = integer_programme._Branches(lists, integer_programme._Best(lists, [[], [], [], []]), run)

    parts = branches._parts(np.arange(len(families)), 2, 1)

    with_arc, without_arc = ({families[row] for row in part} for part in parts)
    for dag in best_dag.every_dag(4):
        assert set(enumerate(dag)) <= (with_arc if 2 in dag[1] else without_arc)
    assert all(2 in parents for child, parents in with_arc if child == 1)
    assert not any(2 in parents for child, parents in without_arc if child == 1)


@pytest.mark.parametrize(("n_at_once", "most_steps"), [(1, 60), (1_000, 12)])
@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, steps=st.data())
def test_wherever_it_stops_the_best_dag_is_between_score_and_bound(n_at_once, most_steps, seed, steps):
    n_steps = steps.draw(st.integers(0, most_steps))
    lists = lists_of(random_table(seed, 5), 5)
    with Run("test") as run:
        best = dynamic_programme.solve(lists, lists.parents(greedy_rows(lists)), run).score

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family_programme, "ITERATIONS_AT_ONCE", n_at_once)
        found = solved(lists, RunWithSteps(n_steps))

    assert found.score <= best + 1e-9
    assert found.bound >= best - 1e-9
    assert found.score >= lists.total(greedy_rows(lists))


def test_a_linear_programme_solved_in_pieces_is_solved(monkeypatch):
    lists = lists_of(random_table(8, 5), 5)
    expected = solved(lists)
    monkeypatch.setattr(family_programme, "ITERATIONS_AT_ONCE", 1)
    found = solved(lists)

    assert found.score == found.bound == pytest.approx(expected.score, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS)
def test_no_dag_loses_less_than_the_bound_and_the_extras_of_its_families(seed):
    rng = np.random.default_rng(seed)
    table = random_table(seed, 4)
    lists = lists_of(table, 4)
    programme = FamilyProgramme(Families.of(lists), 4, worst_loss=10.0)
    programme.add_cuts([RankCut(rng.integers(-1, 3, size=4), int(rng.integers(1, 4))) for _ in range(8)])

    found = programme.solve(np.arange(lists.n_families))

    families = [(node, parents) for node, of_node in enumerate(lists.sets) for parents in parents_of(of_node)]
    extra = dict(zip(families, found.extra.tolist(), strict=True))
    for dag in best_dag.every_dag(4):
        loss = lists.bound - score_of(table, dag)
        assert loss >= found.bound + max(extra[family] for family in enumerate(dag)) - 1e-9


def test_a_run_without_time_returns_what_it_was_given():
    lists = lists_of(random_table(3, 5), 5)
    start = lists.parents(greedy_rows(lists))

    with Run("test", time_limit_s=0.0) as run:
        found = integer_programme.solve(lists, start, run)

    assert found.parents == start
    assert found.bound == pytest.approx(lists.bound, abs=1e-9)


def test_a_start_without_loss_is_the_best_at_once():
    table = {(0, ()): 1.0, (0, (1,)): 0.0, (1, ()): 2.0, (1, (0,)): 1.0}

    assert solved(lists_of(table, 2)) == ([[], []], 3.0, 3.0, None)


def test_without_highs_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    each_wants_the_other = {(0, ()): 0.0, (0, (1,)): 1.0, (1, ()): 0.0, (1, (0,)): 1.0}

    with pytest.raises(ImportError, match=r"pip install structlearn\[exact\]"):
        solved(lists_of(each_wants_the_other, 2))


class NeverAsked:
    """A score that nobody may use."""

    def local(self, statistics, families):
        raise AssertionError(statistics, families)


def test_without_highs_nothing_is_scored(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    data = sl.example("asia").sample(100, random_state=0)

    with pytest.raises(ImportError, match=r"pip install structlearn\[exact\]"):
        ExactSearch(solver="ilp", score=NeverAsked()).fit(data)


def test_knowledge_and_limits_hold_as_with_dynamic_programming():
    data = sl.example("asia").sample(500, random_state=0)
    options = {
        "knowledge": sl.Knowledge(required=[("dysp", "asia")], forbidden=[("smoke", "lung")]),
        "max_parents": 2,
    }

    found = ExactSearch(solver="ilp", **options).fit(data)

    assert found.score_ == pytest.approx(ExactSearch(solver="dp", **options).fit(data).score_, abs=1e-9)
    assert found.gap_ == 0.0
    assert ("dysp", "asia") in found.graph_.directed


@pytest.mark.slow
@pytest.mark.parametrize("table", ["alarm", "insurance"])
def test_the_published_optimum_is_proven(table):
    file = f"tables/{table}.csv.gz"

    found = ExactSearch(solver="ilp", max_parents=3).fit(sl.Dataset(data_file(file)))

    assert found.score_ == pytest.approx(published_optimum(file, "BIC"), abs=1e-3)
    assert found.gap_ == 0.0
    assert found.proof_.startswith("Proven optimal")


@pytest.mark.slow
def test_the_published_optimum_of_bdeu_is_proven():
    file = "tables/alarm_10000.dat.gz"
    with gzip.open(data_file(file), "rt") as lines:
        names, _, *rows = (line.split() for line in lines)  # the second line has the numbers of levels
    data = dict(zip(names, np.array(rows).T, strict=True))

    found = ExactSearch(solver="ilp", score="bdeu", max_parents=3).fit(data)

    assert found.score_ == pytest.approx(published_optimum(file, "BDeu"), abs=1e-3)
    assert found.gap_ == 0.0
