"""The state of a search stays what a computation from scratch would make of its arcs."""

import networkx as nx
import numpy as np

from structlearn.learners.score.kernels import moves


def closure(arcs):
    graph = nx.from_numpy_array(arcs.T, create_using=nx.DiGraph)
    return np.array([[u in nx.ancestors(graph, v) for u in graph] for v in graph])


def test_ten_thousand_random_moves_keep_the_ancestors_right():
    rng = np.random.default_rng(0)
    n = 12
    arcs, above = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=bool)
    none = np.zeros((n, n), dtype=bool)
    for step in range(10_000):
        legal = moves.legal_moves(arcs, above, none, none, 4)
        kind, u, v = legal[rng.integers(len(legal))]
        if kind == moves.ADD:
            moves.add_arc(arcs, above, u, v)
        else:
            moves.remove_arc(arcs, above, u, v)
        if kind == moves.REVERSE:
            moves.add_arc(arcs, above, v, u)
        if step % 50 == 0:
            assert (above == closure(arcs)).all()
            assert not above.diagonal().any()
            assert arcs.sum(axis=1).max() <= 4


def test_legal_moves_are_those_that_leave_a_dag():
    rng = np.random.default_rng(1)
    n = 6
    none = np.zeros((n, n), dtype=bool)
    for _ in range(30):
        order = rng.permutation(n)
        arcs = np.zeros((n, n), dtype=bool)
        for a in range(n):
            for b in range(a):
                arcs[order[a], order[b]] = rng.random() < 0.4
        legal = set(moves.legal_moves(arcs, closure(arcs), none, none, n))
        for u in range(n):
            for v in range(n):
                if u == v:
                    continue
                for kind, changes in (
                    (moves.ADD, [(v, u)] if not arcs[v, u] and not arcs[u, v] else None),
                    (moves.REMOVE, [(v, u)] if arcs[v, u] else None),
                    (moves.REVERSE, [(v, u), (u, v)] if arcs[v, u] else None),
                ):
                    after = arcs.copy()
                    for place in changes or []:
                        after[place] ^= True
                    graph = nx.from_numpy_array(after, create_using=nx.DiGraph)
                    is_legal = changes is not None and nx.is_directed_acyclic_graph(graph)
                    assert ((kind, u, v) in legal) == is_legal


def test_a_tabu_result_is_passed_over_for_the_next_best():
    n = 3
    gains = np.array([[0.0, 5.0, 1.0], [4.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    none = np.zeros((n, n), dtype=bool)
    keys = np.random.default_rng(0).integers(2**63, size=(n, n), dtype=np.uint64)

    def best(tabu):
        return moves.best_move(
            gains, none, none, none, none, n, np.uint64(0), keys, np.array(tabu, np.uint64)
        )

    assert best([]) == (moves.ADD, 1, 0, 5.0)
    assert best([keys[0, 1]]) == (moves.ADD, 0, 1, 4.0)


def test_ties_go_to_the_smallest_source_and_target():
    n = 3
    gains = np.full((n, n), 2.0)
    gains[1, 2] += 1e-12
    none = np.zeros((n, n), dtype=bool)
    keys = np.zeros((n, n), dtype=np.uint64)

    found = moves.best_move(gains, none, none, none, none, n, np.uint64(0), keys, np.zeros(0, np.uint64))

    assert found[:3] == (moves.ADD, 0, 1)
