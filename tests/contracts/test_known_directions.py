"""Directions that are known and close a cycle are never all returned, however strongly columns depend."""

import networkx as nx
import numpy as np
import pytest

import structlearn as sl
from tests.contracts.conftest import take

DIRECTED = pytest.mark.methods_that(
    lambda method: method.family not in {"time", "network"} and method.returns != "undirected"
)
AGAINST_A_PATH = {"required": [("c", "b"), ("b", "a")], "forbidden": [("c", "a")]}
CLOSE_A_CYCLE = [
    AGAINST_A_PATH,
    {"forbidden": [("b", "a"), ("c", "b"), ("a", "c")]},
    {"required": [("a", "b")], "forbidden": [("c", "b"), ("a", "c")]},
]


def columns_alike(n_rows=400):
    """Three columns of which any two depend on each other, whatever else is given, and one more."""
    rng = np.random.default_rng(0)
    shared = rng.gumbel(size=n_rows)
    return {name: shared + rng.gumbel(size=n_rows) for name in "abc"} | {"d": rng.gumbel(size=n_rows)}


@DIRECTED
@take("continuous")
@pytest.mark.parametrize("known", CLOSE_A_CYCLE, ids=str)
def test_what_is_known_of_directions_closes_no_cycle(method, learner, known):
    knowledge = sl.Knowledge(**known)
    if method.returns == "PAG" and known == AGAINST_A_PATH:  # to it, all along the path are causes
        with pytest.raises(sl.OptionError, match="c is no cause of a, direct or not"):
            learner.set_params(knowledge=knowledge).fit(columns_alike())
        return

    graph = learner.set_params(knowledge=knowledge).fit(columns_alike()).graph_

    assert nx.is_directed_acyclic_graph(nx.DiGraph(list(graph.directed)))
    assert knowledge.violations(graph) == []
    assert graph.edges


@pytest.mark.parametrize("learner", [sl.PC, sl.SGS, sl.GrowShrink, sl.MMPC])
def test_the_edge_that_is_left_out_for_its_direction_is_said(learner):
    around = [("a", "b"), ("b", "c"), ("c", "a")]  # what is left of each edge
    knowledge = sl.Knowledge(forbidden=[(b, a) for a, b in around])
    found = learner(knowledge=knowledge).fit(columns_alike())

    [(a, b)] = [(a, b) for a, b in around if (a, b) not in found.graph_.directed]
    assert f"{a} → {b}" in found.conflicts_
