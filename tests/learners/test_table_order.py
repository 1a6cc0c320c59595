"""A learner owns its nodes; results come in the order of the table."""

from typing import ClassVar

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.base import Learner
from structlearn.learners.table_order import in_table_order
from structlearn.outcome import Outcome

GRAPH = sl.Graph(["a", "b", "c"], directed=[("a", "b")], undirected=[("b", "c")])


class Lagged(Learner):
    """Every column yesterday, which points to itself today."""

    weight_means: ClassVar = "weight"

    def _learn(self, statistics, knowledge, run):  # noqa: ARG002, a method of learners
        today = statistics.names
        nodes = [f"{name} yesterday" for name in today] + list(today)
        graph = sl.Graph(
            nodes,
            directed=[(f"{name} yesterday", name) for name in today],
            facts={f"{name} yesterday": {"lag": 1} for name in today},
        )
        by_node = np.array([len(name) for name in nodes])
        return Outcome(graph, status=run.status, by_node={"lengths": by_node})


def test_arrays_by_node_and_by_pair_follow_the_columns():
    matrix = np.arange(9.0).reshape(3, 3)
    outcome = Outcome(GRAPH, by_node={"v": np.array([10, 11, 12])}, by_pair={"m": matrix, "s": matrix[None]})

    found = in_table_order(outcome, ["c", "a", "b"])

    assert found.graph.nodes == ("c", "a", "b")
    assert found.graph == GRAPH
    assert found.by_node["v"].tolist() == [12, 10, 11]
    assert found.by_pair["m"].tolist() == [[8, 6, 7], [2, 0, 1], [5, 3, 4]]
    assert found.by_pair["s"].tolist() == [found.by_pair["m"].tolist()]


def test_a_learner_may_have_nodes_that_are_no_columns_behind_those_that_are():
    learner = Lagged().fit({"bb": [1.0, 2.0, 4.0, 3.0], "a": [0.5, 0.25, 3.0, 2.0]})

    assert learner.graph_.nodes == ("bb", "a", "a yesterday", "bb yesterday")
    assert learner.graph_.facts["a yesterday"] == {"lag": 1}
    assert learner.lengths_.tolist() == [len(node) for node in learner.graph_.nodes]
    assert learner.feature_names_in_.tolist() == ["bb", "a"]


@pytest.mark.parametrize("names", [["a", "b", "c"], ["b", "c", "a"]])
def test_what_is_known_of_an_edge_stands_on_it(names):
    graph = sl.Graph(["a", "b", "c"], edges=[sl.Edge("a", "b", "directed", weight=2.0)])

    found = in_table_order(Outcome(graph), names)

    assert found.evidence["a", "b"].score_gain == 2.0
    assert found.graph.edge("a", "b").weight == 2.0
