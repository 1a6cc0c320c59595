"""The hint that rows follow each other: its test by definition, and what it says."""

import warnings
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import structlearn as sl
from structlearn.independence.effective_z import effective_size
from structlearn.learners.rows_in_order import _lagged, columns_in_order, ljung_box, runs_test
from structlearn.statistics import from_dataset


def correlations(column, blocks, n_lags):
    """Those over all pairs of rows of one block that are so many rows apart, each about its block's mean."""
    n, centred = len(column), np.array(column, dtype=float)
    for block in set(blocks):
        centred[blocks == block] -= np.mean(column[blocks == block])
    return [
        sum(centred[t] * centred[t - lag] for t in range(lag, n) if blocks[t] == blocks[t - lag])
        / (centred**2).sum()
        for lag in range(1, n_lags + 1)
    ]


def by_definition(column, blocks, n_lags):
    """The p-value by the definition, but for the skewness, and the first of the strongest correlations."""
    n, z = len(column), []
    r = correlations(column, blocks, n_lags)
    sizes = [np.count_nonzero(blocks == block) for block in set(blocks)]
    for lag, r_l in enumerate(r, start=1):
        n_pairs = sum(max(size - lag, 0) for size in sizes)
        mean = -sum(max(size - lag, 0) / size for size in sizes) / (n - len(sizes))
        z.append((r_l - mean) * np.sqrt(n * (n + 2) / n_pairs))
    of_all = stats.f.sf(np.sum(np.square(z)) / n_lags, n_lags, 16 + 0.27 * n)
    return min(2 * min(of_all, 2 * stats.norm.sf(abs(z[0]))), 1.0), next(
        each for each in r if abs(each) >= 0.9 * max(map(abs, r))
    )


@given(seed=st.integers(0, 1000), n_blocks=st.integers(1, 3), n_lags=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_the_p_value_is_that_of_the_definition_within_blocks(seed, n_blocks, n_lags):
    rows = np.random.default_rng(seed).normal(size=(24, 2))
    rows[12:] += rows[:12]
    blocks = np.repeat(np.arange(n_blocks), 24 // n_blocks)

    p_value, strongest, lag = ljung_box(rows, blocks, n_lags)

    for j in range(2):
        p, r = by_definition(rows[:, j], blocks, n_lags)
        assert strongest[j] == pytest.approx(r)
        assert strongest[j] == pytest.approx(correlations(rows[:, j], blocks, n_lags)[lag[j] - 1])
        assert p_value[j] == pytest.approx(p) or p < 1e-3


@pytest.mark.parametrize("sizes", [(6,), (3, 4)])
def test_correlations_are_compared_with_their_mean_in_all_orders_of_the_rows(sizes):
    column, blocks = (
        np.array([0.0, 1.0, 3.0, 4.0, 9.0, 2.0, 7.0])[: sum(sizes)],
        np.repeat([0, 1], (*sizes, 0)[:2]),
    )
    scales = [1.0, 1.0]  # of blocks whose squares are as those of independent rows: one per degree of freedom
    for block, size in enumerate(sizes):
        part = column[blocks == block]
        scales[block] = np.sqrt((size - 1) / ((part - part.mean()) ** 2).sum())
    column = column * np.array(scales)[blocks]
    orders = list(permutations(column[: sizes[0]]))
    if len(sizes) == 2:
        orders = [(*one, *other) for one in orders for other in permutations(column[sizes[0] :])]

    for lag in (1, 2):
        every = [correlations(np.array(order), blocks, 2)[lag - 1] for order in orders]
        r, z = _lagged(column[:, None], blocks, 2)
        n_pairs, n = sum(size - lag for size in sizes), sum(sizes)
        assert r[lag - 1, 0] - z[lag - 1, 0] * np.sqrt(n_pairs / (n * (n + 2))) == pytest.approx(
            np.mean(every)
        )


@given(states=st.lists(st.integers(0, 2), min_size=2, max_size=6), n_blocks=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_runs_are_compared_with_those_of_all_orders_of_the_rows(states, n_blocks):
    codes, blocks = np.array(states * n_blocks), np.repeat(np.arange(n_blocks), len(states))
    runs = [1 + sum(a != b for a, b in pairwise(order)) for order in permutations(states)]
    mean, variance = n_blocks * np.mean(runs), n_blocks * np.var(runs)
    excess = mean - n_blocks * (1 + sum(a != b for a, b in pairwise(states)))

    p_value, stays = runs_test(codes[:, None], blocks)

    if variance == 0.0 or sorted(map(states.count, set(states)))[-2] == 1:  # but the commonest, none may stay
        assert (p_value[0], stays[0]) == (1.0, 0.0)
    else:
        assert p_value[0] == pytest.approx(2 * stats.norm.sf(abs(excess) / np.sqrt(variance)))
        assert stays[0] == pytest.approx(excess / (mean - n_blocks))


def test_ten_lags_are_looked_at_or_a_fifth_of_the_rows():
    rows = np.random.default_rng(0).normal(size=(60, 1))

    for n, n_lags in ((60, 10), (45, 9), (20, 4)):
        blocks = np.zeros(n, dtype=np.int64)
        assert ljung_box(rows[:n], blocks)[0] == pytest.approx(ljung_box(rows[:n], blocks, n_lags)[0])


def test_rows_that_turn_round_each_time_tell_more_than_their_number_and_none_less_than_one():
    assert effective_size(100, 0.5, -0.5) == pytest.approx(100 * 1.25 / 0.75)
    assert effective_size(100, 0.0, 0.9) == 100.0
    assert effective_size(50, 1.0, 1.0) == 1.0


def swings(n=60):
    return (-1.0) ** np.arange(n) + 0.1 * np.random.default_rng(0).normal(size=n)


def test_one_column_is_told_by_itself_with_its_correlation():
    noise = np.random.default_rng(1).normal(size=60)
    found = columns_in_order(from_dataset(sl.Dataset({"noise": noise, "swing": swings()})))

    assert [(name, lag) for name, _, lag in found] == [("swing", 1)]
    ranked = stats.rankdata(swings())
    assert found[0][1] == pytest.approx(by_definition(ranked, np.zeros(60), 1)[1])
    with pytest.warns(sl.DataWarning, match=r"column 'swing' is like itself a row before \(correlation -0\."):
        sl.PC().fit({"noise": noise, "swing": swings()})


@pytest.mark.parametrize("change", [np.exp, lambda x: 1e200 * x, lambda x: -(x**3)])
def test_any_rising_or_falling_scale_tells_the_same(change):
    plain, other = (
        columns_in_order(from_dataset(sl.Dataset({"a": column}))) for column in (swings(), change(swings()))
    )

    assert other == [("a", pytest.approx(plain[0][1]), 1)]


def test_at_most_three_columns_are_named_the_surest_first():
    rng = np.random.default_rng(0)
    table = {f"c{j}": np.cumsum(rng.normal(size=80)) for j in range(5)}
    order = [name for name, *_ in columns_in_order(from_dataset(sl.Dataset(table)))]

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        sl.HillClimbing().fit(table)

    (said,) = (str(each.message) for each in heard if "followed each other" in str(each.message))
    assert [name for name in order if f"'{name}'" in said] == order[:3]
    p_values = {name: by_definition(stats.rankdata(table[name]), np.zeros(80), 10)[0] for name in order}
    assert order == sorted(order, key=p_values.__getitem__)


def rare(n_rows, share, n_columns, rng):
    """Numbers that are mostly 0, in no order."""
    return np.where(rng.random((n_rows, n_columns)) < share, rng.random((n_rows, n_columns)), 0.0)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(lambda rng: rng.normal(size=(30, 50)), id="few rows"),
        pytest.param(lambda rng: rng.standard_cauchy(size=(50, 50)), id="heavy tails"),
        pytest.param(lambda rng: rare(300, 0.02, 20, rng), id="rare numbers"),
        pytest.param(lambda rng: rng.poisson(0.3, (100, 20)).astype(float), id="counts"),
        pytest.param(lambda rng: (rng.random((200, 20)) < 0.03).astype(str), id="rare states"),
        pytest.param(lambda rng: (rng.random((50, 20)) < 0.05).astype(str), id="states that occur once"),
    ],
)
def test_hardly_one_table_of_a_thousand_in_no_order_is_told(table):
    rng, told = np.random.default_rng(0), 0
    for _ in range(60):
        columns = {f"c{j}": column for j, column in enumerate(table(rng).T)}
        kind = "discrete" if isinstance(columns["c0"][0], str) else "continuous"
        told += bool(columns_in_order(from_dataset(sl.Dataset(columns, kinds=dict.fromkeys(columns, kind)))))

    assert told == 0  # 60 tables of which one in a thousand is told have one in 6 % of the cases


def test_many_small_sorted_groups_in_no_order_are_not_told():
    rng = np.random.default_rng(0)
    school = np.repeat([f"school {i:03}" for i in range(200)], 20)

    for _ in range(5):
        numbers = {name: rng.normal(size=4000) for name in "abc"}
        assert columns_in_order(from_dataset(sl.Dataset({"school": school, **numbers}))) == []


def test_series_of_counts_are_told():
    told = 0
    for seed in range(10):
        series = np.random.default_rng(seed).normal(size=300)
        for t in range(1, 300):
            series[t] += 0.7 * series[t - 1]
        counts = np.maximum(np.floor(series[50:]), 0.0)
        told += bool(columns_in_order(from_dataset(sl.Dataset({"a": counts}, kinds={"a": "continuous"}))))

    assert told >= 8


def test_the_strongest_lag_is_named():
    rng = np.random.default_rng(0)
    series = rng.normal(size=200)
    for t in range(3, 200):
        series[t] += 0.8 * series[t - 3]
    noise = rng.normal(size=200)

    with pytest.warns(sl.DataWarning, match="'a' is like itself 3 rows before") as heard:
        sl.PC().fit({"a": series, "noise": noise})

    (said,) = (str(each.message) for each in heard if "followed each other" in str(each.message))
    r = correlations(stats.rankdata(series), np.zeros(200), 3)[2]
    assert (
        f"(correlation {r:.2f}). 200 such rows say as much as some {effective_size(200, r, r):,.0f} " in said
    )
