"""ConvexDAG: a bound that no DAG beats, and a DAG near it."""

import sys

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import PackageError
from tests.oracles import soft_order as oracle


def chain(n_rows=400, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.normal(size=n_rows)
    b = a + rng.normal(size=n_rows)
    c = 0.8 * b + rng.normal(size=n_rows)
    return {"a": a, "b": b, "c": c, "d": -0.7 * b + 0.6 * c + rng.normal(size=n_rows)}


def test_the_cost_is_that_of_the_best_dag_and_the_bound_is_below():
    table = chain()
    rows = np.column_stack(list(table.values()))
    centred = rows - rows.mean(axis=0)

    learner = sl.ConvexDAG(standardise=False, edge_price=3.0, ridge=10.0).fit(table)

    best, _ = oracle.cheapest(centred.T @ centred, 3.0, 10.0)
    assert learner.cost_ == pytest.approx(best, rel=1e-9)
    assert learner.bound_ <= best
    assert learner.gap_ == pytest.approx(learner.cost_ - learner.bound_)


def test_equal_noise_tells_the_order_by_the_variances():
    learner = sl.ConvexDAG(standardise=False).fit(chain(n_rows=2000))

    assert learner.graph_ == sl.Graph("abcd", directed=["ab", "bc", "bd", "cd"])
    assert learner.score_ == pytest.approx(sl.score(learner.graph_, chain(n_rows=2000), "bic"))


def test_precedence_is_between_0_and_1_and_shares_leave_room_for_it():
    learner = sl.ConvexDAG(standardise=False).fit(chain())
    off = ~np.eye(4, dtype=bool)

    assert (learner.precedence_ + learner.precedence_.T)[off] == pytest.approx(1.0)
    assert (learner.shares_ <= learner.precedence_ + 1e-6)[off].all()
    assert learner.precedence_[0, 3] > 0.5  # a before d, as the columns of the table stand


def test_a_small_ridge_leaves_the_order_open_and_says_so():
    weights = np.array([[0, 1, 0, 0], [0, 0, 0.8, -0.7], [0, 0, 0, 0.6], [0, 0, 0, 0]])
    noise = np.random.default_rng(0).normal(size=(100, 4))
    independent = np.linalg.qr(noise - noise.mean(axis=0))[0]
    rows = 10 * independent @ np.linalg.inv(np.eye(4) - weights)  # covariances are exactly those of the model

    with pytest.warns(sl.DataWarning, match="relaxed order is open"):
        learner = sl.ConvexDAG(standardise=False, edge_price=5.0, ridge=1.0).fit(rows)

    assert learner.bound_ == pytest.approx(149.1284, abs=1e-3)


def test_more_roundings_are_never_dearer():
    table = chain(n_rows=60, seed=3)
    one, many = (
        sl.ConvexDAG(polish=False, n_roundings=n, ridge=30.0, standardise=False).fit(table) for n in (1, 20)
    )

    assert len(many.trace_["cost"]) == 20
    assert many.cost_ == min(many.trace_["cost"]) <= one.cost_
    assert many.trace_["cost"][0] == one.cost_


def test_beyond_25_columns_gradients_do_without_cvxpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    rng = np.random.default_rng(0)
    rows = np.cumsum(rng.normal(size=(300, 27)), axis=1) / 2

    learner = sl.ConvexDAG().fit(rows)
    assert learner.gap_ >= 0
    with pytest.raises(PackageError, match=r"structlearn\[convex\]"):
        sl.ConvexDAG().fit(chain())


def test_required_arcs_are_there_whatever_the_order_would_be():
    knowledge = sl.Knowledge(required=[("d", "a")], forbidden=[("a", "b")])

    for solver in ("conic", "gradient"):
        graph = sl.ConvexDAG(knowledge=knowledge, solver=solver, standardise=False).fit(chain()).graph_
        assert ("d", "a") in graph.directed
        assert ("a", "b") not in graph.directed


def test_out_of_time_before_all_is_counted_only_what_is_required_is_there():
    table = {name: np.digitize(column, [0.0]) for name, column in chain().items()}
    required = sl.Knowledge(required=[("d", "a")])

    learner = sl.ConvexDAG(knowledge=required, time_limit=1e-9).fit(table)

    assert learner.graph_ == sl.Graph("abcd", directed=["da"])
    assert (learner.bound_, learner.cost_, learner.gap_) == (0.0, np.inf, np.inf)
    assert learner.shares_.sum() == learner.precedence_.sum() == 0.0


def test_a_column_with_a_single_level_has_no_arcs():
    table = {"c0": ["q"] * 8, "c1": list("qpqqqqqq"), "c2": list("qrrrqsqq")}

    with pytest.warns(sl.DataWarning, match="'c0' has a single value; it will have no edges"):
        graph = sl.ConvexDAG().fit(table).graph_

    assert not graph.neighbors("c0")
