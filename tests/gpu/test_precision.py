"""Sparse precision matrices by the code for graphics cards, here on the arrays of numpy."""

from functools import partial

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import PackageError
from structlearn.gpu import card, precision
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.precision.newton import newton
from structlearn.numerics.precision.penalised_likelihood import duality_gap
from structlearn.run import never
from tests.oracles import precision as oracle

solve = partial(precision.minimise, np, must_stop=never)


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


@pytest.fixture
def simulated(monkeypatch):
    """A card of a gigabyte, with numpy in place of CuPy, for parts of any size."""
    monkeypatch.setattr(card, "free_bytes", lambda: 1 << 30)
    monkeypatch.setattr(card, "load_cupy", lambda: np)
    monkeypatch.setattr(precision, "newton_on_card", partial(precision.minimise, np))
    monkeypatch.setattr(precision, "SMALLEST", 2)


def random_problem(seed):
    """A covariance matrix, at times of few rows, and penalties: any, infinite, and on the diagonal."""
    rng = np.random.default_rng(seed)
    p, n = rng.integers(2, 9), rng.integers(4, 40)
    rows = rng.normal(size=(n, p)) @ (np.eye(p) + rng.normal(size=(p, p)) * rng.uniform(0, 1))
    covariance = np.cov(rows, rowvar=False, bias=True) * rng.choice([0.01, 1.0, 30.0])
    weights = np.triu(rng.choice([0.5, 1.0, 2.0, np.inf], (p, p), p=[0.2, 0.5, 0.2, 0.1]), 1)
    weights = weights + weights.T
    np.fill_diagonal(weights, rng.integers(0, 2))
    return covariance, weights * rng.uniform(0.05, 0.5) * np.diag(covariance).mean()


@pytest.mark.parametrize("first", [0, pytest.param(100, marks=pytest.mark.slow)])
def test_hundreds_of_random_problems_end_at_the_matrix_of_the_twin(first):
    for seed in range(first, first + 100):
        covariance, penalties = random_problem(seed)
        start = np.diag(1.0 / np.diag(covariance + np.where(penalties < np.inf, penalties, 0.0)))
        twin = newton(covariance, penalties, start, tolerance=1e-20)
        found, inverse, log_det, gap, n_steps = solve(covariance, penalties, start, tolerance=1e-12)

        assert n_steps < precision.MOST_STEPS
        assert gap <= 1e-12 * len(covariance)
        assert log_det == pytest.approx(np.linalg.slogdet(found)[1], abs=1e-10)
        assert duality_gap(covariance, penalties, found, inverse) == pytest.approx(gap, abs=1e-11)
        np.testing.assert_array_equal(found != 0.0, twin.precision != 0.0, err_msg=f"seed {seed}")
        np.testing.assert_allclose(found, twin.precision, atol=1e-4 * np.abs(found).max())
        np.testing.assert_allclose(found @ inverse, np.eye(len(found)), atol=1e-8)


def test_a_start_that_is_not_positive_definite_is_not_taken():
    covariance = oracle.draw(np.eye(4) + 0.3, 50, seed=0)
    covariance = np.corrcoef(covariance, rowvar=False)
    penalties = oracle.off_diagonal(0.1, 4)
    found = solve(covariance, penalties, -np.eye(4), tolerance=1e-10)

    assert oracle.optimality_residual(covariance, penalties, found[0]) < 1e-4


def test_it_stops_where_it_must_and_says_how_far_it_came():
    covariance, penalties = np.array([[1.0, 0.6], [0.6, 1.0]]), oracle.off_diagonal(0.1, 2)
    found, _, _, gap, n_steps = precision.minimise(
        np, covariance, penalties, np.eye(2), tolerance=1e-8, must_stop=lambda: True
    )

    assert n_steps == 0
    np.testing.assert_array_equal(found, np.eye(2))
    # At the identity the dual is S pulled to within the penalty of it: its determinant is 1 - 0.5².
    assert gap == pytest.approx(-np.log(1.0 - 0.5**2))


def test_a_likelihood_without_maximum_is_given_up_in_time():
    twins = np.ones((2, 2))
    found, _, _, gap, n_steps = solve(twins, np.zeros((2, 2)), np.eye(2), tolerance=1e-8)

    assert n_steps < precision.MOST_STEPS
    assert gap > 1e-4 or found.max() > precision.UNBOUNDED


@pytest.mark.parametrize("penalty", [0.1, "ebic", "cv"])
@pytest.mark.usefixtures("simulated")
def test_the_graphical_lasso_has_the_graph_of_the_processor(penalty):
    rows = oracle.draw(np.eye(8) + 0.4 * (np.eye(8, k=1) + np.eye(8, k=-1)), 100, seed=3)
    options = {"penalty": penalty, "n_penalties": 8, "random_state": 0, "n_jobs": 2}
    here, there = (sl.GraphicalLasso(device=device, **options).fit(rows) for device in ("cpu", "cuda"))

    assert there.graph_.undirected == here.graph_.undirected
    assert there.penalty_ == here.penalty_
    assert there.gap_ <= 8e-8
    assert there.status_ == here.status_
    np.testing.assert_allclose(there.precision_, here.precision_, atol=1e-3)


@pytest.mark.usefixtures("simulated")
def test_what_the_card_does_not_solve_the_processor_finishes(monkeypatch):
    rows = oracle.draw(np.eye(5) + 0.3, 60, seed=4)
    monkeypatch.setattr(precision, "MOST_STEPS", 1)

    assert sl.GraphicalLasso(penalty=0.05, device="cuda").fit(rows).gap_ <= 5e-8


@pytest.mark.usefixtures("simulated")
def test_other_solvers_are_not_for_cards():
    rows = oracle.draw(np.eye(3), 20, seed=5)
    with pytest.raises(sl.OptionError, match=r"solver='block'\): this solver runs on the processor"):
        sl.GraphicalLasso(solver="block", device="cuda").fit(rows)
    assert sl.GraphicalLasso(solver="block", device="auto", penalty=0.1).fit(rows).gap_ <= 3e-8


@pytest.mark.usefixtures("simulated")
def test_matrices_that_do_not_fit_are_refused_with_their_bytes():
    rows = np.random.default_rng(0).normal(size=(5, 2500))
    with pytest.raises(sl.OptionError, match=r"matrices of 2500 columns need 1,200,000,000 bytes"):
        sl.GraphicalLasso(device="cuda", penalty=0.9).fit(rows)


@pytest.mark.usefixtures("simulated")
def test_without_cupy_cuda_is_refused_and_auto_says_who_did_the_work(monkeypatch):
    def none():
        raise PackageError("device='cuda' needs CuPy here.", name="cupy")

    monkeypatch.setattr(card, "load_cupy", none)
    rows = oracle.draw(np.eye(3), 20, seed=5)
    with pytest.raises(PackageError, match="CuPy"):
        sl.GraphicalLasso(device="cuda", penalty=0.2).fit(rows)
    assert "the processor did the work" in sl.GraphicalLasso(device="auto", penalty=0.2).fit(rows).status_


def optimum(seed, p=7, tolerance=1e-12):
    """A problem, and the matrix that solves it."""
    covariance = np.corrcoef(np.random.default_rng(seed).normal(size=(12, p)), rowvar=False)
    penalties = oracle.off_diagonal(0.2, p)
    return covariance, penalties, solve(covariance, penalties, np.eye(p), tolerance=tolerance)[0]


@pytest.mark.parametrize("seed", range(5))
def test_the_optimum_satisfies_its_conditions(seed):
    covariance, penalties, found = optimum(seed)

    assert oracle.optimality_residual(covariance, penalties, found) < 1e-5
    np.testing.assert_array_equal(found, found.T)
    assert np.linalg.eigvalsh(found)[0] > 0.0


@pytest.mark.parametrize("seed", range(5))
def test_columns_may_come_in_any_order(seed):
    covariance, penalties, found = optimum(seed)
    order = np.random.default_rng(seed).permutation(7)
    turned = solve(covariance[np.ix_(order, order)], penalties, np.eye(7), tolerance=1e-12)[0]

    np.testing.assert_allclose(turned, found[np.ix_(order, order)], atol=1e-5)
    np.testing.assert_array_equal(turned != 0.0, found[np.ix_(order, order)] != 0.0)


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_units_change_nothing_but_the_numbers(unit):
    covariance, penalties, found = optimum(1)
    scaled = solve(unit * covariance, unit * penalties, np.eye(7) / unit, tolerance=1e-12)[0]

    np.testing.assert_allclose(scaled * unit, found, atol=1e-5)


def test_a_start_at_the_optimum_takes_no_step_more_than_to_see_it():
    covariance, penalties, found = optimum(2)
    again, _, _, gap, n_steps = solve(covariance, penalties, found, tolerance=1e-8)

    assert n_steps <= 1
    assert gap <= 7e-8
    np.testing.assert_allclose(again, found, atol=1e-5)


def test_a_large_penalty_leaves_the_diagonal():
    covariance, _, _ = optimum(3)
    found = solve(covariance, oracle.off_diagonal(1.0, 7), np.eye(7), tolerance=1e-8)

    np.testing.assert_array_equal(found[0] != 0.0, np.eye(7, dtype=bool))
    np.testing.assert_allclose(np.diag(found[0]), 1.0, rtol=1e-12)
    assert found[2] == pytest.approx(0.0, abs=1e-12)


def test_without_penalties_the_precision_is_the_inverse():
    covariance = np.corrcoef(np.random.default_rng(4).normal(size=(40, 5)), rowvar=False)
    found = solve(covariance, np.zeros((5, 5)), np.eye(5), tolerance=1e-12)[0]

    np.testing.assert_allclose(found, np.linalg.inv(covariance), atol=1e-4)
