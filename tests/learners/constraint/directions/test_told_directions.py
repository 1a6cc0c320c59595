"""Directions by what was set: the interventional essential graph of DAGs and of rows; shifts; few rows."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.graphs.links import Links
from structlearn.independence import Answers
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.orientation import Colliders, as_triples, orient
from structlearn.learners.constraint.directions.told_directions import FEWEST_ROWS, ToldDirections
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from tests.learners.score.test_experiments_recovered import random_network, rows_of_design
from tests.oracles import graphs as oracle


class RowsOf(NamedTuple):
    """A graph that separates what some rows separate; what some of its nodes are called in it."""

    arrows: list
    called: dict
    n_rows: int = FEWEST_ROWS


class Design:
    """Rows of a DAG in which sets of nodes were set, as graphs that separate what such rows separate.

    With `is_constant`, to one value; with `is_shifted`, so that parents go on to act.
    """

    def __init__(self, dag, targets, *, is_constant=False, is_shifted=False):
        self._dag, self._targets = dag, targets
        self._is_constant, self._is_shifted = is_constant, is_shifted

    def _experiment(self, a, b):
        return next((each for each in self._targets if a in each and b not in each), None)

    def n_set_alone(self, a, b):
        return FEWEST_ROWS if self._experiment(a, b) else 0

    def where_set(self, a, b):
        cut = [(u, v) for u, v in self._dag if self._is_shifted or v not in self._experiment(a, b)]
        return None if self._is_constant else RowsOf(cut, {})

    def with_sign(self, a, b, *, at):
        acted = [("sign", node) for node in self._experiment(a, b)]
        return RowsOf([*self._dag, *acted], {at: "sign"})


class Truth:
    """Answers by separation in the graph that stands for some rows."""

    def many(self, statistics, questions):
        called = statistics.called
        apart = [
            self._separated(statistics.arrows, [called.get(v, v) for v in q]) for q in questions.tolist()
        ]
        p = np.array(apart, dtype=float)
        return Answers(p, p, p)

    def _separated(self, arrows, question):
        nodes = sorted({str(v) for v in question} | {str(v) for pair in arrows for v in pair})
        graph = sl.Graph(nodes, directed=[(str(u), str(v)) for u, v in arrows])
        x, y, *given = map(str, question)
        return graph.d_separated(x, y, given=given)


def learned(dag, n_nodes, targets, **design):
    """What PC would make of true answers: skeleton and colliders of the DAG, and what the design tells."""
    names = tuple(map(str, range(n_nodes)))
    joined = oracle.skeleton(dag)
    lines = Links(n_nodes, lines=sorted(tuple(sorted(pair)) for pair in joined))
    asker = Asker(Truth(), None, alpha=0.05)
    told = list(ToldDirections(Design(dag, targets, **design), asker, lines, None).arrows())
    met = [(min(a, c), b, max(a, c)) for a, b, c in oracle.v_structures(dag, joined)]
    colliders = Colliders(as_triples(sorted(set(met))), as_triples(()))
    found = orient(lines, colliders, KnownPairs(names, Knowledge()), asker, told=told)
    return {(int(a), int(b)) for a, b in found.links.arrows.tolist()}, asker.n_tests


def essential(dag, n_nodes, targets):
    names = list(map(str, range(n_nodes)))
    graph = sl.Graph(names, directed=[(str(a), str(b)) for a, b in dag])
    known = graph.to_cpdag(targets=[[str(v) for v in sorted(each)] for each in targets])
    return {(int(a), int(b)) for a, b in known.directed}


DESIGNS = [[{0}], [{0}, {1}], [{0, 1}], [{0, 1}, {1, 2}]]


@pytest.mark.parametrize("is_constant", [False, True], ids=["random values", "one value"])
@pytest.mark.parametrize("targets", DESIGNS, ids=str)
def test_true_answers_give_the_interventional_essential_graph_of_every_dag(targets, is_constant):
    for dag in oracle.all_dags(3):
        found, _ = learned(dag, 3, targets, is_constant=is_constant)
        assert found == essential(dag, 3, targets)


@pytest.mark.slow
@pytest.mark.parametrize("is_constant", [False, True], ids=["random values", "one value"])
@pytest.mark.parametrize("targets", DESIGNS, ids=str)
def test_true_answers_give_the_interventional_essential_graph_of_every_dag_of_four_nodes(
    targets, is_constant
):
    for dag in oracle.all_dags(4):
        assert learned(dag, 4, targets, is_constant=is_constant)[0] == essential(dag, 4, targets)


def test_shifts_turn_no_arrow_and_tell_what_is_below():
    for dag in oracle.all_dags(3):
        found, _ = learned(dag, 3, [{0}], is_shifted=True)
        assert found <= essential(dag, 3, [{0}])
        assert {(a, b) for a, b in dag if a == 0} <= found


def test_where_nothing_was_set_nothing_is_asked():
    assert learned([(0, 1), (1, 2)], 3, []) == (set(), 0)


NAMES = tuple("abcdef")
TARGETS = [("a",), ("b", "c")]


@pytest.mark.parametrize("do", ["random", "constant", "shift"])
def test_rows_tell_the_directions_of_a_random_network(do):
    n_right = n_turned = n_more = 0
    for seed in range(3):
        rng = np.random.default_rng(seed)
        model = random_network(rng, NAMES, 6)
        if do == "random":
            data = rows_of_design(model, rng, TARGETS, 1000)
        else:
            kind = "do" if do == "constant" else "shift"
            acted = [sl.Experiment(1000, **{kind: dict.fromkeys(nodes, 3.0)}) for nodes in TARGETS]
            data = sl.sample(model, [1000, *acted], random_state=rng)
        found = set(sl.PC(targets="targets", alpha=0.001).fit(data).graph_.directed)
        truth = set(model.graph.to_cpdag(targets=TARGETS).directed)
        n_right += len(found & truth)
        n_turned += len({(b, a) for a, b in found} & set(model.graph.directed))
        n_more += len(truth) - len(model.graph.to_cpdag().directed)

    assert n_more >= 3
    assert n_turned <= 1
    assert n_right >= 10


def knocked_out(n_rows):
    """x → y → z, yes or no, and rows in which y was set to no."""
    rng = np.random.default_rng(0)
    x = rng.random(1000 + n_rows) < 0.5
    y = x ^ (rng.random(x.size) < 0.2)
    y[1000:] = False
    z = y ^ (rng.random(x.size) < 0.2)
    words = {name: np.where(column, "yes", "no") for name, column in zip("xyz", (x, y, z), strict=True)}
    return words | {"set": [None] * 1000 + ["y"] * n_rows}


def test_a_column_that_was_knocked_out_acts_on_what_changed_and_hangs_on_what_did_not():
    assert sl.PC(targets="set", alpha=0.01).fit(knocked_out(500)).graph_.directed == (("x", "y"), ("y", "z"))


def test_a_handful_of_rows_directs_nothing():
    assert sl.PC(targets="set", alpha=0.01).fit(knocked_out(FEWEST_ROWS - 1)).graph_.directed == ()


def test_when_time_is_up_nothing_is_told():
    lines, is_late = Links(2, lines=[(0, 1)]), iter([False] * 3)
    asker = Asker(Truth(), None, alpha=0.05, must_stop=lambda: next(is_late, True))

    assert list(ToldDirections(Design([(0, 1)], [{0}]), asker, lines, None).arrows()) in ([], [(0, 1)])
    assert list(ToldDirections(Design([(0, 1)], [{0}]), asker, lines, None).arrows()) == []


class Contradicting(Design):
    """Rows of a → b where a was set, and of b → a where b was."""

    def __init__(self):
        super().__init__([(0, 1)], [{0}, {1}])

    def where_set(self, a, b):
        self._dag = [(a, b)]
        return super().where_set(a, b)


def test_experiments_on_both_ends_that_contradict_each_other_leave_the_edge_alone():
    lines = Links(2, lines=[(0, 1)])

    told = ToldDirections(Contradicting(), Asker(Truth(), None, alpha=0.05), lines, None)

    assert list(told.arrows()) == []


def test_a_told_arrow_that_would_close_a_cycle_is_a_conflict():
    lines = Links(3, lines=[(0, 1), (1, 2), (0, 2)])
    known = KnownPairs(tuple("abc"), Knowledge())
    asker = Asker(Truth(), None, alpha=0.05)
    nothing = Colliders(as_triples(()), as_triples(()))

    found = orient(lines, nothing, known, asker, told=list(pairwise([0, 1, 2, 0])))

    assert found.conflicts == [(2, 0)]
    assert sorted(map(tuple, found.links.arrows.tolist())) == [(0, 1), (0, 2), (1, 2)]
