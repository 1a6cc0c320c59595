"""What chance brings to two columns of few rows depends on their tails."""

import numpy as np
import pytest
from scipy.stats import chi2

import structlearn as sl
from structlearn.learners.regression.precision.chance import price_by_chance
from structlearn.numerics.extended_bic import price_for_few_rows
from structlearn.statistics import MemoryStatistics

N_ROWS, N_COLUMNS, PRICE = 30, 120, 9.0
N_PAIRS = N_COLUMNS * (N_COLUMNS - 1) // 2


def exponential(seed, n_columns=N_COLUMNS):
    return np.random.default_rng(seed).exponential(size=(N_ROWS, n_columns))


def test_shuffled_columns_gain_as_much_as_new_ones_of_the_same_law():
    gain = price_by_chance(MemoryStatistics(sl.Dataset(exponential(0))), PRICE)
    n_beyond = [
        (
            -N_ROWS * np.log1p(-(np.corrcoef(exponential(seed).T)[np.triu_indices(N_COLUMNS, k=1)] ** 2))
            > gain
        ).sum()
        for seed in range(1, 30)
    ]

    assert np.mean(n_beyond) == pytest.approx(N_PAIRS * chi2.sf(PRICE, 1), rel=0.25)


def test_normal_columns_gain_what_is_known_of_them():
    rows = np.random.default_rng(0).normal(size=(N_ROWS, N_COLUMNS))

    gain = price_by_chance(MemoryStatistics(sl.Dataset(rows)), PRICE)
    assert gain == price_for_few_rows(PRICE, N_ROWS)


def test_noise_with_heavy_tails_has_hardly_an_edge():
    found = sl.GraphicalLasso().fit(exponential(0, n_columns=500)).graph_

    assert len(found.edges) <= 11  # of all pairs, as many as a χ² exceeds the price of an edge
