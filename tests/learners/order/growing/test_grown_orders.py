"""Dense tables of continuous columns: orders whose parents grow end near the generating DAG."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.growing import grown_orders
from structlearn.learners.order.growing.grown_orders import GrownOrders
from structlearn.search.dags import parents_first
from structlearn.search.starts import state_with
from tests.oracles import grown_orders as oracle
from tests.search.spaces import space_of


def linear_table(n_columns, n_rows, degree, seed=0):
    rng = np.random.default_rng(seed)
    graph = sl.random_dag(n_columns, expected_degree=degree, random_state=rng)
    rows = {}
    for node in graph.topological_order():
        rows[node] = rng.normal(size=n_rows)
        for parent in graph.parents(node):
            rows[node] += rng.choice([-1, 1]) * rng.uniform(0.5, 1.0) * rows[parent]
    return sl.Dataset(rows), graph


def table_with_hubs(n_columns, n_rows, n_links, seed):
    graph = sl.random_dag(n_columns, kind="scale-free", n_links=n_links, random_state=seed)
    model = sl.random_model(graph, kind="gaussian", random_state=seed)
    return graph, model.sample(n_rows, random_state=seed)


def test_orders_grow_where_families_are_regressions_with_a_price():
    sparse, _ = linear_table(25, 500, 2)
    small, _ = linear_table(8, 500, 6)
    discrete = sl.example("asia").sample(300, random_state=0)

    assert not GrownOrders.of(space_of(sparse)).is_dense
    assert not GrownOrders.of(space_of(small)).is_dense
    assert GrownOrders.of(space_of(discrete)) is None
    assert GrownOrders.of(space_of(sparse, "bge")) is None


@pytest.mark.parametrize("seed", range(3))
def test_an_order_grown_from_that_of_a_dag_is_improved_by_no_move_of_a_node(seed):
    space = space_of(linear_table(6, 80, 4, seed)[0])
    start = state_with(space, [[], [0], [1], [2], [3], [4]])

    orders = GrownOrders(space)
    found = orders.improve_from(start, patience=3, perturb=2)

    order = parents_first(found.parents())
    tried = [
        oracle.total(space.scores.local, [*others[:i], x, *others[i:]])
        for x in order
        for others in [[y for y in order if y != x]]
        for i in range(6)
    ]
    assert found.score == pytest.approx(space.scores.total(found.parents()))
    assert found.score >= start.score
    assert max(tried) <= found.score + 1e-6


@pytest.mark.parametrize("n_columns", [35, 100])
def test_hubs_with_many_parents_end_as_high_as_the_generating_dag(n_columns):
    """Lists of families that begin with two parents alone ended 118 and 336 nats below it."""
    graph, data = table_with_hubs(n_columns, 1_000, 2, seed=986670787)

    assert sl.BOSS(score="bic").fit(data).score_ >= sl.score(graph, data, "bic") - 1e-6


@pytest.mark.parametrize(("most", "seed"), [(2, 1), (3, 2), (3, 3)])
def test_where_a_limit_binds_the_best_of_all_dags_is_found(most, seed):
    """In the last two, grown orders and lists of families meet in one trap."""
    _, data = table_with_hubs(14, 3_000, 3, seed)
    best = sl.ExactSearch(max_parents=most, score="bic").fit(data)

    assert sl.BOSS(max_parents=most, score="bic", check_parity=0).fit(data).score_ == pytest.approx(
        best.score_
    )


def test_a_dense_table_ends_as_high_as_its_generating_dag(monkeypatch):
    monkeypatch.setattr(grown_orders, "DENSE", 6.0)
    data, graph = linear_table(12, 2_000, 7)

    found = sl.BOSS(score="bic").fit(data)

    assert GrownOrders.of(space_of(data)).is_dense
    assert found.score_ >= sl.score(graph, data, "bic") - 1e-6
    assert found.score_ == pytest.approx(sl.score(found.graph_, data, "bic"))


@pytest.mark.parametrize("seed", range(3))
def test_a_settled_order_is_improved_by_no_move_of_a_node(seed):
    space = space_of(linear_table(6, 80, 4, seed)[0])
    orders = GrownOrders(space)

    settled = orders._from_anywhere()

    order = settled.order.tolist()
    alone = sum(space.scores.local(y, []) for y in range(6))
    variances = space.statistics.moments().covariance.diagonal()
    offset = alone + 80 / 2 * np.log(variances).sum()  # the trace leaves out what all DAGs share
    now = oracle.total(space.scores.local, order)
    assert settled.score + offset == pytest.approx(now, abs=1e-6)
    for x in order:
        others = [y for y in order if y != x]
        tried = [oracle.total(space.scores.local, [*others[:i], x, *others[i:]]) for i in range(6)]
        assert max(tried) <= now + 1e-6


def test_knowledge_and_the_most_parents_are_kept(monkeypatch):
    monkeypatch.setattr(grown_orders, "DENSE", 4.0)
    data, _ = linear_table(10, 500, 6)
    knowledge = sl.Knowledge(required=[("x3", "x1")], forbidden=[("x2", "x0"), ("x0", "x2")])
    data = sl.Dataset({f"x{j}": data.columns[j].values for j in range(10)})

    found = sl.BOSS(score="bic", knowledge=knowledge, max_parents=3).fit(data).graph_

    assert ("x3", "x1") in found.directed
    assert not {("x2", "x0"), ("x0", "x2")} & set(found.directed)
    assert max(len(found.parents(node)) for node in found.nodes) <= 3


@pytest.mark.slow
def test_fifty_columns_of_degree_ten_reach_the_generating_score():
    data, graph = linear_table(50, 10_000, 10)

    assert sl.BOSS(score="bic").fit(data).score_ >= sl.score(graph, data, "bic") - 1e-6
