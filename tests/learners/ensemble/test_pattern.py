"""What a resample says of edges, of every kind of graph."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.learners.ensemble.pattern import pattern_of

EVERY_SIGN = ["a --> b", "b <-> c", "c o-> d", "d o-o e", "e --o f", "f --- g"]


def test_edges_with_circles_or_two_arrows_are_edges_without_a_direction():
    found = pattern_of(sl.Graph("abcdefg", edges=EVERY_SIGN), Knowledge(), "class")

    assert found.arrows.tolist() == [[0, 1]]
    assert sorted(sorted(line) for line in found.lines.tolist()) == [[1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
    assert found.n_edges == 6


@pytest.mark.parametrize(("kind", "n_arrows"), [("DAG", 0), ("PAG", 1)])
def test_the_arrows_of_a_pag_are_sure_and_those_of_a_dag_only_in_its_class(kind, n_arrows):
    arrow = sl.Graph("ab", directed=["ab"], kind=kind)

    assert len(pattern_of(arrow, Knowledge(), "class").arrows) == n_arrows
    assert len(pattern_of(arrow, Knowledge(), "graph").arrows) == 1


@pytest.mark.parametrize("learner", [sl.FCI(alpha=0.01), sl.RFCI(alpha=0.01)])
def test_edges_of_pags_are_counted_in_resamples(learner):
    hidden, a, d = np.random.default_rng(0).normal(size=(3, 400))
    of_b, of_c = np.random.default_rng(1).normal(size=(2, 400))
    rows = {"a": a, "b": a + hidden + of_b, "c": d + hidden + of_c, "d": d}

    found = sl.EdgeConfidence(learner, n_resamples=8, random_state=0).fit(rows)

    assert {frozenset(pair) for pair in found.graph_.undirected} == {frozenset(p) for p in ("ab", "bc", "cd")}
    assert found.confidence_["a", "b"].edge == 1.0
