"""The mixture of chance and anything: its parts as densities by hand, its share from draws of a known one."""

import numpy as np
import pytest
from scipy.stats import beta

from structlearn.learners.constraint.chance.local_fdr import fit_mixture

FREEDOM, SHARE = 60.0, 0.7


def draws(n=20_000):
    """Correlations of which 70 % are chance (ρ² is beta), and the others anything from -1 to 1."""
    rng = np.random.default_rng(0)
    chance = np.sqrt(rng.beta(0.5, (FREEDOM - 1) / 2, size=n)) * rng.choice([-1.0, 1.0], n)
    return np.where(rng.random(n) < SHARE, chance, rng.uniform(-1, 1, size=n))


def test_the_share_and_the_freedom_of_chance_are_found():
    model, _ = fit_mixture(draws())

    assert model.share == pytest.approx(SHARE, abs=0.01)
    assert model.freedom == pytest.approx(FREEDOM, rel=0.05)


def test_the_local_rate_is_the_part_of_chance_in_the_density():
    rho = draws(500)
    model, local = fit_mixture(rho)

    # The density of ρ is that of ρ² times |dρ²/dρ| = 2|ρ|, half on each side; anything has the density 1/2.
    chance = model.share * beta(0.5, (model.freedom - 1) / 2).pdf(rho**2) * np.abs(rho)
    np.testing.assert_allclose(local, chance / (chance + (1 - model.share) / 2), rtol=1e-9)
