"""A reinserted node is connected as the best of all ways would connect it."""

import itertools
import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.search.parent_sets import ParentSets
from structlearn.search.reinsertion import reinsert
from structlearn.search.starts import start_from
from tests.oracles.reference_data import XOR
from tests.search import dependent_tables
from tests.search.spaces import space_of


def random_table(seed, n_columns=5, n_rows=80):
    return dependent_tables.random_table(seed, n_columns, n_rows)


def random_graph(names, rng, max_parents):
    """A DAG along a random order."""
    order = rng.permutation(len(names))
    arcs = []
    for place, v in enumerate(order):
        parents = [u for u in order[:place] if rng.random() < 0.5][:max_parents]
        arcs += [(names[u], names[v]) for u in parents]
    return sl.Graph(names, directed=arcs)


def ready_search(data, *, initial=None, knowledge=None, max_parents=None, score="bic", set_size=3):
    """A state to reinsert nodes into, and the parent sets."""
    space = space_of(data, score, knowledge=knowledge, max_parents=max_parents)
    return start_from(space, initial), ParentSets(space, set_size=set_size)


def best_of_all_reinsertions(graph, node, scores, max_parents, knowledge):
    """The best score over the 3^(n−1) ways to connect a node to the others."""
    others = [v for v in graph.nodes if v != node]
    rest = [arc for arc in graph.directed if node not in arc]
    best = -math.inf
    for states in itertools.product((None, "in", "out"), repeat=len(others)):
        arcs = rest + [
            (v, node) if state == "in" else (node, v)
            for v, state in zip(others, states, strict=True)
            if state is not None
        ]
        candidate = sl.Graph(graph.nodes, directed=arcs)
        parents = [[graph.nodes.index(u) for u in candidate.parents(v)] for v in graph.nodes]
        if max(map(len, parents)) > max_parents or not candidate.is_dag or knowledge.violations(candidate):
            continue
        best = max(best, scores.total(parents))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_step_is_as_good_as_the_best_of_all_ways_to_connect_the_node(seed):
    rng = np.random.default_rng(seed)
    data = random_table(seed)
    graph = random_graph(data.names, rng, 2)
    node = seed % 5
    state, sets = ready_search(data, initial=graph, max_parents=2)
    expected = best_of_all_reinsertions(graph, data.names[node], state.scores, 2, sl.Knowledge())

    before = state.score
    gain = reinsert(state, node, sets.of(node))

    assert state.score == pytest.approx(expected, abs=1e-7)
    assert state.scores.total(state.parents()) == pytest.approx(state.score, abs=1e-7)
    assert gain == pytest.approx(expected - before, abs=1e-7)


@pytest.mark.parametrize("seed", range(12))
def test_a_step_with_knowledge_is_the_best_that_keeps_it(seed):
    data = random_table(seed)
    knowledge = sl.Knowledge(
        required=[("v1", "v0"), ("v0", "v2")], forbidden=[("v3", "v0"), ("v0", "v4"), ("v4", "v1")]
    )
    graph = sl.Graph(data.names, directed=[("v1", "v0"), ("v0", "v2"), ("v2", "v3"), ("v3", "v4")])
    state, sets = ready_search(data, initial=graph, knowledge=knowledge, max_parents=2)
    node = seed % 5
    expected = best_of_all_reinsertions(graph, data.names[node], state.scores, 2, knowledge)

    reinsert(state, node, sets.of(node))

    assert state.score == pytest.approx(expected, abs=1e-7)
    arcs = [(data.names[u], data.names[v]) for v, members in enumerate(state.parents()) for u in members]
    assert knowledge.violations(sl.Graph(data.names, directed=arcs)) == []


@pytest.mark.parametrize("seed", range(6))
def test_steps_leave_the_state_as_a_computation_from_scratch_would_make_it(seed):
    data = random_table(seed, n_columns=6)
    state, sets = ready_search(data, initial=random_graph(data.names, np.random.default_rng(seed), 3))

    for node in range(6):
        reinsert(state, node, sets.of(node))

    arcs = [(data.names[u], data.names[v]) for v, members in enumerate(state.parents()) for u in members]
    fresh, _ = ready_search(data, initial=sl.Graph(data.names, directed=arcs))
    np.testing.assert_array_equal(fresh.above, state.above)
    np.testing.assert_allclose(fresh.gains, state.gains, atol=1e-8)


def test_both_parents_of_an_exclusive_or_come_in_one_step():
    # From docs/references/search.md#optimal-reinsertion: BDeu of the empty graph and of A, B → C, which no
    # graph beats.
    state, sets = ready_search(XOR, score="bdeu")
    assert state.score == pytest.approx(-46.797288, abs=1e-6)

    reinsert(state, 2, sets.of(2))

    assert state.parents() == [[], [], [0, 1]]
    assert state.score == pytest.approx(-34.897151, abs=1e-6)
