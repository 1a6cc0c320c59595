"""The walk-through in CONTRIBUTING works: a learner, a score and a source of one's own."""

import inspect
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.statistics import from_dataset
from tests.contracts.conftest import chain_table
from tests.walkthrough.toy_learner import NearestColumn
from tests.walkthrough.toy_score import hannan_quinn
from tests.walkthrough.toy_source import Elsewhere

CHAIN = chain_table("continuous")


def test_the_toy_learner_joins_each_column_to_its_nearest():
    learner = NearestColumn().fit(CHAIN)
    correlation = np.abs(np.corrcoef([CHAIN[name] for name in "dbac"])) - np.eye(4)
    nearest = {frozenset(("dbac"[i], "dbac"[j])) for i, j in enumerate(correlation.argmax(axis=1))}

    assert {frozenset(edge) for edge in learner.graph_.undirected} == nearest
    assert np.abs(learner.correlation_) - np.eye(4) == pytest.approx(correlation)  # in the table's order


def test_a_learner_that_returns_no_outcome_is_told_so():
    class Forgetful(NearestColumn):
        """Return the graph alone."""

        def _learn(self, statistics, knowledge, run):
            return super()._learn(statistics, knowledge, run).graph

    with pytest.raises(TypeError, match=r"Forgetful\._learn gives an Outcome\(graph=…\), not a Graph"):
        Forgetful().fit(CHAIN)


def test_the_toy_learner_claims_no_score():
    graph = NearestColumn().fit(CHAIN).graph_
    edge = graph.edges[0]

    assert "score" not in str(graph.why(edge.source, edge.target))


def test_the_toy_learner_has_what_every_learner_has():
    both = sl.Knowledge(forbidden=[("a", "c"), ("c", "a")])

    assert list(inspect.signature(NearestColumn).parameters) == ["least", "knowledge", "missing"]
    assert "least : a number from 0 to 1, default 0.2" in NearestColumn.__doc__
    assert NearestColumn(knowledge=both).fit(CHAIN).graph_.edge("a", "c") is None
    assert (
        NearestColumn().fit({name: CHAIN[name] for name in "abcd"}).graph_
        == NearestColumn().fit(CHAIN).graph_
    )
    with pytest.raises(sl.OptionError, match=r"NearestColumn\(least=2\): least is how strong"):
        NearestColumn(least=2).fit(CHAIN)
    with pytest.raises(sl.DataError, match="takes continuous columns only"):
        NearestColumn().fit({"a": list("xyxy"), "b": list("uvvu")})


def test_the_toy_score_is_the_likelihood_less_its_price():
    data = sl.example("asia").sample(500, random_state=0)
    graph = sl.example("asia").graph
    price = math.log(math.log(500))
    n_parameters = (sl.score(graph, data, "loglik") - sl.score(graph, data, "bic")) / (0.5 * math.log(500))

    expected = sl.score(graph, data, "loglik") - price * n_parameters
    assert sl.score(graph, data, hannan_quinn()) == pytest.approx(expected)
    assert sl.HillClimbing(score=hannan_quinn()).fit(data).score_ >= sl.score(
        sl.HillClimbing().fit(data).graph_, data, hannan_quinn()
    )


def test_the_toy_source_is_as_good_as_a_table():
    data = sl.Dataset(sl.example("asia").sample(300, random_state=0))

    assert sl.GreedyEquivalence().fit(Elsewhere(data)).graph_ == sl.GreedyEquivalence().fit(data).graph_
    assert Elsewhere(data).counts([0, 1]).tolist() == from_dataset(data).counts([0, 1]).tolist()
