"""The relaxed programme of parents and an order, its solvers and rounding; docs/references/regression.md."""

import tracemalloc

import cvxpy
import numpy as np
import pytest
from scipy.optimize import approx_fprime, minimize

import structlearn as sl
from structlearn.learners.regression.soft_order import softmax_contrasts
from structlearn.learners.regression.soft_order.children import SquaredChild, children_of
from structlearn.learners.regression.soft_order.conic import relax_by_cones
from structlearn.learners.regression.soft_order.gradient import relax_by_gradients
from structlearn.learners.regression.soft_order.relaxation import Relaxation, SoftProblem
from structlearn.learners.regression.soft_order.rounding import Rounding, order_of
from structlearn.learners.regression.soft_order.softmax_contrasts import fit_contrasts
from structlearn.run import Run
from structlearn.statistics import from_dataset
from tests.oracles import soft_order as oracle
from tests.search.spaces import space_of

WEIGHTS = np.array([[0, 1, 0, 0], [0, 0, 0.8, -0.7], [0, 0, 0, 0.6], [0, 0, 0, 0]], dtype=float)


def gram_of(weights, n_rows=100):
    """The Gram matrix of a linear network with noise of variance 1."""
    total = np.linalg.inv(np.eye(len(weights)) - weights)
    return n_rows * total.T @ total


def squared_problem(gram, price, ridge, is_open=None):
    p = len(gram)
    others = [np.delete(np.arange(p), j) for j in range(p)]
    children = [
        SquaredChild(gram[np.ix_(rest, rest)], gram[rest, j], gram[j, j], ridge, rest)
        for j, rest in enumerate(others)
    ]
    nothing = np.zeros((p, p), dtype=bool)
    is_open = ~np.eye(p, dtype=bool) if is_open is None else is_open
    return SoftProblem(children, np.full((p, p), price), ridge, nothing, is_open)


@pytest.fixture
def run():
    return Run("test", progress=False)


@pytest.mark.parametrize(
    ("price", "ridge", "bound", "rounded", "order"),
    [(0.5, 10.0, 159.5545, 234.8182429, (1, 0, 2, 3)), (0.5, 50.0, 208.5230, 241.7848071, (0, 1, 2, 3))],
)
def test_four_columns_have_the_relaxed_and_the_rounded_value_of_the_reference(
    price, ridge, bound, rounded, order, run
):
    problem = squared_problem(gram_of(WEIGHTS), price, ridge)

    found = relax_by_cones(problem, run)

    assert found.bound == pytest.approx(bound, abs=1e-3)
    assert order_of(found, problem) == order
    assert Rounding(problem, run).cost(order) == pytest.approx(rounded, abs=1e-6)


def test_with_a_small_ridge_the_order_stays_open_and_that_is_known(run):
    gram = gram_of(WEIGHTS)
    found = relax_by_cones(squared_problem(gram, 5.0, 1.0), run)
    along = np.zeros((4, 4), dtype=bool)
    order = [1, 0, 2, 3]
    along[np.ix_(order, order)] = np.triu(np.ones((4, 4), dtype=bool), k=1)

    assert found.bound == pytest.approx(149.1284, abs=1e-3)
    assert found.is_undecided
    assert relax_by_cones(squared_problem(gram, 5.0, 1.0, along), run).bound == pytest.approx(
        232.9849, abs=1e-3
    )


def test_one_parent_has_the_weight_of_the_reversed_huber_penalty():
    # √(2·½·0.1) = 0.3162278 is the price of a unit of weight, and the share is weight · √(0.1 / (2·½)).
    child = SquaredChild(np.array([[4.0]]), np.array([3.0]), 10.0, 0.1, np.array([0]))
    weight = (3 - np.sqrt(0.1)) / 4
    share = weight * np.sqrt(0.1)

    value, slope = child.at(np.array([share]))

    assert slope[0] + 0.5 == pytest.approx(0.0, abs=1e-12)  # the share is the best one for a price of ½
    assert value + 0.5 * share == pytest.approx(5 - 3 * weight + 2 * weight**2 + np.sqrt(0.1) * weight)


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(i, marks=pytest.mark.slow) for i in range(4, 20))]
)
def test_bound_best_and_rounded_are_in_this_order_and_swaps_find_the_best_of_five(seed, run):
    rng = np.random.default_rng(seed)
    weights = np.triu(
        rng.choice([-1, 1], (5, 5)) * rng.uniform(0.6, 1.2, (5, 5)) * (rng.random((5, 5)) < 0.5), k=1
    )
    gram = gram_of(weights)
    problem = squared_problem(gram, 0.5, 10.0)

    found, rounding = relax_by_cones(problem, run), Rounding(problem, run)
    best, order = oracle.cheapest(gram, 0.5, 10.0)
    rounded = rounding.cost(order_of(found, problem))

    assert found.bound <= best + 1e-4
    assert best <= rounded + 1e-9
    assert rounding.cost(order) == pytest.approx(best, rel=1e-12)
    assert rounding.cost(order_of(found, problem)) == pytest.approx(
        oracle.cheapest_along(gram, order_of(found, problem), 0.5, 10.0), rel=1e-12
    )
    assert rounded / best < 1.2  # measured: 1.013 on the mean of twenty
    assert rounding.cost(rounding.swapped(order_of(found, problem))) <= rounded


@pytest.mark.parametrize("seed", range(4))
def test_gradients_end_at_the_value_of_the_cones_where_no_rule_of_transitivity_binds(seed, run):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(60, 4)) @ (np.eye(4) + rng.normal(size=(4, 4)))
    problem = squared_problem(rows.T @ rows, 2.0, 20.0)

    cones, gradients = relax_by_cones(problem, run), relax_by_gradients(problem, run)

    assert gradients.bound <= cones.bound + 1e-4
    assert gradients.bound >= cones.bound - 0.02 * abs(cones.bound)  # what transitivity may add


@pytest.fixture(scope="module")
def mixed():
    """Statistics of a table with two states, three states and measurements."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 90)
    b = (a + rng.integers(0, 2, 90)) % 3
    table = {"a": [f"s{i}" for i in a], "b": [f"t{i}" for i in b], "c": a + rng.normal(size=90)}
    return from_dataset(sl.Dataset(table))


@pytest.mark.parametrize("child", range(3))
def test_a_child_is_the_least_of_loss_and_ridge_with_slopes_that_a_small_step_confirms(child, mixed):
    regression = children_of("test", mixed, ridge=3.0, standardise=True)[child]
    shares = np.array([0.3, 0.7, 0.5])
    shares[child] = 0.0

    value, slopes = regression.at(shares)

    others = np.arange(3) != child
    numeric = approx_fprime(shares, lambda at: regression.at(np.maximum(at, 0.0))[0], 1e-6)
    assert slopes[others] == pytest.approx(numeric[others], abs=1e-3)
    assert value == pytest.approx(least_by_scipy(regression, shares), rel=1e-6)


def test_a_child_of_many_states_is_the_least_of_loss_and_ridge_too():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, 90), rng.integers(0, 5, 90)
    table = from_dataset(sl.Dataset({"a": [f"s{i}" for i in a], "b": [f"t{i}" for i in (a + b) % 6]}))
    regression = children_of("test", table, ridge=3.0, standardise=True)[1]

    value, _ = regression.at(np.array([0.6, 0.0]))

    assert value == pytest.approx(least_by_scipy(regression, np.array([0.6, 0.0])), rel=1e-6)


@pytest.mark.parametrize("first", [[0.5, 1.5, 0.0, 2.5, -1.0], list("abbab")])
def test_a_child_of_more_columns_than_rows_is_the_least_of_loss_and_ridge_too(first):
    numbers = np.random.default_rng(3).normal(size=(5, 8))
    table = {"v0": first} | {f"v{j}": numbers[:, j] for j in range(1, 8)}
    shares = np.array([0.3, 0.7, 0.0, 0.5, 1.0, 0.1, 0.2, 0.9])
    regression = children_of("test", from_dataset(sl.Dataset(table)), ridge=0.5, standardise=True)[2]

    value, slopes = regression.at(shares)

    others = np.arange(8) != 2
    numeric = approx_fprime(shares, lambda at: regression.at(np.maximum(at, 0.0))[0], 1e-6)
    assert slopes[others] == pytest.approx(numeric[others], abs=1e-4)
    assert value == pytest.approx(least_by_scipy(regression, shares), rel=1e-6)


def test_steps_by_products_of_matrices_end_where_newtons_do(monkeypatch):
    rng = np.random.default_rng(2)
    design, counts = rng.normal(size=(30, 4)), rng.integers(0, 5, (30, 7)).astype(float)
    expected = fit_contrasts(design, counts, 2.0)
    monkeypatch.setattr(softmax_contrasts, "LARGEST_SYSTEM", 0)

    found = fit_contrasts(design, counts, 2.0)

    assert found.objective == pytest.approx(expected.objective, rel=1e-10)
    assert found.excess == pytest.approx(expected.excess, abs=1e-5)


def test_rows_that_differ_in_the_child_alone_are_one_cell_of_its_regression():
    table = sl.Dataset({"a": list("xyzxyz"), "b": list("uuuvvv"), "c": list("ststst")})
    regression = children_of("test", from_dataset(table), ridge=1.0, standardise=True)[0]

    assert regression.counts.sum(axis=1).tolist() == [2.0, 1.0, 1.0, 2.0]  # us, ut, vs, vt
    assert regression.counts.sum(axis=0).tolist() == [2.0, 2.0, 2.0]


def test_an_arc_that_costs_more_than_all_it_could_save_is_left_out():
    rng = np.random.default_rng(0)
    many = {name: [f"s{i}" for i in rng.integers(0, 40, 60)] for name in "ab"}
    table = sl.Dataset(
        many | {"c": [f"t{i}" for i in rng.integers(0, 2, 60)]}, kinds=dict.fromkeys("ab", "discrete")
    )

    learner = sl.ConvexDAG().fit(table)

    # ½ · 39 · 39 · log 60 is more than 60 · log 40, what a column costs by itself.
    assert not learner.shares_[:2, :2].any()
    assert learner.bound_ <= learner.cost_


def least_by_scipy(regression, shares):
    """Loss and ridge minimised by a general optimiser."""
    there = np.flatnonzero(shares[regression.group] > 0.0)
    ridges = regression.ridge / shares[regression.group][there]
    if isinstance(regression, SquaredChild):
        gram, target = regression.gram[np.ix_(there, there)], regression.target[there]

        def cost(w):
            loss = 0.5 * regression.total - target @ w + 0.5 * w @ gram @ w
            return loss + 0.5 * ridges @ w**2

        return minimize(cost, np.zeros(len(ridges)), tol=1e-12).fun

    def softmax_cost(flat):
        weights = flat.reshape(len(ridges) + 1, -1)  # of every state, none the base
        logits = regression.numbers[np.ix_(regression.rows, there)] @ weights[1:] + weights[0]
        log_sums = np.log(np.exp(logits).sum(axis=1))
        loss = (regression.counts * (log_sums[:, None] - logits)).sum()
        return loss + 0.5 * (ridges[:, None] * weights[1:] ** 2).sum()

    return minimize(softmax_cost, np.zeros((len(ridges) + 1) * regression.counts.shape[1]), tol=1e-12).fun


@pytest.mark.parametrize("required", [[], [(0, 2)]])
def test_cones_and_gradients_agree_on_columns_of_both_kinds(required, mixed, run):
    p = len(mixed.names)
    children = children_of("test", mixed, ridge=8.0, standardise=True)
    is_open = np.triu(np.ones((p, p), dtype=bool), k=1)  # with a fixed order nothing is left out by gradients
    is_required = np.zeros((p, p), dtype=bool)
    is_required[tuple(np.array(required, dtype=int).reshape(-1, 2).T)] = True
    problem = SoftProblem(children, np.full((p, p), 1.5), 8.0, is_required, is_open)

    cones, gradients = relax_by_cones(problem, run), relax_by_gradients(problem, run)

    assert gradients.bound == pytest.approx(cones.bound, rel=1e-4)
    assert gradients.shares == pytest.approx(cones.shares, abs=0.02)
    assert all(gradients.shares[arc] == 1.0 for arc in required)


def test_greedy_selection_of_wide_columns_is_never_cheaper_than_all_sets(mixed, run):
    children = children_of("test", mixed, ridge=8.0, standardise=True)
    problem = SoftProblem(
        children, np.full((3, 3), 1.5), 8.0, np.zeros((3, 3), dtype=bool), ~np.eye(3, dtype=bool)
    )
    rounding = Rounding(problem, run)

    all_sets = rounding._selected(1, np.array([True, False, True]))
    grown = rounding._grown(1, (), [0, 2])

    assert all_sets[0] <= grown[0] + 1e-9
    assert sorted(all_sets[1]) == sorted(grown[1]) == [0]


def test_columns_of_two_and_of_three_states_stand_side_by_side():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 2, 400)
    b = np.where(rng.random(400) < 0.9, a, 1 - a)
    c = rng.integers(0, 3, 400)

    learner = sl.ConvexDAG().fit({"a": a, "b": b, "c": c})

    assert learner.graph_.skeleton() == sl.Graph("abc", undirected=["ab"])


class Priced:
    """A child whose cost is a function of its set of parents."""

    def __init__(self, cost):
        self.cost = cost

    def at(self, shares, _must_stop=None):
        return self.cost(frozenset(np.flatnonzero(shares).tolist())), None


def last_of_six(cost, required=()):
    """A problem in which arcs cost 1, and the last column of six has the others before it."""
    is_required = np.zeros((6, 6), dtype=bool)
    is_required[list(required), 5] = True
    children = [Priced(lambda _: 0.0)] * 5 + [Priced(cost)]
    return SoftProblem(children, np.ones((6, 6)), 1.0, is_required, ~np.eye(6, dtype=bool))


def test_of_up_to_four_candidates_all_sets_are_tried_beside_what_is_required(run):
    # Neither of the first two columns helps alone, so that steps would end without them.
    problem = last_of_six(lambda parents: 0.0 if {0, 1, 4} <= parents else 10.0, required=[4])
    rounding = Rounding(problem, run)

    assert rounding.cost((4, 3, 1, 0, 2, 5)) == 3.0
    assert rounding.parents((4, 3, 1, 0, 2, 5))[5] == [0, 1, 4]


def test_every_family_that_is_chosen_along_an_order_is_shown_once(run, monkeypatch):
    shown = []
    monkeypatch.setattr(run, "show", shown.append)
    rounding = Rounding(last_of_six(len), run)

    rounding.cost((0, 1, 2, 3, 4, 5))
    rounding.cost((0, 1, 2, 3, 4, 5))

    assert shown == [f"best parents along orders, {n} families" for n in range(6)]


def test_of_more_candidates_the_best_step_is_taken_until_none_gains(run):
    steps = {
        (): 10.0,
        (2,): 5.0,
        (0, 2): 3.5,
        (0, 1, 2): 0.0,
        (0, 1): 0.0,
    }  # others gain nothing by themselves

    def cost(parents):
        found = steps.get(tuple(sorted(parents - {3, 4})), 9.0)
        return found - (3 in parents)  # which a price of 1 makes a tie

    rounding = Rounding(last_of_six(cost), run)

    assert rounding.cost((0, 1, 2, 3, 4, 5)) == 2.0
    assert rounding.parents((0, 1, 2, 3, 4, 5))[5] == [0, 1]


def test_arcs_cost_half_a_logarithm_of_the_rows_for_each_parameter_or_what_is_asked():
    rng = np.random.default_rng(0)
    table = {"a": list("uvw") * 100, "b": list("lr") * 150} | dict(
        zip("xy", rng.normal(size=(2, 300)), strict=True)
    )
    space = space_of(sl.Dataset(table))
    one = 0.5 * np.log(300)

    usual = SoftProblem.of(space, price=None, ridge=None, standardise=True)
    asked = SoftProblem.of(space, price=3.0, ridge=None, standardise=True)

    numbers = np.array([2, 1, 1, 1])
    np.testing.assert_allclose(usual.prices, one * np.outer(numbers, numbers), rtol=1e-12)
    assert usual.ridge == pytest.approx(8 * one)
    assert asked.prices.tolist() == np.full((4, 4), 3.0).tolist()
    assert asked.ridge == 24.0


@pytest.mark.parametrize("itself", [0.0, 0.5])
def test_an_order_is_open_where_no_two_columns_are_far_from_a_half(itself):
    def relaxation(before):
        return Relaxation(0.0, np.zeros((2, 2)), np.array([[itself, before], [1.0 - before, itself]]))

    assert relaxation(0.53).is_undecided
    assert not relaxation(0.1).is_undecided


@pytest.mark.parametrize("weights", [(1.0, -1.0), (0.5, 2.0)])
def test_the_loss_of_cones_is_half_the_sum_of_squares_that_is_left(weights):
    gram, target, w = np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([1.0, 1.5]), np.array(weights)
    child = SquaredChild(gram, target, 7.0, 1.0, np.array([0, 1]))

    loss = child.conic_loss(cvxpy, cvxpy.Constant(w[:, None]))

    assert loss.value == pytest.approx(0.5 * (7.0 - 2.0 * target @ w + w @ gram @ w))


def test_an_order_is_by_what_is_before_each_column_with_the_noise_that_is_added():
    problem = squared_problem(np.eye(2), 1.0, 1.0)
    found = Relaxation(0.0, np.zeros((2, 2)), np.array([[9.0, 0.6], [0.4, 0.0]]))

    assert order_of(found, problem) == (0, 1)  # what a column is before itself means nothing
    assert order_of(found, problem, np.array([0.3, 0.0])) == (1, 0)


@pytest.mark.parametrize("kind", ["continuous", "discrete"])
def test_many_children_share_what_is_known_of_all_numbers(kind):
    rows = np.random.default_rng(0).integers(0, 3, (30, 100))
    table = {f"v{j}": rows[:, j].astype(str if kind == "discrete" else float) for j in range(100)}
    statistics = from_dataset(sl.Dataset(table))
    tracemalloc.start()
    children = children_of("test", statistics, ridge=1.0, standardise=True)
    n_bytes = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()

    assert len(children) == 100
    assert n_bytes < 20 * 300**2 * 8  # of each child's own there would be 100
