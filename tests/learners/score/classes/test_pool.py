"""The pool of moves: its best is that of the definition, whatever was replaced, refused and copied."""

import numpy as np
import pytest

from structlearn.graphs.links import Links
from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.classes.pool import Listed, MovePool
from structlearn.learners.score.kernels import class_pool

N_NODES = 6
PATTERN = Pattern.of(Links(N_NODES))  # deletions are valid as they are listed, whatever the class


def random_moves(rng, *, most=40):
    """Some moves of one target, among them ties by gain, and by what a rank leaves of it."""
    n_moves, width = rng.integers(0, most), rng.integers(0, 4)
    gains = rng.integers(1, 4, n_moves) + rng.choice([0.0, 1e-9], n_moves)
    return Listed(gains, rng.integers(0, N_NODES, n_moves), rng.integers(0, N_NODES, (n_moves, width)))


def best_by_definition(listed, refused):
    """The target, source, nodes before and gain of the first of the best moves."""
    moves = [
        (-round(gain, 6), source, target, before, gain)
        for target, moves in listed.items()
        for gain, source, before in moves.told()
        if (target, source, before, gain) not in refused
    ]
    if not moves:
        return None
    _, source, target, before, gain = min(moves, key=lambda move: move[:4])
    return target, source, before, gain


def found_in(pool):
    found = pool.best(PATTERN)
    return found and (found[1].target, found[1].source, found[1].before, found[1].gain)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_move_is_that_of_the_definition_after_any_replacements(seed):
    rng = np.random.default_rng(seed)
    pool, listed = MovePool("delete", N_NODES), {}
    for _ in range(30):
        target = int(rng.integers(N_NODES))
        listed[target] = random_moves(rng)
        pool.replace(target, listed[target])

        found, expected = found_in(pool), best_by_definition(listed, set())
        assert (found and found[:3]) == (expected and expected[:3])


def test_refused_moves_are_passed_over_until_they_are_forgiven_and_count_in_copies():
    pool = MovePool("delete", N_NODES)
    pool.replace(2, Listed(np.array([3.0, 5.0]), np.array([0, 1]), np.array([[4], [-1]])))
    pool.replace(3, Listed(np.array([4.0]), np.array([0]), np.empty((1, 0), dtype=np.int64)))
    order = []
    while found := pool.best(PATTERN):
        place, move = found
        order.append((move.source, move.target, move.before, move.gain))
        pool.refuse(place)

    assert order == [(1, 2, (), 5.0), (0, 3, (), 4.0), (0, 2, (4,), 3.0)]
    assert pool.copy().best(PATTERN)[1].gain == 5.0
    assert pool.best(PATTERN) is None
    pool.forgive()
    assert pool.best(PATTERN)[1].gain == 5.0


def test_a_copy_keeps_its_moves_when_those_of_the_first_are_replaced():
    pool = MovePool("delete", N_NODES)
    pool.replace(2, Listed(np.array([3.0]), np.array([0]), np.array([[4]])))
    other = pool.copy()
    pool.replace(2, Listed(np.array([7.0]), np.array([1]), np.array([[-1]])))

    assert found_in(other) == (2, 0, (4,), 3.0)
    assert found_in(pool) == (2, 1, (), 7.0)


def test_moves_are_written_from_their_place_on_with_what_of_their_gains_counts():
    ranks, gains = np.zeros((2, 5))
    sources, before = np.zeros(5, dtype=np.int64), np.zeros((5, 2), dtype=np.int64)
    some = np.array([2.5, 7.0 + 1e-9]), np.array([4, 1]), np.array([[3], [-1]])

    top = class_pool.write_moves(2, *some, ranks, gains, sources, before)

    assert (top, ranks.tolist(), gains.tolist()) == (7.0, [0, 0, 2.5, 7.0, 0], [0, 0, 2.5, 7.0 + 1e-9, 0])
    assert (sources.tolist(), before.tolist()) == (
        [0, 0, 4, 1, 0],
        [[0, 0], [0, 0], [3, -1], [-1, -1], [0, 0]],
    )
