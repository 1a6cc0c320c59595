"""Every solver of a sparse precision matrix finds printed optima, and meets the conditions of one."""

import json

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.linalg import block_diag
from sklearn.covariance import graphical_lasso
from sklearn.datasets import load_iris

from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.precision.block import block
from structlearn.numerics.precision.components import (
    closed_form,
    components,
    parts_to_solve,
    precision_by_links,
)
from structlearn.numerics.precision.nesterov import eigenvalue_bounds, nesterov
from structlearn.numerics.precision.newton import FEW, newton
from structlearn.numerics.precision.penalised_likelihood import (
    dual_start,
    duality_gap,
    gap_nearby,
    objective,
)
from structlearn.numerics.sparse_precision import sparse_precision
from tests.data_files import data_file
from tests.oracles import precision as oracle
from tests.oracles.precision import S4, everywhere, off_diagonal

S2 = np.array([[2.0, 0.8], [0.8, 1.0]])
SOLVERS = ["newton", "block", "nesterov"]


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


def upper(matrix):
    return matrix[np.triu_indices(len(matrix))]


# From docs/references/regression.md#sparse-precision: covariance, penalties, the upper triangle of the
# optimum, the objective at it.
PRINTED = {
    "two columns, diagonal penalised": (
        S2,
        everywhere(0.3, 2),
        [0.4744525547, -0.1824817518, 0.8394160584],
        3.0079579204,
    ),
    "two columns": (S2, off_diagonal(0.3, 2), [0.5714285714, -0.2857142857, 1.1428571429], 2.5596157879),
    "four columns, diagonal penalised": (
        S4,
        everywhere(0.15, 4),
        [
            *(0.9629346580, -0.2789453573, -0.0649598777, 0.0),
            *(0.9935040122, -0.1795949561, 0.0),
            *(1.0743011236, -0.4017857143, 1.0267857143),
        ],
        4.2424481859,
    ),
    "four columns": (
        S4,
        off_diagonal(0.15, 4),
        [
            *(1.1450381679, -0.3816793893, -0.0763358779, 0.0),
            *(1.1938931298, -0.2412213740, 0.0),
            *(1.3256742205, -0.5642633229, 1.2539184953),
        ],
        3.5737500636,
    ),
    "a chain": (
        S4,
        off_diagonal(0.35, 4),
        [
            *(1.0230179028, -0.1534526854, 0.0, 0.0),
            *(1.0255241685, -0.0501253133, 0.0),
            *(1.0691729323, -0.2666666667, 1.0666666667),
        ],
        3.9102013615,
    ),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", PRINTED)
def test_every_solver_finds_the_printed_optimum(name, solver):
    covariance, penalties, expected, value = PRINTED[name]

    fit = sparse_precision(covariance, penalties, solver=solver, tolerance=1e-20)

    assert upper(fit.precision) == pytest.approx(expected, abs=1e-9)
    assert objective(covariance, penalties, fit.precision) == pytest.approx(value, abs=1e-9)
    assert (upper(fit.precision) == 0.0).tolist() == [entry == 0.0 for entry in expected]
    assert 0.0 <= fit.gap < 1e-7


@pytest.mark.parametrize("case", [0, 1, 2])
def test_tables_of_iris_have_the_precisions_that_glasso_and_quic_print(case):
    printed = json.loads(data_file("reference/glasso_iris.json").read_text())["cases"][case]
    iris = load_iris().data
    rows = (iris, iris[:, 2:], iris[10:13])[case]
    covariance = np.cov(rows, rowvar=False, bias=True)

    fit = sparse_precision(covariance, off_diagonal(printed["rho"], len(covariance)), tolerance=1e-14)

    assert fit.precision == pytest.approx(np.array(printed["precision"]), rel=1e-6, abs=1e-5)
    assert np.linalg.inv(fit.precision) == pytest.approx(np.array(printed["cov"]), rel=1e-6, abs=1e-6)


def test_two_blocks_are_solved_alone_and_have_the_printed_entries():
    fit = sparse_precision(S4, everywhere(0.45, 4))

    assert [part.tolist() for part in components(S4, everywhere(0.45, 4))] == [[0, 1], [2, 3]]
    assert fit.precision[0, 1] == pytest.approx(-0.0238095238, abs=1e-9)
    assert fit.precision[2, 3] == pytest.approx(-0.0721153846, abs=1e-9)
    assert not fit.precision[:2, 2:].any()


def test_small_parts_are_solved_together_with_the_answers_they_have_alone():
    covariance = block_diag(*(oracle.random_correlation(seed, 5, 30) for seed in range(40)))
    penalties = off_diagonal(0.2, 200)
    parts = [part for part in components(covariance, penalties) if len(part) > 1]

    together = parts_to_solve(covariance, penalties)
    fit = sparse_precision(covariance, penalties, tolerance=1e-14)

    assert len(together) <= 4 < len(parts)
    assert sorted(np.concatenate(together)) == sorted(np.concatenate(parts))
    for part in parts:
        pairs = np.ix_(part, part)
        alone = sparse_precision(covariance[pairs], penalties[pairs], tolerance=1e-14)
        assert fit.precision[pairs] == pytest.approx(alone.precision, abs=1e-6)


def test_a_part_with_a_free_pair_is_solved_alone():
    covariance, penalties = np.kron(np.eye(3), S2), off_diagonal(0.3, 6)
    penalties[0, 1] = penalties[1, 0] = 0.0

    assert [part.tolist() for part in parts_to_solve(covariance, penalties)] == [[0, 1], [2, 3, 4, 5]]


def test_the_smooth_method_comes_as_near_as_printed():
    # From docs/references/regression.md#sparse-precision: accuracy 0.01 reaches 0.001 of the optimum and a
    # gap of 0.002 in 1,000 steps.
    penalties = everywhere(0.15, 4)
    fit = nesterov(S4, penalties, accuracy=0.01, tolerance=0.0, max_steps=1000)

    assert fit.n_steps == 1000
    assert 0.0 <= objective(S4, penalties, fit.precision) - 4.2424481859 < 0.001
    assert 0.0 <= fit.gap < 0.002


PROBLEMS = st.tuples(
    st.integers(0, 10**6), st.integers(2, 12), st.integers(3, 40), st.floats(0.03, 0.9), st.booleans()
)


def problem(seed, p, n, penalty, penalise_diagonal=False):
    penalties = everywhere(penalty, p) if penalise_diagonal else off_diagonal(penalty, p)
    return oracle.random_correlation(seed, p, n), penalties


@settings(deadline=None, max_examples=60)
@given(PROBLEMS)
@example((3, 10, 3, 0.03125, False))  # steps to a point that was not the model's least did not get there
def test_the_conditions_of_an_optimum_hold_and_the_gap_is_small(drawn):
    covariance, penalties = problem(*drawn)

    fit = sparse_precision(covariance, penalties, tolerance=1e-14)

    assert oracle.optimality_residual(covariance, penalties, fit.precision) < 1e-6
    assert 0.0 <= fit.gap < 1e-9
    assert (fit.precision == fit.precision.T).all()
    np.testing.assert_allclose(fit.covariance @ fit.precision, np.eye(len(covariance)), atol=1e-8)
    assert fit.log_determinant == pytest.approx(np.linalg.slogdet(fit.precision)[1], abs=1e-8)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_says_the_determinant_of_parts_and_lone_columns(solver):
    covariance = np.diag([2.0, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0])
    covariance[1:5, 1:5] += S4 - np.diag(np.diag(S4))
    covariance[4, 4] = 1.0

    fit = sparse_precision(covariance, off_diagonal(0.15, 7), solver=solver)

    assert fit.log_determinant == pytest.approx(np.linalg.slogdet(fit.precision)[1], abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(PROBLEMS, st.floats(1e-9, 1.0))
def test_the_gap_without_a_determinant_bounds_the_one_with_it_and_is_near_it_near_the_optimum(drawn, away):
    covariance, penalties = problem(*drawn)
    penalties[0, -1] = penalties[-1, 0] = np.inf
    found = sparse_precision(covariance, penalties, tolerance=1e-14).precision
    found = found + away * np.diag(np.random.default_rng(drawn[0]).random(len(found))) * found
    inverse = np.linalg.inv(found)

    gap, bound = (
        duality_gap(covariance, penalties, found, inverse),
        gap_nearby(covariance, penalties, found, inverse),
    )

    if bound is not None:
        assert gap - 1e-12 * len(found) <= bound <= 1.2 * gap + 1e-12 * len(found)
    assert bound is not None or gap > 0.1**2 / 2.4


def few_rows_and_a_small_penalty(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 16)), int(rng.integers(3, 13))
    return problem(seed, *size, float(10.0 ** rng.uniform(-2.3, -0.7)), bool(rng.integers(2)))


@pytest.mark.parametrize("first", [0, pytest.param(40, marks=pytest.mark.slow)])
def test_few_rows_and_small_penalties_are_solved_in_few_steps(first):
    for seed in range(first, first + (40 if first == 0 else 360)):
        covariance, penalties = few_rows_and_a_small_penalty(seed)

        fit = sparse_precision(covariance, penalties, tolerance=1e-14)

        assert oracle.optimality_residual(covariance, penalties, fit.precision) < 1e-6
        assert fit.n_steps <= 25


def test_where_second_order_steps_do_not_get_there_the_columns_are_solved_in_turn(monkeypatch):
    covariance, penalties = problem(3, 10, 3, 0.1)
    monkeypatch.setattr("structlearn.numerics.precision.newton.MOST_STEPS", 2)

    fit = sparse_precision(covariance, penalties, tolerance=1e-10)

    assert oracle.optimality_residual(covariance, penalties, fit.precision) < 1e-5
    assert fit.gap <= 1e-9


@settings(deadline=None, max_examples=40)
@given(PROBLEMS)
def test_splitting_into_parts_does_not_change_the_optimum(drawn):
    covariance, penalties = problem(*drawn)
    start = np.diag(1.0 / (np.diag(covariance) + np.diag(penalties)))

    split = sparse_precision(covariance, penalties, tolerance=1e-20)
    whole = newton(covariance, penalties, start, tolerance=1e-20)

    np.testing.assert_allclose(split.precision, whole.precision, atol=1e-8)


@settings(deadline=None, max_examples=20)
@given(PROBLEMS)
def test_the_gap_bounds_the_distance_to_the_optimum_anywhere(drawn):
    covariance, penalties = problem(*drawn)
    best = oracle.objective(covariance, penalties, sparse_precision(covariance, penalties).precision)
    rng = np.random.default_rng(drawn[0])
    noise = rng.normal(size=covariance.shape) * (rng.random(covariance.shape) < 0.5)
    elsewhere = 0.1 * (noise + noise.T)
    elsewhere += (0.1 - min(0.0, np.linalg.eigvalsh(elsewhere)[0])) * np.eye(len(noise))

    gap = duality_gap(covariance, penalties, elsewhere, np.linalg.inv(elsewhere))

    assert gap >= oracle.objective(covariance, penalties, elsewhere) - best - 1e-6


@pytest.mark.parametrize("penalties", [everywhere(0.12, 6), off_diagonal(0.12, 6)], ids=["all", "off"])
def test_the_solvers_agree_with_columns_by_quadratic_programs(penalties):
    covariance = oracle.random_correlation(3, 6, 40)
    expected = oracle.block_coordinate(covariance, penalties)

    for solver in SOLVERS:
        found = sparse_precision(covariance, penalties, solver=solver, tolerance=1e-12).precision
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize(("p", "n", "penalty"), [(30, 100, 0.1), (30, 100, 0.3), (40, 20, 0.3)])
def test_scikit_learn_has_no_better_objective(p, n, penalty):
    covariance = oracle.random_correlation(0, p, n)
    penalties = off_diagonal(penalty, p)
    _, theirs = graphical_lasso(covariance, penalty, tol=2e-6, enet_tol=1e-10, max_iter=200)

    fit = sparse_precision(covariance, penalties)

    ours = oracle.objective(covariance, penalties, fit.precision)
    assert ours == pytest.approx(oracle.objective(covariance, penalties, theirs), abs=1e-6)
    np.testing.assert_allclose(fit.precision, theirs, atol=1e-4)


def test_a_star_has_a_closed_form_and_a_tree_that_breaks_the_conditions_has_not():
    star = np.eye(5)
    star[0, 1:] = star[1:, 0] = [0.5, -0.5, 0.45, 0.3]
    fit = closed_form(star, off_diagonal(0.2, 5))
    assert fit is not None
    assert oracle.optimality_residual(star, off_diagonal(0.2, 5), fit.precision) < 1e-12

    # 1 and 2 are not joined, but their path implies 0.5 * 0.5, further from -0.1 than the penalty.
    bent = np.array([[1.0, 0.6, 0.6], [0.6, 1.0, -0.1], [0.6, -0.1, 1.0]])
    assert closed_form(bent, off_diagonal(0.1, 3)) is None
    found = sparse_precision(bent, off_diagonal(0.1, 3), tolerance=1e-14).precision
    assert oracle.optimality_residual(bent, off_diagonal(0.1, 3), found) < 1e-7


def test_free_and_forbidden_entries_are_what_they_say():
    covariance = oracle.random_correlation(1, 8, 60)
    penalties = off_diagonal(0.1, 8)
    penalties[0, 1] = penalties[1, 0] = 0.0
    penalties[2, 3] = penalties[3, 2] = np.inf

    for solver in ("newton", "block"):
        fit = sparse_precision(covariance, penalties, solver=solver, tolerance=1e-13)
        assert fit.precision[2, 3] == 0.0
        assert fit.covariance[0, 1] == pytest.approx(covariance[0, 1], abs=1e-6)
        assert oracle.optimality_residual(covariance, penalties, fit.precision) < 1e-5
        assert 0.0 <= fit.gap < 1e-9


def test_eigenvalues_of_the_optimum_are_within_their_bounds():
    for seed in range(5):
        covariance, penalties = problem(seed, 8, 12, 0.2, seed % 2 == 0)
        low, high = eigenvalue_bounds(covariance, penalties)
        values = np.linalg.eigvalsh(sparse_precision(covariance, penalties).precision)

        assert low <= values[0]
        assert values[-1] <= high
        assert (np.abs(dual_start(covariance, penalties) - covariance) <= penalties + 1e-12).all()


def test_a_solver_that_must_stop_gives_a_valid_gap():
    covariance, penalties = problem(0, 8, 12, 0.1)
    best = sparse_precision(covariance, penalties).precision
    for solver in SOLVERS:
        fit = sparse_precision(covariance, penalties, solver=solver, must_stop=lambda: True)
        above = oracle.objective(covariance, penalties, fit.precision) - oracle.objective(
            covariance, penalties, best
        )
        assert above - 1e-9 <= fit.gap < np.inf


def test_a_round_of_columns_ends_at_the_gap_asked_for():
    covariance, penalties = problem(5, 10, 30, 0.1)
    assert block(covariance, penalties, tolerance=1e-6).gap <= 1e-5


def test_columns_with_weak_links_begin_near_their_optimum():
    covariance, penalties = problem(0, 40, 400, 0.08)
    diagonal, by_links = np.diag(1.0 / np.diag(covariance)), precision_by_links(covariance, penalties)

    near = newton(covariance, penalties, by_links, tolerance=1e-12)
    far = newton(covariance, penalties, diagonal, tolerance=1e-12)

    assert duality_gap(covariance, penalties, by_links, np.linalg.inv(by_links)) > 1e-3  # it has cycles
    assert near.n_steps < far.n_steps
    np.testing.assert_allclose(near.precision, far.precision, atol=1e-6)


def test_a_start_that_is_worse_than_the_diagonal_is_left_alone():
    covariance, penalties = problem(1, 8, 60, 0.1)
    diagonal = np.diag(1.0 / np.diag(covariance))

    from_afar = newton(covariance, penalties, 1e4 * diagonal, tolerance=1e-12)

    assert from_afar.n_steps == newton(covariance, penalties, diagonal, tolerance=1e-12).n_steps


def test_many_columns_end_at_the_gap_asked_for():
    covariance, penalties = problem(0, 320, 500, 0.12)

    fit = sparse_precision(covariance, penalties, tolerance=1e-8)

    assert len(max(components(covariance, penalties), key=len)) > FEW
    assert duality_gap(covariance, penalties, fit.precision, fit.covariance) <= 1e-8 * 320
    assert oracle.optimality_residual(covariance, penalties, fit.precision) < 1e-3
