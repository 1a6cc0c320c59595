"""Discrete columns by the states of a model, and back."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Column, ContinuousColumn, Dataset, DiscreteColumn, Label
from structlearn.models.cpds import CPD, Rows


def dataset_of(codes: NDArray[np.int64], labels: Mapping[str, tuple[Label, ...]]) -> Dataset:
    """Rows of codes as a table, a column for each node that has labels."""
    return Dataset.from_columns(
        [_column(node, codes[:, j], states) for j, (node, states) in enumerate(labels.items())]
    )


def codes_of(dataset: Dataset) -> NDArray[np.int64]:
    """The codes of a table of discrete columns, a row each."""
    codes = [column.codes for column in dataset.columns if isinstance(column, DiscreteColumn)]
    return np.stack(codes, axis=1).astype(np.int64)


def weighted_total(dataset: Dataset, rows: NDArray[np.float64]) -> float:
    """The sum of a number for each row, times its case weight; rows that do not count may be -inf."""
    if dataset.weights is None:
        return float(rows.sum())
    counted = dataset.weights > 0
    return float(dataset.weights[counted] @ rows[counted])


def drawn_column(node: str, cpd: CPD, values: Rows) -> Column:
    """What was drawn of a node, as a column of its kind."""
    if cpd.kind == "continuous":
        return ContinuousColumn(node, values)
    return DiscreteColumn(node, values.astype(np.min_scalar_type(len(cpd.labels) - 1)), cpd.labels)


def _column(name: str, codes: NDArray[Any], labels: tuple[Label, ...]) -> DiscreteColumn:
    return DiscreteColumn(name, codes.astype(np.min_scalar_type(max(len(labels) - 1, 1))), labels)
