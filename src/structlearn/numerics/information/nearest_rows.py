"""Information by the distances to nearest neighbours (Kraskov, Stögbauer and Grassberger)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.later import special
from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.correlation import unit_rows
from structlearn.numerics.information.kernels.nearest_rows import STRIDE, fill_nearest
from structlearn.numerics.information.settings import Settings

JITTER = 1e-10  # of a column's deviation: parts what is equal, and moves nothing past anything else


def kraskov(columns: Columns, settings: Settings) -> Fill:
    """The first estimator of the paper, on columns of equal variance; noise parts rows that tie."""
    n_rows = columns.values.shape[1]
    if n_rows <= settings.n_neighbors:
        raise DataError(
            f"mutual_information(n_neighbors={settings.n_neighbors}): a row of {n_rows} has no more than "
            f"{n_rows - 1} neighbours. Ask for fewer, or take another estimator."
        )
    values = unit_rows(columns.values) * np.sqrt(n_rows)
    is_constant = ~values.any(axis=1)
    noise = np.random.default_rng(settings.seed)
    for j in range(len(values)):
        if len(np.unique(values[j])) < n_rows:
            values[j] += JITTER * noise.standard_normal(n_rows)
    order = np.argsort(values, axis=1, kind="stable")
    ordered, places = between_infinite(values, order), np.argsort(order, axis=1) + STRIDE
    digammas = np.concatenate([[0.0], special.digamma(np.arange(1.0, n_rows + 1.0))])

    def fill(start: int, end: int, out: Matrix) -> None:
        fill_nearest(order, places, ordered, settings.n_neighbors, digammas, start, end, out)
        out[start:end, is_constant] = 0.0
        out[start:end][is_constant[start:end]] = 0.0

    return fill


def between_infinite(values: Matrix, order: NDArray[np.int64]) -> Matrix:
    """The values of each column in order, with infinite ones at the ends as kernels take them."""
    ordered = np.full((len(values), values.shape[1] + 2 * STRIDE), np.inf)
    ordered[:, :STRIDE] = -np.inf
    ordered[:, STRIDE:-STRIDE] = np.take_along_axis(values, order, axis=1)
    return ordered
