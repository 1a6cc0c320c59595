"""The search among all families of three parents keeps limits, ends in time, and finds the best of them."""

from itertools import combinations

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.growing import shaken_orders
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.search.dag_state import DAGState
from structlearn.search.orders import reordering
from structlearn.search.orders.family_pool import FamilyPool, ScoredFamilies
from structlearn.search.orders.reordering import reorder
from structlearn.search.starts import state_with
from tests.search.orders.test_placed_order import RandomScore, listed
from tests.search.spaces import space_of

N_NODES = 6
NAMES = [f"n{i}" for i in range(N_NODES)]


def random_space(seed, **limits):
    data = sl.Dataset({name: [0, 1] for name in NAMES}, kinds=dict.fromkeys(NAMES, "discrete"))
    return space_of(data, RandomScore(seed), seed=seed, **limits)


def best_of_threes(seed, allowed=lambda _child, _parents: True):
    """The best DAG of families of up to three parents, by the enumeration of last nodes."""
    local = RandomScore(seed).of
    families = {
        (child, frozenset(parents)): local(child, parents)
        for child in range(N_NODES)
        for size in range(4)
        for parents in combinations([node for node in range(N_NODES) if node != child], size)
        if allowed(child, parents)
    }
    best = {frozenset(): 0.0}
    for size in range(1, N_NODES + 1):
        for nodes in map(frozenset, combinations(range(N_NODES), size)):
            best[nodes] = max(
                best[nodes - {last}]
                + max(
                    (
                        score
                        for (child, parents), score in families.items()
                        if child == last and parents < nodes
                    ),
                    default=-np.inf,
                )
                for last in nodes
            )
    return best[frozenset(range(N_NODES))]


@pytest.fixture
def always(monkeypatch):
    """All families are listed, however few nodes have three parents."""
    monkeypatch.setattr(shaken_orders, "SHARE_OF_FULL", 0.0)


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("seed", range(4))
def test_scores_without_structure_end_at_the_best_of_all_dags(seed):
    space = random_space(seed, max_parents=3)

    found = ShakenOrders(space).improve(DAGState(space), patience=60, perturb=4)

    assert found.score == pytest.approx(best_of_threes(seed))


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("seed", range(2))
def test_knowledge_is_kept_among_all_families(seed):
    knowledge = sl.Knowledge(required=[("n0", "n5")], forbidden=[("n1", "n2"), ("n4", "n3")])
    space = random_space(seed, max_parents=3, knowledge=knowledge)

    def allowed(child, parents):
        return (child != 5 or 0 in parents) and not (
            (child == 2 and 1 in parents) or (child == 3 and 4 in parents)
        )

    start = state_with(space, [[], [], [], [], [], [0]])
    found = ShakenOrders(space).improve(start, patience=60, perturb=4)

    assert all(allowed(child, parents) for child, parents in enumerate(found.parents()))
    assert found.score == pytest.approx(best_of_threes(seed, allowed))


@pytest.mark.usefixtures("always")
def test_where_a_climb_leads_to_what_is_in_no_list_the_search_still_ends(monkeypatch):
    space, calls = random_space(0, max_parents=3), []
    elsewhere = state_with(space, [[], [], [], [], [], [0]])
    elsewhere.score = 1e6  # above every walk

    def climbed(_state, _walk):
        calls.append(1)
        assert len(calls) < 50
        return elsewhere

    monkeypatch.setattr(shaken_orders, "climbed", climbed)

    assert ShakenOrders(space).improve(DAGState(space), patience=20, perturb=4) is elsewhere


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("reason", ["too many visits", "no time for all"])
def test_where_all_families_are_too_many_the_search_ends_with_those_it_has(reason, monkeypatch):
    asked = []
    monkeypatch.setattr(shaken_orders, "score_all_families", asked.append)  # which answers None
    if reason == "too many visits":
        # Two rows, and 6 · (1 + 5 + 10 + 10) families.
        monkeypatch.setattr(shaken_orders, "MOST_VISITS", 2 * 6 * 26 - 1)
    space = random_space(1)

    found = ShakenOrders(space).improve(DAGState(space), patience=20, perturb=4)

    assert [space.limits.max_parents for space in asked] == ([] if reason == "too many visits" else [3])
    assert found.score == pytest.approx(space.scores.total(found.parents()))


@pytest.mark.usefixtures("always")
def test_as_many_visits_as_there_may_be_are_made(monkeypatch):
    monkeypatch.setattr(shaken_orders, "MOST_VISITS", 2 * 6 * 26)
    space = random_space(1)

    found = ShakenOrders(space).improve(DAGState(space), patience=60, perturb=4)

    assert found.score >= best_of_threes(1) - 1e-9


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(("kind", "n_asked"), [("continuous", 1), ("discrete", 0)])
def test_regressions_visit_no_rows(kind, n_asked, monkeypatch):
    asked = []
    monkeypatch.setattr(shaken_orders, "score_all_families", asked.append)
    monkeypatch.setattr(shaken_orders, "MOST_VISITS", 6 * 26)
    values = np.random.default_rng(0).integers(0, 2, (6, 50)).astype(float)
    data = sl.Dataset(dict(zip(NAMES, values, strict=True)), kinds=dict.fromkeys(NAMES, kind))
    space = space_of(data)

    ShakenOrders(space).improve(DAGState(space), patience=5, perturb=2)

    assert len(asked) == n_asked


def test_long_tables_grow_the_families_where_walks_end_and_others_all_that_were_used(monkeypatch):
    space = random_space(0)
    orders = ShakenOrders(space)
    walks = [
        type("Walk", (), {"rows": np.array([3, 1]), "is_used": np.array([True, True, False, True, False])}),
        type("Walk", (), {"rows": np.array([1, 4]), "is_used": np.array([False, True, False, False, True])}),
    ]

    assert orders._rows_to_grow(walks).tolist() == [0, 1, 3, 4]
    monkeypatch.setattr(shaken_orders, "LONG_TABLE", 1)
    assert orders._rows_to_grow(walks).tolist() == [1, 3, 4]


@pytest.mark.parametrize(
    ("n_further", "n_agreeing", "share", "is_agreed"),
    [
        (4, 3, 4, False),  # short walks have to agree, all of them
        (4, 4, 4, True),
        (4, 1, 2, False),  # of long ones half
        (4, 2, 2, True),
        (4, 2, 1, True),
        (0, 0, 2, False),  # without others, the longest walk has the last word
        (0, 0, 1, True),
    ],
)
def test_a_search_may_end_where_walks_from_elsewhere_agree(n_further, n_agreeing, share, is_agreed):
    orders = ShakenOrders(random_space(0))
    orders._n_further = n_further

    assert orders._is_agreed(n_agreeing, share) == is_agreed


def test_a_pool_leaves_out_what_a_known_subset_beats_and_has_no_infinite_scores():
    space = random_space(0)
    single = ScoredFamilies(np.array([[0]]), np.array([-9.0]))
    ones = ScoredFamilies(np.array([[0, 1], [0, 2], [0, 3]]), np.array([-5.0, -9.5, -9.0]))
    twos = ScoredFamilies(np.array([[0, 1, 2], [0, 2, 1], [0, 2, 3]]), np.array([-4.0, -4.0, -8.0]))
    threes = ScoredFamilies(np.array([[0, 1, 2, 3], [0, 3, 4, 5]]), np.array([-4.5, -np.inf]))

    pool = FamilyPool(space, [single, ones])
    pool.take([twos, threes])

    # {2} and {3} are no better than nothing, {1, 2, 3} worse than {1, 2}, which was given twice.
    wanted = {(0, (1, 2)): -4.0, (0, (1,)): -5.0, (0, (2, 3)): -8.0, (0, ()): -9.0}
    found = listed(pool)
    assert {family: score for family, score in found.items() if family != (0, (3, 4, 5))} == wanted
    assert all(np.isfinite(score) for score in found.values())
    assert pool.n_known == 1 + 3 + 2 + 2


@pytest.mark.parametrize("most_nodes", [N_NODES - 1, N_NODES])
def test_random_orders_are_walked_only_where_nodes_are_few(most_nodes, monkeypatch):
    monkeypatch.setattr(reordering, "MOST_NODES", most_nodes)
    drawn, draw = [], reordering.random_order
    monkeypatch.setattr(reordering, "random_order", lambda *how: drawn.append(1) or draw(*how))
    state = DAGState(random_space(2))

    found = reorder(state, 5, lambda _state: None)

    assert bool(drawn) == (most_nodes == N_NODES)
    assert found.score >= state.score


def test_no_order_of_one_node_is_shaken():
    data = sl.Dataset({"n0": [0, 1]}, kinds={"n0": "discrete"})
    state = DAGState(space_of(data, RandomScore(0)))

    assert reorder(state, 5, lambda _state: pytest.fail("there is nothing to climb")) is state
    assert ShakenOrders(state.space).improve(state, patience=5, perturb=2) is state


@pytest.mark.parametrize(
    ("n_rows", "kind", "n_asked"), [(99, "discrete", 1), (100, "discrete", 0), (100, "continuous", 1)]
)
def test_where_rows_are_many_to_count_more_nodes_must_have_three_parents(n_rows, kind, n_asked, monkeypatch):
    asked = []
    monkeypatch.setattr(shaken_orders, "score_all_families", asked.append)
    monkeypatch.setattr(shaken_orders, "SHARE_OF_FULL", 0.0)
    monkeypatch.setattr(shaken_orders, "MANY_ROWS", 100)
    values = np.random.default_rng(0).integers(0, 2, (6, n_rows)).astype(float)
    data = sl.Dataset(dict(zip(NAMES, values, strict=True)), kinds=dict.fromkeys(NAMES, kind))
    space = space_of(data)

    ShakenOrders(space).improve(DAGState(space), patience=5, perturb=2)

    assert len(asked) == n_asked
