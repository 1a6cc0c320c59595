"""Marginals of a network agree with its joint distribution, summed in full."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import BDe, JointTable
from tests.strategies import dags


def joint(model):
    """The probability of every joint state, as a product of all tables."""
    nodes = model.nodes
    levels = [len(model.labels[node]) for node in nodes]
    table = np.ones(levels)
    for state in itertools.product(*map(range, levels)):
        place = dict(zip(nodes, state, strict=True))
        for node in nodes:
            cpd = model.cpds[node]
            table[state] *= cpd.probabilities[(*(place[p] for p in cpd.parents), place[node])]
    return table


@settings(deadline=None, max_examples=40)
@given(graph=dags(1, 5), data=st.data())
def test_a_marginal_is_the_joint_distribution_summed(graph, data):
    model = sl.random_model(graph, levels=(2, 3), random_state=0)
    names = data.draw(st.lists(st.sampled_from(graph.nodes), unique=True, min_size=1))

    expected = JointTable(graph.nodes, joint(model)).marginal(names)

    np.testing.assert_allclose(model.marginal(names), expected, atol=1e-12)


def test_a_network_is_a_prior_for_bde():
    model = sl.example("cancer")
    data = model.sample(300, random_state=1)
    by_table = BDe(prior=JointTable(model.nodes, joint(model), model.labels), ess=20)

    score = sl.score(model.graph, data, BDe(prior=model, ess=20))

    assert score == pytest.approx(sl.score(model.graph, data, by_table))


def test_an_unknown_node_is_named():
    with pytest.raises(sl.DataError, match="no node 'weather'"):
        sl.example("cancer").marginal(["weather"])


def test_continuous_nodes_have_no_cells():
    model = sl.random_model(sl.Graph(["a", "b"], directed=[("a", "b")]), kind="gaussian", random_state=0)

    with pytest.raises(sl.DataError, match="continuous, so it has no cells"):
        model.marginal(["b"])
