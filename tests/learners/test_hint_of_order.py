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
from structlearn.learners.rows_in_order import columns_in_order, ljung_box, runs_test
from structlearn.statistics import from_dataset


def by_definition(column, blocks, n_lags):
    """Q over all pairs of rows of one block that are so many rows apart, each block about its own mean."""
    n, centred = len(column), np.array(column, dtype=float)
    for block in set(blocks):
        centred[blocks == block] -= np.mean(column[blocks == block])
    r = [
        sum(centred[t] * centred[t - lag] for t in range(lag, n) if blocks[t] == blocks[t - lag])
        / (centred**2).sum()
        for lag in range(1, n_lags + 1)
    ]
    q = n * (n + 2) * sum(r_l**2 / (n - lag) for lag, r_l in enumerate(r, start=1))
    return stats.chi2.sf(q, n_lags), r[0]


@given(seed=st.integers(0, 1000), n_blocks=st.integers(1, 3), n_lags=st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_the_p_value_is_that_of_the_definition_within_blocks(seed, n_blocks, n_lags):
    rows = np.cumsum(np.random.default_rng(seed).normal(size=(24, 2)), axis=0)
    blocks = np.repeat(np.arange(n_blocks), 24 // n_blocks)

    p_value, first = ljung_box(rows, blocks, n_lags)

    for j in range(2):
        assert (p_value[j], first[j]) == pytest.approx(by_definition(rows[:, j], blocks, n_lags))


@given(states=st.lists(st.integers(0, 2), min_size=2, max_size=6), n_blocks=st.integers(1, 2))
@settings(max_examples=25, deadline=None)
def test_runs_are_compared_with_those_of_all_orders_of_the_rows(states, n_blocks):
    codes, blocks = np.array(states * n_blocks), np.repeat(np.arange(n_blocks), len(states))
    runs = [1 + sum(a != b for a, b in pairwise(order)) for order in permutations(states)]
    mean, variance = n_blocks * np.mean(runs), n_blocks * np.var(runs)
    excess = mean - n_blocks * (1 + sum(a != b for a, b in pairwise(states)))

    p_value, stays = runs_test(codes[:, None], blocks)

    if variance == 0.0:
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

    assert [name for name, _ in found] == ["swing"]
    ranked = stats.rankdata(swings())
    assert found[0][1] == pytest.approx(by_definition(ranked, np.zeros(60), 1)[1])
    with pytest.warns(sl.DataWarning, match=r"column 'swing' is like itself a row before \(correlation -0\."):
        sl.PC().fit({"noise": noise, "swing": swings()})


@pytest.mark.parametrize("change", [np.exp, lambda x: 1e200 * x, lambda x: -(x**3)])
def test_any_rising_or_falling_scale_tells_the_same(change):
    plain, other = (
        columns_in_order(from_dataset(sl.Dataset({"a": column}))) for column in (swings(), change(swings()))
    )

    assert other == [("a", pytest.approx(plain[0][1]))]


def test_at_most_three_columns_are_named_the_surest_first():
    rng = np.random.default_rng(0)
    table = {f"c{j}": np.cumsum(rng.normal(size=80)) for j in range(5)}
    order = [name for name, _ in columns_in_order(from_dataset(sl.Dataset(table)))]

    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        sl.HillClimbing().fit(table)

    (said,) = (str(each.message) for each in heard if "followed each other" in str(each.message))
    assert [name for name in order if f"'{name}'" in said] == order[:3]
    p_values = {name: by_definition(stats.rankdata(table[name]), np.zeros(80), 10)[0] for name in order}
    assert order == sorted(order, key=p_values.__getitem__)
