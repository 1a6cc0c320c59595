"""Fits of power laws have the numbers of a reference, the right coverage and the right verdicts."""

import math

import numpy as np
import pytest
from scipy import optimize, special

from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.graphs.power_law import fit_power_law
from structlearn.graphs.shapes import ScaleFree
from structlearn.graphs.tail_laws import ALTERNATIVES, Sample
from structlearn.graphs.zeta_law import draw_tail

DEGREES = [1] * 10 + [2] * 4 + [3] * 2 + [4, 5, 8]
RIVALS = ("exponential", "log-normal", "truncated-power-law")


# From docs/references/graphs.md#power-laws.
@pytest.mark.parametrize(
    ("k_min", "exponent", "log_likelihood", "ks"),
    [(1, 2.049210, -29.527325, 0.098258), (2, 2.544885, -15.438832, 0.083357)],
)
def test_the_reference_degrees_have_the_reference_fit(k_min, exponent, log_likelihood, ks):
    fit = fit_power_law(DEGREES, k_min=k_min, min_tail=2)

    assert fit.exponent == pytest.approx(exponent, abs=5e-7)
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=5e-7)
    assert fit.ks == pytest.approx(ks, abs=5e-7)
    assert fit.n_tail == sum(k >= k_min for k in DEGREES)


def test_zeros_are_left_out():
    assert fit_power_law([*DEGREES, 0, 0, 0]).n == len(DEGREES)


@pytest.mark.parametrize("k_min", [1, 3, 12])
def test_the_exponent_and_its_error_are_those_of_direct_optimisation(k_min):
    values = draw_tail(2.3, k_min, 500, np.random.default_rng(k_min), is_discrete=True)

    def loss(exponent):
        return len(values) * math.log(special.zeta(exponent, k_min)) + exponent * np.log(values).sum()

    best = optimize.minimize_scalar(loss, bounds=(1.01, 10), method="bounded", options={"xatol": 1e-10}).x
    step = 1e-3
    information = (loss(best + step) - 2 * loss(best) + loss(best - step)) / step**2
    fit = fit_power_law(values, k_min=k_min)

    assert fit.exponent == pytest.approx(best, abs=1e-6)
    assert fit.standard_error == pytest.approx(information**-0.5, rel=1e-3)


@pytest.mark.parametrize("degrees", [DEGREES, [1] * 20 + [2] * 2 + [300] * 14])
def test_the_distance_is_the_largest_over_all_whole_numbers(degrees):
    fit = fit_power_law(degrees, k_min=1)
    grid = np.arange(1, 1000)
    law = 1 - special.zeta(fit.exponent, grid + 1) / special.zeta(fit.exponent, 1)
    seen = (np.array(degrees)[:, None] <= grid).mean(axis=0)

    assert fit.ks == pytest.approx(np.abs(law - seen).max())


def test_many_draws_give_the_exponent_back():
    values = np.random.default_rng(0).zipf(2.5, 100_000)
    fit = fit_power_law(values, k_min=1)

    assert abs(fit.exponent - 2.5) < 3 * fit.standard_error


def test_draws_follow_the_law():
    drawn = draw_tail(1.8, 3, 40_000, np.random.default_rng(4), is_discrete=True)

    whole = special.zeta(1.8, 3)
    for k in (3, 4, 5, 10, 100, 20_000):
        expected = special.zeta(1.8, k) / whole
        assert (drawn >= k).mean() == pytest.approx(expected, abs=5 * (expected / 40_000) ** 0.5)
    assert drawn.min() == 3
    assert (drawn == np.round(drawn)).all()


def test_continuous_values_have_the_closed_form():
    values = np.random.default_rng(1).pareto(1.5, 5000) + 1
    fit = fit_power_law(values, k_min=1.0, is_discrete=False)

    assert fit.exponent == pytest.approx(1 + 5000 / np.log(values).sum())
    assert fit.standard_error == pytest.approx((fit.exponent - 1) / 5000**0.5)
    assert abs(fit.exponent - 2.5) < 4 * fit.standard_error
    assert fit.log_likelihood == pytest.approx(
        5000 * math.log(fit.exponent - 1) - fit.exponent * np.log(values).sum()
    )


def test_the_scan_finds_where_the_law_begins():
    rng = np.random.default_rng(7)
    body = rng.integers(1, 10, 3000)
    tail = draw_tail(2.5, 10, 3000, rng, is_discrete=True)
    fit = fit_power_law(np.concatenate([body, tail]))

    assert 8 <= fit.k_min <= 16
    assert abs(fit.exponent - 2.5) < 4 * fit.standard_error


def test_the_scan_takes_the_smallest_distance():
    values = draw_tail(2.2, 1, 300, np.random.default_rng(2), is_discrete=True)
    fit = fit_power_law(values)
    others = [fit_power_law(values, k_min=k) for k in np.unique(values) if (values >= k).sum() >= 10]

    assert fit.ks == pytest.approx(min(other.ks for other in others))


def test_true_power_laws_are_plausible_and_others_are_not():
    rng = np.random.default_rng(11)
    lawful = draw_tail(2.5, 1, 400, rng, is_discrete=True)
    geometric = rng.geometric(0.15, 1000)

    assert fit_power_law(lawful, k_min=1, n_bootstrap=100, random_state=0).p_value > 0.1
    assert fit_power_law(geometric, k_min=1, n_bootstrap=100, random_state=0).p_value < 0.02


def test_p_values_of_true_laws_are_spread_evenly():
    rng = np.random.default_rng(5)
    p_values = [
        fit_power_law(draw_tail(2.5, 1, 150, rng, is_discrete=True), n_bootstrap=20, random_state=rng).p_value
        for _ in range(25)
    ]

    assert 0.3 < np.mean(p_values) < 0.7
    assert np.mean(np.array(p_values) < 0.1) < 0.3


def test_vuongs_test_prefers_the_law_that_made_the_values():
    rng = np.random.default_rng(3)
    lawful = fit_power_law(draw_tail(2.5, 1, 3000, rng, is_discrete=True), k_min=1, alternatives=RIVALS)
    geometric = fit_power_law(rng.geometric(0.2, 1000), k_min=1, alternatives=RIVALS)

    assert lawful.rivals["exponential"].ratio > 0
    assert lawful.rivals["exponential"].p_value < 0.01
    assert lawful.rivals["truncated-power-law"].p_value > 0.01
    assert geometric.rivals["exponential"].ratio < 0
    assert geometric.rivals["exponential"].p_value < 0.01
    assert geometric.rivals["truncated-power-law"].p_value < 0.01
    assert "fits better" in str(geometric)


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("is_discrete", [True, False])
def test_every_rival_is_a_distribution(name, is_discrete):
    # Fitted to a sample that holds every value of a fine grid, its probabilities there sum to one.
    drawn = np.random.default_rng(0).geometric(0.3, 400) + 1.0
    if is_discrete:
        grid, width = np.arange(2.0, 400), 1.0
    else:
        drawn = drawn + np.random.default_rng(1).random(400)
        grid, width = np.arange(2.005, 200, 0.01), 0.01
    sample = Sample(np.concatenate([drawn, grid]), 2.0, is_discrete)
    logs = ALTERNATIVES[name](sample, 2.0)[len(drawn) :]

    assert 0.5 < np.exp(logs).sum() * width <= 1.001


@pytest.mark.parametrize("name", ["exponential", "truncated-power-law"])
def test_light_tails_sum_to_one(name):
    drawn = np.random.default_rng(0).geometric(0.3, 4000) + 1.0
    sample = Sample(drawn, 2.0, is_discrete=True)
    logs = dict(zip(drawn, ALTERNATIVES[name](sample, 2.0), strict=True))

    assert sum(np.exp(list(logs.values()))) == pytest.approx(1, abs=1e-3)


def test_equal_degrees_have_an_infinite_exponent():
    assert fit_power_law([4] * 20).exponent == math.inf


def test_too_few_values_have_no_fit():
    with pytest.warns(DataWarning, match="3 values are too few"):
        assert math.isnan(fit_power_law([1, 2, 3]).exponent)
    with pytest.warns(DataWarning, match="9 values are too few"):
        assert math.isnan(fit_power_law(DEGREES, k_min=2).exponent)
    with pytest.warns(DataWarning, match="0 values"):
        assert math.isnan(fit_power_law([]).exponent)


def test_impossible_values_and_options_are_refused():
    with pytest.raises(DataError, match="not negative"):
        fit_power_law([1, -1])
    with pytest.raises(DataError, match="not negative"):
        fit_power_law([1, math.nan])
    with pytest.raises(DataError, match="is_discrete=False"):
        fit_power_law([1.5, 2])
    with pytest.raises(OptionError, match="no alternative 'normal'"):
        fit_power_law(DEGREES, alternatives=["normal"])


def test_the_degrees_of_a_scale_free_graph_have_exponent_three():
    for seed in range(5):
        pairs = ScaleFree(n_links=2).pairs(20_000, np.random.default_rng(seed))
        fit = fit_power_law(np.bincount(pairs.ravel()), k_min=20)
        assert abs(fit.exponent - 3) < 3 * fit.standard_error
