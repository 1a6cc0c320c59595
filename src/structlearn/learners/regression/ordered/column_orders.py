"""Orders of columns for regressions of each on those before it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.run import MustStop, never

Floats = NDArray[np.float64]
Order = NDArray[np.int64]


def explained_last(correlation: Floats, n_rows: float, must_stop: MustStop = never) -> Order:
    """The order in which, from the end on, each column is the one that the others left explain best.

    A ridge of 1/n keeps tables with more columns than rows in hand. Where the run has to end, what all
    columns left explain of each decides.
    """
    precision = np.linalg.inv(correlation + np.eye(len(correlation)) / n_rows)
    # The precision matrix of the columns left is this one less the squares of the factor's rows.
    factor, diagonal = np.zeros_like(precision), np.diag(precision).copy()
    order = np.empty(len(correlation), dtype=np.int64)
    unexplained = np.round(1.0 / diagonal, 12)
    for step in range(len(order)):
        if must_stop():
            order[: len(order) - step] = np.argsort(unexplained, kind="stable")[: len(order) - step][::-1]
            break
        column = int(unexplained.argmin())
        order[-1 - step] = column
        row = precision[column] - factor[:step, column] @ factor[:step]
        factor[step] = row / np.sqrt(row[column])
        diagonal -= factor[step] ** 2
        diagonal[order[-1 - step :]] = 1.0
        unexplained = np.round(1.0 / diagonal, 12)
        unexplained[order[-1 - step :]] = np.inf
    return order


def random_orders(n_columns: int, n_orders: int, generator: np.random.Generator) -> list[Order]:
    """Orders of which any is as probable as any other."""
    return [generator.permutation(n_columns) for _ in range(n_orders)]


def given_order(owner: str, names: tuple[str, ...], order: Sequence[str]) -> Order:
    """The places of the columns in the order of these names."""
    if sorted(map(str, order)) != list(names):
        raise OptionError(f"{owner}(order={order!r}): each of the {len(names)} columns is needed once.")
    return np.array([names.index(name) for name in order], dtype=np.int64)
