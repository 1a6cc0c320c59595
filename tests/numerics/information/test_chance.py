"""Information by chance: a sample of permuted columns, and an exponential beyond its 0.95 quantile."""

import numpy as np
import pytest

from structlearn.numerics.information.chance import Chance, chance_of, permuted_sample
from structlearn.numerics.information.columns import Columns
from structlearn.numerics.information.estimators import information_of
from structlearn.numerics.information.settings import Settings


def test_chance_beyond_the_quantile_is_an_exponential():
    sample = np.random.default_rng(0).exponential(2.0, size=100_000)
    chance = chance_of(sample)
    q = np.quantile(sample, 0.95)
    m = (sample[sample > q] - q).mean()

    assert chance.threshold(1e-7) == pytest.approx(q + m * np.log(0.05 / 1e-7))
    assert chance.threshold(1e-7) == pytest.approx(-2.0 * np.log(1e-7), rel=0.05)  # of the exponential itself
    assert chance.p_value(np.array([chance.threshold(1e-7)]))[0] == pytest.approx(1e-7)
    assert chance.threshold(0.2) == pytest.approx(np.quantile(sample, 0.8), rel=1e-4)
    assert chance.p_value(np.array([chance.threshold(0.2), 0.0])) == pytest.approx([0.2, 1.0], abs=1e-4)


def test_chance_without_a_tail_joins_nothing():
    always_one = chance_of(np.ones(1000))

    assert always_one.threshold(1e-6) == np.inf
    assert (always_one.share, always_one.excess) == (0.0, 0.0)
    assert always_one.p_value(np.array([1.0, 2.0])).tolist() == [1.0, 0.001]
    assert chance_of(np.zeros(0)).threshold(0.01) == np.inf
    assert isinstance(always_one, Chance)


def test_chance_has_enough_pairs_of_different_columns_in_whatever_order_rows_are():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(3, 50))
    seen = []

    def estimate(columns):
        seen.append(columns)
        return information_of(columns, "rank", Settings())

    one = permuted_sample(Columns(values, np.zeros(3, int)), estimate, np.random.default_rng(1))
    other = permuted_sample(Columns(values[:, ::-1], np.zeros(3, int)), estimate, np.random.default_rng(1))

    assert len(one) >= 100_000
    assert (one == other).all()
    n_copies = len(seen[0]) // 3
    assert len(one) == 3 * n_copies**2  # none of a column with itself
    many = permuted_sample(Columns(rng.normal(size=(600, 20)), np.zeros(600, int)), estimate, rng)
    assert len(many) == 450 * 449 / 2
