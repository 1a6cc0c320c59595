"""Rows of weight 0 count for nothing: statistics are made as if they were not there.

A sum does not notice them, but what looks at rows would: whether a column varies, where it is centred, how
many rows answer, which states there are.
"""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Label


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
    """The rows that count, without labels that only the others have; the table itself where all count.

    Labels that no row has were declared, and stay; so do all bins of a column that was cut.
    """
    if dataset.weights is None or dataset.weights.all():
        return dataset
    counts = have_weight(dataset)
    bins = dataset.discretization.cuts if dataset.discretization else {}
    labels = {
        column.name: _labels_left(column, counts)
        for column in dataset.columns
        if isinstance(column, DiscreteColumn) and column.name not in bins
    }
    return dataset.take(counts).align({name: left for name, left in labels.items() if left})


def _labels_left(column: DiscreteColumn, counts: NDArray[np.bool_]) -> tuple[Label, ...]:
    """The labels without those of rows without weight only; none where no row that counts has a value."""
    has_value = np.ones(column.n_rows, dtype=np.bool_) if column.missing is None else ~column.missing
    n_rows, n_counted = (
        np.bincount(column.codes[rows], minlength=column.levels) for rows in (has_value, has_value & counts)
    )
    if not n_counted.any():
        return ()
    is_left = (n_counted > 0) | (n_rows == 0)
    return tuple(label for label, left in zip(column.labels, is_left, strict=True) if left)
