"""Diagnostics of chains equal theory for chains whose theory is known."""

import math

import numpy as np
import pytest

from structlearn.numerics.chain_diagnostics import effective_sample_size, split_r_hat


def test_independent_chains_agree_and_every_draw_counts():
    chains = np.random.default_rng(0).normal(size=(4, 5000))

    assert split_r_hat(chains) == pytest.approx(1, abs=0.005)
    assert effective_sample_size(chains) == pytest.approx(20_000, rel=0.1)


@pytest.mark.parametrize("memory", [0.5, 0.9])
def test_correlated_draws_count_as_theory_says(memory):
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(4, 20_000))
    chains = np.empty_like(noise)
    chains[:, 0] = noise[:, 0] / math.sqrt(1 - memory**2)
    for t in range(1, 20_000):
        chains[:, t] = memory * chains[:, t - 1] + noise[:, t]

    expected = chains.size * (1 - memory) / (1 + memory)  # of a first-order autoregression
    assert effective_sample_size(chains) == pytest.approx(expected, rel=0.12)


def test_chains_apart_or_drifting_do_not_agree():
    rng = np.random.default_rng(2)
    apart = rng.normal(size=(4, 500)) + np.array([[0], [0], [0], [3]])
    drifting = rng.normal(size=(1, 500)) + np.linspace(0, 5, 500)

    # Means of 0, 0, 0 and 3 have variance 2.25; halves make eight chains: 8 / 7 · 27 / 16.
    assert split_r_hat(apart) == pytest.approx(math.sqrt(1 + 8 / 7 * 27 / 16), rel=0.05)
    assert split_r_hat(drifting) > 1.5
    assert effective_sample_size(apart) < 50


def test_chains_that_never_move_agree_and_too_short_ones_say_nothing():
    assert split_r_hat(np.ones((2, 10))) == 1.0
    assert effective_sample_size(np.ones((2, 10))) == 20
    assert math.isinf(split_r_hat(np.array([[1.0] * 10, [2.0] * 10])))
    assert math.isnan(split_r_hat(np.ones((2, 3))))
    assert math.isnan(effective_sample_size(np.ones((2, 3))))
