"""Splitting the penalised likelihood into parts, and the parts that need no iterations.

Witten, Friedman and Simon (2011), New insights and faster computations for the graphical lasso, and
Mazumder and Hastie (2012), Exact covariance thresholding into connected components for large-scale
graphical lasso: the columns that covariances above their penalties connect are solved alone.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.precision.elimination import sparse_factor
from structlearn.numerics.precision.penalised_likelihood import (
    Matrix,
    PrecisionFit,
    gap_of_inverse,
)

Columns = NDArray[np.int64]
# Columns of parts that are solved as one: alone, two take as long as thirty, beside a hundred no time.
MOST_TOGETHER = 150


def components(covariance: Matrix, penalties: Matrix) -> list[Columns]:
    """The columns of each part, in order."""
    return _connected(_links(covariance, penalties))


def _connected(links: NDArray[np.bool_]) -> list[Columns]:
    parts: list[Columns] = []
    is_linked = np.asarray(links.any(axis=0))
    is_left = is_linked.copy()
    for column in range(len(links)):
        if not is_linked[column]:
            parts.append(np.array([column]))
        elif is_left[column]:
            is_in, front = np.zeros_like(is_left), np.array([column])
            while len(front):
                is_in[front] = True
                front = np.flatnonzero(links[front].any(axis=0) & ~is_in)
            is_left[is_in] = False
            parts.append(np.flatnonzero(is_in))
    return parts


def parts_to_solve(covariance: Matrix, penalties: Matrix) -> list[Columns]:
    """The parts of more than one column; small ones together, but trees apart from others.

    Where a pair is free there may be no optimum, which would keep others from theirs: such a part is alone.
    """
    links = _links(covariance, penalties)
    n_links = np.count_nonzero(links, axis=0)
    n_free = np.count_nonzero(penalties == 0.0, axis=0) - (np.diag(penalties) == 0.0)
    found: list[Columns] = []
    small: dict[bool, list[Columns]] = {True: [], False: []}
    for columns in _connected(links):
        if len(columns) == 1:
            continue
        if len(columns) > MOST_TOGETHER or n_free[columns].any():
            found.append(columns)
        else:
            is_tree = bool(n_links[columns].sum() < 2 * len(columns))
            small[is_tree].append(columns)
    return found + _gathered(small[True]) + _gathered(small[False])


def _gathered(parts: list[Columns]) -> list[Columns]:
    """The parts one behind the other, up to so many columns at once."""
    group = np.cumsum([len(columns) for columns in parts]) // MOST_TOGETHER
    starts = np.flatnonzero(np.diff(group, prepend=-1)).tolist()
    return [np.concatenate(parts[start:stop]) for start, stop in pairwise([*starts, len(parts)])]


def _links(covariance: Matrix, penalties: Matrix) -> NDArray[np.bool_]:
    above: NDArray[np.bool_] = np.abs(covariance) > penalties
    np.fill_diagonal(above, 0)
    return above


def precision_by_links(covariance: Matrix, penalties: Matrix) -> Matrix | None:
    """Where links have no cycle, the optimum in closed form, and near it where links are weak; None if none.

    Only the entries of links are sure to satisfy the conditions of an optimum: see `closed_form`.
    """
    rows, columns = np.nonzero(np.triu(_links(covariance, penalties)))
    variances = np.diag(covariance) + np.diag(penalties)
    entries = covariance[rows, columns]
    entries = np.sign(entries) * (np.abs(entries) - penalties[rows, columns])
    left = variances[rows] * variances[columns] - entries**2
    if (left <= 0.0).any():
        return None
    precision = np.diag(1.0 / variances)
    precision[rows, columns] = precision[columns, rows] = -entries / left
    for end in (rows, columns):
        np.add.at(precision, (end, end), entries**2 / (left * variances[end]))
    return precision


def closed_form(covariance: Matrix, penalties: Matrix) -> PrecisionFit | None:
    """The optimum of columns whose links are a tree, where it is one of all their entries."""
    if np.count_nonzero(_links(covariance, penalties)) >= 2 * len(covariance):
        return None
    precision = precision_by_links(covariance, penalties)
    factor = None if precision is None else sparse_factor(precision)
    if precision is None or factor is None:
        return None
    inverse, size = factor.inverse(), factor.log_determinant
    outside = np.abs(inverse - covariance) > penalties + 1e-12 * np.abs(covariance).max()
    if (outside & (precision == 0.0)).any():
        return None
    gap = gap_of_inverse(covariance, penalties, precision, inverse, size)
    return PrecisionFit(precision, inverse, size, gap, n_steps=0)
