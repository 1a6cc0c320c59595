"""Large matrices are inverted in pieces, as numpy does it whole, and look at the clock between them."""

import numpy as np
import pytest

from structlearn.numerics import inverses
from structlearn.numerics.dag_losses import LOSSES
from structlearn.numerics.inverses import log_size_and_inverse
from structlearn.run import OutOfTime


@pytest.fixture(params=[1, 2, 3, 5, 8, 40])
def pieces(request, monkeypatch):
    monkeypatch.setattr(inverses, "AT_ONCE", request.param)


def random_matrix(n_rows=8):
    matrix = np.random.default_rng(0).normal(size=(n_rows, n_rows))
    matrix[0, 0] = 0.0  # rows must change their places
    return matrix


@pytest.mark.usefixtures("pieces")
def test_pieces_have_the_determinant_and_the_inverse_of_the_whole():
    matrix = random_matrix()
    size, inverse = log_size_and_inverse(matrix)

    assert size == pytest.approx(np.linalg.slogdet(matrix)[1])
    assert inverse @ matrix == pytest.approx(np.eye(8), abs=1e-12)


@pytest.mark.usefixtures("pieces")
@pytest.mark.parametrize("column", [0, 4, 7])
def test_what_has_no_inverse_has_a_size_of_zero(column):
    matrix = random_matrix()
    matrix[:, column] = 0.0
    size, inverse = log_size_and_inverse(matrix)

    assert size == -np.inf
    assert not inverse.any()


@pytest.mark.usefixtures("pieces")
def test_what_is_no_number_stays_none():
    matrix = random_matrix()
    matrix[3, 5] = np.nan

    with np.errstate(invalid="ignore"):
        assert np.isnan(log_size_and_inverse(matrix)[0])


@pytest.mark.parametrize("n_looks", range(4))
def test_each_piece_looks_at_the_clock(n_looks, monkeypatch):
    monkeypatch.setattr(inverses, "AT_ONCE", 4)
    answers = iter([False] * n_looks + [True])

    with pytest.raises(OutOfTime):
        log_size_and_inverse(random_matrix(), lambda: next(answers))


@pytest.mark.parametrize("loss", ["equal-variances", "own-variances"])
def test_likelihoods_of_many_columns_end_where_time_is_up(loss, monkeypatch):
    monkeypatch.setattr(inverses, "AT_ONCE", 4)

    with pytest.raises(OutOfTime):
        LOSSES[loss](np.zeros((8, 8)), np.eye(8), lambda: True)
