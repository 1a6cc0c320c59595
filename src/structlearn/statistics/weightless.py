"""Rows of weight 0 count for nothing: statistics are made as if they were not there.

A sum does not notice them, but what looks at rows would: whether a column varies, where it is centred, how
many rows answer.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset


def have_weight(dataset: Dataset) -> NDArray[np.bool_]:
    """Which rows count."""
    if dataset.weights is None:
        return np.ones(dataset.n_rows, dtype=np.bool_)
    counts: NDArray[np.bool_] = dataset.weights > 0.0
    return counts


def total_weight(dataset: Dataset) -> float:
    """How many rows count, each by its weight."""
    return float(dataset.n_rows if dataset.weights is None else dataset.weights.sum())


def without_weightless_rows(dataset: Dataset) -> Dataset:
    """The rows that count; the table itself where all do."""
    counts = have_weight(dataset)
    return dataset if counts.all() else dataset.take(counts)
