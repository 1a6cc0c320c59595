"""Families of a pool, and the moves of nodes in an order that takes them, agree with their definitions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.order.growing import first_families
from structlearn.learners.order.growing.first_families import FirstFamilies
from structlearn.run import Run
from structlearn.search.kernels import placing, placing_by_sets
from structlearn.search.kernels.displacing import (
    BLOCK,
    NODES,
    PATH,
    displace,
    draw_path,
    place_bounds,
    place_bounds_at_once,
)
from structlearn.search.orders.family_pool import FamilyPool
from structlearn.search.orders.placed_order import PlacedOrder
from tests.learners.order.model_tables import random_table
from tests.oracles import listed_orders as oracle
from tests.search.spaces import space_of

SEEDS = st.integers(0, 10_000)
NO_ARCS = np.zeros((6, 6), dtype=np.bool_)


class RandomScore:
    """A score without structure: each family has a random number, more parents cost more."""

    def __init__(self, seed):
        self.seed = seed

    def of(self, child, parents):
        rng = np.random.default_rng([self.seed, child, *(1 + p for p in sorted(parents))])
        return float(rng.normal()) - 0.4 * len(parents)

    def local(self, statistics, families):  # noqa: ARG002, the protocol passes it
        return np.array([self.of(int(row[0]), [int(p) for p in row[1:]]) for row in families])


def planted(seed, n_nodes=6, **limits):
    names = [f"n{i}" for i in range(n_nodes)]
    data = sl.Dataset({name: [0, 1] for name in names}, kinds=dict.fromkeys(names, "discrete"))
    score = RandomScore(seed)
    space = space_of(data, score, **limits)
    return FamilyPool(space, FirstFamilies(space)), score.of


def listed(pool):
    """The families of a pool: {(child, parents): score}."""
    first, _, scores, *_ = pool.lists
    children = np.repeat(np.arange(len(first) - 1), np.diff(first)).tolist()
    return {(child, pool.parents_at(row)): scores[row] for row, child in enumerate(children)}


def room_of(n_nodes):
    return (
        np.empty(n_nodes),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes, dtype=np.int64),
        np.empty(n_nodes),
    )


def settled(pool, order):
    placed = PlacedOrder(pool, np.array(order))
    with Run("test") as run:
        placed.settle(np.random.default_rng(0), run)
    return placed


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS)
def test_a_pool_has_all_families_of_up_to_two_parents_of_which_one_helps_and_no_subset_is_better(seed):
    pool, local = planted(seed, 5)
    expected = {}
    for child in range(5):
        others = [other for other in range(5) if other != child]
        helps = {other for other in others if local(child, [other]) > local(child, []) + 1e-9}
        pairs = [pair for pair in combinations(others, 2) if helps & set(pair)]
        for parents in [(), *((other,) for other in others), *pairs]:
            smaller = [
                local(child, left) for size in range(len(parents)) for left in combinations(parents, size)
            ]
            if local(child, parents) > max(smaller, default=-np.inf) + 1e-9:
                expected[child, parents] = pytest.approx(local(child, parents))

    assert listed(pool) == expected


@pytest.mark.parametrize("score", ["bic", "bdeu", "aic"])
def test_sets_that_are_scored_once_tell_the_scores_of_all_their_families(score):
    space = space_of(random_table(3, n_columns=6, n_rows=300), score)

    for (child, parents), value in listed(FamilyPool(space, FirstFamilies(space))).items():
        assert value == pytest.approx(space.scores.local(child, parents), abs=1e-7)


def test_where_there_are_too_many_pairs_the_best_alone_are_taken(monkeypatch):
    monkeypatch.setattr(first_families, "MOST_PAIRS", 6)
    pool, local = planted(7)
    pairs = [family for family in listed(pool) if len(family[1]) == 2]

    assert pairs
    for child, parents in pairs:
        others = sorted(set(range(6)) - {child}, key=lambda other: -local(child, [other]))
        assert set(parents) <= set(others[:2])


@settings(deadline=None, max_examples=10)
@given(seed=SEEDS)
def test_what_is_grown_has_a_parent_more_or_less_and_grows_once(seed):
    pool, local = planted(seed)
    before = listed(pool)
    row = int(np.argmax((pool.lists.members >= 0).sum(axis=1)))
    child = int(np.searchsorted(pool.lists.first, row, side="right")) - 1
    parents = set(pool.parents_at(row))

    pool.grow(np.array([row]))
    fresh = set(listed(pool)) - set(before)

    assert all(owner == child and len(parents ^ set(found)) == 1 for owner, found in fresh)
    assert all(listed(pool)[family] == pytest.approx(local(*family)) for family in fresh)
    again = [at for at, found in enumerate(listed(pool)) if found == (child, tuple(sorted(parents)))]
    assert pool.grow(np.array(again)) == 0


def test_a_pool_keeps_the_families_of_a_dag_that_growing_does_not_find():
    pool, local = planted(1)
    best = max(combinations(range(5), 4), key=lambda parents: local(5, parents))
    n_known = pool.n_known

    pool.keep([[], [], [], [], [], best])
    at = oracle.best_sets(pool.lists, [0, 1, 2, 3, 4, 5])[5]

    assert pool.n_known == n_known + 1
    assert pool.lists.scores[at] >= local(5, best)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(6)))
def test_every_node_has_the_best_listed_parents_of_those_before_it(seed, order):
    pool, _ = planted(seed)

    placed = PlacedOrder(pool, np.array(order))

    expected = {child: pool.parents_at(row) for child, row in oracle.best_sets(pool.lists, order).items()}
    assert dict(enumerate(placed.parents())) == expected
    assert placed.score == pytest.approx(oracle.score_of_order(pool.lists, order))


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(6)), node=st.integers(0, 5))
def test_each_place_of_a_node_scores_as_the_order_it_makes(seed, order, node):
    lists = planted(seed)[0].lists
    order = np.array(order)
    position, chosen = np.empty_like(order), np.empty_like(order)
    placing.choose_all(lists, order, position, chosen)
    room = room_of(6)

    placing.get_ready(lists, order, chosen, room)
    placing.totals_by_place(lists, order, position, chosen, node, room)

    expected = [oracle.score_of_order(lists, made) for made in oracle.orders_with(order.tolist(), node)]
    assert room[0].tolist() == pytest.approx(expected)


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, order=st.permutations(range(6)))
def test_no_node_of_a_settled_order_has_a_better_place(seed, order):
    pool, _ = planted(seed)

    placed = settled(pool, order)
    before = -np.inf
    while placed.score > before:  # a node is tried again where its own parents have changed
        before = placed.score
        placed = settled(pool, placed.order.tolist())

    for node in range(6):
        for made in oracle.orders_with(placed.order.tolist(), node):
            assert oracle.score_of_order(pool.lists, made) <= placed.score + 1e-9


def test_parents_never_exceed_the_limit():
    pool, _ = planted(3, max_parents=1)
    pool.grow(np.arange(len(pool.lists.scores)))

    assert {len(parents) for _, parents in listed(pool)} == {0, 1}


def test_required_parents_stay_and_forbidden_ones_stay_away():
    knowledge = sl.Knowledge(required=[("n0", "n5")], forbidden=[("n1", "n5"), ("n2", "n5")])
    pool, local = planted(3, knowledge=knowledge)
    pool.grow(np.arange(len(pool.lists.scores)))

    of_child = {parents: score for (child, parents), score in listed(pool).items() if child == 5}
    assert all(0 in parents and not {1, 2} & set(parents) for parents in of_child)
    assert all(score == pytest.approx(local(5, parents)) for parents, score in of_child.items())


@pytest.mark.parametrize("n_nodes", [6, 9])  # with windows from 7 on
@pytest.mark.parametrize("seed", range(3))
def test_shaking_never_loses_and_keeps_required_parents_first(seed, n_nodes):
    required = [("n3", "n1"), ("n1", "n4"), ("n5", "n0")]
    pool, _ = planted(seed, n_nodes, knowledge=sl.Knowledge(required=required))
    placed = settled(pool, [3, 1, 4, 5, 0, 2, 6, 7, 8][:n_nodes])
    before = placed.score
    with Run("test") as run:
        scores = placed.shake(np.random.default_rng(seed), run, patience=60, perturb=3)

    assert len(scores) >= 60
    assert placed.score == pytest.approx(max(before, *scores))
    assert placed.score == pytest.approx(oracle.score_of_order(pool.lists, placed.order.tolist()))
    place = np.argsort(placed.order)
    assert all(place[int(source[1])] < place[int(target[1])] for source, target in required)


def interpreted(kernel):
    return getattr(kernel, "py_func", kernel)


@pytest.mark.parametrize("required", [[], [("n3", "n1"), ("n1", "n4")]])
@pytest.mark.parametrize("seed", range(4))
def test_orders_are_shaken_by_sets_as_by_loops_to_the_bit(seed, required):
    pool, _ = planted(seed, knowledge=sl.Knowledge(required=required))
    rng = np.random.default_rng(seed)
    draws = rng.random((12, 8))
    sequences = rng.permuted(np.tile(np.arange(6), (12, 1)), axis=1)
    results = []
    for settle, shake in (
        (interpreted(placing.settle), interpreted(placing.shake)),
        (placing_by_sets.settle_by_sets, placing_by_sets.shake_by_sets),
    ):
        order, position, chosen = np.array([3, 1, 4, 5, 0, 2]), np.arange(6), np.arange(6)
        interpreted(placing.choose_all)(pool.lists, order, position, chosen)
        pending = np.ones(6, dtype=np.bool_)
        room = room_of(6)
        used, found = np.zeros(len(pool.lists.scores), dtype=np.bool_), np.empty(12)
        best, trial = (order, position, chosen), tuple(np.empty_like(order) for _ in range(3))

        ends = [settle(pool.lists, pool.required, *best, pending, sequences[0], room, 3)]
        ends += [settle(pool.lists, pool.required, *best, pending, sequences[0], room, -1)]
        record = float(pool.lists.scores[chosen].sum())
        rest = pending, room, used, found
        shake(pool.lists, pool.required, best, trial, draws, sequences, 3, record, *rest)

        results.append([ends, *(array.tolist() for array in (*best, *trial, used, found))])
    assert results[0] == results[1]


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, perturb=st.integers(1, 9), order=st.permutations(range(6)))
def test_a_shake_moves_some_nodes_and_the_others_keep_their_order(seed, perturb, order):
    draw = np.random.default_rng(seed).random(2 + 2 * perturb)
    for kind in (NODES, BLOCK):
        shaken, position, moved = np.array(order), np.argsort(order), np.zeros(6, dtype=np.bool_)

        displace(kind, NO_ARCS, shaken, position, draw, perturb, shaken, 0, moved)

        assert position.tolist() == np.argsort(shaken).tolist()
        assert 1 <= moved.sum() <= (perturb if kind == NODES else 2 * perturb)
        assert [x for x in shaken.tolist() if not moved[x]] == [x for x in order if not moved[x]]


@pytest.mark.parametrize("bounds", [place_bounds, place_bounds_at_once])
def test_where_nothing_is_required_every_place_is_free(bounds):
    nothing = np.zeros((0, 0), dtype=np.bool_)

    assert bounds(nothing, np.arange(6), 2) == bounds(NO_ARCS, np.arange(6), 2) == (0, 5)


def test_a_block_keeps_its_order():
    order, position, moved = np.arange(6), np.arange(6), np.zeros(6, dtype=np.bool_)

    displace(BLOCK, NO_ARCS, order, position, np.array([0.0, 0.5, 0.0, 0.9, 0.0, 0.0]), 2, order, 0, moved)

    assert order.tolist() == [3, 4, 5, 0, 1, 2]


@pytest.mark.parametrize("kind", [NODES, BLOCK])
def test_what_is_displaced_stays_behind_its_required_parents(kind):
    frozen = NO_ARCS.copy()
    frozen[1, 0] = frozen[5, 3] = frozen[4, 1] = True
    rng = np.random.default_rng(0)
    order, position, moved = np.arange(6), np.arange(6), np.zeros(6, dtype=np.bool_)
    for _ in range(20):
        displace(kind, frozen, order, position, rng.random(10), 4, order, 0, moved)

        assert position.tolist() == np.argsort(order).tolist()
        assert all(position[u] < position[v] for v, u in np.argwhere(frozen))


def test_a_path_that_is_turned_comes_backwards_where_it_began():
    members = np.array([[-1], [0], [1], [2], [-1], [-1]])  # 0 → 1 → 2 → 3, and two nodes alone
    order = np.array([4, 0, 1, 5, 2, 3])
    position, moved = np.argsort(order), np.zeros(6, dtype=np.bool_)

    draw = np.array([0.9, 3.5 / 6, *[0.0] * 8])
    path = np.empty(6, dtype=np.int64)
    n_path = draw_path(members, np.arange(6), draw, 4, path)
    displace(PATH, NO_ARCS, order, position, draw, 4, path, n_path, moved)

    assert path[:n_path].tolist() == [3, 2, 1, 0]
    assert order.tolist() == [4, 3, 2, 1, 0, 5]
    assert moved.tolist() == [True, True, True, True, False, False]


def random_lists(n_nodes, seed):
    """Sets of none to three others for each node, the best first and the empty one last."""
    rng = np.random.default_rng(seed)
    members, scores = [], []
    for child in range(n_nodes):
        others = np.setdiff1d(np.arange(n_nodes), [child])
        sizes = [*rng.integers(1, 4, size=rng.integers(0, 9)), 0]
        members += [[*rng.choice(others, size=size, replace=False), -1, -1, -1][:3] for size in sizes]
        n_rows = len(members) - len(scores)
        scores += np.sort(rng.normal(size=n_rows))[::-1].tolist()
    ends = np.flatnonzero(np.array(members)[:, 0] < 0) + 1
    return placing.Lists.of(np.array([0, *ends]), np.array(members), np.array(scores))


@pytest.mark.parametrize("n_nodes", [5, 64, 65, 130])  # beyond 64, some share a bit
@pytest.mark.parametrize("seed", range(3))
def test_however_many_nodes_there_are_each_has_the_best_sets_wherever_one_of_them_goes(n_nodes, seed):
    lists, rng = random_lists(n_nodes, seed), np.random.default_rng(seed)
    order = rng.permutation(n_nodes)
    position, chosen = np.empty_like(order), np.empty_like(order)
    placing.choose_all(lists, order, position, chosen)
    assert dict(enumerate(chosen.tolist())) == oracle.best_sets(lists, order.tolist())

    room = room_of(n_nodes)
    placing.get_ready(lists, order, chosen, room)
    for node in rng.choice(n_nodes, size=3).tolist():
        placing.totals_by_place(lists, order, position, chosen, node, room)

        expected = [oracle.score_of_order(lists, made) for made in oracle.orders_with(order.tolist(), node)]
        assert room[0].tolist() == pytest.approx(expected)

        was, place = int(position[node]), int(rng.integers(n_nodes))
        order = np.array(oracle.orders_with(order.tolist(), node)[place])
        position[order] = np.arange(n_nodes)
        before, pending = chosen.copy(), np.zeros(n_nodes, dtype=np.bool_)
        chosen[node] = room[1][place]
        placing.choose_between(lists, order, position, chosen, pending, node, was, room)
        assert dict(enumerate(chosen.tolist())) == oracle.best_sets(lists, order.tolist())
        pending[node] = before[node] != chosen[node]
        assert pending.tolist() == (before != chosen).tolist()


def test_the_lists_of_a_node_are_known_by_their_members_too():
    lists = random_lists(9, 0)
    children = np.repeat(np.arange(9), np.diff(lists.first))
    first, child, begin, rows, bits = lists.by_member

    for member in range(9):
        found = {
            int(child[part]): rows[begin[part] : begin[part + 1]].tolist()
            for part in range(first[member], first[member + 1])
        }
        has_it = np.flatnonzero((lists.members == member).any(axis=1))
        assert found == {
            y: has_it[children[has_it] == y].tolist() for y in np.unique(children[has_it]).tolist()
        }
        assert lists.listens()[:, member].tolist() == [y in found for y in range(9)]
    assert bits.tolist() == lists.bits[rows].tolist()


def test_where_a_node_goes_another_that_shares_its_bit_stays():
    # Node 1 has 0 as its parent, next best 64, which shares the bit of 0; all others have none.
    members = np.array([[-1], [0], [64], *[[-1]] * 65])
    first = np.array([0, 1, *range(4, 69)])
    lists = placing.Lists.of(first, members, np.array([0.0, 3.0, 2.0, *[0.0] * 65]))
    order = np.array([0, 64, 1, *range(2, 64), 65])
    position, chosen, room = np.empty_like(order), np.empty_like(order), room_of(66)
    placing.choose_all(lists, order, position, chosen)

    placing.get_ready(lists, order, chosen, room)
    placing.totals_by_place(lists, order, position, chosen, 0, room)

    assert room[0].tolist() == [3.0, 3.0, *[2.0] * 64]
