"""Answers from discrete networks agree with the enumerated joint distribution, by either engine."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError
from structlearn.inference import log_evidence, most_probable, query
from structlearn.inference.elimination import (
    Problem,
    contracted_tables,
    sum_out,
    summed_in_logarithms,
)
from structlearn.inference.questions import read_question
from tests.oracles import inference as oracle

SEEDS = st.integers(0, 2**32)
QUICK = settings(deadline=None, max_examples=100)


def asked_nodes(model, seed):
    rng = np.random.default_rng(seed + 1)
    return rng.permutation(list(model.nodes))[: rng.integers(1, 4)].tolist()


@settings(deadline=None, max_examples=200)
@given(seed=SEEDS)
def test_a_posterior_is_the_joint_distribution_cut_and_summed(seed):
    model = oracle.random_network(seed)
    names, evidence = asked_nodes(model, seed), oracle.random_evidence(model, seed)
    expected, total = oracle.posterior(model, names, evidence)

    answer = model.query(names, evidence)

    np.testing.assert_allclose(answer.probabilities, expected, atol=1e-10)
    assert answer.log_evidence == pytest.approx(math.log(total), abs=1e-10)
    assert answer.names == tuple(names)


@QUICK
@given(seed=SEEDS)
def test_soft_evidence_weighs_the_states(seed):
    model = oracle.random_network(seed)
    names, evidence = asked_nodes(model, seed), oracle.random_evidence(model, seed, soft=True)
    expected, total = oracle.posterior(model, names, evidence)

    answer = model.query(names, evidence)

    np.testing.assert_allclose(answer.probabilities, expected, atol=1e-10)
    assert answer.log_evidence == pytest.approx(math.log(total), abs=1e-10)


@QUICK
@given(seed=SEEDS)
def test_the_three_engines_agree_on_every_sum(seed):
    """The compiled one, opt_einsum, and the one in logarithms: P(names, evidence) in full."""
    model = oracle.random_network(seed)
    names, evidence = asked_nodes(model, seed), oracle.random_evidence(model, seed, soft=True)
    question = read_question(model, [name for name in names if name not in evidence], evidence)
    problem = Problem.of(question)
    query_columns = problem.columns(question.asked)
    used = problem.ancestral(query_columns)
    expected, total = oracle.posterior(model, question.asked, evidence)

    for engine in (sum_out, contracted_tables, summed_in_logarithms):
        table, log_scale = engine(problem, used, query_columns, 2**20)
        np.testing.assert_allclose(table * math.exp(log_scale), expected * total, atol=1e-10)


@QUICK
@given(seed=SEEDS)
def test_evidence_has_the_probability_of_the_states_it_leaves(seed):
    model = oracle.random_network(seed)
    rng = np.random.default_rng(seed)
    evidence = {
        str(node): str(rng.choice(model.labels[node]))
        for node in rng.permutation(list(model.nodes))[: rng.integers(0, 5)]
    }
    _, total = oracle.posterior(model, [], evidence)

    found = model.log_evidence(evidence)

    assert math.exp(found) == pytest.approx(total, abs=1e-12)
    assert log_evidence(model, evidence) == found


@QUICK
@given(seed=SEEDS)
def test_impossible_evidence_is_refused_whatever_is_asked(seed):
    model = oracle.random_network(seed, zeros=0.5)
    rng = np.random.default_rng(seed)
    evidence = {str(node): str(rng.choice(model.labels[node])) for node in model.nodes if rng.random() < 0.6}
    name = str(rng.choice(list(model.nodes)))
    expected, total = oracle.posterior(model, [name], evidence)

    if total == 0:
        with pytest.raises(DataError, match="has probability 0"):
            model.query(name, evidence)
    else:
        np.testing.assert_allclose(model.query(name, evidence).probabilities, expected, atol=1e-10)


@QUICK
@given(seed=SEEDS, everything=st.booleans())
def test_the_most_probable_states_are_as_probable_as_any(seed, everything):
    model = oracle.random_network(seed, most_nodes=7)
    evidence = oracle.random_evidence(model, seed, soft=True)
    names = None if everything else asked_nodes(model, seed)
    hard = {name for name, said in evidence.items() if not isinstance(said, dict)}
    over = [node for node in model.nodes if node not in hard] if names is None else names

    best = model.map(names, evidence)

    likeliest = oracle.best_states(model, over, evidence)
    assert best.probability == pytest.approx(likeliest, rel=1e-9)
    assert set(best.states) == set(over)
    soft = {name: said for name, said in evidence.items() if name not in hard}
    fixed = {**{name: evidence[name] for name in hard}, **best.states}
    weights = math.prod(said[fixed[name]] for name, said in soft.items() if name in fixed)
    left = {name: said for name, said in soft.items() if name not in fixed}
    assert oracle.probability_of(model, {**fixed, **left}, {}) * weights == pytest.approx(likeliest, rel=1e-9)


@QUICK
@given(seed=SEEDS)
def test_an_action_cuts_what_causes_it(seed):
    model = oracle.random_network(seed)
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(list(model.nodes))[: rng.integers(1, 3)].tolist()
    actions = {node: str(rng.choice(model.labels[node])) for node in chosen}
    acted = model.do(actions)
    evidence = {
        name: said
        for name, said in oracle.random_evidence(model, seed, within=acted).items()
        if name not in actions
    }
    names = asked_nodes(model, seed)
    whole = oracle.weighted(oracle.mutilated(model, actions), model.nodes, model.labels, evidence)
    expected = oracle.summed_onto(whole, model.nodes, names)

    answer = model.query(names, evidence, do=actions)

    np.testing.assert_allclose(answer.probabilities, expected / expected.sum(), atol=1e-10)
    assert answer.log_evidence == pytest.approx(math.log(expected.sum()), abs=1e-10)
    np.testing.assert_allclose(acted.query(names, evidence).probabilities, answer.probabilities, atol=1e-12)
    assert model.map(names, evidence, do=actions).probability == pytest.approx(expected.max(), rel=1e-9)


@QUICK
@given(seed=SEEDS)
def test_factors_without_a_graph_are_normalised(seed):
    """The tables of a network, each multiplied by a constant, are an undirected model of the same rows."""
    network = oracle.random_network(seed)
    names, evidence = asked_nodes(network, seed), oracle.random_evidence(network, seed, soft=True)
    rng = np.random.default_rng(seed)
    model = oracle.FactorsOnly(
        [(scope, table * rng.uniform(0.1, 10.0)) for scope, table in oracle.factors_of(network)]
    )
    codes = {
        name: list(said.values()) if isinstance(said, dict) else network.labels[name].index(said)
        for name, said in evidence.items()
    }
    expected, total = oracle.posterior(network, names, evidence)

    answer = query(model, names, codes)

    np.testing.assert_allclose(answer.probabilities, expected, atol=1e-10)
    assert answer.log_evidence == pytest.approx(math.log(total), abs=1e-9)
    best = most_probable(model, names, codes)
    assert best.probability == pytest.approx(oracle.best_states(network, names, evidence), rel=1e-9)


def test_a_name_in_the_evidence_has_all_its_weight_on_one_state():
    model = sl.example("asia")

    answer = model.query(["smoke", "lung"], {"smoke": "yes"})

    np.testing.assert_allclose(answer.probabilities, [[0.1, 0.9], [0.0, 0.0]], atol=1e-15)


def test_no_names_give_the_probability_of_the_evidence_alone():
    answer = sl.example("asia").query([], {"smoke": "yes", "lung": "yes"})

    assert answer.names == ()
    assert math.exp(answer.log_evidence) == pytest.approx(0.05)
    assert answer.probabilities == 1.0


def test_extreme_likelihoods_that_balance_each_other_are_not_lost():
    """A thousand observations speak for one state and a thousand for the other, 10^10 to 1 each."""
    cpds = {"cause": sl.example("asia").cpds["smoke"]}
    for k in range(2000):
        row = [[1.0, 1e-10], [1e-10, 1.0]] if k < 1000 else [[1e-10, 1.0], [1.0, 1e-10]]
        table = np.array([[a, 1.0 - a] for a, _ in row])
        cpds[f"x{k:04d}"] = sl.models.TableCPD(table, labels=["a", "b"], parents=["cause"])
    model = oracle.network(cpds)

    answer = model.query("cause", {name: "a" for name in cpds if name != "cause"})

    np.testing.assert_allclose(answer.probabilities, [0.5, 0.5], rtol=1e-9)
    assert answer.log_evidence == pytest.approx(1000 * math.log(1e-10), rel=1e-9)


def test_a_product_of_a_thousand_small_factors_does_not_underflow():
    factors = [(("a", "b"), np.full((2, 2), 1e-10)) for _ in range(1000)]

    found = sl.inference.log_partition(oracle.FactorsOnly(factors))

    assert found == pytest.approx(-1000 * math.log(1e10) + math.log(4), rel=1e-9)
