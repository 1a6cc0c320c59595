"""Every undirected learner finds strong pairs, however many there are and whatever the shape of the table."""

import numpy as np
import pytest

import structlearn as sl
from tests.contracts.conftest import take

# Two columns of many are no module: among noise no component shows them. Nor do clusters join columns.
UNDIRECTED = pytest.mark.methods_that(
    lambda method: method.returns == "undirected" and method.joins != "modules" and method.nodes == "columns"
)
# Rows, columns and planted pairs.
WIDE = [(300, 50, 25), (100, 50, 1), (60, 100, 10)]
SMALL = [(400, 12, 6), (100, 20, 1)]
DISCRETE = [(500, 10, 5), (300, 12, 1)]
GROWS_WITH_CUBES = {"bounded-treewidth", "lookahead-search"}  # they look at sets of three columns


def planted(n_columns, n_pairs):
    """The pairs, spread over the table."""
    order = np.random.default_rng(n_columns).permutation(n_columns).tolist()
    return list(zip(order[:n_pairs], order[n_pairs : 2 * n_pairs], strict=True))


def normal_pairs(shape, seed):
    """Independent columns but for pairs with a correlation of 0.8."""
    n_rows, n_columns, n_pairs = shape
    rows = np.random.default_rng(seed).normal(size=(n_rows, n_columns))
    for a, b in planted(n_columns, n_pairs):
        rows[:, b] = 0.8 * rows[:, a] + 0.6 * rows[:, b]
    return {f"c{j:02}": rows[:, j] for j in range(n_columns)}


def coded_pairs(shape, seed):
    """Independent columns of two states but for pairs that agree in nine rows of ten."""
    n_rows, n_columns, n_pairs = shape
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, 2, size=(n_rows, n_columns))
    for a, b in planted(n_columns, n_pairs):
        rows[:, b] = rows[:, a] ^ (rng.random(n_rows) < 0.1)
    return {f"c{j:02}": rows[:, j] for j in range(n_columns)}


def missed_and_others(learner, table, shape):
    """The planted pairs that are no edges, and the number of other edges."""
    pairs = {frozenset((f"c{a:02}", f"c{b:02}")) for a, b in planted(*shape[1:])}
    found = {frozenset(pair) for pair in learner.fit(table).graph_.undirected}
    return pairs - found, len(found - pairs)


@UNDIRECTED
@take("continuous")
@pytest.mark.parametrize("shape", [*WIDE, *SMALL], ids=str)
def test_correlated_pairs_are_found(method, learner, shape):
    if method.name in GROWS_WITH_CUBES and shape in WIDE:
        shape = (shape[0], 16, min(shape[2], 8))

    missed, n_others = missed_and_others(learner, normal_pairs(shape, seed=1), shape)

    assert not missed
    assert n_others <= shape[1] // 2  # of 66 to 4,950 pairs


@UNDIRECTED
@take("discrete")
@pytest.mark.parametrize("shape", DISCRETE, ids=str)
def test_pairs_that_agree_are_found(learner, shape):
    missed, n_others = missed_and_others(learner, coded_pairs(shape, seed=1), shape)

    assert not missed
    assert n_others <= 1


@pytest.mark.slow
@UNDIRECTED
@take("continuous")
@pytest.mark.parametrize("shape", SMALL, ids=str)
def test_correlated_pairs_are_found_in_twenty_tables(learner, shape):
    found = [missed_and_others(learner, normal_pairs(shape, seed), shape) for seed in range(20)]

    assert sum(len(missed) for missed, _ in found) == 0
    assert sum(n_others for _, n_others in found) <= 20 * shape[1] // 2


@pytest.mark.parametrize("seed", range(20))
def test_shrinkage_finds_twenty_five_pairs_of_fifty_columns(seed):
    shape = (300, 50, 25)

    missed, n_others = missed_and_others(sl.ShrinkagePartialCorrelation(), normal_pairs(shape, seed), shape)

    assert not missed
    assert n_others <= 10
