"""False discovery rates as numbers: by hand, and by their definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from structlearn.learners.constraint.chance.chance import FEWEST_PAIRS, judged
from structlearn.learners.constraint.chance.local_fdr import (
    SMALLEST_P,
    NullModel,
    chance_p_values,
    discoveries,
    fit_null,
)
from structlearn.run import Run
from tests.oracles import false_discovery as oracle

SIZES = st.lists(st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.2, 0.35, 0.6, 0.9]), min_size=1, max_size=12)


@settings(deadline=None, max_examples=150)
@given(SIZES, st.lists(st.floats(-0.95, 0.95), max_size=8), st.floats(4.0, 300.0), st.floats(0.05, 1.0))
def test_rates_are_those_of_the_definition_with_ties_and_clipping(tied, others, freedom, share):
    rho = np.array([*tied, *others])
    p_value = oracle.p_values(rho, freedom)

    found = discoveries(rho, NullModel(freedom, share, 1.0))

    np.testing.assert_allclose(found.p_value, p_value, rtol=1e-6)
    tail, local = oracle.rates(found.p_value, share)
    np.testing.assert_allclose(found.q_value, tail, rtol=1e-6)
    np.testing.assert_allclose(found.local_fdr, local, rtol=1e-5)


def test_rates_of_five_p_values_by_hand():
    # With freedom 3 chance is uniform on (-1, 1), so that a p-value is 1 - |rho|: 0.1, 0.1, 0.4, 0.6, 1.
    # With a share of a half the distribution 0.4, 0.6, 0.8, 1 lies within its bounds: above p / 2 and
    # below (1 + p) / 2. Its majorant has slopes 4, 0.8 (2 / 3 and then 1 would not fall) and 0.5.
    found = discoveries(np.array([0.9, -0.9, 0.6, -0.4, 0.0]), NullModel(3.0, 0.5, 1.0))

    assert found.p_value == pytest.approx([0.1, 0.1, 0.4, 0.6, 1.0])
    assert found.local_fdr == pytest.approx([0.5 / 4, 0.5 / 4, 0.5 / 0.8, 0.5 / 0.8, 1.0])
    assert found.q_value == pytest.approx([0.125, 0.125, 0.5 * 0.4 / 0.64, 0.5 * 0.6 / 0.8, 0.5])


def test_where_all_is_chance_every_rate_is_one():
    found = discoveries(np.array([0.99, 0.5, 0.1]), NullModel(3.0, 1.0, 1.0))

    assert found.q_value == pytest.approx(np.ones(3))
    assert found.local_fdr == pytest.approx(np.ones(3))


@pytest.mark.parametrize("size", [0.9, 0.9999])
@pytest.mark.parametrize("n_strong", [1, 2, 40])
def test_what_chance_cannot_be_is_not_explained_by_chance(n_strong, size):
    # One strong correlation among 1,000 does not show in the share of chance; alone or tied, it is found.
    rng = np.random.default_rng(0)
    rho = np.sqrt(rng.beta(0.5, 0.5 * 199, 1000)) * rng.choice([-1, 1], 1000)
    rho[:n_strong] = size

    found = discoveries(rho, fit_null(rho))

    assert (found.local_fdr[:n_strong] < 1e-6).all()
    assert (found.local_fdr[n_strong:] < 0.2).sum() <= 2


def test_the_share_of_chance_is_at_most_all_but_the_discoveries_less_those_that_may_be_false():
    rng = np.random.default_rng(0)
    rho = np.sqrt(rng.beta(0.5, 0.5 * 199, 300)) * rng.choice([-1, 1], 300)
    rho[:2] = 0.9  # the small ones alone would have a share above 1

    assert fit_null(rho).share == pytest.approx(1 - 0.95 * 2 / 300, abs=1e-12)


def test_sizes_that_are_spread_evenly_are_chance_of_the_least_freedom():
    # With freedom 3 chance is uniform on (-1, 1).
    found = fit_null(np.linspace(-0.99, 0.99, 201))

    assert found.freedom == pytest.approx(3.0, abs=0.1)
    assert found.share == pytest.approx(1.0, abs=0.02)


def test_p_values_have_a_floor():
    assert chance_p_values(np.array([1.0, 0.99]), 1000.0).tolist() == [2.2e-16, 2.2e-16]


@pytest.mark.parametrize("rho", [np.zeros(4), np.array([0.9])])
def test_nothing_and_a_single_pair_are_all_chance(rho):
    found = judged(rho, "censored", Run("test", progress=False))

    assert found.null == NullModel(np.inf, 1.0, 1.0)
    assert (found.p_value == 1.0).all()
    assert (found.q_value == 1.0).all()
    assert not found.probability.any()


def test_from_the_fewest_pairs_on_nothing_is_warned_of():
    judged(np.linspace(-0.2, 0.2, FEWEST_PAIRS), "censored", Run("test", progress=False))


@pytest.mark.parametrize("freedom", [3.0, 20.0, 2000.0, 1e9])
def test_p_values_are_those_of_the_beta_law_of_the_squares(freedom):
    rho = np.array([-0.999, -0.3, 0.0, 1e-6, 1.5 / np.sqrt(freedom), 0.7, 1.0])

    found = chance_p_values(rho, freedom)

    by_hand = np.clip(stats.beta(0.5, (freedom - 1) / 2).sf(rho**2), SMALLEST_P, 1.0)
    assert found == pytest.approx(by_hand, rel=1e-3)
