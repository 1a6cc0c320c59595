"""Penalties of theory keep the level that they promise where columns are independent."""

import numpy as np
import pytest

from structlearn.learners.regression.penalties.theory import (
    component_penalty,
    coupling_penalty,
    level_penalty,
    slope_penalty,
)

N_TABLES = 400


def test_the_penalty_of_a_slope_keeps_its_level():
    """Slopes at independence of pairs of fair coins: covariances, with a deviation of ¼ / √n."""
    rng = np.random.default_rng(0)
    n_rows, n_coins, alpha = 400, 6, 0.2
    penalty = slope_penalty(n_rows, n_coins * (n_coins - 1) // 2, alpha)
    n_joined = 0
    for _ in range(N_TABLES):
        coins = rng.integers(0, 2, (n_rows, n_coins)).astype(float)
        slopes = np.cov(coins.T, bias=True)[np.triu_indices(n_coins, k=1)]
        n_joined += np.abs(slopes).max() > penalty

    # The union bound: at most α, and with independent pairs nearly that; three standard errors about it.
    assert n_joined / N_TABLES == pytest.approx(1 - (1 - alpha / 15) ** 15, abs=0.06)


@pytest.mark.parametrize(
    ("size", "n_columns", "alpha", "expected"),
    [(100, 50, 0.05, 0.8529781588), (600, 1000, 0.05, 0.4450976334), (200, 30, 0.1, 0.5465867342)],
)
def test_the_penalty_of_the_paper(size, n_columns, alpha, expected):
    """From docs/references/regression.md#neighborhood-selection, from the normal quantiles."""
    assert component_penalty(size, n_columns, alpha) == pytest.approx(expected, abs=1e-9)


def test_the_rule_of_banerjee_has_the_printed_penalties():
    assert level_penalty(np.eye(50), 100, 0.05) == pytest.approx(0.4125218173, abs=1e-9)
    assert level_penalty(np.eye(1000), 600, 0.05) == pytest.approx(0.2202691115, abs=1e-9)


def test_a_slope_always_has_a_price():
    assert slope_penalty(100, 1, 1.0) == pytest.approx(1e-3 / 40)


def test_penalties_of_components_and_levels_agree_on_large_tables():
    # Both are the quantile of a correlation at α / (2p²); one counts SSE/n, twice the other's loss.
    assert component_penalty(1e6, 20, 0.05) / 2 == pytest.approx(
        level_penalty(np.eye(20), 10**6, 0.05), rel=1e-4
    )


def test_the_penalty_of_couplings_falls_as_the_root_of_the_rows():
    # 2.5·√(log 8 / 200), as the docstring has it.
    assert coupling_penalty(200, 8) == pytest.approx(0.2549167, abs=1e-6)
    assert coupling_penalty(800, 8) == pytest.approx(coupling_penalty(200, 8) / 2)
