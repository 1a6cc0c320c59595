"""Every measure of the similarity of two columns, by name."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from structlearn.later import distance
from structlearn.numerics.information.columns import Columns, Fill, Matrix
from structlearn.numerics.information.correlation import unit_rows

MeasureName = Literal["pearson", "spearman", "kendall", "cosine", "euclidean", "mutual-information"]


def pearson(columns: Columns) -> Matrix:
    """Rows whose products are correlations; a constant column has none, not even with itself."""
    return unit_rows(columns.values)


def spearman(columns: Columns) -> Matrix:
    """The same of the ranks."""
    return unit_rows(columns.ranked().values)


def cosine(columns: Columns) -> Matrix:
    """Rows whose product is the cosine of the angle between two columns, as they are."""
    largest = np.abs(columns.values).max(axis=1, keepdims=True, initial=0.0)
    scaled = columns.values / np.where(largest > 0.0, largest, 1.0)
    length = np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return np.asarray(scaled / np.where(length > 0.0, length, 1.0))


def kendall(columns: Columns) -> Fill:
    """Kendall's τ_b: the pairs of rows in the same order less the others, as a share of those without ties.

    The signs of the differences from one row to all behind it are a matrix, and the sums over them a
    product of matrices: whole numbers, and exact.
    """
    ranks = columns.ranked().values.astype(np.float32)
    n_rows = ranks.shape[1]
    untied = np.zeros(len(ranks))
    for row in range(n_rows - 1):
        untied += (ranks[:, row + 1 :] != ranks[:, row : row + 1]).sum(axis=1)
    scale = np.divide(1.0, np.sqrt(untied), out=np.zeros_like(untied), where=untied > 0.0)

    def fill(start: int, end: int, out: Matrix) -> None:
        block = out[start:end, start:]
        for row in range(n_rows - 1):
            signs = np.sign(ranks[start:, row + 1 :] - ranks[start:, row : row + 1])
            block += signs[: end - start] @ signs.T
        block *= scale[start:end, None]
        block *= scale[start:]
        clip_in_place(block)

    return fill


def euclidean(columns: Columns) -> Fill:
    """The distance of two columns, as they are."""

    def fill(start: int, end: int, out: Matrix) -> None:
        out[start:end, start:] = distance.cdist(columns.values[start:end], columns.values[start:])

    return fill


def clip_in_place(block: Matrix) -> None:
    """Leave no correlation beyond 1."""
    np.clip(block, -1.0, 1.0, out=block)


def _products(rows_of: Callable[[Columns], Matrix], columns: Columns) -> Fill:
    rows = rows_of(columns)

    def fill(start: int, end: int, out: Matrix) -> None:
        block = out[start:end, start:]
        np.matmul(rows[start:end], rows[start:].T, out=block)
        clip_in_place(block)

    return fill


# Rows whose products are the measure.
ROWS: dict[MeasureName, Callable[[Columns], Matrix]] = {
    "pearson": pearson,
    "spearman": spearman,
    "cosine": cosine,
}
AS_THEY_ARE: frozenset[MeasureName] = frozenset({"cosine", "euclidean"})  # it matters where 0 is
MEASURES: dict[MeasureName, Callable[[Columns], Fill]] = {
    **{name: partial(_products, rows_of) for name, rows_of in ROWS.items()},
    "kendall": kendall,
    "euclidean": euclidean,
}


def strengths(values: Matrix, name: MeasureName, *, signed: bool) -> Matrix:
    """The numbers turned so that larger is more similar."""
    if name == "euclidean":
        return -values
    return np.abs(values) if name != "mutual-information" and not signed else values


def shares(values: Matrix, name: MeasureName, *, signed: bool) -> Matrix:
    """Similarity from 0 to 1: the size of a correlation, 1 / (1 + distance), or that of information.

    For information I it is √(1 − exp(−2 I)), the correlation of a normal pair that has as much (Linfoot).
    """
    if name == "euclidean":
        return 1.0 / (1.0 + values)
    if name == "mutual-information":
        return np.asarray(np.sqrt(-np.expm1(-2.0 * np.maximum(values, 0.0))))
    return np.maximum(strengths(values, name, signed=signed), 0.0)


def weights(values: Matrix, name: MeasureName) -> Matrix:
    """What an edge weighs: the measure itself, and 1 / (1 + distance)."""
    return shares(values, name, signed=True) if name == "euclidean" else values


def distances(values: Matrix, name: MeasureName, *, signed: bool) -> Matrix:
    """How far columns are from each other, for clusters: 1 less their similarity, or the distance itself.

    Where similarities that were given exceed 1, it is the largest of them less each.
    """
    if name == "euclidean":
        far = values.copy()
    elif name == "mutual-information":
        far = 1.0 - shares(values, name, signed=signed)
    else:
        near = strengths(values, name, signed=signed)
        far = near.max(initial=1.0) - near
    np.fill_diagonal(far, 0.0)
    return np.asarray(far)
