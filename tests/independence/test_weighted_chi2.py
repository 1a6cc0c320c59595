"""Tails of weighted sums of squares beside the numerical inversion of their characteristic function."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from structlearn.independence.weighted_chi2 import mixture_tail

RNG = np.random.default_rng(0)
WEIGHTS = {
    "one large": np.array([5.0, 1.0, 0.5, 0.2]),
    "falling": 0.6 ** np.arange(25),
    "even": RNG.random(25),
    "two sizes": np.repeat([3.0, 0.1], [2, 20]),
    "large units": 1e12 * 0.7 ** np.arange(10),
}


def by_inversion(statistic, weights):
    """Imhof's integral (1961)."""

    def height(u):
        angle = 0.5 * np.arctan(weights * u).sum() - 0.5 * statistic * u
        return np.sin(angle) / (u * np.prod((1.0 + (weights * u) ** 2) ** 0.25))

    ends = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 25)])
    parts = [integrate.quad(height, *between, limit=200)[0] for between in pairwise(ends)]
    return 0.5 + sum(parts) / np.pi


@pytest.mark.filterwarnings("ignore::scipy.integrate.IntegrationWarning")
@pytest.mark.parametrize("name", WEIGHTS)
def test_a_mixture_of_four_is_nearer_than_one_gamma_distribution(name):
    weights = WEIGHTS[name] / WEIGHTS[name].sum()
    for statistic, far in ((1.0, 4e-3), (2.5, 1e-3), (4.5, 1e-4)):
        exact = by_inversion(statistic, weights)
        gamma, mixed = (
            mixture_tail(statistic * WEIGHTS[name].sum(), WEIGHTS[name], n_mixed=n) for n in (1, 4)
        )
        assert mixed == pytest.approx(exact, abs=far)
        assert abs(mixed - exact) < max(abs(gamma - exact), 1e-6)


def test_equal_weights_are_one_chi_squared_distribution():
    for n in (1, 2, 7):
        assert mixture_tail(6.0, np.full(n, 2.0)) == pytest.approx(stats.chi2.sf(3.0, n), rel=1e-6)


def test_far_tails_and_odd_weights():
    far = mixture_tail(400.0, 0.6 ** np.arange(25))
    assert 0.0 < far < 1e-60
    assert mixture_tail(1.0, np.zeros(3)) == 1.0
    assert mixture_tail(0.0, np.ones(3)) == 1.0
    for small in (0.0, 1e-9):
        weights = np.array([1.0, small, small])
        assert mixture_tail(3.0, weights) == pytest.approx(stats.chi2.sf(3.0, 1), rel=1e-6)
