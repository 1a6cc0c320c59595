"""Blocks, first states and sweeps of Gibbs sampling agree with enumeration on small factors."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.inference.gibbs_blocks import blocked
from structlearn.inference.kernels.gibbs import run_sweeps
from structlearn.inference.possible_states import draw_possible
from tests.oracles import models

SEEDS = st.integers(0, 2**32)
QUICK = settings(deadline=None, max_examples=40)


def random_tables(seed, *, zeros, n_columns=4):
    """Factors over some of a few columns, some of their cells zero, and how many states these have."""
    rng = np.random.default_rng(seed)
    sizes = dict(enumerate(rng.integers(2, 4, n_columns).tolist()))
    tables = []
    for _ in range(4):
        axes = tuple(rng.permutation(n_columns)[: rng.integers(1, 4)].tolist())
        table = rng.uniform(0.2, 1.0, [sizes[axis] for axis in axes])
        tables.append((axes, np.where(rng.random(table.shape) < zeros, 0.0, table)))
    return tables, sizes


def weights_of(tables, sizes):
    """The product of all factors for every joint state of all columns."""
    states = list(itertools.product(*(range(n) for n in sizes.values())))
    return {
        state: math.prod(float(table[tuple(state[axis] for axis in axes)]) for axes, table in tables)
        for state in states
    }


def transition_matrix(tables, sizes, *, joined):
    """The probability that a sweep leads from each state of the blocks to each other, read off the kernel."""
    blocks = blocked(tables, sizes, list(sizes), joined=joined)
    product = blocks.product(tables)
    levels = np.array(product.layout.levels)
    ways = list(itertools.product(*(range(n) for n in levels)))
    matrix = np.zeros((len(ways), len(ways)))
    for i, start in enumerate(ways):
        if not np.isfinite(product.log_weights(np.array([start]))[0]):
            continue
        for j, end in enumerate(ways):
            matrix[i, j] = way_probability(product, levels, start, end)
    weights = np.exp(product.log_weights(np.array(ways)))
    return matrix, weights / weights.sum()


def way_probability(product, levels, start, end):
    """The probability that a sweep leads from a state to another, block after block."""
    states, total = np.array(start), 1.0
    for block, state in enumerate(end):
        arrays = np.array([block]), np.array([0]), np.array([0]), np.arange(levels[block])
        shares, drawn = np.zeros((1, levels[block])), np.zeros((1, 1), dtype=np.int64)
        run_sweeps(
            states.copy(), levels, product.logs, product.layout.neighborhoods,
            stay(product, levels, states, block), *arrays, shares, drawn,
        )  # fmt: skip
        total *= shares[0, state]
        if total == 0.0:
            return 0.0
        states[block] = state
    return total


def stay(product, levels, states, until):
    """Uniform draws that leave the blocks before one as they are: the middle of each state's share."""
    uniforms = np.zeros((1, levels.size))
    for block in range(until):
        logs = np.array(
            [
                product.log_weights(np.array([[*states[:block], s, *states[block + 1 :]]]))[0]
                for s in range(levels[block])
            ]
        )
        shares = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
        uniforms[0, block] = shares[: states[block]].sum() + shares[states[block]] / 2
    return uniforms


@pytest.mark.parametrize(("zeros", "joined"), [(0.0, False), (0.3, True), (0.3, False)])
@pytest.mark.parametrize("seed", [1, 5, 8])
def test_a_sweep_leaves_the_joint_distribution_as_it_is(seed, zeros, joined):
    tables, sizes = random_tables(seed, zeros=zeros, n_columns=3)
    assert sum(weights_of(tables, sizes).values()) > 0

    matrix, joint = transition_matrix(tables, sizes, joined=joined)

    np.testing.assert_allclose(matrix[joint > 0].sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(joint @ matrix, joint, atol=1e-12)


@QUICK
@given(seed=SEEDS)
def test_factors_over_blocks_have_the_same_product_and_hold_every_zero(seed):
    tables, sizes = random_tables(seed, zeros=0.3)
    weights = weights_of(tables, sizes)

    blocks = blocked(tables, sizes, list(sizes), joined=True)

    product = blocks.product(tables)
    levels = product.layout.levels
    found = {}
    for numbers in itertools.product(*(range(n) for n in levels)):
        codes = {}
        for block, number in zip(blocks.blocks, numbers, strict=True):
            codes |= dict(zip(block.columns, block.states[number].tolist(), strict=True))
        found[tuple(codes[column] for column in sizes)] = math.exp(
            product.log_weights(np.array([numbers]))[0]
        )
    assert all(weight == 0.0 for state, weight in weights.items() if state not in found)
    for state, weight in found.items():
        assert weight == pytest.approx(weights[state], rel=1e-12)
    if not blocks.loose:
        assert all(weight > 0.0 for weight in found.values())


@QUICK
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.3, 0.6]))
def test_a_possible_state_is_found_where_there_is_one(seed, zeros):
    tables, sizes = random_tables(seed, zeros=zeros)
    weights = weights_of(tables, sizes)

    found = draw_possible(tables, sizes, list(sizes), np.random.default_rng(seed))

    if found is None:
        assert not any(weights.values())
    else:
        assert weights[tuple(found[column] for column in sizes)] > 0.0


def test_without_evidence_the_first_state_is_a_row_of_the_network():
    """Of 2,000 rows the shares of each node are within five standard errors."""
    model = models.asia()
    index = {node: i for i, node in enumerate(model.nodes)}
    tables = [
        (tuple(index[name] for name in (*cpd.parents, node)), cpd.probabilities)
        for node, cpd in model.cpds.items()
    ]
    order = [index[node] for node in model.graph.topological_order()]
    rng = np.random.default_rng(0)

    rows = [draw_possible(tables, dict.fromkeys(order, 2), order, rng) for _ in range(2000)]

    for node, share in {"smoke": 0.5, "bronc": 0.45, "either": 0.064828, "dysp": 0.4359706}.items():
        found = np.mean([row[index[node]] == 0 for row in rows])
        assert abs(found - share) < 5 * math.sqrt(share * (1 - share) / 2000)
