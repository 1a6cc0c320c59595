"""Moves: which are legal, which is best, and what they do to the ancestors."""

import numpy as np
import pytest

from structlearn.graphs import Graph
from structlearn.search.kernels import moves
from tests.oracles import climbing as oracle

NO_TABU = np.zeros(0, dtype=np.uint64)


def packed(above):
    """A bit for each node, 64 to a word."""
    words = np.zeros((len(above), -(-len(above) // 64)), dtype=np.uint64)
    for v, u in np.argwhere(above):
        words[v, u // 64] |= np.uint64(1 << int(u % 64))
    return words


def ancestors_of(arcs):
    """What the graph itself says is above each node."""
    names = [str(v) for v in range(len(arcs))]
    graph = Graph(names, directed=[(names[u], names[v]) for v, u in np.argwhere(arcs)])
    above = [graph.ancestors(v) for v in names]
    return packed(np.array([[u in above[v] for u in names] for v in range(len(names))]))


def random_dag(rng, n, density):
    order = rng.permutation(n)
    arcs = np.zeros((n, n), dtype=bool)
    for a in range(n):
        for b in range(a):
            arcs[order[a], order[b]] = rng.random() < density
    return arcs


def graph_of(arcs, frozen=None, closed=None, max_parents=1_000):
    none = np.zeros_like(arcs)
    limits = (none if frozen is None else frozen, none if closed is None else closed)
    return (arcs, ancestors_of(arcs), *limits, np.full(len(arcs), max_parents))


def all_legal_moves(graph):
    n_legal, *_ = moves.nth_legal_move(-1, graph)
    return [moves.nth_legal_move(number, graph)[1:] for number in range(n_legal)]


def arc_set(matrix):
    return {(int(u), int(v)) for v, u in np.argwhere(matrix)}


@pytest.mark.parametrize("n", [5, 12])
def test_random_moves_keep_the_ancestors_right(n):
    rng = np.random.default_rng(n)
    none = np.zeros((n, n), dtype=bool)
    arcs, ancestors = none.copy(), packed(none)
    for step in range(500):
        graph = (arcs, ancestors, none, none, np.full(n, 4))
        n_legal, *_ = moves.nth_legal_move(-1, graph)
        _, kind, u, v = moves.nth_legal_move(rng.integers(n_legal), graph)
        if kind == moves.ADD:
            moves.add_arc(arcs, ancestors, u, v)
        else:
            moves.remove_arc(arcs, ancestors, u, v)
        if kind == moves.REVERSE:
            moves.add_arc(arcs, ancestors, v, u)
        if step % 10 == 9:
            assert (ancestors == ancestors_of(arcs)).all()
            assert arcs.sum(axis=1).max() <= 4


def test_ancestors_stay_right_while_arcs_come_and_go_in_any_order():
    rng = np.random.default_rng(0)
    n = 70  # more than a word has bits
    whole = random_dag(rng, n, 0.04)
    places = np.argwhere(whole)
    arcs, ancestors = np.zeros_like(whole), packed(np.zeros_like(whole))

    for v, u in rng.permutation(places):
        moves.add_arc(arcs, ancestors, u, v)
    assert (ancestors == ancestors_of(whole)).all()
    for step, (v, u) in enumerate(rng.permutation(places)):
        moves.remove_arc(arcs, ancestors, u, v)
        if step % 10 == 0:
            assert (ancestors == ancestors_of(arcs)).all()
    assert not ancestors.any()


def test_legal_moves_are_those_that_leave_a_dag_within_the_limits():
    rng = np.random.default_rng(1)
    n = 6
    for max_parents in (1, 2, 6) * 5:
        arcs = random_dag(rng, n, 0.4)
        frozen = arcs & (rng.random((n, n)) < 0.2)
        closed = ~arcs & (rng.random((n, n)) < 0.2)
        expected = oracle.legal_moves(
            arc_set(arcs), n, required=arc_set(frozen), forbidden=arc_set(closed), max_parents=max_parents
        )

        found = all_legal_moves(graph_of(arcs, frozen, closed, max_parents))

        assert sorted(found) == sorted(expected)
        assert found == sorted(found, key=lambda move: (move[2], move[1], move[0]))


@pytest.mark.parametrize("seed", range(20))
def test_the_best_move_is_the_first_of_the_largest_gains_that_is_not_tabu(seed):
    rng = np.random.default_rng(seed)
    n = 7
    arcs = random_dag(rng, n, 0.3)
    gains = rng.integers(-4, 4, (n, n)).astype(float)
    gains[rng.random((n, n)) < 0.2] = -np.inf
    graph, keys = graph_of(arcs, max_parents=3), rng.integers(2**63, size=(n, n), dtype=np.uint64)
    legal = all_legal_moves(graph)

    def after(move):
        kind, u, v = move
        return keys[v, u] ^ (keys[u, v] if kind == moves.REVERSE else np.uint64(0))

    def gain(move):
        kind, u, v = move
        return gains[v, u] + (gains[u, v] if kind == moves.REVERSE else 0.0)

    tabu = np.array([after(move) for move in legal if rng.random() < 0.3], dtype=np.uint64)
    free = [move for move in legal if after(move) not in tabu and gain(move) > -np.inf]
    expected = min(free, key=lambda move: (-gain(move), move))
    sure, most, doubts = np.zeros((n, n), dtype=bool), np.full(n, np.inf), np.full(n, np.nan)

    found = moves.best_move(gains, sure, most, graph, np.uint64(0), keys, tabu, doubts)

    assert found == (*expected, gain(expected))
    for v in range(n):
        assert most[v] >= max([gain(move) for move in legal if move[2] == v], default=-np.inf)


def test_a_difference_of_rounding_is_a_tie_and_the_first_arc_wins():
    n = 3
    gains = np.full((n, n), 2.0)
    gains[1, 2] += 1e-12
    none, keys = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=np.uint64)
    most, doubts = np.full(n, np.inf), np.full(n, np.nan)

    found = moves.best_move(gains, none, most, graph_of(none), np.uint64(0), keys, NO_TABU, doubts)

    assert found[:3] == (moves.ADD, 0, 1)


def test_only_bounds_that_could_be_the_best_are_doubted():
    n = 4
    gains = np.full((n, n), 1.0)
    gains[0, 1], gains[2, 1], gains[2, 3], gains[3, 0] = 5.0, 7.0, 6.0, 4.0
    is_bound = np.zeros((n, n), dtype=bool)
    is_bound[2, 1] = is_bound[2, 3] = is_bound[3, 0] = True
    none, keys = np.zeros((n, n), dtype=bool), np.zeros((n, n), dtype=np.uint64)
    most, doubts = np.full(n, np.inf), np.full(n, np.nan)

    kind, *_, gain = moves.best_move(
        gains, is_bound, most, graph_of(none), np.uint64(0), keys, NO_TABU, doubts
    )

    assert (kind, gain) == (moves.UNSURE, 5.0)
    np.testing.assert_array_equal(doubts, [np.nan, np.nan, 6.0, np.nan])


def test_what_an_arc_kept_illegal_is_looked_at_again_once_it_is_gone():
    n = 4
    arcs = np.zeros((n, n), dtype=bool)
    for u, v in ((0, 1), (1, 2), (2, 3), (0, 3)):
        arcs[v, u] = True
    ancestors, gains = ancestors_of(arcs), np.arange(n * n, dtype=float).reshape(n, n)
    before = set(all_legal_moves(graph_of(arcs)))
    most = np.full(n, -np.inf)

    moves.remove_arc(arcs, ancestors, 1, 2)
    moves.reopen(most, gains, arcs, ancestors, 1, 2)

    for kind, u, v in set(all_legal_moves(graph_of(arcs))) - before:
        if (u, v) != (1, 2):  # its gains are new
            assert most[v] >= gains[v, u] + (gains[u, v] if kind == moves.REVERSE else 0.0)
