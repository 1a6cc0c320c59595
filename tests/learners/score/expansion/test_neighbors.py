"""Graphs one move away are all of them, each with its score."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.expansion.neighbors import neighbors
from structlearn.search.kernels import moves
from structlearn.search.starts import start_from
from tests.search.dependent_tables import random_table
from tests.search.spaces import space_of

CHANGED_PLACES = {moves.ADD: 1, moves.REMOVE: 1, moves.REVERSE: 2}


def start_of(data, initial=None, knowledge=None, max_parents=None):
    return start_from(space_of(data, knowledge=knowledge, max_parents=max_parents), initial)


@pytest.mark.parametrize("seed", range(10))
def test_neighbours_are_all_legal_graphs_one_move_away_with_their_scores(seed):
    data = random_table(seed)
    knowledge = sl.Knowledge(required=[("v3", "v1")], forbidden=[("v0", "v2"), ("v4", "v3")])
    state = start_of(data, knowledge=knowledge, max_parents=2)
    rng = np.random.default_rng(seed)
    for _ in range(8):
        state.apply(state.random_move(rng))

    found = {}
    for step in neighbors(state, origin=7):
        arcs = state.arcs.copy()
        arcs[step["v"], step["u"]] ^= True
        if step["kind"] == moves.REVERSE:
            arcs[step["u"], step["v"]] ^= True
        assert np.bitwise_xor.reduce(state.arc_keys[arcs], initial=0) == step["key"]
        assert (arcs != state.arcs).sum() == CHANGED_PLACES[step["kind"]]
        assert step["origin"] == 7
        found[arcs.tobytes()] = step["score"]

    assert found == pytest.approx(expected_neighbours(state, data.names, knowledge))


def expected_neighbours(state, names, knowledge):
    """{arcs: score} by trying every place of the matrix."""
    expected = {}
    for v, u in np.argwhere(~np.eye(5, dtype=bool)):
        arcs = state.arcs.copy()
        arcs[v, u], arcs[u, v] = not arcs[v, u], False
        graph = sl.Graph(names, directed=[(names[a], names[b]) for b, a in np.argwhere(arcs)])
        if graph.is_dag and not knowledge.violations(graph) and arcs.sum(axis=1).max() <= 2:
            expected[arcs.tobytes()] = state.scores.total([np.flatnonzero(row) for row in arcs])
    return expected
