"""A state that jumps to another DAG is what a computation from scratch makes of it."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.scores import BIC
from structlearn.search.candidates import AmongCandidates
from structlearn.search.dag_state import DAGState
from structlearn.search.starts import start_from
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of


def random_graph(names, rng, density=0.5):
    order = rng.permutation(names)
    arcs = [(u, v) for j, v in enumerate(order) for u in order[:j] if rng.random() < density]
    return sl.Graph(names, directed=arcs)


def start_of(data, initial=None, knowledge=None, max_parents=None):
    return start_from(space_of(data, knowledge=knowledge, max_parents=max_parents), initial)


def arcs_of(graph):
    return np.array([[(u, v) in graph.directed for u in graph.nodes] for v in graph.nodes])


@pytest.mark.parametrize("seed", range(6))
def test_a_jump_leaves_the_state_as_a_computation_from_scratch_would_make_it(seed):
    data = random_table(seed, n_columns=6)
    rng = np.random.default_rng(seed)
    state = start_of(data)

    for _ in range(5):
        graph = random_graph(data.names, rng)
        state.become(arcs_of(graph))
        fresh = start_of(data, graph)
        np.testing.assert_array_equal(state.arcs, fresh.arcs)
        np.testing.assert_array_equal(state.above, fresh.above)
        np.testing.assert_allclose(state.gains, fresh.gains, atol=1e-8)
        assert state.score == pytest.approx(sl.score(graph, data, "bic"), abs=1e-8)


def test_a_jump_scores_no_family_with_a_column_twice():
    class Careful(AmongCandidates):
        def local(self, statistics, families):
            assert all(len(set(family)) == len(family) for family in families.tolist())
            return super().local(statistics, families)

    data = random_table(2, n_columns=6)
    state = DAGState(space_of(data, Careful(BIC(), np.ones((6, 6), dtype=bool))))
    rng = np.random.default_rng(0)

    for _ in range(20):
        state.become(arcs_of(random_graph(data.names, rng)))
        for _ in range(3):
            state.apply(state.best_move())  # leaves bounds in place of gains


def test_the_key_after_a_jump_is_that_of_the_moves_that_lead_there():
    data = random_table(3, n_columns=6)
    rng = np.random.default_rng(3)
    state = start_of(data)

    for _ in range(5):
        graph = random_graph(data.names, rng)
        state.become(arcs_of(graph))
        assert state.key == start_of(data, graph).key
