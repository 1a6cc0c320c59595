"""Rows of a Markov network come from its distribution, exactly or in the long run."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import structlearn as sl
from structlearn.models.factors_layout import Layout
from structlearn.models.factors_product import FactorProduct
from structlearn.models.kernels.factors import sweep_states
from tests.oracles import factors as oracle


def counted(model, rows):
    """How often each joint state occurs, as `oracle.joint` has it."""
    seen = dict.fromkeys(oracle.states(model), 0)
    columns = rows.to_dict()
    for state in zip(*(columns[node].tolist() for node in model.nodes), strict=True):
        seen[state] += 1
    return np.array(list(seen.values()))


@pytest.mark.compiled
@pytest.mark.parametrize("method", ["exact", "gibbs"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_samples_fit_the_enumerated_distribution(method, seed):
    model = oracle.random_model(seed, n_nodes=4)

    rows = model.sample(2000, method=method, sweeps=12, random_state=seed)

    expected, seen = 2000 * oracle.joint(model).ravel(), counted(model, rows)
    enough = expected >= 5
    counts, means = [*seen[enough], seen[~enough].sum()], [*expected[enough], expected[~enough].sum()]
    kept = [(n, mean) for n, mean in zip(counts, means, strict=True) if mean > 0]
    assert chisquare(*zip(*kept, strict=True)).pvalue > 1e-4


def test_impossible_states_are_never_drawn():
    model = oracle.random_model(8, n_nodes=5, zeros=0.3)

    exact = model.sample(3000, method="exact", random_state=0)
    with pytest.warns(sl.DataWarning, match="may not reach all states"):
        gibbs = model.sample(200, method="gibbs", sweeps=20, random_state=0)

    assert (oracle.joint(model) == 0).any()
    for rows in (exact, gibbs):
        assert (counted(model, rows)[oracle.joint(model).ravel() == 0] == 0).all()


def test_chains_that_find_nothing_possible_say_so():
    # Three nodes with two colours, all different: impossible, and no table is all 0.
    graph = sl.Graph("abc", undirected=["ab", "bc", "ac"])
    differ = [[0, 1], [1, 0]]
    model = sl.MarkovNetwork(graph, [sl.Factor(pair, differ) for pair in ("ab", "bc", "ac")])

    with pytest.raises(sl.DataError, match="10 of 10 chains found no state"):
        model.sample(10, method="gibbs", sweeps=5, random_state=0)


def product_of(model):
    levels = [len(model.labels[node]) for node in model.nodes]
    place = {node: i for i, node in enumerate(model.nodes)}
    factors = [(tuple(place[name] for name in names), table) for names, table in model.factors()]
    return FactorProduct.of(levels, factors)


def conditionals(model):
    joint = oracle.joint(model)
    return [oracle.conditional(joint, axis) for axis in range(joint.ndim)]


def swept(state, uniforms, tables):
    """Each node in turn: the first state whose cumulative conditional probability is above its draw."""
    state = list(state)
    for axis, (table, uniform) in enumerate(zip(tables, uniforms, strict=True)):
        row = table[(*state[:axis], slice(None), *state[axis + 1 :])]
        state[axis] = int(np.searchsorted(np.cumsum(row), uniform, side="right"))
    return state


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_sweep_draws_each_node_given_all_others(seed):
    model = oracle.random_model(seed, n_nodes=4)
    product, tables = product_of(model), conditionals(model)
    rng = np.random.default_rng(seed)
    states = rng.integers(0, product.layout.levels, (40, 4))
    uniforms = rng.random((40, 4))
    expected = [swept(*row, tables) for row in zip(states.tolist(), uniforms, strict=True)]

    sweep_states(
        states, np.array(product.layout.levels), product.logs, *product.layout.neighborhoods, uniforms
    )

    assert states.tolist() == expected


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_sweep_of_three_nodes_keeps_the_joint_distribution(seed):
    # From docs/references/inference.md#gibbs-sampling: the transition matrix of the systematic sweep, by
    # enumeration.
    model = oracle.random_model(seed, n_nodes=3)
    joint = oracle.joint(model)
    moves = np.eye(joint.size)
    for axis, table in enumerate(conditionals(model)):
        step = np.zeros((joint.size, joint.size))
        for here, state in enumerate(np.ndindex(joint.shape)):
            for value in range(joint.shape[axis]):
                there = (*state[:axis], value, *state[axis + 1 :])
                step[here, np.ravel_multi_index(there, joint.shape)] = table[there]
        moves = moves @ step

    assert joint.ravel() @ moves == pytest.approx(joint.ravel(), abs=1e-12)


def test_a_draw_inverts_the_cumulative_conditional_probabilities():
    logs = np.log(np.array([0.2, 0.0, 0.5, 0.3]), where=[True, False, True, True], out=np.full(4, -np.inf))
    product = FactorProduct(Layout((4,), ((0,),)), logs)
    uniforms = np.array([[0.0], [0.1999], [0.2001], [0.6999], [0.7001], [1.0 - 1e-16]])
    states = np.ones((6, 1), dtype=np.int64)

    sweep_states(states, np.array([4]), product.logs, *product.layout.neighborhoods, uniforms)

    assert states.ravel().tolist() == [0, 0, 2, 2, 3, 3]


def test_a_node_without_a_possible_state_stays_where_it_is():
    layout = Layout((2, 2), ((0, 1),))
    logs = np.array([-np.inf, 0.0, -np.inf, -np.inf])
    states = np.array([[1, 0]])

    sweep_states(states, np.array([2, 2]), logs, *layout.neighborhoods, np.zeros((1, 2)))

    # Nothing goes with the second node's 0; the second node then finds nothing beside the first one's 1.
    assert states.tolist() == [[1, 0]]


@pytest.mark.compiled
def test_wide_networks_are_drawn_by_chains():
    nodes = [f"x{i:02}" for i in range(24)]
    graph = sl.Graph(nodes, undirected=itertools.combinations(nodes, 2))
    pull = np.exp([[0.02, -0.02], [-0.02, 0.02]])
    model = sl.MarkovNetwork(graph, [sl.Factor(pair, pull) for pair in graph.undirected])

    rows = model.sample(100, sweeps=10, random_state=0).to_dict()

    # By symmetry the sum s of spins has P(k up) ∝ C(24, k) exp(0.02 s² / 2) with s = 2k − 24.
    sums = 2 * np.arange(25) - 24
    weights = np.array([math.comb(24, k) for k in range(25)]) * np.exp(0.01 * sums**2)
    p = weights / weights.sum()
    expected = p @ sums**2
    error = math.sqrt((p @ sums**4 - expected**2) / 100)
    drawn = 2 * np.stack([rows[node] for node in nodes]).sum(axis=0) - 24
    assert np.mean(drawn**2) == pytest.approx(expected, abs=4.5 * error)


def test_the_same_seed_gives_the_same_rows():
    model = oracle.random_model(3)

    for method in ("exact", "gibbs"):
        draws = [model.sample(30, method=method, sweeps=5, random_state=seed) for seed in (7, 7, 8)]
        assert draws[0] == draws[1]
        assert draws[0] != draws[2]
    with pytest.raises(sl.OptionError, match="sweeps"):
        model.sample(3, sweeps=0)
