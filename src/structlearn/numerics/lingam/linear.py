"""Linear effects along an order of the columns."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.later import linalg

Floats = NDArray[np.float64]
Order = NDArray[np.int64]


class LinearOrder(NamedTuple):
    """Columns, causes first; row i of the coefficients has the effects on column i."""

    order: Order
    coefficients: Floats


def coefficients_along(rows: Floats, order: Order) -> Floats:
    """The regression of each column on all before it, by least squares; more rows than columns are needed.

    The covariance in this order is L D Lᵀ with ones on the diagonal of L, and x = B x + e with
    B = I − L⁻¹.
    """
    p = len(order)
    factor = np.linalg.cholesky(np.atleast_2d(np.cov(rows[:, order].T, bias=True)))
    inverse = linalg.solve_triangular(factor / np.diag(factor), np.eye(p), lower=True)
    found = np.empty((p, p))
    found[np.ix_(order, order)] = np.tril(np.eye(p) - inverse, k=-1)
    return found


def standardised(rows: Floats, shares: Floats) -> Floats:
    """The columns as rows of a matrix, with mean 0 and variance 1, where cases have these shares."""
    columns = np.ascontiguousarray(rows.T)
    columns = columns - (columns @ shares)[:, None]
    return columns / np.sqrt(np.square(columns) @ shares)[:, None]
