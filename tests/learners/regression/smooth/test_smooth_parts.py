"""The problem of smooth optimisation, its penalty and limits, and the paths to an optimum without cycles."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.learners.regression.smooth.central_path import SCALES, SHARES, central_path
from structlearn.learners.regression.smooth.lagrangian import augmented_lagrangian
from structlearn.learners.regression.smooth.problem import SmoothProblem
from structlearn.numerics.acyclicity import exponential, polynomial
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import from_dataset
from tests.oracles.linear_models import DIAMOND, covariance_of, least_squares, rows_with

RAW = covariance_of(DIAMOND)


def problem_of(covariance=RAW, knowledge=None, *, n_rows=50, penalty=0.0, standardise=False, **constant):
    table = {f"x{j}": column for j, column in enumerate(rows_with(covariance, n_rows).T)} | constant
    statistics = from_dataset(sl.Dataset(table, kinds=dict.fromkeys(constant, "continuous")))
    space = Space.of("Here", statistics, knowledge or Knowledge(), Run("Here", progress=False), score="bic")
    return SmoothProblem.of(space, penalty=penalty, least=0.1, standardise=standardise, loss="least-squares")


def quiet():
    return Run("Here", progress=False)


def test_the_covariance_is_that_of_the_table_or_of_standardised_columns():
    deviation = np.sqrt(np.diag(RAW))

    assert problem_of().covariance == pytest.approx(RAW)
    assert problem_of(standardise=True).covariance == pytest.approx(RAW / np.outer(deviation, deviation))


def test_a_weight_costs_the_least_penalty_or_what_chance_reaches_in_few_rows():
    many, few = problem_of(n_rows=5000, penalty=None), problem_of(n_rows=40, penalty=None)

    assert many.prices[0, 1] == 0.1
    assert few.prices[0, 1] == pytest.approx(np.sqrt(2 * np.log(4) / 40))
    assert few.prices[1, 0] == pytest.approx(1.001 * few.prices[0, 1])  # against the names


def test_chance_seldom_makes_a_weight_at_that_price():
    """The slope of a weight at 0 is the covariance of its ends: of noise hardly any is above the penalty."""
    rng = np.random.default_rng(0)
    n_above = 0
    for _ in range(50):
        rows = rng.normal(size=(40, 10))
        related = np.abs(np.corrcoef(rows.T) - np.eye(10))
        n_above += int((related > np.sqrt(2 * np.log(10) / 40)).sum()) // 2

    assert n_above / 50 <= 3  # of 45 pairs


def test_nothing_leads_to_itself_back_along_required_arcs_or_against_knowledge():
    known = Knowledge(required=[("x0", "x1"), ("x1", "x2")], forbidden=[("x3", "x0")])

    is_open = problem_of(knowledge=known).is_open

    closed = {(int(i), int(j)) for i, j in np.argwhere(~is_open)}
    assert closed == {(0, 0), (1, 1), (2, 2), (3, 3), (1, 0), (2, 1), (2, 0), (3, 0)}


def test_required_arcs_cost_nothing():
    problem = problem_of(knowledge=Knowledge(required=[("x0", "x1")]), penalty=0.5)

    assert problem.prices[0, 1] == 0.0
    assert problem.prices[0, 2] == 0.5


def test_a_constant_column_has_no_weights():
    is_open = problem_of(e=np.full(50, 2.5)).is_open

    assert not is_open[4].any()
    assert not is_open[:, 4].any()


@pytest.mark.parametrize("measure", [exponential, polynomial])
def test_cycles_shrink_from_round_to_round_while_the_loss_rises(measure):
    weights, trace = augmented_lagrangian(problem_of(), measure, 1e-8, quiet())

    assert measure(weights)[0] <= 1e-8
    assert (np.diff(trace["cyclicity"]) < 0.0).all()
    assert (np.diff(trace["loss"]) > -1e-6).all()
    assert trace["loss"][-1] == pytest.approx(problem_of().at(weights)[0])
    assert (np.diff(trace["price"]) >= 0.0).all()


def test_a_looser_tolerance_ends_earlier():
    rounds = [
        len(augmented_lagrangian(problem_of(), exponential, size, quiet())[1]["loss"])
        for size in (1e-2, 1e-8)
    ]

    assert rounds[0] < rounds[1]


def test_the_barrier_leads_to_weights_that_least_squares_would_choose():
    weights, trace = central_path(problem_of(), SHARES, SCALES, quiet())

    is_arc = np.abs(weights) > 0.3
    assert trace["share"] == list(SHARES)
    assert exponential(weights)[0] < 1e-5
    assert problem_of().at(weights)[0] == pytest.approx(least_squares(RAW, is_arc), rel=1e-2)


def test_both_paths_end_at_the_same_loss_within_a_few_hundredths():
    _, one = augmented_lagrangian(problem_of(), exponential, 1e-8, quiet())
    _, other = central_path(problem_of(), SHARES, SCALES, quiet())

    assert one["loss"][-1] == pytest.approx(other["loss"][-1], rel=0.05)


class Stopped(Run):
    """Must stop from the beginning."""

    def must_stop(self):
        return True


def test_what_must_stop_has_weights_all_the_same():
    weights, trace = augmented_lagrangian(problem_of(), exponential, 1e-8, Stopped("Here", progress=False))
    assert not weights.any()
    assert trace["loss"] == []

    weights, trace = central_path(problem_of(), SHARES, SCALES, Stopped("Here", progress=False))
    assert np.isfinite(weights).all()
    assert trace["loss"] == []  # no stage is whole
