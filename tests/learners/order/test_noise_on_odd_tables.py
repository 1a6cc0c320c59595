"""Orders by noise where tables are odd: units, ties, weights, constants, few rows; and sources by hand."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners.order.noise.sinks import Residuals, needed_parents, order_of_sinks
from structlearn.numerics.lingam import direct_order, order_of_unmixing, unmixing
from structlearn.numerics.lingam.linear import standardised
from structlearn.run import Run
from tests.oracles.lingam import is_order_of, linear_table

BOTH = pytest.mark.parametrize("learner", [sl.DirectLiNGAM, sl.ICALiNGAM])
ALL = pytest.mark.parametrize("learner", [sl.DirectLiNGAM, sl.ICALiNGAM, sl.ResidualOrdering])
OF_NOISE = pytest.mark.filterwarnings("ignore::structlearn.DataWarning")


def caused(n_rows=120, seed=0):
    """x → y, in a line that is nearly one, with uniform noise."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, n_rows)
    return {"y": x + 0.4 * x**3 + rng.uniform(-0.5, 0.5, n_rows), "x": x}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 6))
def test_sources_of_any_dag_in_any_order_and_units_give_its_effects_back(seed, n_columns):
    """Rows of I − B that are permuted and multiplied: only one assignment meets no weight of 0."""
    rng = np.random.default_rng(seed)
    _, effects = linear_table(rng, 5, n_columns, "uniform")
    rows = rng.permutation(np.eye(n_columns) - effects)
    unmixed = rows * (rng.uniform(0.2, 5.0, n_columns) * rng.choice([-1, 1], n_columns))[:, None]

    order, found = order_of_unmixing(unmixed)

    assert found == pytest.approx(effects, abs=1e-9)
    assert is_order_of(order, effects)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_neither_units_nor_signs_nor_the_order_of_rows_change_an_order(seed):
    rng = np.random.default_rng(seed)
    rows, _ = linear_table(rng, 40, 4, "laplace")
    units = rng.choice([-1.0, 1.0], 4) * 2.0 ** rng.integers(-60, 60, 4)  # of which no digit is lost
    order, against = direct_order(rows)
    moved, still_against = direct_order((rows * units)[rng.permutation(40)])

    assert moved.tolist() == order.tolist()
    assert still_against == pytest.approx(against, abs=1e-9)


def test_columns_that_move_in_the_table_move_in_the_order():
    rows, _ = linear_table(np.random.default_rng(3), 200, 5, "uniform")
    places = np.array([3, 0, 4, 1, 2])

    assert places[direct_order(rows[:, places])[0]].tolist() == direct_order(rows)[0].tolist()


def test_sources_of_weighed_rows_are_those_of_repeated_ones():
    rng = np.random.default_rng(0)
    rows, often = linear_table(rng, 80, 3, "laplace")[0], rng.integers(1, 4, 80)
    one, _ = unmixing(rows, often.astype(float), rng=np.random.default_rng(0))
    other, _ = unmixing(np.repeat(rows, often, axis=0), rng=np.random.default_rng(0))
    sources = one @ standardised(rows, often / often.sum())

    assert one == pytest.approx(other, abs=1e-6)
    assert (sources * often) @ sources.T / often.sum() == pytest.approx(np.eye(3), abs=1e-8)


@OF_NOISE
@BOTH
def test_rows_that_count_twice_are_rows_that_are_there_twice(learner):
    often = np.arange(120) % 3 + 1
    table = caused()
    weighed = learner().fit(sl.Dataset(table, weights=often))
    repeated = learner().fit({name: np.repeat(column, often) for name, column in table.items()})

    assert weighed.order_ == repeated.order_ == ("x", "y")
    assert weighed.coefficients_ == pytest.approx(repeated.coefficients_, rel=1e-9)
    assert weighed.normality_ == pytest.approx(repeated.normality_, rel=1e-6)


@OF_NOISE
@ALL
def test_a_cause_comes_first_in_any_units_and_a_constant_is_alone(learner):
    table = caused()
    odd = {"y": 1e180 * table["y"], "still": np.full(120, 0.1), "x": -1e-180 * table["x"]}
    found = learner().fit(sl.Dataset(odd, kinds={"still": "continuous"}))

    assert found.graph_.directed == (("x", "y"),)
    assert [name for name in found.order_ if name != "still"] == ["x", "y"]
    if learner is not sl.ResidualOrdering:  # whose effects are no numbers
        assert found.coefficients_[0].tolist() == found.total_effects_[0].tolist() == [0.0, 0.0, -np.inf]
        assert not found.total_effects_[1:].any()


@pytest.mark.parametrize(("n_rows", "n_tied", "is_said"), [(40, 20, False), (40, 21, True), (19, 15, False)])
def test_half_of_the_rows_may_have_one_value_and_more_may_not(n_rows, n_tied, is_said):
    table = caused(n_rows)
    table["y"][:n_tied] = 0.25
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        sl.DirectLiNGAM().fit(table)

    assert (
        any("more than half of the rows have one value in 'y'" in str(each.message) for each in said)
        is is_said
    )


@pytest.mark.parametrize(("n_rows", "n_known"), [(7, 0), (8, 1)])
@OF_NOISE
def test_fewer_than_eight_rows_tell_residual_ordering_nothing(n_rows, n_known):
    found = sl.ResidualOrdering().fit(caused(n_rows))

    assert np.isfinite(found.independence_).sum() == n_known
    assert n_known or not found.graph_.edges


@OF_NOISE
def test_thinned_rows_are_evenly_spaced_and_at_most_as_many_as_said():
    rows = np.arange(41.0)[::-1, None] * [1.0, 2.0]

    for most, n_left in ((41, 41), (40, 21), (20, 14), (100, 41)):
        columns = Residuals(rows, most).columns
        assert len(columns) == n_left
        assert np.diff(columns[:, 0]) == pytest.approx(np.full(n_left - 1, columns[1, 0] - columns[0, 0]))
        assert columns.std(axis=0) == pytest.approx([1.0, 1.0])


def test_nothing_is_left_of_what_a_parent_determines_and_it_is_independent():
    x = np.random.default_rng(0).normal(size=30)
    residuals = Residuals(np.column_stack([x, 3.0 - 2.0 * x]), 300)

    assert residuals.independence(1, [0], [0]) == (1.0, 0.0)
    assert residuals.independence(1, [], [0])[0] < 1e-6
    assert residuals.least_independence(1, [], []) == 1.0


def test_what_waits_comes_after_what_it_waits_for_whatever_is_independent():
    table = caused()
    residuals = Residuals(np.column_stack([table["y"], table["x"]]), 300)
    waits = np.zeros((2, 2), dtype=bool)
    free, _ = order_of_sinks(residuals, waits, Run("Here", progress=False))
    waits[1, 0] = True  # x after y
    held, p_values = order_of_sinks(residuals, waits, Run("Here", progress=False))

    assert free.tolist() == [1, 0]
    assert held.tolist() == [0, 1]
    assert np.isnan(p_values).tolist() == [True, False]


def test_of_columns_that_are_equally_dependent_that_one_comes_last_which_agrees_least():
    agreed = {0: 5.0, 1: 3.0, 2: 9.0}
    residuals = SimpleNamespace(is_enough=True, independence=lambda child, *_: (0.0, agreed[child]))
    waits = np.zeros((3, 3), dtype=bool)

    assert order_of_sinks(residuals, waits, Run("Here", progress=False))[0].tolist() == [2, 0, 1]


def near_copies():
    """a, b that is much like a, and c that follows a."""
    rng = np.random.default_rng(0)
    a, of_b, of_c = rng.uniform(-1, 1, (3, 100))
    return Residuals(np.column_stack([a, a + 0.4 * of_b, a + 0.5 * of_c]), 300)


def test_every_column_before_has_its_share_of_the_level():
    residuals = near_copies()
    alone = [residuals.independence(2, [1], [before])[0] for before in (0, 1)]

    assert residuals.least_independence(2, [1], [0, 1]) == pytest.approx(2 * min(alone))
    assert residuals.least_independence(2, [0], [0, 1]) == 1.0
    assert residuals.least_independence(2, [], [0, 1]) < 1e-6


def test_of_two_parents_that_stand_for_each_other_the_more_needed_stays():
    residuals = near_copies()
    without = [residuals.least_independence(2, [other], [0, 1]) for other in (1, 0)]
    alpha, free = min(without) / 2, ~np.eye(3, dtype=bool)
    parents, evidence = needed_parents(
        residuals, np.arange(3), free, np.zeros_like(free), alpha, Run("Here", progress=False)
    )

    assert without[0] < without[1]
    assert parents[2] == [0]
    assert evidence[0, 2] <= alpha
