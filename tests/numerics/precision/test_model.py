"""The model of a step keeps the digits that the step needs, and is swept no oftener than that."""

from dataclasses import replace

import numpy as np
import pytest

from structlearn.numerics.precision import model
from structlearn.numerics.precision.model import MANY, SecondOrderModel


def chain(correlation, p):
    """Covariances of columns in a row, each two neighbours with this correlation."""
    return correlation ** np.abs(np.subtract.outer(np.arange(p), np.arange(p)))


def model_of(correlation, p=MANY):
    inverse = chain(correlation, p)
    precision = np.triu(np.tril(np.linalg.inv(inverse), k=1), k=-1)
    return SecondOrderModel.at(0.9 * inverse, np.full((p, p), 0.02), precision, inverse)


def test_large_matrices_have_half_the_digits_where_curvature_bears_that():
    # The largest row of the precision of such a chain sums to (1 + ρ)² / (1 − ρ²) in size: 3, or 2 million.
    assert model_of(0.5).inverse.dtype == np.float32
    assert model_of(0.999999).inverse.dtype == np.float64
    assert model_of(0.5, p=MANY - 1).inverse.dtype == np.float64


def test_half_the_digits_hardly_change_the_least_of_the_model():
    half = model_of(0.5)
    whole = replace(half, inverse=chain(0.5, MANY))

    move = np.abs(whole.minimum() - whole.value).max()
    assert move > 0.01
    assert np.abs(half.minimum() - whole.minimum()).max() < 1e-5 * move


@pytest.mark.parametrize(
    ("met", "n_sweeps"), [((1.0, 0.2), 2), ((1.0, 0.5, 0.18), 3), ((1.0, 0.9, 0.05), 3), ((0.0,), 1)]
)
def test_sweeps_end_where_another_would_meet_few_slopes(met, n_sweeps, monkeypatch):
    # Another would meet 0.2² / 1 or 0.18² / 0.5, less than 0.07 of the first; so is the last 0.05.
    left = iter([*met, 9.0])
    monkeypatch.setattr(model, "descend_columns", lambda *_: next(left))

    model_of(0.5, p=5).minimum()

    assert len(list(left)) == len(met) + 1 - n_sweeps
