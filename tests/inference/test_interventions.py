"""A network that is acted upon is the truncated product: the factors of what is set are gone."""

import itertools
import math

import pytest

import structlearn as sl
from structlearn.inference.interventions import acted_upon
from structlearn.models import ConditionalGaussianCPD, LinearGaussianCPD, SoftmaxCPD
from tests.oracles import inference as oracle


def row(states):
    return {name: [state] for name, state in states.items()}


@pytest.mark.parametrize("seed", range(4))
def test_a_joint_probability_lacks_the_factors_of_what_is_set(seed):
    model = oracle.random_network(seed, zeros=0.0)
    node = model.nodes[seed % len(model.nodes)]
    state = model.labels[node][0]

    acted = acted_upon(model, {node: state})

    assert acted.graph.parents(node) == ()
    others = [name for name in model.nodes if name != node]
    total = 0.0
    for labels in itertools.product(*(model.labels[name] for name in others)):
        states = dict(zip(others, labels, strict=True)) | {node: state}
        parents = [model.labels[p].index(states[p]) for p in model.cpds[node].parents]
        own = model.cpds[node].as_table()[(*parents, 0)]
        truncated = model.log_likelihood(row(states)) - math.log(own)
        assert acted.log_likelihood(row(states)) == pytest.approx(truncated, abs=1e-9)
        total += math.exp(truncated)
    assert total == pytest.approx(1.0)


def test_another_state_than_the_one_that_is_set_is_impossible():
    acted = acted_upon(sl.example("cancer"), {"Smoker": "True"})

    assert acted.cpds["Smoker"].as_table().tolist() in ([1.0, 0.0], [0.0, 1.0])
    assert acted.log_evidence({"Smoker": "False"}) == -math.inf


def test_a_continuous_node_is_set_to_its_number():
    chain = sl.Graph("ab", directed=["ab"])
    model = sl.BayesianNetwork(
        chain,
        {
            "a": LinearGaussianCPD(1.0, {}, variance=2.0),
            "b": LinearGaussianCPD(0.5, {"a": 3.0}, variance=1.0),
        },
    )

    acted = acted_upon(model, {"a": 2.0})

    assert acted.sample(3, random_state=0).to_dict()["a"].tolist() == [2.0, 2.0, 2.0]
    assert acted.query("b").mean.tolist() == [0.5 + 3.0 * 2.0]
    assert acted_upon(model, {"b": 2.0}).graph.directed == ()


def test_what_depends_on_a_number_that_was_set_is_answered_exactly():
    """A logistic regression at 2: its log odds are 1 + 0.5 · 2."""
    model = sl.BayesianNetwork(
        sl.Graph("abc", directed=["ab", "bc"]),
        {
            "a": LinearGaussianCPD(1.0, {}, variance=2.0),
            "b": SoftmaxCPD([0.0, 1.0], {"a": [0.0, 0.5]}, labels=["no", "yes"]),
            "c": ConditionalGaussianCPD([0.0, 4.0], {}, variances=[1.0, 1.0], regimes=["b"]),
        },
    )

    acted = acted_upon(model, {"a": 2.0})

    yes = 1 / (1 + math.exp(-2.0))
    assert acted.query("b")["yes"] == pytest.approx(yes)
    assert acted.query("c").mean.tolist() == pytest.approx([4 * yes])
    assert acted.query("a", {"b": "yes"}).mean.tolist() == [2.0]
    assert acted.log_evidence({"b": "yes"}) == pytest.approx(math.log(yes))
    assert acted.query("b", do={"a": -2.0})["yes"] == pytest.approx(0.5)
