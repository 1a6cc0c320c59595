"""Orders of columns for regressions of each on those before it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError

Floats = NDArray[np.float64]
Order = NDArray[np.int64]


def explained_last(correlation: Floats, n_rows: float) -> Order:
    """The order in which, from the end on, each column is the one that the others left explain best.

    A ridge of 1/n keeps tables with more columns than rows in hand.
    """
    precision = np.linalg.inv(correlation + np.eye(len(correlation)) / n_rows)
    left = np.ones(len(correlation), dtype=np.bool_)
    order = np.empty(len(correlation), dtype=np.int64)
    for place in range(len(order) - 1, -1, -1):
        unexplained = np.where(left, np.round(1.0 / np.diag(precision), 12), np.inf)
        column = int(unexplained.argmin())
        order[place] = column
        left[column] = False
        # The precision matrix of the columns left, without this one.
        own = precision[column].copy()
        precision -= np.outer(own, own) / own[column]
        precision[column, column] = 1.0
    return order


def random_orders(n_columns: int, n_orders: int, generator: np.random.Generator) -> list[Order]:
    """Orders of which any is as probable as any other."""
    return [generator.permutation(n_columns) for _ in range(n_orders)]


def given_order(owner: str, names: tuple[str, ...], order: Sequence[str]) -> Order:
    """The places of the columns in the order of these names."""
    if sorted(map(str, order)) != list(names):
        raise OptionError(f"{owner}(order={order!r}): each of the {len(names)} columns is needed once.")
    return np.array([names.index(name) for name in order], dtype=np.int64)
