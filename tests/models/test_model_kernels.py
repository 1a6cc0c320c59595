"""Kernels of models agree with enumeration: hidden states of rows, ways down a tree, sweeps of spins."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.models.kernels.gibbs import sweep_spins
from structlearn.models.kernels.hidden_states import count_states, expect_counts, find_groups, list_groups
from structlearn.models.kernels.routing import AT_MOST, EACH_STATE, LEAF, ONE_STATE, route

# Families of a DAG on five columns: 0, 1 | 0, 2 | 0, 3 | 1 2, 4, each with its columns.
FAMILIES = [(0,), (1, 0), (2, 0), (3, 1, 2), (4,)]
LEVELS = np.array([2, 3, 2, 2, 4])


def layout():
    """Where each family's columns, strides and cells are, the last column of a family fastest."""
    bounds = np.concatenate([[0], np.cumsum([len(family) for family in FAMILIES])])
    columns = np.array([column for family in FAMILIES for column in family])
    strides, firsts, total = [], [], 0
    for family in FAMILIES:
        sizes = [LEVELS[c] for c in family]
        strides += [int(np.prod(sizes[i + 1 :])) for i in range(len(sizes))]
        firsts.append(total)
        total += int(np.prod(sizes))
    return bounds, columns, np.array(strides), np.array(firsts), total


def cell(family, state):
    _, _, _, firsts, _ = layout()
    place = 0
    for column in FAMILIES[family]:
        place = place * LEVELS[column] + state[column]
    return firsts[family] + place


def completions(row):
    """Every way to fill the gaps of a row."""
    choices = [range(LEVELS[c]) if value < 0 else [value] for c, value in enumerate(row)]
    return itertools.product(*choices)


def rows_with_gaps(seed, n_rows=6):
    rng = np.random.default_rng(seed)
    codes = np.stack([rng.integers(0, r, n_rows) for r in LEVELS], axis=1)
    return np.where(rng.random(codes.shape) < 0.5, -1, codes)


def linked(row):
    """The groups of missing columns that families tie together, by the smallest column of each."""
    missing = [c for c, value in enumerate(row) if value < 0]
    group = {c: c for c in missing}
    for _ in missing:
        for family in FAMILIES:
            own = [c for c in family if c in group]
            for c in own:
                group[c] = min(group[other] for other in own)
    return [group.get(c, -1) for c in range(len(row))]


@pytest.mark.parametrize("row", list(itertools.product([-1, 0], repeat=5)))
def test_missing_values_of_a_family_are_one_group(row):
    bounds, columns, *_ = layout()
    groups = np.empty(5, dtype=np.int64)

    find_groups(np.array(row), bounds, columns, groups)

    assert groups.tolist() == linked(row)


def test_the_states_of_the_largest_group_are_counted_up_to_a_limit():
    bounds, columns, *_ = layout()
    rows = np.array([[0, 0, 0, 0, 0], [-1, -1, -1, 0, 0], [0, -1, 0, 0, -1], [-1] * 5])

    assert count_states(rows, LEVELS, bounds, columns, 100).tolist() == [1, 12, 4, 24]
    assert count_states(rows, LEVELS, bounds, columns, 10).tolist() == [1, 11, 4, 11]


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10_000))
def test_expected_counts_are_those_of_all_completions(seed):
    bounds, columns, strides, firsts, n_cells = layout()
    codes, rng = rows_with_gaps(seed), np.random.default_rng(seed)
    logs = np.log(rng.random(n_cells))
    n_missing = int((codes < 0).sum())
    hidden = np.empty(n_missing, dtype=np.int64)
    families, cells = (np.empty(n_missing * len(FAMILIES), dtype=np.int64) for _ in range(2))

    ends = list_groups(codes, bounds, columns, strides, firsts, hidden, families, cells)
    weights = rng.random(len(codes))
    expected = np.zeros(n_cells)
    totals = expect_counts(
        logs, LEVELS, bounds, columns, strides, hidden, families, cells, ends, weights[ends[:, 0]], expected
    )

    wanted, log_p = np.zeros(n_cells), {}
    for i, row in enumerate(codes):
        touched = [f for f, family in enumerate(FAMILIES) if any(row[c] < 0 for c in family)]
        states = list(completions(row))
        scores = np.array([sum(logs[cell(f, state)] for f in touched) for state in states])
        if touched:
            log_p[i] = np.logaddexp.reduce(scores)
            for state, share in zip(states, np.exp(scores - log_p[i]), strict=True):
                for f in touched:
                    wanted[cell(f, state)] += weights[i] * share
    assert expected == pytest.approx(wanted)
    for i, value in log_p.items():
        assert totals[ends[:, 0] == i].sum() == pytest.approx(value)


def test_values_that_no_state_explains_are_impossible():
    bounds, columns, strides, firsts, n_cells = layout()
    codes = np.array([[-1, 0, 0, 0, 0]])
    logs = np.zeros(n_cells)
    logs[[cell(0, (0, 0, 0, 0, 0)), cell(0, (1, 0, 0, 0, 0))]] = -np.inf
    hidden, families, cells = (np.empty(5, dtype=np.int64) for _ in range(3))
    ends = list_groups(codes, bounds, columns, strides, firsts, hidden[:1], families, cells)
    expected = np.zeros(n_cells)

    totals = expect_counts(
        logs, LEVELS, bounds, columns, strides, hidden, families, cells, ends, np.ones(1), expected
    )

    assert totals.tolist() == [-math.inf]
    assert not expected.any()


def test_rows_go_down_a_tree_to_their_leaf():
    # 0: each state of parent 0 (1, 2, 3); 1: parent 1 at most 0.5 (4, 5); 2: parent 0 is 1 (6, 7).
    tests = np.array([EACH_STATE, AT_MOST, ONE_STATE, LEAF, LEAF, LEAF, LEAF, LEAF])
    tested, at = np.array([0, 1, 0, 0, 0, 0, 0, 0]), np.array([0, 0.5, 1.0, 0, 0, 0, 0, 0])
    first = np.array([1, 4, 6, 0, 0, 0, 0, 0])
    points = np.array([[0.0, 0.0, 0.0, 1.0, 2.0], [0.4, 0.5, 0.6, 9.0, 9.0]])
    out = np.empty(5, dtype=np.int64)

    route(points, tests, tested, at, first, out)

    assert out.tolist() == [4, 4, 5, 6, 3]


def test_a_root_without_tests_is_the_leaf_of_all():
    out = np.full(3, -1, dtype=np.int64)

    route(np.zeros((1, 3)), np.array([LEAF]), np.zeros(1, np.int64), np.zeros(1), np.zeros(1, np.int64), out)

    assert out.tolist() == [0, 0, 0]


def test_a_sweep_draws_each_spin_from_its_conditional_probability():
    fields, couplings = np.array([0.2, -0.4]), np.array([0.7, 0.7])
    starts, neighbors = np.array([0, 1, 2]), np.array([1, 0])
    levels = np.linspace(0.0005, 0.9995, 1000)
    spins = np.tile(np.array([[1, -1]]), (1000, 1))
    uniforms = np.column_stack([levels, np.full(1000, 0.5)])

    sweep_spins(spins, fields, starts, neighbors, couplings, uniforms)

    share = 1 / (1 + math.exp(-2 * (0.2 - 0.7)))  # of spin 0 given that spin 1 is −1
    assert (spins[:, 0] == 1).mean() == pytest.approx(share, abs=1e-3)
    up = 1 / (1 + np.exp(-2 * (-0.4 + 0.7 * spins[:, 0])))  # then spin 1, given the new spin 0
    assert (spins[:, 1] == np.where(up > 0.5, 1, -1)).all()


def test_sweeps_leave_the_distribution_as_it_is():
    """With the transition matrix of one sweep, by going through all states and both draws of each spin."""
    fields, couplings = np.array([0.3, -0.2, 0.1]), {(0, 1): 0.4, (1, 2): -0.6}
    starts, neighbors = np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1])
    weights = np.array([0.4, 0.4, -0.6, -0.6])
    states = np.array(list(itertools.product([-1, 1], repeat=3)))
    energy = states @ fields + sum(w * states[:, i] * states[:, j] for (i, j), w in couplings.items())
    joint = np.exp(energy) / np.exp(energy).sum()
    grid = np.linspace(0.005, 0.995, 100)

    after = np.zeros(8)
    draws = np.array(list(itertools.product(grid[::10], repeat=3)))
    for state, p in zip(states, joint, strict=True):
        spins = np.tile(state, (len(draws), 1))
        sweep_spins(spins, fields, starts, neighbors, weights, draws)
        places = (spins > 0) @ [4, 2, 1]
        after += p * np.bincount(places, minlength=8) / len(draws)

    assert after == pytest.approx(joint, abs=0.05)  # a grid of ten levels for each draw
