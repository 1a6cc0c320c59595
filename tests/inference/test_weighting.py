"""Likelihood weighting is as near to the truth as it says, for every kind of distribution."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import norm

from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.inference import query
from structlearn.models import ConditionalGaussianCPD, LinearGaussianCPD, SoftmaxCPD, TableCPD
from tests.oracles import inference as oracle
from tests.oracles import models

EVIDENCE = {"xray": "yes", "dysp": "yes"}


def weighted(model, names, evidence=None, **options):
    return model.query(names, evidence, method="weighting", **options)


def test_asia_is_weighed_as_worked_out():
    answer = weighted(models.asia(), "lung", EVIDENCE, n=100_000, random_state=0)

    assert math.exp(answer.log_evidence) == pytest.approx(0.0706701044, rel=0.02)
    assert answer.effective_size / answer.n_rows == pytest.approx(0.1183421, rel=0.05)
    assert answer["yes"] == pytest.approx(0.6212527967, abs=0.0157)
    assert answer.standard_error == pytest.approx([0.003917, 0.003917], rel=0.15)
    assert answer.method == "weighting"


def test_the_standard_error_is_the_spread_over_seeds():
    model, cells = models.asia(), [("yes", "yes"), ("yes", "no"), ("no", "yes"), ("no", "no")]
    exact, _ = oracle.posterior(model, ["lung", "bronc"], EVIDENCE)

    answers = [weighted(model, ["lung", "bronc"], EVIDENCE, n=2000, random_state=s) for s in range(60)]

    for cell, truth in zip(cells, exact.ravel(), strict=True):
        found = np.array([answer[cell] for answer in answers])
        claimed = np.mean([answer.standard_error.ravel()[cells.index(cell)] for answer in answers])
        assert found.std(ddof=1) == pytest.approx(claimed, rel=0.35)
        assert abs(found.mean() - truth) < 4 * claimed / math.sqrt(60)


@pytest.mark.parametrize("seed", range(8))
def test_random_networks_and_soft_evidence_are_within_five_errors(seed):
    model = oracle.random_network(seed, most_nodes=7)
    evidence = oracle.random_evidence(model, seed, most=2, soft=True)
    name = next(node for node in model.nodes if node not in evidence)
    exact, total = oracle.posterior(model, [name], evidence)

    answer = weighted(model, name, evidence, n=20_000, random_state=seed)

    assert (np.abs(answer.probabilities - exact) <= 5 * answer.standard_error + 1e-12).all()
    error_of_total = math.sqrt(1 / answer.effective_size)
    assert math.exp(answer.log_evidence) == pytest.approx(total, rel=5 * error_of_total + 1e-12)


def test_what_is_set_from_outside_has_no_weight_and_no_causes():
    model = models.asia()

    seen = weighted(model, "smoke", {"lung": "yes"}, random_state=0)
    acted = weighted(model, "smoke", do={"lung": "yes"}, random_state=0)
    downstream = weighted(model, "lung", do={"smoke": "yes"}, random_state=0)

    assert abs(seen["yes"] - 0.05 / 0.055) < 5 * seen.standard_error[0]
    assert abs(acted["yes"] - 0.5) < 5 * acted.standard_error[0]
    assert acted.log_evidence == 0.0
    assert acted.effective_size == pytest.approx(acted.n_rows, rel=1e-12)
    assert abs(downstream["yes"] - 0.1) < 5 * downstream.standard_error[0]


def test_normal_networks_have_the_moments_of_the_references():
    answer = weighted(models.unfaithful_gaussians(), "x2", {"x3": 0.0}, n=50_000, random_state=1)

    assert abs(answer.mean[0] - 1.25) < 5 * answer.standard_error[0]
    assert answer.covariance[0, 0] == pytest.approx(16.5, rel=0.1)
    assert answer.log_evidence == pytest.approx(norm.logpdf(0.0, -1.25, math.sqrt(0.5)), abs=0.05)
    np.testing.assert_allclose(answer.weights @ answer.values, answer.mean, rtol=1e-12)
    spread = answer.weights**2 @ (answer.values - answer.mean) ** 2
    np.testing.assert_allclose(answer.standard_error, np.sqrt(spread), rtol=1e-12)


@pytest.fixture
def mixture():
    """From docs/references/models.md#conditional-gaussians: P(D = 1) = 0.3, x is N(0, 1) or N(3, 4)."""
    return models.network(
        {
            "D": TableCPD([0.7, 0.3], labels=[0, 1]),
            "x": ConditionalGaussianCPD([0.0, 3.0], {}, variances=[1.0, 4.0], regimes=["D"]),
        }
    )


def test_a_discrete_cause_of_a_number_is_that_of_the_references(mixture):
    answer = weighted(mixture, "D", {"x": 2.0}, random_state=0)

    assert abs(answer[1] - 0.5828672540) < 5 * answer.standard_error[1]
    assert answer.log_evidence == pytest.approx(-2.4012627049, abs=0.02)


def test_discrete_and_continuous_names_come_from_the_same_rows(mixture):
    answer = weighted(mixture, ["x", "D"], random_state=0)

    assert answer.names == ("x",)
    assert abs(answer.mean[0] - 0.9) < 5 * answer.standard_error[0]
    assert answer.covariance[0, 0] == pytest.approx(3.79, rel=0.03)
    assert abs(answer.discrete[1] - 0.3) < 5 * answer.discrete.standard_error[1]
    assert "x" in str(answer)


def test_a_softmax_child_of_a_number_agrees_with_the_integral():
    model = models.network(
        {
            "x": LinearGaussianCPD(0.5, {}, variance=2.0),
            "y": SoftmaxCPD([0.0, -1.0], {"x": [0.0, 1.5]}, labels=["no", "yes"]),
        }
    )

    def density(x):
        return norm.pdf(x, 0.5, math.sqrt(2.0)) * expit(1.5 * x - 1.0)

    total = quad(density, -20, 20)[0]
    mean = quad(lambda x: x * density(x), -20, 20)[0] / total
    answer = weighted(model, "x", {"y": "yes"}, random_state=2)

    assert math.exp(answer.log_evidence) == pytest.approx(total, rel=0.02)
    assert abs(answer.mean[0] - mean) < 5 * answer.standard_error[0]


def test_a_number_that_is_set_moves_its_effects_only():
    model = models.unfaithful_gaussians()

    answer = weighted(model, ["x1", "x3"], do={"x2": 4.0}, n=20_000, random_state=0)

    # x3 = -1 + x1 - 0.5 · 4 with x1 of mean 1.
    assert (np.abs(answer.mean - [1.0, -2.0]) < 5 * answer.standard_error).all()


def test_the_same_seed_gives_the_same_answer():
    first, second, third = (
        weighted(models.asia(), "lung", EVIDENCE, n=5000, random_state=seed) for seed in (1, 1, 2)
    )

    np.testing.assert_array_equal(first.probabilities, second.probabilities)
    assert first["yes"] != third["yes"]


def test_known_names_have_all_their_weight_on_what_is_known():
    answer = weighted(models.asia(), ["xray", "asia"], {"xray": "no"}, n=2000, random_state=0)

    assert answer.probabilities[0].tolist() == [0.0, 0.0]
    assert answer.probabilities[1].sum() == pytest.approx(1.0)


def test_evidence_that_no_row_supports_is_refused():
    with pytest.raises(DataError, match=r"evidence lung = 'yes', either = 'no' was never supported"):
        weighted(models.asia(), "smoke", {"lung": "yes", "either": "no"}, n=1000, random_state=0)


def test_rows_of_little_worth_are_told_of():
    few = models.network(
        {
            "a": TableCPD([0.999, 0.001], labels=[0, 1]),
            "b": TableCPD([[0.9999, 0.0001], [0.0, 1.0]], labels=[0, 1], parents=["a"]),
        }
    )

    with pytest.warns(DataWarning, match=r"10,000 rows are worth .* Use method='exact' or 'gibbs'"):
        weighted(few, "a", {"b": 1}, n=10_000, random_state=0)


def test_undirected_models_and_wrong_options_are_refused():
    with pytest.raises(DataError, match="takes a Bayesian network"):
        query(oracle.FactorsOnly(oracle.ising_factors((2, 2), 0.3, 0.1)), "s0_0", method="weighting")
    with pytest.raises(OptionError, match="n is the number of rows to draw"):
        weighted(models.asia(), "lung", n=0)
