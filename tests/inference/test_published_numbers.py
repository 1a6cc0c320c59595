"""The answers that are worked out by hand or printed for small networks."""

import math

import numpy as np
import pytest

from structlearn.models import ConditionalGaussianCPD, TableCPD
from tests.oracles.models import asia, network, unfaithful_gaussians

XRAY_AND_DYSP = {"xray": "yes", "dysp": "yes"}


@pytest.mark.parametrize(
    ("name", "probability"),
    [
        ("tub", 0.0104),
        ("lung", 0.055),
        ("bronc", 0.45),
        ("either", 0.064828),
        ("xray", 0.11029004),
        ("dysp", 0.4359706),
    ],
)
def test_marginals_of_asia(name, probability):
    assert asia().query(name)["yes"] == pytest.approx(probability, abs=1e-12)
    assert asia().marginal([name])[0] == pytest.approx(probability, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "probability"),
    [
        ("asia", 0.0139836605),
        ("tub", 0.1139333254),
        ("smoke", 0.7856103861),
        ("lung", 0.6212527967),
        ("bronc", 0.6818685385),
        ("either", 0.7287250930),
    ],
)
def test_posteriors_of_asia_after_an_xray_and_dyspnoea(name, probability):
    answer = asia().query(name, XRAY_AND_DYSP)

    assert answer["yes"] == pytest.approx(probability, abs=1e-10)
    assert math.exp(answer.log_evidence) == pytest.approx(0.0706701044, abs=1e-10)


def test_a_joint_posterior_of_asia():
    answer = asia().query(["lung", "bronc"], XRAY_AND_DYSP)

    assert answer["no", "no"] == pytest.approx(0.0900152, abs=1e-7)
    assert answer["no", "yes"] == pytest.approx(0.2887320, abs=1e-7)
    assert answer["yes", "no"] == pytest.approx(0.2281163, abs=1e-7)
    assert answer["yes", "yes"] == pytest.approx(0.3931365, abs=1e-7)


@pytest.mark.parametrize(
    ("evidence", "total", "posteriors"),
    [
        ({"asia": "yes", "xray": "yes"}, 0.001450925, {"lung": 0.3714871547, "dysp": 0.6811011941}),
        (
            {"asia": "yes", "smoke": "no", "dysp": "yes"},
            0.001683875,
            {"bronc": 0.7179422463, "xray": 0.1748744711},
        ),
    ],
)
def test_other_posteriors_of_asia(evidence, total, posteriors):
    model = asia()

    assert math.exp(model.log_evidence(evidence)) == pytest.approx(total, abs=1e-12)
    for name, probability in posteriors.items():
        assert model.query(name, evidence)["yes"] == pytest.approx(probability, abs=1e-10)


def test_the_most_probable_explanation_in_asia():
    best = asia().map(evidence=XRAY_AND_DYSP)

    assert best.states == {
        **dict.fromkeys(["smoke", "lung", "bronc", "either"], "yes"),
        **dict.fromkeys(["asia", "tub"], "no"),
    }
    assert best.probability == pytest.approx(0.025933446, abs=1e-9)
    assert math.exp(best.log_evidence) == pytest.approx(0.0706701044, abs=1e-10)


def test_smoking_is_a_root_so_setting_it_is_observing_it():
    model = asia()

    assert model.query("lung", do={"smoke": "yes"})["yes"] == pytest.approx(0.1)
    assert model.query("lung", {"smoke": "yes"})["yes"] == pytest.approx(0.1)


def test_setting_an_effect_says_nothing_about_its_causes():
    assert asia().query("lung", do={"xray": "yes"})["yes"] == pytest.approx(0.055)


def test_the_joint_distribution_of_three_normal_variables():
    answer = unfaithful_gaussians().query(["x1", "x2", "x3"])

    np.testing.assert_allclose(answer.mean, [1.0, 2.5, -1.25], atol=1e-12)
    np.testing.assert_allclose(answer.covariance, [[4, 8, 0], [8, 17, -0.5], [0, -0.5, 0.5]], atol=1e-12)
    precision = [[8.25, -4, -4], [-4, 2, 2], [-4, 2, 4]]
    np.testing.assert_allclose(np.linalg.inv(answer.covariance), precision, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "evidence", "mean", "variance"),
    [
        ("x2", {"x3": 0}, 1.25, 16.5),
        ("x1", {"x2": 2, "x3": 0}, 1.3636363636, 0.1212121212),
        ("x1", {"x3": 0}, 1.0, 4.0),
    ],
)
def test_conditional_normal_distributions(name, evidence, mean, variance):
    answer = unfaithful_gaussians().query(name, evidence)

    assert answer.mean[0] == pytest.approx(mean, abs=1e-10)
    assert answer.covariance[0, 0] == pytest.approx(variance, abs=1e-10)


def test_the_density_of_a_whole_row():
    model = unfaithful_gaussians()

    found = model.log_evidence({"x1": 0.0, "x2": 1.0, "x3": -1.0})

    assert found == pytest.approx(-3.5068155996, abs=1e-10)


def test_a_mixture_of_two_normal_distributions():
    model = network(
        {
            "D": TableCPD([0.7, 0.3], labels=[0, 1]),
            "x": ConditionalGaussianCPD([0.0, 3.0], {}, variances=[1.0, 4.0], regimes=["D"]),
        }
    )

    mixture = model.query("x")
    switch = model.query("D", {"x": 2.0})

    assert mixture.mean[0] == pytest.approx(0.9)
    assert mixture.covariance[0, 0] == pytest.approx(3.79)
    np.testing.assert_allclose(mixture.weights, [0.7, 0.3])
    assert switch[1] == pytest.approx(0.5828672540, abs=1e-10)
    assert switch.log_evidence == pytest.approx(-2.4012627049, abs=1e-10)
