"""What knowledge says of an order, parents along it, and whether what is left is noise."""

import numpy as np
import pytest
from scipy import stats

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.learners.order.noise import residuals
from structlearn.learners.order.noise.known_order import known_order
from structlearn.learners.order.noise.parents_before import parents_before
from structlearn.numerics.dag_effects import effects_of, total_effects
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import from_dataset
from tests.oracles.linear_models import DIAMOND, covariance_of, rows_with


def pairs_of(waits):
    """(later, earlier) by position."""
    return {(int(i), int(j)) for i, j in np.argwhere(waits)}


def test_required_arcs_put_ancestors_before():
    known = Knowledge(required=[("a", "b"), ("b", "c")])

    assert pairs_of(known_order("abc", known)) == {(1, 0), (2, 1), (2, 0)}


def test_tiers_put_all_of_a_tier_before_the_next_and_leave_others_free():
    known = Knowledge(tiers=[["a"], ["b", "c"]])

    assert pairs_of(known_order("abcd", known)) == {(1, 0), (2, 0)}


def test_a_forbidden_arc_says_nothing_of_the_order():
    assert not known_order("ab", Knowledge(forbidden=[("a", "b")])).any()


def test_required_arcs_join_tiers_through_columns_without_one():
    known = Knowledge(tiers=[["a"], ["c"]], required=[("c", "b")])

    assert pairs_of(known_order("abc", known)) == {(2, 0), (1, 2), (1, 0)}


def test_where_tiers_and_required_paths_contradict_each_other_paths_count():
    known = Knowledge(tiers=[["a"], ["c"]], required=[("c", "b"), ("b", "a")])

    assert pairs_of(known_order("abc", known)) == {(1, 2), (0, 1), (0, 2)}


def space_of(covariance, knowledge=None, max_parents=None, n_rows=500):
    rows = rows_with(covariance, n_rows)
    statistics = from_dataset(sl.Dataset({f"x{j}": column for j, column in enumerate(rows.T)}))
    run = Run("Here", progress=False)
    known = knowledge or Knowledge()
    return Space.of("Here", statistics, known, run, score="bic", max_parents=max_parents)


def test_along_the_true_order_parents_are_the_true_ones():
    space = space_of(covariance_of(DIAMOND))

    assert parents_before(space, np.arange(4), 4) == [[], [0], [0], [1, 2]]


def test_along_the_reverse_order_the_dag_is_larger_and_as_good():
    space = space_of(covariance_of(DIAMOND))

    found = parents_before(space, np.array([3, 2, 1, 0]), 4)

    assert found == [[1, 2], [2, 3], [3], []]  # by hand: 1 and 4 are separated by 2 and 3


def test_columns_without_a_place_have_only_required_parents():
    known = Knowledge(required=[("x0", "x3")])
    space = space_of(covariance_of(DIAMOND), known)

    assert parents_before(space, np.arange(4), 3) == [[], [0], [0], [0]]


def test_limits_hold_along_an_order():
    known = Knowledge(required=[("x0", "x3")], forbidden=[("x2", "x3")])

    assert parents_before(space_of(covariance_of(DIAMOND), known), np.arange(4), 4)[3] == [0, 1]
    assert (
        max(map(len, parents_before(space_of(covariance_of(DIAMOND), max_parents=1), np.arange(4), 4))) == 1
    )


def test_effects_of_a_dag_are_those_of_its_model():
    statistics = from_dataset(
        sl.Dataset({f"x{j}": column for j, column in enumerate(rows_with(covariance_of(DIAMOND)).T)})
    )
    parents = [[], [0], [0], [1, 2]]

    effects = effects_of(statistics.moments(), parents)

    assert effects == pytest.approx(DIAMOND.T, abs=1e-9)
    by_paths = DIAMOND + DIAMOND @ DIAMOND  # no path is longer
    assert total_effects(effects) == pytest.approx(by_paths.T, abs=1e-9)
    assert total_effects(effects)[3, 0] == pytest.approx(0.8 * 0.7 - 0.5 * 1.2)


EVEN = np.full(500, 1 / 500)


def standard(values):
    return (values - values.mean(axis=0)) / values.std(axis=0)


def test_the_test_of_jarque_and_bera_is_that_of_scipy():
    rng = np.random.default_rng(0)
    columns = standard(np.column_stack([rng.normal(size=500), rng.laplace(size=500), rng.uniform(size=500)]))

    found = residuals.normality(columns, EVEN, 500.0)

    assert found == pytest.approx([stats.jarque_bera(column).pvalue for column in columns.T], rel=1e-9)


def test_weights_count_as_repeated_rows_in_it():
    rng = np.random.default_rng(0)
    values, often = rng.laplace(size=60), rng.integers(1, 4, 60)
    repeated = standard(np.repeat(values, often))
    shares = often / often.sum()
    centred = values - shares @ values
    weighed = (centred / np.sqrt(shares @ centred**2))[:, None]

    found = residuals.normality(weighed, shares, float(often.sum()))

    assert found[0] == pytest.approx(stats.jarque_bera(repeated).pvalue, rel=1e-9)


def test_independent_noise_is_seldom_called_dependent():
    rng = np.random.default_rng(0)
    smallest = [
        residuals.most_dependent(standard(rng.laplace(size=(500, 5))), EVEN, 500.0)[2] for _ in range(200)
    ]

    assert sum(p_value < 0.05 for p_value in smallest) <= 20


@pytest.mark.parametrize("how", ["correlated", "of one size"])
def test_the_pair_that_depends_is_named(how):
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(500, 4))
    noise[:, 3] = (
        0.5 * noise[:, 1] + noise[:, 3] if how == "correlated" else noise[:, 3] * np.abs(noise[:, 1])
    )

    i, j, p_value = residuals.most_dependent(standard(noise), EVEN, 500.0)

    assert (i, j) == (1, 3)
    assert p_value < 1e-4


def warnings_of(columns, names="abcd"):
    run = Run("Here", progress=False)
    residuals.warn_of_noise(names[: columns.shape[1]], standard(columns), EVEN, 500.0, run)
    return run._warnings


def test_one_column_of_gaussian_noise_is_allowed_and_two_are_not():
    rng = np.random.default_rng(3)
    of_any_shape = rng.uniform(size=(500, 2))

    assert warnings_of(np.column_stack([of_any_shape, rng.normal(size=500)])) == []
    (said,) = warnings_of(np.column_stack([of_any_shape, rng.normal(size=(500, 2))]))
    assert "noise of 2 columns may be Gaussian (c, d)" in said


def test_few_rows_are_not_judged():
    run = Run("Here", progress=False)
    few = standard(np.random.default_rng(0).normal(size=(12, 3)))
    residuals.warn_of_noise("abc", few, np.full(12, 1 / 12), 12.0, run)
    residuals.warn_of_ties("abc", np.zeros((12, 3)), run)

    assert run._warnings == []


def test_a_value_in_half_of_the_rows_is_allowed_and_one_more_is_not():
    values = np.arange(100.0)
    half, more = values.copy(), values.copy()
    half[:50], more[:51] = 7.5, 7.5
    run = Run("Here", progress=False)
    residuals.warn_of_ties(["half", "more"], np.column_stack([half, more]), run)

    (said,) = run._warnings
    assert "'more'" in said
    assert "'half'" not in said
