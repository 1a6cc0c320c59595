"""Gibbs sampling draws from the right distribution, also across zeros, and says how sure it is."""

import itertools

import numpy as np
import pytest

from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.graphs import Graph
from structlearn.inference import query
from structlearn.models import BayesianNetwork, LinearGaussianCPD, TableCPD
from structlearn.models.ising_model import IsingModel
from tests.oracles import inference as oracle
from tests.oracles import models

EVIDENCE = {"xray": "yes", "dysp": "yes"}


def sampled(model, names, evidence=None, **options):
    return query(model, names, evidence, method="gibbs", **options)


def test_a_triangle_is_within_four_errors():
    """θ = (0.3, -0.2, 0.1), θ₁₂ = 0.8, θ₂₃ = -0.5, θ₁₃ = 0.4 for states 0 and 1."""
    pairs = {("a", "b"): 0.8, ("b", "c"): -0.5, ("a", "c"): 0.4}
    factors = [((name,), np.exp([0.0, field])) for name, field in {"a": 0.3, "b": -0.2, "c": 0.1}.items()]
    factors += [(pair, np.exp([[0.0, 0.0], [0.0, pull]])) for pair, pull in pairs.items()]
    model = oracle.FactorsOnly(factors)

    for name, mean in {"a": 0.7098169414, "b": 0.5253263886, "c": 0.5297031401}.items():
        answer = sampled(model, name, sweeps=20_000, random_state=0)
        assert abs(answer[1] - mean) < 4 * answer.standard_error[1]
        assert answer.r_hat[name] < 1.01
        assert answer.n_chains == 4


def test_the_undirected_models_are_sampled_too():
    graph = Graph(["a", "b", "c"], undirected=[("a", "b"), ("b", "c"), ("a", "c")])
    ising = IsingModel(graph, {"a": 0.3, "b": 0.0, "c": 0.0}, dict.fromkeys(graph.undirected, 0.5))
    states = np.array(list(itertools.product([-1, 1], repeat=3)))
    weights = np.exp(
        0.3 * states[:, 0] + 0.5 * sum(states[:, i] * states[:, j] for i, j in [(0, 1), (1, 2), (0, 2)])
    )

    answer = ising.query("a", {"c": -1}, method="gibbs", random_state=0)

    seen = states[:, 2] == -1
    exact = weights[seen & (states[:, 0] == 1)].sum() / weights[seen].sum()
    assert abs(answer[1] - exact) < 5 * answer.standard_error[1]


def test_asia_is_within_four_errors_because_either_is_drawn_with_its_causes():
    answer = sampled(models.asia(), "lung", EVIDENCE, random_state=0)

    assert abs(answer["yes"] - 0.6212528) < 4 * answer.standard_error[0]
    assert [set(block) for block in answer.blocks] == [{"tub", "lung", "either"}]
    assert answer.r_hat["lung"] < 1.01
    assert answer.effective_size["lung"] > 1000


def test_without_blocks_asia_is_said_to_be_reducible():
    """And there the chains, which begin anywhere, never meet."""
    reducible = "blocking is off, so that the chains may be reducible"
    with pytest.warns(DataWarning, match="chains disagree"), pytest.warns(DataWarning, match=reducible):
        sampled(models.asia(), "lung", EVIDENCE, blocking=False, sweeps=100, random_state=0)


def test_blocks_that_grow_too_large_are_told_of(monkeypatch):
    monkeypatch.setattr("structlearn.inference.gibbs_blocks.MOST_STATES", 2)

    loose = "too many to be drawn together"
    with pytest.warns(DataWarning, match="chains disagree"), pytest.warns(DataWarning, match=loose):
        sampled(models.asia(), "bronc", EVIDENCE, sweeps=100, random_state=0)


def test_chains_that_disagree_are_told_of():
    """Two nodes that are nearly always alike: a chain stays where it began."""
    pull = np.array([[1.0, 1e-9], [1e-9, 1.0]])
    model = oracle.FactorsOnly([(("a", "b"), pull)])

    with pytest.warns(DataWarning, match=r"chains disagree about 'a' \(R-hat"):
        sampled(model, "a", sweeps=500, random_state=4)


@pytest.mark.parametrize("seed", range(12))
def test_random_networks_with_zeros_are_within_five_errors(seed):
    model = oracle.random_network(seed, most_nodes=7)
    evidence = oracle.random_evidence(model, seed, most=2, soft=True)
    name = next(node for node in model.nodes if node not in evidence)
    exact, _ = oracle.posterior(model, [name], evidence)

    answer = sampled(model, name, evidence, sweeps=3000, random_state=seed)

    assert (np.abs(answer.probabilities - exact) <= 5 * answer.standard_error + 1e-9).all()
    assert answer.probabilities.sum() == pytest.approx(1.0)


def test_several_names_are_counted_together():
    model = models.asia()
    names = ["bronc", "xray", "lung"]
    exact, _ = oracle.posterior(model, names, EVIDENCE)

    answer = sampled(model, names, EVIDENCE, random_state=1)

    assert answer.probabilities.shape == (2, 2, 2)
    assert (np.abs(answer.probabilities - exact) <= 5 * answer.standard_error + 1e-12).all()
    assert set(answer.r_hat) == {"bronc", "lung"}


def test_the_error_claimed_is_the_spread_over_seeds():
    model = models.asia()

    answers = [sampled(model, "bronc", EVIDENCE, sweeps=500, burn_in=50, random_state=s) for s in range(40)]

    spread = np.std([answer["yes"] for answer in answers], ddof=1)
    assert spread == pytest.approx(np.mean([answer.standard_error[0] for answer in answers]), rel=0.4)


def test_averaged_probabilities_vary_less_than_draws():
    model = models.asia()

    averaged = sampled(model, "dysp", random_state=0).standard_error[0]
    counted = sampled(model, ["dysp", "bronc"], random_state=0).standard_error.max()

    assert averaged < counted


def test_actions_cut_the_causes():
    answer = sampled(models.asia(), "smoke", random_state=0)
    acted = query(models.asia(), "smoke", do={"lung": "yes"}, method="gibbs", random_state=0)

    assert abs(answer["yes"] - 0.5) <= 5 * answer.standard_error[0] + 1e-12
    assert abs(acted["yes"] - 0.5) <= 5 * acted.standard_error[0] + 1e-12


def test_the_same_seed_gives_the_same_draws():
    first, second, third = (
        sampled(models.asia(), ["lung", "bronc"], EVIDENCE, sweeps=200, random_state=seed)
        for seed in (1, 1, 2)
    )

    np.testing.assert_array_equal(first.probabilities, second.probabilities)
    assert not np.array_equal(first.probabilities, third.probabilities)


def test_a_long_run_is_the_same_in_small_batches(monkeypatch):
    whole = sampled(models.asia(), "lung", EVIDENCE, sweeps=300, random_state=0)
    monkeypatch.setattr("structlearn.inference.gibbs.BATCH_DRAWS", 50)

    parts = sampled(models.asia(), "lung", EVIDENCE, sweeps=300, random_state=0)

    np.testing.assert_array_equal(whole.probabilities, parts.probabilities)


def test_known_names_and_no_names_need_no_draws():
    known = sampled(models.asia(), "xray", {"xray": "yes"}, sweeps=10, random_state=0)
    nothing = sampled(models.asia(), [], EVIDENCE, sweeps=10, random_state=0)

    assert known.to_dict() == {"yes": 1.0, "no": 0.0}
    assert nothing.probabilities == 1.0


def test_impossible_evidence_is_refused_also_where_the_query_does_not_depend_on_it():
    wrong = {"lung": "yes", "either": "no"}
    for name in ("smoke", "asia", "xray"):
        with pytest.raises(DataError, match="probability 0"):
            sampled(models.asia(), name, wrong, sweeps=10, random_state=0)


def test_a_search_that_is_given_up_says_so(monkeypatch):
    monkeypatch.setattr("structlearn.inference.possible_states.MOST_STEPS", 2)

    with pytest.raises(DataError, match="no state was found that agrees with the evidence"):
        sampled(models.asia(), "lung", EVIDENCE, sweeps=10, random_state=0)


def test_continuous_nodes_and_wrong_options_are_refused():
    model = models.network(
        {"x": LinearGaussianCPD(0.0, {}, variance=1.0), "d": TableCPD([0.5, 0.5], labels=[0, 1])}
    )

    with pytest.raises(DataError, match=r"'x' has no table of probabilities. Use method='weighting'"):
        sampled(model, "x")
    assert sampled(model, "d", sweeps=10, random_state=0)[0] == 0.5
    with pytest.raises(OptionError, match="chains is the number of Markov chains"):
        sampled(models.asia(), "lung", chains=0)


def test_a_product_of_many_small_factors_is_not_taken_for_impossible():
    """Six hundred symptoms of probability 0.01 or 0.01001: their product is no float."""
    symptoms = [f"s{i}" for i in range(600)]
    given = TableCPD([[0.01, 0.99], [0.01001, 0.98999]], labels=["yes", "no"], parents=["ill"])
    model = BayesianNetwork(
        Graph(["ill", *symptoms], directed=[("ill", symptom) for symptom in symptoms]),
        {"ill": TableCPD([0.3, 0.7], labels=["yes", "no"]), **dict.fromkeys(symptoms, given)},
    )

    answer = sampled(model, "ill", dict.fromkeys(symptoms, "yes"), sweeps=100, random_state=0)

    assert answer["yes"] == pytest.approx(1 / (1 + 7 / 3 * 1.001**600), rel=1e-9)
