"""A few nodes of an order get the best of all their orders, and the others stay as they were."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.search.kernels import placing, windows
from tests.oracles import listed_orders as oracle
from tests.search.orders.test_placed_order import SEEDS, planted

WIDTH = 4


def placed(lists, order):
    order = np.array(order)
    position, chosen = np.empty_like(order), np.empty_like(order)
    placing.choose_all(lists, order, position, chosen)
    return order, position, chosen


def room(n_nodes):
    sets = np.empty((WIDTH, 1 << WIDTH), dtype=np.int64), np.empty(1 << WIDTH)
    return (
        np.empty((2, n_nodes), dtype=np.bool_),
        np.empty(WIDTH, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
        *sets,
        np.empty(1 << WIDTH, dtype=np.int64),
    )


def brought_together(members, order, marked):
    """Where the marked nodes begin, how many they are, and the order; a row of members for each node."""
    is_inside = np.isin(np.arange(len(order)), marked)
    order, (_, window, spare, *_) = np.array(order), room(len(order))
    is_below = np.empty(len(order), dtype=np.bool_)
    chosen = np.arange(len(order))
    found = windows.bring_together(np.array(members), order, chosen, is_inside, is_below, window, spare)
    return *found, order.tolist()


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(6)), begin=st.integers(0, 6 - WIDTH))
def test_nodes_side_by_side_get_the_best_of_all_their_orders(seed, order, begin):
    lists = planted(seed)[0].lists
    made, position, chosen = placed(lists, order)
    window, (*_, best, totals, last) = made[begin : begin + WIDTH].copy(), room(6)

    before = np.bitwise_or.reduce(lists.bit[made[: begin + WIDTH]])
    windows.list_best(lists, position, begin, before, window, WIDTH, best)
    windows.arrange(lists.scores, made, chosen, begin, window, WIDTH, best, totals, last)

    others = order[:begin], order[begin + WIDTH :]
    scores = [
        oracle.score_of_order(lists, [*others[0], *inside, *others[1]])
        for inside in permutations(window.tolist())
    ]
    assert oracle.score_of_order(lists, made.tolist()) == pytest.approx(max(scores))
    assert chosen[window].tolist() == placed(lists, made.tolist())[2][window].tolist()
    assert (made[:begin].tolist(), made[begin + WIDTH :].tolist()) == others


def test_what_depends_on_a_window_comes_behind_it_and_all_else_before():
    members = [[-1], [0], [-1], [-1], [2], [1]]  # 0 → 1 → 5, 2 → 4, and 3 alone

    assert brought_together(members, [0, 1, 2, 3, 4, 5], [0, 4]) == (2, 2, [2, 3, 0, 4, 1, 5])


def test_a_node_that_depends_on_a_window_by_way_of_another_stays_behind_it():
    members = [[-1], [0], [1], [-1]]  # 0 → 1 → 2, and 3 alone

    assert brought_together(members, [0, 1, 2, 3], [0, 2, 3]) == (0, 2, [0, 3, 1, 2])


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(9)))
def test_windows_never_lose_and_leave_an_order_with_the_best_sets_along_it(seed, order):
    lists = planted(seed, n_nodes=9)[0].lists
    state = placed(lists, order)
    score = oracle.score_of_order(lists, order)
    for draw in np.random.default_rng(seed).random((5, 1, 25)):
        windows.arrange_windows(lists, *state, draw, *room(9))

        made = state[0].tolist()
        assert oracle.score_of_order(lists, made) >= score - 1e-9
        score = oracle.score_of_order(lists, made)
        assert dict(enumerate(state[2].tolist())) == oracle.best_sets(lists, made)
        assert state[1].tolist() == np.argsort(made).tolist()


def test_a_chain_turns_that_no_single_node_can_turn():
    # Along 0 → 1 → 2 → 3 only node 0 has no parent, which costs 10. The other way round node 3 has none, for
    # 5, and each of the three others pays 1.
    members = np.array([[1], [-1], [0], [2], [-1], [1], [3], [-1], [2], [-1]])
    scores = np.array([-1.0, -10.0, 0.0, -1.0, -10.0, 0.0, -1.0, -10.0, 0.0, -5.0])
    lists = placing.Lists.of(np.array([0, 2, 5, 8, 10]), members, scores)
    for node in range(4):
        for made in oracle.orders_with([0, 1, 2, 3], node):
            assert oracle.score_of_order(lists, made) <= -10.0
    state = placed(lists, [0, 1, 2, 3])

    windows.arrange_windows(lists, *state, np.random.default_rng(0).random((20, 25)), *room(4))

    assert state[0].tolist() == [3, 2, 1, 0]
    assert max(oracle.score_of_order(lists, list(made)) for made in permutations(range(4))) == -8.0
