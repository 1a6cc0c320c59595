"""Normal distributions and mixtures agree with inverses of whole matrices in every discrete state."""

import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError
from structlearn.models import (
    ConditionalGaussianCPD,
    GaussianTreeCPD,
    LinearGaussianCPD,
    PointCPD,
    SoftmaxCPD,
    Split,
    TableCPD,
)
from tests.oracles import inference as oracle
from tests.oracles.models import network

SEEDS = st.integers(0, 2**32)
QUICK = settings(deadline=None, max_examples=60)


def drawn_evidence(model, seed, *, without=()):
    rng = np.random.default_rng(seed)
    row = {name: values[0] for name, values in model.sample(1, random_state=seed).to_dict().items()}
    return {name: value for name, value in row.items() if name not in without and rng.random() < 0.4}


def split(model):
    kinds = model.kinds
    return [[n for n in model.nodes if kinds[n] == kind] for kind in ("discrete", "continuous")]


@QUICK
@given(seed=SEEDS)
def test_a_posterior_has_the_moments_of_the_mixture(seed):
    model = oracle.random_hybrid_network(seed)
    _, continuous = split(model)
    evidence = drawn_evidence(model, seed)
    names = continuous[::-1]
    mean, covariance, total = oracle.mixture(model, names, evidence)

    answer = model.query(names, evidence)

    np.testing.assert_allclose(answer.mean, mean, atol=1e-8)
    np.testing.assert_allclose(answer.covariance, covariance, atol=1e-8)
    assert answer.log_evidence == pytest.approx(total, abs=1e-8)
    assert model.log_evidence(evidence) == pytest.approx(total if evidence else 0.0, abs=1e-8)
    assert answer.weights.sum() == pytest.approx(1.0)


@QUICK
@given(seed=SEEDS)
def test_numbers_speak_for_discrete_states(seed):
    model = oracle.random_hybrid_network(seed)
    discrete, continuous = split(model)
    if not discrete:
        return
    evidence = drawn_evidence(model, seed, without=discrete[:1])
    expected = oracle.switch_posterior(model, discrete[0], evidence)

    answer = model.query(discrete[0], evidence)
    both = model.query([discrete[0], *continuous], evidence)

    np.testing.assert_allclose(answer.probabilities, expected, atol=1e-9)
    np.testing.assert_allclose(both.discrete.probabilities, expected, atol=1e-9)
    states = [state for (state,) in both.states]
    by_component = [both.weights[[s == code for s in states]].sum() for code in range(len(expected))]
    np.testing.assert_allclose(by_component, expected, atol=1e-9)


@QUICK
@given(seed=SEEDS)
def test_an_action_on_any_node_cuts_what_causes_it(seed):
    model = oracle.random_hybrid_network(seed)
    rng = np.random.default_rng(seed)
    _, continuous = split(model)
    node = str(rng.choice(list(model.nodes)))
    actions = {node: 0 if node in model.labels else 1.5}
    evidence = drawn_evidence(model, seed, without=[node])
    mean, covariance, total = oracle.mixture(model, continuous, evidence, actions)

    answer = model.query(continuous, evidence, do=actions)
    acted = model.do(actions)

    np.testing.assert_allclose(answer.mean, mean, atol=1e-8)
    np.testing.assert_allclose(answer.covariance, covariance, atol=1e-8)
    assert answer.log_evidence == pytest.approx(total, abs=1e-8)
    again = acted.query(continuous, evidence)
    np.testing.assert_allclose(again.mean, mean, atol=1e-8)
    np.testing.assert_allclose(again.covariance, covariance, atol=1e-8)


@QUICK
@given(seed=SEEDS)
def test_covariances_and_precisions_give_the_same_conditionals(seed):
    graph = sl.random_dag(6, expected_degree=3, random_state=seed)
    model = sl.random_model(graph, kind="gaussian", random_state=seed)
    row = {name: values[0] for name, values in model.sample(1, random_state=seed).to_dict().items()}
    evidence = {name: row[name] for name in model.nodes[::2]}

    by_precision = sl.GaussianGraphicalModel.from_bayesian(model).conditional(evidence)
    by_covariance = model.query(by_precision.nodes, evidence)

    np.testing.assert_allclose(by_covariance.mean, by_precision.mean, atol=1e-8)
    np.testing.assert_allclose(by_covariance.covariance, by_precision.covariance, atol=1e-8)
    undirected = sl.GaussianGraphicalModel.from_bayesian(model).query(by_precision.nodes, evidence)
    np.testing.assert_allclose(by_covariance.mean, undirected.mean, atol=1e-8)
    assert by_covariance.log_evidence == pytest.approx(undirected.log_evidence, abs=1e-7)


def test_a_node_set_to_a_number_has_it_in_every_row():
    model = network(
        {
            "dose": LinearGaussianCPD(1.0, {}, variance=4.0),
            "effect": LinearGaussianCPD(0.0, {"dose": 2.0}, variance=1.0),
        }
    )

    acted = model.do({"dose": 3.0})

    assert acted.cpds["dose"] == PointCPD(3.0)
    rows = acted.sample(5, random_state=0).to_dict()
    assert set(rows["dose"]) == {3.0}
    assert acted.query("effect").mean[0] == pytest.approx(6.0)
    assert acted.log_likelihood({"dose": [2.0], "effect": [6.0]}) == -math.inf
    assert acted.log_likelihood({"dose": [3.0], "effect": [6.0]}) == pytest.approx(
        -0.5 * math.log(2 * math.pi)
    )


def test_asking_for_a_known_number_gives_it_back_without_spread():
    model = network({"x": LinearGaussianCPD(1.0, {}, variance=4.0)})

    answer = model.query("x", {"x": 2.5})

    assert answer.mean[0] == pytest.approx(2.5)
    assert answer.covariance[0, 0] == pytest.approx(0.0, abs=1e-12)


def twins():
    """y is twice x, exactly, once x is set; z hangs on both."""
    return network(
        {
            "x": LinearGaussianCPD(0.0, {}, variance=1.0),
            "y": LinearGaussianCPD(0.0, {"x": 2.0}, variance=1e-16),
            "z": LinearGaussianCPD(0.0, {"x": 1.0, "y": 1.0}, variance=1.0),
        }
    )


def test_evidence_that_repeats_itself_is_used_once():
    answer = twins().query("z", {"x": 1.0, "y": 2.0})

    assert answer.mean[0] == pytest.approx(3.0, abs=1e-5)
    assert answer.covariance[0, 0] == pytest.approx(1.0, abs=1e-5)


def test_evidence_that_contradicts_itself_is_refused():
    with pytest.raises(DataError, match=r"x = 1\.0, y = 7\.0 has probability 0"):
        twins().query("z", {"x": 1.0, "y": 7.0})


def jobs():
    """Seconds since 1970, known to four months; a job lasts 10 or 20 of them, give or take 2."""
    durations = ConditionalGaussianCPD(
        [10.0, 20.0], {"start": [1.0, 1.0]}, variances=[4.0, 4.0], regimes=["job"]
    )
    return network(
        {
            "job": TableCPD([0.5, 0.5], labels=["short", "long"]),
            "start": LinearGaussianCPD(1.7e9, {}, variance=1e14),
            "end": durations,
        }
    )


def test_residuals_far_below_a_deviation_tell_states_apart():
    """20 s are 5 deviations from a short job and none from a long one."""
    known = {"start": 1.705e9, "end": 1.705e9 + 20.0}
    short = math.exp(-0.5 * 5.0**2) / (1.0 + math.exp(-0.5 * 5.0**2))

    answer = jobs().query("job", known)

    np.testing.assert_allclose(answer.probabilities, [short, 1.0 - short], rtol=1e-9)
    row = {**{name: [value] for name, value in known.items()}, "job": ["long"]}
    assert jobs().log_evidence({**known, "job": "long"}) == pytest.approx(
        jobs().log_likelihood(row), rel=1e-12
    )


def test_a_cause_is_known_to_the_residual_of_its_effect():
    """The prior of four months weighs nothing beside 2 s: start is end less 20 s, give or take 2."""
    answer = jobs().query("start", {"job": "long", "end": 1.705e9})

    assert answer.mean[0] == pytest.approx(1.705e9 - 20.0, abs=1e-5)
    assert answer.covariance[0, 0] == pytest.approx(4.0, rel=1e-9)


def test_a_number_that_is_set_for_certain_may_be_told_again():
    acted = twins().do({"x": 0.3})

    assert acted.query("z", {"x": 0.1 + 0.2}).mean[0] == pytest.approx(0.9)
    assert acted.log_evidence({"x": 0.3}) == 0.0
    assert acted.log_evidence({"x": 0.31}) == -math.inf


def test_a_discrete_child_of_an_unknown_number_has_no_exact_answer():
    model = softmax_model()

    with pytest.raises(DataError, match=r"depends on 'u', which is continuous and not known.*weighting"):
        model.query("d")


def softmax_model():
    return network(
        {
            "s": TableCPD([0.4, 0.6], labels=["a", "b"]),
            "u": LinearGaussianCPD(0.0, {}, variance=1.0),
            "d": SoftmaxCPD([0.0, 0.5], {"s": [[0.0, -1.0]], "u": [0.0, 1.5]}, labels=["no", "yes"]),
        }
    )


def test_a_discrete_child_of_a_known_number_is_a_table():
    model = softmax_model()
    rows = {"s": ["a", "b"], "u": [0.3, 0.3], "d": ["yes", "yes"]}
    joint = np.exp(model.log_likelihood_rows(rows))

    answer = model.query("s", {"u": 0.3, "d": "yes"})

    np.testing.assert_allclose(answer.probabilities, joint / joint.sum(), atol=1e-12)
    assert pickle.loads(pickle.dumps(answer)).log_evidence == pytest.approx(math.log(joint.sum()))  # noqa: S301, our own bytes


@pytest.mark.parametrize("number", [{}, {"x": 0.0}], ids=["states only", "a number too"])
def test_impossible_states_have_no_evidence_whatever_numbers_come_with_them(number):
    switched = ConditionalGaussianCPD([0.0, 1.0], {}, variances=[1.0, 1.0], regimes=["b"])
    model = network(
        {
            "a": TableCPD([0.5, 0.5], labels=["n", "y"]),
            "b": TableCPD([[1.0, 0.0], [0.5, 0.5]], labels=["n", "y"], parents=["a"]),
            "x": switched,
        }
    )
    evidence = {"a": "n", "b": "y"} | number

    assert model.log_evidence(evidence) == -math.inf
    for name in "abx":
        with pytest.raises(DataError, match="has probability 0 in this model"):
            model.query(name, evidence)


def test_too_many_joint_states_are_counted_and_refused():
    cpds = {f"d{k:02d}": TableCPD([0.5, 0.5], labels=[0, 1]) for k in range(17)}
    cpds |= {
        f"x{k:02d}": ConditionalGaussianCPD([0.0, 1.0], {}, variances=[1.0, 1.0], regimes=[f"d{k:02d}"])
        for k in range(17)
    }
    cpds["sum"] = LinearGaussianCPD(0.0, {f"x{k:02d}": 1.0 for k in range(17)}, variance=1.0)
    model = network(cpds)

    with pytest.raises(DataError, match=r'1\.31e\+05 joint states of 17 discrete nodes.*"weighting"'):
        model.query("sum")
    assert model.query("x03").mean[0] == pytest.approx(0.5)


def test_discrete_nodes_above_the_numbers_are_summed_out_first():
    """Forty discrete nodes in a chain, the last of which switches a number: two regimes, not 2^40."""
    cpds = {"d0": TableCPD([0.9, 0.1], labels=[0, 1])}
    flip = np.array([[0.8, 0.2], [0.3, 0.7]])
    for k in range(1, 40):
        cpds[f"d{k}"] = TableCPD(flip, labels=[0, 1], parents=[f"d{k - 1}"])
    cpds["x"] = ConditionalGaussianCPD([0.0, 10.0], {}, variances=[1.0, 1.0], regimes=["d39"])
    share = (np.array([0.9, 0.1]) @ np.linalg.matrix_power(flip, 39))[1]

    answer = network(cpds).query("x")

    assert answer.mean[0] == pytest.approx(10 * share)
    assert len(answer.weights) == 2


def test_continuous_nodes_that_do_not_matter_leave_a_discrete_answer():
    model = softmax_model()

    assert model.query("s").probabilities.tolist() == [0.4, 0.6]
    assert model.marginal(["s"]).tolist() == [0.4, 0.6]


@QUICK
@given(seed=SEEDS)
def test_the_most_probable_states_and_numbers_have_the_largest_density(seed):
    model = oracle.random_hybrid_network(seed)
    evidence = drawn_evidence(model, seed)
    best = oracle.highest_density(model, evidence)

    found = model.map(evidence=evidence)

    assert found.log_probability == pytest.approx(best, abs=1e-8)
    row = {name: [value] for name, value in {**found.states, **evidence}.items()}
    assert model.log_likelihood(row) == pytest.approx(best, abs=1e-8)
    assert found.log_evidence == pytest.approx(model.log_evidence(evidence), abs=1e-8)


@QUICK
@given(seed=SEEDS)
def test_the_most_probable_states_alone_have_all_numbers_integrated_out(seed):
    model = oracle.random_hybrid_network(seed)
    discrete, _ = split(model)
    evidence = drawn_evidence(model, seed)
    names = [name for name in discrete if name not in evidence][::2]
    answer = model.query(names, evidence)

    found = model.map(names, evidence)

    assert found.log_probability == pytest.approx(
        answer.log_evidence + math.log(answer.probabilities.max()), abs=1e-8
    )
    states = tuple(found.states[name] for name in names)
    assert answer.probabilities[states] == pytest.approx(answer.probabilities.max())


def test_nothing_asked_gives_the_density_of_numbers_alone():
    model = network({"x": LinearGaussianCPD(0.0, {}, variance=1.0)})

    answer = model.query([], {"x": 3.0})

    assert answer.log_evidence == pytest.approx(-0.5 * (9.0 + math.log(2.0 * math.pi)))
    assert float(answer.probabilities) == 1.0


def test_the_most_probable_number_of_a_mixture_asks_for_its_states():
    model = tree_model()

    with pytest.raises(DataError, match=r"map: 'x' depends on the discrete 'd'.*Ask for these states"):
        model.map("x", {"u": 70.0})
    # 0.4 / 2 in state a, 0.6 / 3 in state b: the first of two that tie.
    assert model.map(["x", "d", "u"], {"u": 70.0}).states == {"x": 20.0, "d": "a", "u": 70.0}


def tree_model():
    tree = Split("d", [(20.0, 4.0), Split("u", [(25.0, 4.0), (31.0, 9.0)], at=60.0)])
    return network(
        {
            "d": TableCPD([0.4, 0.6], labels=["a", "b"]),
            "u": LinearGaussianCPD(55.0, {}, variance=100.0),
            "x": GaussianTreeCPD(tree, parents={"d": ["a", "b"], "u": []}),
        }
    )


def test_a_tree_whose_tests_are_known_is_a_mixture_of_its_leaves():
    answer = tree_model().query("x", {"u": 70.0})

    assert answer.mean[0] == pytest.approx(0.4 * 20.0 + 0.6 * 31.0)
    np.testing.assert_allclose(answer.weights, [0.4, 0.6])
    np.testing.assert_allclose(answer.covariances.ravel(), [4.0, 9.0])
    row = {"d": ["b"], "u": [70.0], "x": [30.0]}
    assert tree_model().log_evidence({name: value for name, (value,) in row.items()}) == pytest.approx(
        tree_model().log_likelihood(row)
    )


def test_a_tree_with_a_threshold_on_an_unknown_number_has_no_exact_answer():
    with pytest.raises(DataError, match=r"'x' has a gaussian-tree distribution.*weighting"):
        tree_model().query("x")


def test_a_number_outweighs_hundreds_of_symptoms_whose_product_is_no_float():
    symptoms = [f"s{i}" for i in range(400)]
    seen = TableCPD([[0.9, 0.1], [0.001, 0.999]], labels=["no", "yes"], parents=["c"])
    number = ConditionalGaussianCPD([0.0, 100.0], {}, variances=[1.0, 1.0], regimes={"c": ["a", "b"]})
    cpds = dict.fromkeys(symptoms, seen) | {"c": TableCPD([0.5, 0.5], labels=["a", "b"]), "x": number}
    model = network(cpds)
    evidence = dict.fromkeys(symptoms, "no") | {"x": 100.0}
    a, b = 400 * math.log(0.9) - 0.5 * 100.0**2, 400 * math.log(0.001)

    assert model.query("c", evidence)["b"] == pytest.approx(1.0 / (1.0 + math.exp(a - b)))
    constant = math.log(0.5) - 0.5 * math.log(2.0 * math.pi)
    assert model.log_evidence(evidence) == pytest.approx(np.logaddexp(a, b) + constant)


def test_states_that_are_next_to_impossible_given_a_number_are_compared():
    model = network(
        {
            "d": TableCPD([0.5, 0.5], labels=["a", "b"]),
            "x": LinearGaussianCPD(0.0, {}, variance=1e6),
            "alarm": SoftmaxCPD([0.0, 0.0], {"d": [[0.0, -1e3]], "x": [0.0, -1.0]}, labels=["no", "yes"]),
        }
    )
    evidence = {"x": 1000.0, "alarm": "yes"}

    assert model.query("d", evidence)["a"] == 1.0
    density = -0.5 * (1.0 + math.log(2.0 * math.pi * 1e6))
    assert model.log_evidence(evidence) == pytest.approx(math.log(0.5) - 1000.0 + density)


def test_evidence_far_out_is_answered_where_nothing_else_is_nearer():
    graph = sl.Graph(["x", "y"], directed=[("x", "y")])
    model = sl.BayesianNetwork(
        graph,
        {
            "x": LinearGaussianCPD(0.0, {}, variance=1.0),
            "y": LinearGaussianCPD(1.0, {"x": 2.0}, variance=1.0),
        },
    )

    assert model.query("y", {"x": 1e9}).mean == pytest.approx(2e9)
    assert model.log_evidence({"x": 1e9}) == pytest.approx(-0.5e18)
    assert model.query("y", {"x": 1e200}).mean == pytest.approx(2e200)
    assert model.log_evidence({"x": 1e200}) < -1e299
    with pytest.raises(DataError, match="has probability 0"):
        model.query("x", {"y": 1e200})


def test_rounding_around_a_number_that_was_set_is_forgiven():
    model = sl.BayesianNetwork(sl.Graph("x"), {"x": LinearGaussianCPD(0.0, {}, variance=1.0)})

    assert model.do({"x": 0.0}).log_evidence({"x": 1e-17}) == 0.0
    assert model.do({"x": 0.3}).log_evidence({"x": 0.1 + 0.2}) == 0.0
    assert model.do({"x": 0.0}).log_evidence({"x": 1e-3}) == -np.inf
