"""The sparsest row of a family of solutions."""

import numpy as np
import pytest

from structlearn.learners.network.dynamics.sparsest import family_of, sparsest_row

TWO = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]])


def test_of_two_equations_in_three_columns_the_shortest_and_the_sparsest_are_known():
    family = family_of(TWO, np.ones(2), tolerance=1e-10)

    assert family.shortest == pytest.approx([1 / 3, 1 / 3, 2 / 3])
    assert family.rank == 2
    assert TWO @ family.null == pytest.approx(np.zeros((2, 1)), abs=1e-15)
    row = sparsest_row(TWO, np.ones(2), costs=np.ones(3))
    assert row.coefficients == pytest.approx([0, 0, 1])
    assert row.is_unique


def recovery(p, n_measurements, n_rows=50, seed=0):
    """The share of rows with three non-zeros that come back, with what every row must keep checked."""
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(n_measurements, p))
    n_found = 0
    for _ in range(n_rows):
        truth = np.zeros(p)
        truth[rng.choice(p, 3, replace=False)] = rng.choice([-1, 1], 3) * rng.uniform(0.5, 1.5, 3)
        target = columns @ truth
        row = sparsest_row(columns, target, costs=np.ones(p)).coefficients
        assert columns @ row == pytest.approx(target, abs=1e-8)
        assert np.abs(row).sum() <= np.abs(family_of(columns, target, tolerance=1e-10).shortest).sum() + 1e-9
        n_found += np.allclose(row, truth, atol=1e-6)
    return n_found / n_rows


def test_thirty_measurements_tell_three_of_fifty_columns_and_ten_often_do_not():
    assert recovery(50, 30, n_rows=20) == 1.0
    assert recovery(50, 20, n_rows=20) >= 0.75
    assert recovery(50, 10, n_rows=20) < 0.75


@pytest.mark.slow
@pytest.mark.parametrize("p", [50, 100, 200])
def test_the_number_of_measurements_needed_grows_with_the_logarithm_of_the_columns(p):
    assert recovery(p, 30) == 1.0
    assert recovery(p, 20) >= 0.75


def test_with_as_many_measurements_as_columns_there_is_no_freedom():
    rng = np.random.default_rng(1)
    columns, truth = rng.normal(size=(6, 4)), np.array([1.0, -2.0, 0.5, 3.0])

    assert sparsest_row(columns, columns @ truth, costs=np.ones(4)).coefficients == pytest.approx(truth)


def test_what_no_row_fits_is_said_and_noise_lets_it_fit():
    columns, target = np.array([[1.0, 2.0], [1.0, 2.0]]), np.array([1.0, 1.5])

    assert not sparsest_row(columns, target, costs=np.ones(2)).is_found
    row = sparsest_row(columns, target, costs=np.ones(2), noise=0.25)
    assert row.is_found
    assert row.coefficients == pytest.approx([0, 0.625])
    assert not sparsest_row(columns, target, costs=np.ones(2), noise=0.2).is_found
    shorter = sparsest_row(np.eye(2), np.array([1.0, -1.0]), costs=np.ones(2), noise=0.25)
    assert shorter.coefficients == pytest.approx([0.75, -0.75])  # as short as the noise allows


def test_costs_decide_and_what_is_forbidden_stays_out():
    assert sparsest_row(TWO, np.ones(2), costs=np.array([1.0, 1.0, 5.0])).coefficients == pytest.approx(
        [1, 1, 0]
    )
    forbidden = sparsest_row(TWO, np.ones(2), costs=np.array([1.0, 1.0, np.inf]))
    assert forbidden.coefficients == pytest.approx([1, 1, 0])
    assert sparsest_row(TWO, np.zeros(2), costs=np.full(3, np.inf)).is_found
    assert not sparsest_row(TWO, np.ones(2), costs=np.full(3, np.inf)).is_found


def test_two_rows_of_the_same_norm_are_flagged():
    columns = np.array([[1.0, 1.0]])

    assert not sparsest_row(columns, np.ones(1), costs=np.ones(2)).is_unique
    assert sparsest_row(columns, np.ones(1), costs=np.array([1.0, 1.1])).is_unique


def test_a_row_with_fewer_columns_than_equations_can_be_the_only_one():
    rng = np.random.default_rng(0)
    columns = rng.normal(size=(15, 30))

    row = sparsest_row(columns, 2.0 * columns[:, 4], costs=np.ones(30))

    assert np.flatnonzero(row.coefficients).tolist() == [4]
    assert row.is_unique
