"""Networks in which some nodes are set from outside."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from structlearn.graphs import Graph
from structlearn.inference.questions import read_question
from structlearn.models import CPD, BayesianNetwork, PointCPD, TableCPD


def acted_upon(model: BayesianNetwork, actions: Mapping[str, Any]) -> BayesianNetwork:
    """Cut the arrows into the nodes that are set, and put all their probability on one state."""
    question = read_question(model, (), None, actions)
    arrows = [(parent, node) for parent, node in model.graph.directed if node not in question.actions]
    cpds = model.cpds
    for node, value in question.known.items():
        cpds[node] = _fixed(cpds[node], value)
    return BayesianNetwork(Graph(model.nodes, directed=arrows), cpds)


def _fixed(cpd: CPD, value: float) -> CPD:
    if cpd.kind == "continuous":
        return PointCPD(value)
    return TableCPD(np.eye(len(cpd.labels))[int(value)], labels=cpd.labels)
