"""Shaken orders and the greedy start: never worse than where they begin; the optimum of small tables."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.growing import shaken_orders
from structlearn.learners.order.growing.greedy_start import greedy_start
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.search.dag_state import DAGState
from structlearn.search.local_scores import score_all_families
from structlearn.search.starts import state_with
from tests.learners.order.model_tables import random_table
from tests.oracles import best_dag
from tests.search.spaces import space_of


@pytest.mark.parametrize("seed", range(4))
def test_four_columns_end_at_the_best_of_all_dags(seed):
    data = random_table(seed, n_columns=4, n_rows=200)
    space = space_of(data.select(sorted(data.names)))

    found = ShakenOrders(space).improve(DAGState(space), patience=40, perturb=4)

    best = best_dag.best_score(best_dag.bic_of_families(data), 4)
    assert found.score == pytest.approx(best)
    assert space.scores.total(found.parents()) == pytest.approx(found.score)


def test_the_trace_has_the_score_of_every_order():
    space = space_of(random_table(1, n_columns=6))
    orders = ShakenOrders(space)

    found = orders.improve(DAGState(space), patience=3, perturb=2)

    assert len(orders.trace) >= 10  # from five starts, each with one shake at least
    assert max(orders.trace) <= found.score + 1e-9


def test_a_chain_turns_round_as_a_whole_where_only_its_end_tells_the_direction():
    # Of the DAGs with the right skeleton only those in which x0 has both parents are best.
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 2, 3000)]
    for _ in range(9):
        columns.append(columns[-1] ^ (rng.random(3000) < 0.1))
    cause = rng.integers(0, 2, 3000)
    end = (columns[-1] & cause) ^ (rng.random(3000) < 0.05)
    table = {f"x{j}": column for j, column in enumerate([end, *columns[::-1]])} | {"y": cause}
    space = space_of(sl.Dataset(table, kinds=dict.fromkeys(table, "discrete")), seed=0)
    away = [[], *([j] for j in range(10)), [0]]

    found = ShakenOrders(space).improve(state_with(space, away), patience=None, perturb=8)

    assert found.parents()[0] == [1, 11]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("most", [0, 64])  # a search among classes, and one among DAGs
def test_the_greedy_start_is_a_dag_that_no_single_arc_improves(seed, most, monkeypatch):
    monkeypatch.setattr("structlearn.learners.order.growing.greedy_start.MOST_NODES", most)
    space = space_of(random_table(seed, n_columns=5))

    state = greedy_start(space)

    move = state.best_move()
    assert move is None or move.gain <= 1e-9
    assert state.score == pytest.approx(space.scores.total(state.parents()))


def test_with_hundreds_of_discrete_columns_the_start_has_no_arcs_but_those_required(monkeypatch):
    monkeypatch.setattr("structlearn.learners.order.growing.greedy_start.MOST_COUNTED", 3)
    knowledge = sl.Knowledge(required=[("x0", "x4")])
    rows = np.random.default_rng(0).normal(size=(200, 1)) + np.random.default_rng(1).normal(size=(200, 5))

    found = greedy_start(space_of(random_table(0, n_columns=5), knowledge=knowledge))

    assert [(found.space.names[u], found.space.names[v]) for v, u in np.argwhere(found.arcs)] == [
        ("x0", "x4")
    ]
    assert greedy_start(space_of(sl.Dataset(rows))).arcs.any()


def test_with_knowledge_the_greedy_start_honours_it():
    data = random_table(0, n_columns=5)
    knowledge = sl.Knowledge(required=[("x0", "x4")], forbidden=[("x1", "x2")])
    space = space_of(data, knowledge=knowledge)

    arcs = greedy_start(space).arcs

    assert np.all(arcs[space.limits.frozen])
    assert not arcs[space.limits.closed].any()


def strong_table(n_columns, n_rows, seed):
    """Rows of a random network whose tables are near certainty, so that parents act in threes."""
    graph = sl.random_dag(n_columns, expected_degree=4.0, random_state=seed)
    model = sl.random_model(graph, levels=2, concentration=0.2, random_state=seed)
    return model.sample(n_rows, random_state=seed)


@pytest.mark.parametrize("tiers", [[], [["x0"], ["x1"]]], ids=["all arcs", "a node without parents"])
def test_lists_of_all_families_become_rows_by_size_with_their_scores(tiers):
    data = strong_table(7, 300, 1)
    knowledge = sl.Knowledge(tiers=[*tiers, data.names[2:]]) if tiers else sl.Knowledge()
    space = space_of(data, max_parents=3, knowledge=knowledge)
    lists = score_all_families(space)
    by_size = list(shaken_orders.families_of(lists))

    assert [families.shape[1] for families, _ in by_size] == list(range(1, len(by_size) + 1))
    assert sum(len(scores) for _, scores in by_size) == lists.n_families
    for families, scores in by_size:
        np.testing.assert_allclose(scores, space.score.local(space.statistics, families), rtol=1e-9)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize("seed", range(3))
def test_where_many_nodes_have_three_parents_the_best_of_all_dags_is_found(seed):
    data = strong_table(12, 2_000, seed)
    best = sl.ExactSearch(max_parents=3, score="bic").fit(data)

    assert sl.BOSS(max_parents=3, score="bic").fit(data).score_ == pytest.approx(best.score_)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_all_families_are_scored_only_where_many_nodes_have_three_parents(monkeypatch):
    n_asked = []

    def score_all(space):
        n_asked.append(space.limits.max_parents)
        return score_all_families(space)

    monkeypatch.setattr(shaken_orders, "score_all_families", score_all)
    data = random_table(0, n_columns=13)  # of fewer, all are scored at once
    sl.BOSS().fit(data)
    assert n_asked == []
    monkeypatch.setattr(shaken_orders, "SHARE_OF_FULL", 0.0)
    sl.BOSS(max_parents=2).fit(data)
    sl.BOSS().fit(data)
    assert n_asked == [2, 3]


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
def test_of_a_long_table_all_families_are_scored_only_where_a_sample_gains_by_them(monkeypatch):
    """A sum of three coins has no pair that helps; without it, three parents bring nothing more."""
    n_rows_asked = []

    def score_all(space):
        n_rows_asked.append(space.statistics.n_rows)
        return score_all_families(space)

    monkeypatch.setattr(shaken_orders, "score_all_families", score_all)
    monkeypatch.setattr(shaken_orders, "SHARE_OF_FULL", 0.0)
    monkeypatch.setattr(shaken_orders, "SAMPLE", 1_000)
    coins = {f"c{i}": column for i, column in enumerate(np.random.default_rng(0).integers(0, 2, (13, 4_000)))}
    parity = {"p": (coins["c0"] + coins["c1"] + coins["c2"]) % 2}

    sl.BOSS(check_parity=0).fit(coins)
    assert n_rows_asked == [1_000]
    found = sl.BOSS(check_parity=0).fit({**coins, **parity})
    assert n_rows_asked[1:] == [1_000, 4_000]
    assert len(found.graph_.directed) == 3


def table_of_both_kinds(n_columns, n_rows, seed):
    """Rows of a random linear network, a third of whose columns are cut into two or three states."""
    graph = sl.random_dag(n_columns, expected_degree=3.0, random_state=seed)
    rows = sl.random_model(graph, kind="gaussian", random_state=seed).sample(n_rows, random_state=seed)
    columns = {column.name: column.values for column in rows.columns}
    for j, name in enumerate(rows.names[::3]):
        shares = np.arange(1, 2 + j % 2) / (2 + j % 2)
        columns[name] = np.searchsorted(np.quantile(columns[name], shares), columns[name]).astype(str)
    return sl.Dataset(columns)


@pytest.mark.filterwarnings("ignore::structlearn.DataWarning")
@pytest.mark.parametrize(("seed", "most_families"), [(0, 0), (10, 0), (2, 1e6), (5, 1e6)])
def test_columns_of_both_kinds_end_at_the_best_of_all_dags(seed, most_families, monkeypatch):
    # In the last two, searches from random orders end 30 and 22 nats below it.
    monkeypatch.setattr(shaken_orders, "MOST_OF_ALL_IF_DEAR", most_families)
    data = table_of_both_kinds(16, 2_000, seed)
    best = sl.ExactSearch(max_parents=3, score="bic").fit(data)

    assert sl.BOSS(max_parents=3, score="bic").fit(data).score_ == pytest.approx(best.score_)


def test_where_families_are_dear_searches_begin_along_random_orders(monkeypatch):
    drawn, draw = [], shaken_orders.random_order
    monkeypatch.setattr(shaken_orders, "random_order", lambda *how: drawn.append(1) or draw(*how))
    monkeypatch.setattr(shaken_orders, "FURTHER_STARTS", 0)  # each of which has a random order
    monkeypatch.setattr(shaken_orders, "FRUITLESS_IF_DEAR", 3)
    monkeypatch.setattr(shaken_orders, "STARTS_TIMES_NODES", 0)
    space = space_of(table_of_both_kinds(8, 200, 0))

    found = ShakenOrders(space).improve_from_anywhere(patience=5, perturb=2)

    assert len(drawn) > 3  # the first of them found something
    assert found.score >= greedy_start(space).score
    assert found.score == pytest.approx(space.scores.total(found.parents()))
