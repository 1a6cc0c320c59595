"""Columns that somebody laid out are no series; series beside them are told all the same."""

from itertools import product

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.designs import factors_among, is_regular
from structlearn.learners.rows_in_order import columns_in_order
from structlearn.statistics import from_dataset


def in_order(table):
    return [name for name, *_ in columns_in_order(from_dataset(sl.Dataset(table)))]


def text(*columns):
    return {f"f{j}": np.char.add("s", np.asarray(column).astype(str)) for j, column in enumerate(columns)}


def full(*levels, times=1):
    """Every combination so many times in a row, the last factor changing fastest."""
    return text(*np.repeat(np.array(list(product(*map(range, levels)))), times, axis=0).T)


def randomised_blocks(n_blocks, n_treatments, seed):
    rng = np.random.default_rng(seed)
    return text(np.concatenate([rng.permutation(n_treatments) for _ in range(n_blocks)]))


def fraction():
    """2⁷⁻² in standard order: the sixth and seventh factor are products of others."""
    base = np.array(list(product([0, 1], repeat=5)))
    return text(*base.T, base[:, :3].sum(axis=1) % 2, base[:, [0, 1, 3, 4]].sum(axis=1) % 2)


DESIGNS = {
    "two in turn": text(np.arange(40) % 2),
    "turns in pairs": text(np.arange(40) % 2, np.arange(40) // 2 % 2),
    "cycles of three": text(np.arange(60) % 3),
    "cycles cut short": text(np.arange(50) % 3, np.arange(50) * 7 % 4),
    "all of 2⁶": full(2, 2, 2, 2, 2, 2),
    "all of 2 × 3 × 4, three each": full(2, 3, 4, times=3),
    "all of 3³, twice over": {name: np.tile(column, 2) for name, column in full(3, 3, 3).items()},
    "a slow factor of many rows": full(2, 2, 2, times=40),
    "the fraction 2⁷⁻²": {name: np.tile(column, 3) for name, column in fraction().items()},
    "doses": {"dose": np.tile([0.1, 0.5, 1.25], 20), "warm": np.repeat([20.5, 30.5], 30)},
    "blocks of five": randomised_blocks(40, 5, seed=0),
    "blocks of two": randomised_blocks(60, 2, seed=1),
}


@pytest.mark.parametrize("table", DESIGNS.values(), ids=DESIGNS)
def test_a_design_is_no_series(table):
    assert in_order(table) == []


@pytest.mark.parametrize("table", DESIGNS.values(), ids=DESIGNS)
def test_what_was_measured_in_a_design_is_no_series_but_a_walk_is(table):
    rng = np.random.default_rng(5)
    n_rows = len(next(iter(table.values())))
    effects = [np.unique(column, return_inverse=True)[1] for column in table.values()]
    measured = 3.0 * np.sum(effects, axis=0) + rng.normal(size=n_rows)

    assert in_order(table | {"y": measured}) == []
    assert in_order(table | {"walk": np.cumsum(rng.normal(size=n_rows))}) == ["walk"]


@pytest.mark.parametrize("period", [2, 7, 12])
def test_a_series_is_told_beside_a_clock(period):
    rng = np.random.default_rng(0)
    season = np.sin(2 * np.pi * np.arange(240) / period)
    clock = text(np.arange(240) % period)
    stays = np.repeat(["a", "b"], 120)[np.cumsum(rng.random(240) < 0.15) * 120 % 240]

    assert in_order(clock | {"y": 5 * season + rng.normal(size=240)}) == []
    assert in_order(clock | {"y": 5 * season + np.cumsum(rng.normal(size=240))}) == ["y"]
    assert in_order(clock | {"state": stays}) == ["state"]


def test_effects_that_need_two_factors_are_taken_off_where_each_combination_has_rows():
    rng = np.random.default_rng(0)
    table = full(2, 2, 2, times=10)
    codes = [np.unique(column, return_inverse=True)[1] for column in table.values()]

    assert in_order(table | {"y": 9.0 * (codes[1] ^ codes[2]) + rng.normal(size=80)}) == []


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([0, 1, 0, 1, 0], True),
        ([0, 0, 1, 1, 0, 0, 1, 1, 0], True),
        ([2, 2, 0, 0, 1, 1], True),
        ([0, 0, 0, 1, 1, 1, 0], False),  # a cycle that does not come twice
        ([0, 0, 1, 1, 1], False),
        ([0, 1, 2, 3], False),  # a row number
        ([0, 1, 1, 0, 1, 0, 0, 1], False),
    ],
)
def test_cycles_and_runs_of_one_length_are_regular(column, expected):
    assert is_regular(np.array(column)) is expected


@pytest.mark.parametrize("n_rows", [4, 7, 8, 11])
def test_cycles_come_twice_at_least(n_rows):
    for column in map(np.array, product([0, 1, 256], repeat=min(n_rows, 5))):
        rows = np.resize(column, n_rows)
        periods = range(1, n_rows // 2 + 1)
        has_cycle = any((rows[period:] == rows[:-period]).all() for period in periods)
        assert is_regular(rows) or not has_cycle
        if has_cycle or rows[0] == rows[-1]:  # then states do not stand in one run each
            assert is_regular(rows) is has_cycle


def test_a_column_that_is_balanced_against_two_factors_is_one_and_against_one_is_not():
    slow, fast = np.repeat([0, 1], 4), np.tile([0, 1], 4)
    other = np.array([0, 0, 1, 1, 1, 1, 0, 0])

    assert factors_among([slow, other, fast]) == [True, True, True]
    assert factors_among([fast, other]) == [True, False]
    assert factors_among([slow, np.array([0, 0, 1, 1, 1, 0, 0, 1]), 1 - fast]) == [True, True, True]
    assert factors_among([slow, np.array([0, 0, 1, 1, 1, 1, 1, 0]), fast]) == [True, False, True]


def test_sorted_numbers_and_chains_that_repeat_by_chance_are_told():
    rng = np.random.default_rng(0)
    chain = np.cumsum(rng.random(300) < 0.2) % 2

    assert in_order({"age": np.sort(rng.normal(40, 9, size=120).round()), "x": rng.normal(size=120)}) == [
        "age"
    ]
    assert in_order(text(chain)) == ["f0"]
    assert set(in_order(text(chain, rng.permutation(chain)))) == {"f0"}
