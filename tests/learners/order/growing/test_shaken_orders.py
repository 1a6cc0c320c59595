"""Shaken orders and the greedy start: never worse than where they begin; the optimum of small tables."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.order.growing.greedy_start import greedy_start
from structlearn.learners.order.growing.grow_trees import GrowTrees
from structlearn.learners.order.growing.shaken_orders import ShakenOrders
from structlearn.search.dag_state import DAGState
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

    assert len(orders.trace) >= 4  # the first, and three that bring nothing
    assert max(orders.trace) <= found.score + 1e-9


def test_a_full_memory_begins_anew_and_loses_nothing(monkeypatch):
    space = space_of(random_table(2, n_columns=6))
    expected = ShakenOrders(space).improve(DAGState(space), patience=60, perturb=3).score

    monkeypatch.setattr("structlearn.learners.order.growing.grow_trees.MOST_SETS", 0)
    forgetful = space_of(random_table(2, n_columns=6))
    found = ShakenOrders(forgetful).improve(DAGState(forgetful), patience=60, perturb=3).score

    assert found == pytest.approx(expected)


def test_a_memory_is_full_beyond_the_most_sets_and_only_then_begins_anew(monkeypatch):
    made = []
    monkeypatch.setattr(
        "structlearn.learners.order.growing.shaken_orders.GrowTrees",
        lambda space: made.append(GrowTrees(space)) or made[-1],
    )
    space = space_of(random_table(2, n_columns=6))
    ShakenOrders(space).improve(DAGState(space), patience=3, perturb=3)
    assert len(made) == 1

    limit = "structlearn.learners.order.growing.grow_trees.MOST_SETS"
    n_sets = len(made[0]._sets)
    monkeypatch.setattr(limit, n_sets)
    assert not made[0].is_full
    monkeypatch.setattr(limit, n_sets - 1)
    assert made[0].is_full

    monkeypatch.setattr(limit, 0)
    ShakenOrders(space).improve(DAGState(space), patience=3, perturb=3)
    assert len(made) >= 5  # one at first, and one for every shake


def test_a_full_memory_keeps_parents_that_bring_something_together_only(monkeypatch):
    monkeypatch.setattr("structlearn.learners.order.growing.grow_trees.MOST_SETS", 0)
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 1000))
    table = {"a": a, "b": b, "c": a ^ b} | {f"n{j}": rng.integers(0, 2, 1000) for j in range(3)}
    space = space_of(sl.Dataset(table))

    found = ShakenOrders(space).improve(
        state_with(space, [[], [], [0, 1], [], [], []]), patience=5, perturb=3
    )

    assert found.parents()[2] == [0, 1]


@pytest.mark.parametrize("perturb", [1, 2, 4, 50])
def test_a_shake_moves_at_most_as_many_nodes_as_it_may(monkeypatch, perturb):
    moved = []
    monkeypatch.setattr(
        "structlearn.learners.order.growing.shaken_orders.GrownOrder.settle",
        lambda _order, nodes, _rng, _run: moved.append(len(nodes)),
    )
    space = space_of(random_table(0, n_columns=6), seed=0)

    ShakenOrders(space).improve(DAGState(space), patience=60, perturb=perturb)

    shakes = moved[1:-1]  # before and after them all nodes settle
    assert min(shakes) >= min(perturb, 2)
    assert max(shakes) == min(perturb, 6)  # there are six nodes


@pytest.mark.parametrize("seed", range(3))
def test_the_greedy_start_is_a_dag_that_no_single_arc_improves(seed):
    space = space_of(random_table(seed, n_columns=5))

    state = greedy_start(space)

    move = state.best_move()
    assert move is None or move.gain <= 1e-9
    assert state.score == pytest.approx(space.scores.total(state.parents()))


def test_with_knowledge_the_greedy_start_honours_it():
    data = random_table(0, n_columns=5)
    knowledge = sl.Knowledge(required=[("x0", "x4")], forbidden=[("x1", "x2")])
    space = space_of(data, knowledge=knowledge)

    arcs = greedy_start(space).arcs

    assert np.all(arcs[space.limits.frozen])
    assert not arcs[space.limits.closed].any()
