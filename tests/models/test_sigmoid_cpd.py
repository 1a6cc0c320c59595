"""Sigmoid units agree with hand calculations, and networks of them with enumeration."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Dataset
from structlearn.errors import DataError, DataWarning
from structlearn.models import SoftmaxCPD
from structlearn.models.cpds.sigmoid import SigmoidCPD
from tests.oracles.cpds import family_of, logistic
from tests.oracles.models import network

# Three units: biases 0.2, -0.5 and 0.3; weights 1.5 from the first to the second, -2 and 1 to the third.
UNITS = ("x1", "x2", "x3")
BIASES = {"x1": 0.2, "x2": -0.5, "x3": 0.3}
WEIGHTS = {"x1": {}, "x2": {"x1": 1.5}, "x3": {"x1": -2.0, "x2": 1.0}}


@pytest.fixture
def belief_network():
    return network({unit: SigmoidCPD(BIASES[unit], WEIGHTS[unit], labels=[0, 1]) for unit in UNITS})


def by_hand(state):
    """The probability of a joint state, unit after unit."""
    on, product = dict(zip(UNITS, state, strict=True)), 1.0
    for unit in UNITS:
        z = BIASES[unit] + sum(weight * on[parent] for parent, weight in WEIGHTS[unit].items())
        product *= logistic(z) if on[unit] else 1 - logistic(z)
    return product


def rows_of(*states):
    return {unit: [state[i] for state in states] for i, unit in enumerate(UNITS)}


def test_the_worked_example_comes_out(belief_network):
    found = belief_network.log_likelihood_rows(rows_of((1, 0, 1), (1, 1, 1)))

    np.testing.assert_allclose(found, [-3.7791865863, -2.0145866058], atol=1e-10)


def test_every_joint_state_has_its_product_and_all_add_up_to_one(belief_network):
    states = list(itertools.product([0, 1], repeat=3))

    found = np.exp(belief_network.log_likelihood_rows(rows_of(*states)))

    np.testing.assert_allclose(found, [by_hand(state) for state in states], rtol=1e-12)
    assert math.fsum(found) == pytest.approx(1, abs=1e-14)
    third_is_on = math.fsum(p for p, state in zip(found, states, strict=True) if state[2])
    assert third_is_on == pytest.approx(0.4507386959, abs=1e-10)


def test_with_one_parent_the_weights_are_the_log_odds_of_the_table():
    data = {"x": ["n"] * 30 + ["y"] * 50, "y": ["n"] * 20 + ["y"] * 10 + ["n"] * 15 + ["y"] * 35}

    cpd = SigmoidCPD.fit(family_of(Dataset(data), "y", ["x"]), penalty=0.0)

    assert cpd.bias == pytest.approx(math.log(10 / 20), abs=1e-8)
    assert cpd.weights["x"] == pytest.approx(math.log(35 / 15) - math.log(10 / 20), abs=1e-8)
    assert cpd.n_parameters == 2


@pytest.mark.parametrize("options", [{}, {"penalty": 3.0}, {"smoothing": 10.0}])
def test_a_fit_is_that_of_a_softmax_with_two_states(options):
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, 200), rng.normal(3, 2, 200)
    data = {"a": a, "b": b, "y": (a + 0.5 * b + rng.logistic(size=200) > 2).astype(int)}
    family = family_of(Dataset(data), "y", ["a", "b"])

    unit, softmax = SigmoidCPD.fit(family, **options), SoftmaxCPD.fit(family, **options)

    values, parents = np.array(data["y"]), [a, b]
    expected = softmax.log_probability(values, parents)
    np.testing.assert_allclose(unit.log_probability(values, parents), expected, rtol=1e-12)
    assert unit.continuous == ("b",)


def test_log_probabilities_stay_exact_far_out():
    cpd = SigmoidCPD(0.0, {"b": 1.0}, labels=["off", "on"], continuous=["b"])

    found = cpd.log_probability(np.array([1, 0, 1]), [np.array([-800.0, 800.0, 40.0])])

    np.testing.assert_allclose(found, [-800.0, -800.0, -math.exp(-40)], rtol=1e-12)


def test_separation_is_told():
    data = {"x": ["n"] * 30 + ["y"] * 30, "y": ["n"] * 30 + ["y"] * 30}
    with pytest.warns(DataWarning, match="leave no doubt"):
        cpd = SigmoidCPD.fit(family_of(Dataset(data), "y", ["x"]))

    assert cpd.separated
    assert SigmoidCPD.from_dict(cpd.to_dict()) == cpd


def test_a_belief_network_is_learned_by_name(belief_network):
    rows = belief_network.sample(20_000, random_state=0)

    model = sl.BayesianNetwork(belief_network.graph, dict.fromkeys(UNITS, "sigmoid")).fit(rows)

    assert model.cpds["x3"].weights == pytest.approx(WEIGHTS["x3"], abs=0.2)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"x": ["a", "b"] * 6, "y": ["a", "b", "c"] * 4}, "node of two states, and 'y' has 3"),
        ({"x": ["a", "b", "c"] * 4, "y": ["a", "b"] * 6}, "'x', a parent of 'y', has 3"),
    ],
)
def test_nodes_with_more_states_are_refused(data, reason):
    with pytest.raises(DataError, match=reason):
        SigmoidCPD.fit(family_of(Dataset(data), "y", ["x"]))


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"labels": ["a", "b", "c"]}, "two states, off and on"),
        ({"labels": ["a", "b"], "continuous": ["z"]}, r"the continuous parents are some of x, not \['z'\]"),
        ({"labels": ["a", "b"], "weights": {"x": math.inf}}, "weight of 'x' must be a finite number"),
    ],
)
def test_numbers_that_are_no_unit_are_refused(options, reason):
    with pytest.raises(DataError, match=reason):
        SigmoidCPD(0.0, **{"weights": {"x": 1.0}, **options})


def test_a_discrete_parent_has_two_states():
    cpd = SigmoidCPD(0.0, {"x": 1.0}, labels=["a", "b"])

    with pytest.raises(DataError, match="takes 'x' as a node of 2 states, and it is a continuous node"):
        cpd.check("y", {"x": 0})
