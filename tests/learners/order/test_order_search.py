"""Order search: best DAGs of all orders, gains kept up to date, known optima, candidates, knowledge."""

import itertools

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.families.family_rows import useful_rows
from structlearn.learners.order.kernels import order_walks
from structlearn.learners.order.order_search import OrderSearch
from structlearn.learners.order.permutations.order_walk import WalkRule, start_walk
from structlearn.scores import FamilyScores, score_for
from structlearn.search.orders.random_orders import parents_first, random_order
from structlearn.search.promises import narrowed
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.learners.order.model_tables import random_table
from tests.oracles import best_dag
from tests.oracles.orders_posterior import best_of_order
from tests.search.spaces import space_of

IS_COMPILED = hasattr(order_walks.move, "py_func")
ASIA_OPTIMUM = -11107.293309  # BIC, docs/references/orders.md#order-search


def rows_of(data, *, max_parents=None, knowledge=None):
    """The lists of a table, the local scores, and the limits."""
    data = data.select(sorted(data.names))
    space = space_of(data, knowledge=knowledge, max_parents=max_parents)
    return useful_rows(space), space.scores.local, space.limits


@pytest.mark.parametrize(("n_columns", "seed"), [(4, 0), (4, 1), (5, 2)])
def test_an_order_is_worth_the_best_dag_that_it_allows(n_columns, seed):
    rows, local, _ = rows_of(random_table(seed, n_columns), max_parents=3)

    for order in itertools.permutations(range(n_columns)):
        walk = start_walk(rows, np.array(order))
        assert walk.best_score[0] == pytest.approx(best_of_order(local, order, 3), abs=1e-8)


@pytest.mark.parametrize("moves", ["swap", "insertion"])
@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_dags_is_found(seed, moves):
    data = random_table(seed, 4)
    best = best_dag.best_score(best_dag.bic_of_families(data), 4)
    _, local, _ = rows_of(data)

    assert OrderSearch(moves=moves, max_parents=None).fit(data).score_ == pytest.approx(best, abs=1e-8)
    orders = itertools.permutations(range(4))
    assert max(best_of_order(local, order, 3) for order in orders) == pytest.approx(best, abs=1e-8)


def test_gains_of_swaps_are_right_after_many_swaps():
    rows, local, _ = rows_of(random_table(7, n_columns=8, n_rows=200), max_parents=3)
    rng = np.random.default_rng(0)
    walk = start_walk(rows, rng.permutation(8))
    n_swaps = 10_000 if IS_COMPILED else 500

    for i, place in enumerate(rng.integers(7, size=n_swaps)):
        order_walks.move(rows, walk, place, place + 1, 0)
        order_walks.refresh_swaps(rows, walk, place - 1, place + 1)
        if i % 500 == 0 or i == n_swaps - 1:
            fresh = start_walk(rows, walk.order)
            assert (walk.chosen == fresh.chosen).all()
            np.testing.assert_allclose(walk.swap_gains, fresh.swap_gains, atol=1e-9)
    order = walk.order.tolist()
    for place in range(7):
        swapped = [*order[:place], order[place + 1], order[place], *order[place + 2 :]]
        change = best_of_order(local, swapped, 3) - best_of_order(local, order, 3)
        assert walk.swap_gains[place] == pytest.approx(change, abs=1e-8)


def test_gains_of_swaps_are_right_along_a_walk():
    rows, _, _ = rows_of(random_table(7, n_columns=8, n_rows=200), max_parents=3)
    walk, rule = start_walk(rows, np.arange(8)), WalkRule(only_swaps=True, tabu=5, patience=1000)

    for _ in range(30):
        assert order_walks.go_on(rows, walk, *rule, 1)
        np.testing.assert_allclose(walk.swap_gains, start_walk(rows, walk.order).swap_gains, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_insertion_is_the_best_of_all(seed):
    rows, local, _ = rows_of(random_table(seed, n_columns=6), max_parents=2)
    order = np.random.default_rng(seed).permutation(6).tolist()
    walk = start_walk(rows, np.array(order))

    gains = {}
    for i, j in itertools.permutations(range(6), 2):
        moved = order[:i] + order[i + 1 :]
        moved.insert(j, order[i])
        gains[i, j] = best_of_order(local, moved, 2) - best_of_order(local, order, 2)
    for i, direction in itertools.product(range(6), (-1, 1)):
        on_that_side = [gain for (k, j), gain in gains.items() if k == i and (j - i) * direction > 0]
        place, gain = order_walks.best_way(rows, walk, i, direction, 0)
        assert on_that_side == [] if place < 0 else gain == pytest.approx(max(on_that_side), abs=1e-8)
    now, place, gain = order_walks.best_insertion(rows, walk, 0)
    assert gain == pytest.approx(max(gains.values()), abs=1e-8)
    before = order_walks.score_of(rows, walk)
    order_walks.move(rows, walk, now, place, 0)
    assert order_walks.score_of(rows, walk) == pytest.approx(before + gains[now, place], abs=1e-8)
    assert gains[now, place] == pytest.approx(gain, abs=1e-8)


def test_a_pair_that_passed_stays_tabu():
    rows, _, _ = rows_of(random_table(3), max_parents=2)
    walk = start_walk(rows, np.arange(5))
    order_walks.move(rows, walk, 1, 3, 10)
    order_walks.refresh_swaps(rows, walk, 0, 5)
    walk.swap_gains[2] = 1e6  # 3 and 1, who have just passed

    assert walk.order.tolist() == [0, 2, 3, 1, 4]
    assert order_walks.best_swap(walk, 9)[0] != 2
    assert order_walks.best_swap(walk, 10)[0] == 2
    node_of = dict(enumerate(walk.order.tolist()))
    now, place, _ = order_walks.best_insertion(rows, walk, 9)
    passed = {node_of[i] for i in range(min(now, place), max(now, place) + 1)} - {node_of[now]}
    assert not (node_of[now] == 1 and passed & {2, 3})


@pytest.mark.compiled
def test_asia_is_solved_by_default_and_seldom_without_a_tabu_list():
    data = sl.Dataset(data_file("tables/asia.csv"))

    def share_of_hits(**options):
        found = OrderSearch(max_parents=None, restarts=399, **options).fit(data)
        assert found.score_ == pytest.approx(ASIA_OPTIMUM, abs=1e-5)
        return (found.trace_["score"] > ASIA_OPTIMUM - 1e-4).mean()

    assert 0.03 < share_of_hits(tabu=0) < 0.13  # From docs/references/orders.md#order-search: 7.5 %
    # From docs/references/orders.md#order-search: 50 %.
    assert 0.35 < share_of_hits(tabu=20, patience=20) < 0.7
    for seed in range(5):
        for moves in ("swap", "insertion"):
            found = OrderSearch(max_parents=None, moves=moves, random_state=seed).fit(data)
            assert found.score_ == pytest.approx(ASIA_OPTIMUM, abs=1e-5)


@pytest.mark.parametrize(
    ("table", "score", "optimum"),
    [
        ("coronary", "bic", -6717.265384),
        ("coronary", "bdeu", -6730.550147),
        ("learning.test", "bic", -24006.734232),
        ("learning.test", "bdeu", -24028.094778),
        ("gaussian.test", "bge", -53258.941618),
    ],
)
def test_published_optima_are_found(table, score, optimum):  # From docs/references/orders.md#exact-search
    found = OrderSearch(score=score, max_parents=None).fit(data_file(f"tables/{table}.csv"))

    assert found.score_ == pytest.approx(optimum, abs=1e-5)


def test_the_search_is_never_below_its_initial_graph():
    data = random_table(5, n_columns=8, n_rows=300)
    initial = sl.HillClimbing(max_parents=3).fit(data)
    found = OrderSearch(initial=initial.graph_, restarts=0, tabu=0).fit(data)

    assert found.score_ >= initial.score_ - 1e-8
    assert sl.score(found.graph_, data) == pytest.approx(found.score_, abs=1e-8)


def test_an_initial_graph_over_other_columns_is_refused():
    with pytest.raises(sl.OptionError, match="initial is a DAG over the columns"):
        OrderSearch(initial=sl.Graph("ab")).fit(random_table(0))


@pytest.mark.parametrize("moves", ["swap", "insertion"])
def test_knowledge_and_the_limit_on_parents_are_kept(moves):
    data = random_table(2, n_columns=6, n_rows=300)
    a, b, c, d, *_ = sorted(data.names)
    knowledge = sl.Knowledge(required=[(d, a), (a, c)], forbidden=[(b, c), (c, b)], tiers=[[d], [b]])
    found = OrderSearch(knowledge=knowledge, max_parents=2, moves=moves).fit(data)

    assert knowledge.violations(found.graph_) == []
    assert max(len(found.graph_.parents(v)) for v in data.names) <= 2
    place = {name: i for i, name in enumerate(found.order_)}
    assert all(place[u] < place[v] for u, v in found.graph_.directed)


def test_required_parents_come_first_and_others_keep_their_order():
    required = np.zeros((5, 5), dtype=bool)
    required[0, 3] = required[3, 4] = True  # 4 → 3 → 0

    assert parents_first(np.array([0, 1, 3, 2, 4]), required).tolist() == [1, 2, 4, 3, 0]


def test_a_node_waits_for_all_its_required_parents():
    required = np.zeros((4, 4), dtype=bool)
    required[0, [2, 3]] = True

    assert parents_first(np.array([0, 3, 1, 2]), required).tolist() == [3, 1, 2, 0]


def test_random_orders_have_required_parents_first():
    _, _, limits = rows_of(random_table(0), knowledge=sl.Knowledge(required=[("x4", "x0")]))
    rng = np.random.default_rng(0)

    for _ in range(50):
        order = random_order(limits, rng).tolist()
        assert sorted(order) == list(range(5))
        assert order.index(4) < order.index(0)


def candidate_matrix(data, candidates, knowledge=None):
    space = space_of(data.select(sorted(data.names)), knowledge=knowledge)
    open_arcs = ~narrowed(space, candidates).limits.closed
    return {
        name: {space.names[u] for u in np.flatnonzero(open_arcs[v]) if u != v}
        for v, name in enumerate(space.names)
    }


def test_candidates_are_the_best_single_parents_those_named_or_neighbours_in_a_graph():
    data = random_table(4, n_rows=300)
    names = sorted(data.names)
    statistics = from_dataset(data.select(names))
    local = FamilyScores(score_for("test", "bic", statistics), statistics).local

    by_score = {
        name: {names[u] for u in sorted(set(range(5)) - {v}, key=lambda u: -local(v, [u]))[:2]}
        for v, name in enumerate(names)
    }
    graph = sl.Graph(names, directed=[(names[0], names[1])], undirected=[(names[1], names[2])])
    nobody = {name: set() for name in names}

    assert candidate_matrix(data, 2) == by_score
    assert candidate_matrix(data, {names[0]: [names[3]]}) == nobody | {names[0]: {names[3]}}
    assert candidate_matrix(data, graph) == nobody | {
        names[0]: {names[1]},
        names[1]: {names[0], names[2]},
        names[2]: {names[1]},
    }
    required = sl.Knowledge(required=[(names[4], names[2])])
    assert candidate_matrix(data, {}, required) == nobody | {names[2]: {names[4]}}
    assert candidate_matrix(data, None) == {name: set(names) - {name} for name in names}


def test_parents_come_from_candidates_or_are_required():
    data = random_table(4, n_rows=500)
    a, b, c, d, e = sorted(data.names)
    knowledge = sl.Knowledge(required=[(e, d)])
    found = OrderSearch(candidates={a: [b, c], d: [a]}, knowledge=knowledge).fit(data).graph_

    assert (e, d) in found.directed
    assert set(found.directed) <= {(b, a), (c, a), (a, d), (e, d)}


def test_a_candidate_that_is_no_column_is_refused():
    with pytest.raises(sl.OptionError, match="no column 'nobody'"):
        OrderSearch(candidates={"nobody": []}).fit(random_table(0))
