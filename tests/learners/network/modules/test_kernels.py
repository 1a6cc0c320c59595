"""Kernels of module networks agree with their definitions."""

import math

import numpy as np
import pytest

from structlearn.learners.network.modules.kernels.moves import (
    leaf_terms,
    likelihood_with,
    mark_blocked,
    reassign,
    size_constant,
)
from structlearn.learners.network.modules.kernels.splits import best_split, best_split_at_once, normal_gamma
from structlearn.learners.network.modules.problem import constants_of, normal_gammas
from tests.oracles import module_networks as oracle

PRIOR = np.array(oracle.PRIOR)


def of(values, prior=PRIOR):
    values = np.asarray(values, dtype=float)
    size = float(len(values))
    return normal_gamma(size_constant(size, prior), size, values.sum(), (values**2).sum(), prior)


# docs/references/networks.md#module-networks
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((1, 1.2, 0.8, 1.1), -4.5370865758),
        ((-1, -0.9, -1.3), -4.4813159323),
        ((1, 1.2, 0.8, 1.1, -1, -0.9, -1.3), -14.6683416251),
        ((0,), -2.8210724168),
        ((), 0.0),
    ],
)
def test_a_leaf_has_the_normal_gamma_likelihood(values, expected):
    assert of(values) == pytest.approx(expected, abs=1e-10)
    assert oracle.normal_gamma(values) == pytest.approx(expected, abs=1e-10)
    numbers = np.array([[len(values), sum(values), sum(x * x for x in values)]], dtype=float).T
    assert normal_gammas(*numbers, PRIOR) == pytest.approx(expected, abs=1e-10)


def test_another_prior_is_used_as_it_says():
    prior, values = np.array([0.5, 2.0, 3.0, 0.7]), [0.2, -0.4, 1.3]

    assert of(values, prior) == pytest.approx(oracle.normal_gamma(values, tuple(prior)))
    assert constants_of(np.array([3.0]), prior)[0] == pytest.approx(size_constant(3.0, prior))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_split_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    regulators, rows = rng.normal(size=(3, 14)), rng.normal(size=(2, 14))
    if seed % 2:
        regulators = regulators.round(0)  # ties
    inside = rng.random(14) < 0.8
    rows[:, regulators[1] > 0] += 1.0
    orders = np.argsort(regulators, axis=1, kind="stable")
    ordered = np.take_along_axis(regulators, orders, axis=1)
    is_cut = np.append(np.diff(ordered, axis=1) > 0, np.zeros((3, 1), dtype=bool), axis=1)
    allowed = np.array([True, True, seed != 5])

    gain, regulator, place = best_split(
        orders, is_cut, allowed, inside, rows.sum(axis=0), (rows**2).sum(axis=0),
        constants_of(2.0 * np.arange(15), PRIOR), 2, 3, PRIOR,
    )  # fmt: skip

    expected, r, low = oracle.best_split(regulators[allowed], rows, inside, 3)
    assert gain == pytest.approx(expected)
    assert regulator == r
    assert (np.isin(np.arange(14), orders[regulator, : place + 1]) & inside == low).all()


@pytest.mark.parametrize("seed", range(40))
def test_whole_arrays_find_the_same_split_to_the_bit(seed):
    rng = np.random.default_rng(seed)
    shape = n_regulators, n_arrays = rng.integers(1, 5), rng.integers(1, 30)
    regulators = rng.normal(size=shape) if seed % 2 else rng.integers(0, 6, size=shape).astype(float)
    orders = np.argsort(regulators, axis=1, kind="stable")
    ordered = np.take_along_axis(regulators, orders, axis=1)
    is_cut = np.append(np.diff(ordered, axis=1) > 0, np.zeros((n_regulators, 1), dtype=bool), axis=1)
    if seed % 3 == 0:
        is_cut &= rng.random(shape) < 0.3  # as at quartiles
    totals = rng.normal(size=n_arrays).round(seed % 5)  # of equal gains the first is taken
    told = (
        orders, is_cut, rng.random(n_regulators) < 0.8, rng.random(n_arrays) < rng.random(), totals,
        totals**2 + rng.random(), constants_of(3.0 * np.arange(n_arrays + 1), PRIOR), 3, 1 + seed % 4, PRIOR,
    )  # fmt: skip

    assert best_split_at_once(*told) == getattr(best_split, "py_func", best_split)(*told)


def test_no_split_leaves_few_arrays_or_crosses_ties():
    orders, is_cut = np.arange(4)[None, :], np.zeros((1, 4), dtype=bool)
    totals = np.array([0.0, 0.0, 9.0, 9.0])
    rest = (
        np.array([True]),
        np.ones(4, dtype=bool),
        totals,
        totals**2,
        constants_of(np.arange(5.0), PRIOR),
        1,
    )

    assert best_split(orders, is_cut, *rest, 1, PRIOR) == (-math.inf, -1, -1)
    assert best_split(orders, ~is_cut, *rest, 3, PRIOR) == (-math.inf, -1, -1)
    assert best_split(orders, ~is_cut, *rest, 1, PRIOR)[1:] == (0, 1)


def test_blocked_modules_are_those_that_a_regulator_leads_to():
    for k, links in enumerate(oracle.all_links(3)):
        users = np.array([k % 2 == 0, k % 3 == 0, k % 5 == 0])
        blocked = np.zeros(3, dtype=bool)
        mark_blocked(users, links, blocked)
        assert blocked.tolist() == oracle.reachable(links, np.flatnonzero(users).tolist())
    chain = np.zeros((6, 6), dtype=np.int64)
    chain[[0, 0, 1, 2, 3], [1, 2, 3, 4, 5]] = 1  # two branches wait at a time
    blocked = np.zeros(6, dtype=bool)
    mark_blocked(np.arange(6) == 0, chain, blocked)
    assert blocked.all()


LONG = (1, 4, 6)  # columns in whose modules splits cost more


def arranged(seed, n_columns=7, n_arrays=9, n_modules=3):
    """Rows, modules and leaves at random, in the form of the kernel."""
    rng = np.random.default_rng(seed)
    rows, modules = rng.normal(size=(n_columns, n_arrays)), rng.integers(0, n_modules, n_columns)
    leaves = [np.sort(np.arange(n_arrays) % k)[rng.permutation(n_arrays)] for k in (1, 2, 3)]
    starts = np.array([0, 1, 3, 6])
    is_in = np.zeros((n_arrays, 6))
    for m in range(n_modules):
        is_in[np.arange(n_arrays), starts[m] + leaves[m]] = 1.0
    parts = np.array([rows @ is_in, rows**2 @ is_in])
    home = np.repeat(np.arange(3), np.diff(starts))[None, :] == modules[:, None]
    sums, squares = np.where(home, parts, 0.0).sum(axis=1)
    return (
        rows,
        modules,
        leaves,
        (parts, starts, is_in.sum(axis=0), np.bincount(modules, minlength=3), sums, squares),
    )


@pytest.mark.parametrize("price", [0.0, 2.0])
@pytest.mark.parametrize("seed", range(6))
def test_columns_go_where_the_whole_score_is_best(seed, price):
    rows, modules, leaves, (parts, starts, sizes, counts, sums, squares) = arranged(seed)
    order, before = np.random.default_rng(seed).permutation(7), modules.copy()
    nothing = np.zeros((3, 7), dtype=bool), np.zeros((3, 3), dtype=np.int64), np.zeros((7, 3), dtype=bool)

    n_moved, gained = reassign(
        order, modules, parts, starts, sizes, counts, sums, squares, *nothing, PRIOR,
        np.isin(range(7), LONG), price, 1e-9,
    )  # fmt: skip

    assert modules.tolist() == oracle.moved(rows, before, leaves, 3, order, LONG, price)
    scores = [oracle.score(rows, each, leaves, 3, 0.0, LONG, price) for each in (before, modules)]
    assert gained == pytest.approx(scores[1] - scores[0], abs=1e-9)
    assert n_moved >= (before != modules).sum()
    assert counts.tolist() == np.bincount(modules, minlength=3).tolist()


def test_a_regulator_never_goes_to_what_it_regulates_or_leads_to_nor_a_column_where_it_may_not():
    for seed in range(6):
        _, modules, _, (parts, starts, sizes, counts, sums, squares) = arranged(seed)
        modules_before = modules.copy()
        uses = np.zeros((3, 7), dtype=bool)
        uses[1, 0] = modules[0] != 1
        uses[2, 1] = modules[1] != 2 and modules[1] != 1
        forbids = np.zeros((7, 3), dtype=bool)
        forbids[3] = True
        links = np.zeros((3, 3), dtype=np.int64)
        for m, j in np.argwhere(uses).tolist():
            links[modules[j], m] += 1

        reassign(
            np.arange(7),
            modules,
            parts,
            starts,
            sizes,
            counts,
            sums,
            squares,
            uses,
            links,
            forbids,
            PRIOR,
            np.zeros(7, dtype=bool),
            0.0,
            1e-9,
        )

        assert modules[3] == modules_before[3]
        again = np.zeros((3, 3), dtype=np.int64)
        for m, j in np.argwhere(uses).tolist():
            assert modules[j] != m
            again[modules[j], m] += 1
        assert (again == links).all()


def test_a_column_more_or_less_changes_a_module_as_it_says():
    rows, modules, leaves, (parts, starts, sizes, counts, sums, squares) = arranged(1)
    constants = np.empty((2, 6))
    rest = (starts, sizes, counts, sums, squares)
    j = int(np.flatnonzero(modules == 2)[0])

    now = leaf_terms(2, *rest, PRIOR, constants)
    less = likelihood_with(2, -1, j, *rest, parts, PRIOR, constants)

    members = rows[modules == 2]
    others = rows[(modules == 2) & (np.arange(7) != j)]
    assert now == pytest.approx(sum(oracle.leaf_score(members, leaves[2] == leaf) for leaf in range(3)))
    assert less == pytest.approx(sum(oracle.leaf_score(others, leaves[2] == leaf) for leaf in range(3)))
