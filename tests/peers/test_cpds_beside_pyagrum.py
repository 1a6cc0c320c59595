"""pyAgrum's canonical models have the same tables as our noisy-or and sigmoid nodes."""

import numpy as np
import pytest

from structlearn.models import NoisyOrCPD, SigmoidCPD
from tests.peers.library import library

gum = library("pyagrum")
pytestmark = [pytest.mark.peer, pytest.mark.filterwarnings("ignore")]


def table_of_peer(add, weights):
    """The table of a node with weighted arcs; an axis for each parent in order, the node's own last."""
    bn = gum.BayesNet()
    for name in weights:
        bn.add(gum.LabelizedVariable(name, name, 2))
    add(bn, gum.LabelizedVariable("y", "y", 2))
    for name, weight in weights.items():
        bn.addWeightedArc(name, "y", weight)
    cpt = bn.cpt("y")
    table = np.zeros((2,) * (len(weights) + 1))
    for state in np.ndindex(table.shape):
        table[state] = cpt[dict(zip([*weights, "y"], state, strict=True))]
    return table


def test_a_noisy_or_has_the_same_table():
    strengths = {"a": 0.8, "b": 0.6, "c": 0.3}
    ours = NoisyOrCPD(strengths, leak=0.05, labels=[0, 1]).as_table()

    theirs = table_of_peer(lambda bn, node: bn.addNoisyORNet(node, 0.05), strengths)

    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_a_sigmoid_unit_has_the_same_table_as_a_logit():
    weights = {"a": 1.5, "b": -2.0, "c": 0.25}
    ours = SigmoidCPD(-0.5, weights, labels=[0, 1]).as_table()

    theirs = table_of_peer(lambda bn, node: bn.addLogit(node, -0.5), weights)

    np.testing.assert_allclose(ours, theirs, atol=1e-6)
