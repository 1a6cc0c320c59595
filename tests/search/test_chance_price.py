"""What chance brings to two columns of few rows depends on their tails."""

import numpy as np
import pytest
from scipy.stats import chi2

import structlearn as sl
from structlearn.numerics.extended_bic import price_for_few_rows, price_of_one
from structlearn.run import Run
from structlearn.search.chance_price import LONG_TAILS, price_by_chance, price_of_rows
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


def heavy(seed, n_rows=20, n_columns=40):
    return np.random.default_rng(seed).standard_cauchy((n_rows, n_columns))


def strong_pairs(rows, price):
    shared = np.corrcoef(rows.T)[np.triu_indices(rows.shape[1], k=1)] ** 2
    return int((-len(rows) * np.log1p(-shared) > price).sum())


def test_long_tails_raise_the_price_to_where_a_table_of_chance_has_hardly_a_pair():
    price = price_of_one(20, 40, 1.0)
    with Run("test", progress=False) as run:
        found = price_of_rows(heavy(0), price, run)

    assert np.mean([strong_pairs(heavy(seed), price) for seed in range(1, 20)]) > 10
    assert np.mean([strong_pairs(heavy(seed), found) for seed in range(1, 20)]) < 3
    assert run.notes == [LONG_TAILS]


@pytest.mark.parametrize("draw", ["normal", "t"])
def test_columns_that_luck_explains_leave_the_price_as_it_is(draw):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 40)) if draw == "normal" else rng.standard_t(3, size=(40, 40))
    price = price_of_one(40, 40, 1.0)
    with Run("test", progress=False) as run:
        assert price_of_rows(rows, price, run) == price
        assert not run.notes


@pytest.mark.filterwarnings("ignore:SystemIdentification")
@pytest.mark.parametrize(
    ("learner", "given"),
    [
        (sl.LookaheadSearch, {"threshold": "ebic"}),
        (sl.DependencyNetwork, {"kappa": 0.01}),
        (sl.ModuleNetwork, {"penalty": 5.0}),
        (sl.SparseVAR, {"gamma": 1.0}),
        (sl.SparseVAR, {"penalty": 0.3}),
        (sl.SystemIdentification, {"penalty": 0.3}),
        (sl.RegressionDAGGaussian, {"penalty": 5.0}),
    ],
)
def test_a_price_that_is_named_is_kept_and_the_usual_one_is_that_of_chance(learner, given):
    rows = heavy(0)

    usual, named = learner().fit(rows), learner(**given).fit(rows)

    assert len(usual.graph_.edges) <= 4
    assert len(named.graph_.edges) > 8
    assert LONG_TAILS in usual.status_
    assert LONG_TAILS not in named.status_


@pytest.mark.filterwarnings("ignore:ResidualOrdering")
@pytest.mark.parametrize("draw", ["cauchy", pytest.param("lognormal", marks=pytest.mark.slow)])
def test_a_level_that_is_given_is_kept_where_tails_are_long(draw):
    """Those of log-normal columns no correlation shows."""
    is_heavy = draw == "cauchy"
    rows = heavy(0, n_columns=20) if is_heavy else np.random.default_rng(2).lognormal(size=(60, 15))

    usual, given = sl.ResidualOrdering().fit(rows), sl.ResidualOrdering(alpha=0.01).fit(rows)

    assert LONG_TAILS in usual.status_
    assert LONG_TAILS not in given.status_
    assert len(given.graph_.edges) > len(usual.graph_.edges) + 3


@pytest.mark.filterwarnings("ignore:ResidualOrdering")
@pytest.mark.parametrize(
    "learner",
    [
        sl.LookaheadSearch(),
        sl.DependencyNetwork(),
        sl.ModuleNetwork(),
        sl.SparseVAR(),
        sl.SystemIdentification(),
        sl.RegressionDAGGaussian(),
        sl.ResidualOrdering(),
    ],
)
def test_a_copy_with_little_noise_is_found_beside_long_tails(learner):
    """In steps, of the state before."""
    rows = heavy(1, n_rows=60, n_columns=8)
    rows[:, 0] = np.tanh(rows[:, 0])
    is_in_time = isinstance(learner, sl.SparseVAR | sl.SystemIdentification)
    rows[:, 1] = np.roll(rows[:, 0], int(is_in_time)) + 0.01 * np.random.default_rng(0).normal(size=60)

    edges = learner.fit(rows).graph_.edges

    assert any({edge.source[:2], edge.target[:2]} == {"x0", "x1"} for edge in edges)
