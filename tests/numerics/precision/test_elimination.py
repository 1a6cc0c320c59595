"""Determinants and inverses of sparse matrices are those of full ones."""

import numpy as np
import pytest

from structlearn.numerics.kernels.elimination import eliminate, fill_inverse
from structlearn.numerics.precision import elimination
from structlearn.numerics.precision.elimination import sparse_factor

SIZES = [2, 3, 40]
DENSITIES = [0.0, 0.05, 0.3, 1.0]


@pytest.fixture(autouse=True)
def all_are_many(monkeypatch):
    monkeypatch.setattr(elimination, "MANY", 0)


def random_precision(seed, p, density):
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.normal(size=(p, p)) * (rng.random((p, p)) < density), k=1)
    matrix += matrix.T
    return matrix + (0.1 - min(0.0, np.linalg.eigvalsh(matrix)[0])) * np.eye(p)


def tree(p):
    """Each node is joined with the one that has half its number."""
    matrix = 2.0 * np.eye(p)
    for child in range(1, p):
        matrix[child, child // 2] = matrix[child // 2, child] = 0.6
    return matrix


MATRICES = {f"{p} columns, {d}": random_precision(p, p, d) for p in SIZES for d in DENSITIES}
MATRICES |= {"one column": np.array([[4.0]]), "a tree": tree(60)}


@pytest.mark.parametrize("name", MATRICES)
def test_determinant_and_inverse_are_those_of_the_full_matrix(name):
    matrix = MATRICES[name]
    before = matrix.copy()

    factor = sparse_factor(matrix)

    assert factor.log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1], abs=1e-10)
    np.testing.assert_allclose(factor.inverse(), np.linalg.inv(matrix), atol=1e-10)
    assert (factor.inverse() == factor.inverse().T).all()
    np.testing.assert_array_equal(matrix, before)


@pytest.mark.parametrize("name", ["40 columns, 0.0", "40 columns, 0.05", "40 columns, 1.0", "a tree"])
def test_a_matrix_that_is_not_positive_definite_has_no_factor(name):
    matrix = MATRICES[name]
    lowest = np.linalg.eigvalsh(matrix)[0]

    assert sparse_factor(matrix - (lowest + 1e-6) * np.eye(len(matrix))) is None
    assert sparse_factor(matrix - (lowest - 1e-6) * np.eye(len(matrix))) is not None


def test_a_lone_column_below_zero_is_seen_though_what_is_left_is_positive_definite():
    assert sparse_factor(np.diag([1.0, 1.0, -1.0, 1.0])) is None
    assert sparse_factor(np.diag([1.0, 1.0, 0.0, 1.0])) is None


def test_few_columns_of_a_tree_are_left_and_all_of_a_full_matrix():
    assert len(sparse_factor(tree(60)).left) < 20
    assert len(sparse_factor(MATRICES["40 columns, 1.0"]).left) == 40


def test_columns_go_in_the_order_of_their_neighbours_and_leave_those_joined():
    star = np.eye(40)
    star[0, 1:] = star[1:, 0] = 0.1
    chain = star.copy()
    chain[1, 2] = chain[2, 1] = 0.05  # two more neighbours than the other leaves

    order, ends, neighbors, shares, pivots = eliminate(chain, np.count_nonzero(chain, axis=1) - 1)

    assert order[:3].tolist() == [3, 4, 5]
    assert neighbors[:3].tolist() == [0, 0, 0]
    assert ends[:3].tolist() == [1, 2, 3]
    assert shares[:3].tolist() == [0.1] * 3
    assert pivots[:3].tolist() == [1.0] * 3
    assert chain[0, 0] == pytest.approx(1.0 - 0.01 * len(order))


def test_the_inverse_of_what_is_left_is_completed():
    matrix = np.array([[2.0, 0.5], [0.5, 1.0]])
    inverse = np.array([[0.0, 0.0], [0.0, 1.0 / (1.0 - 0.125)]])
    gone = np.array([0]), np.array([1]), np.array([1]), np.array([0.25]), np.array([2.0])

    fill_inverse(*gone, inverse)

    np.testing.assert_allclose(inverse, np.linalg.inv(matrix))
