"""Matching the columns and labels of new data to the nodes and states of a model."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from structlearn.data import Column, Dataset, DiscreteColumn, Kind, Label
from structlearn.errors import DataError, OptionError
from structlearn.models.cpds import Rows


def matched(
    data: Any, nodes: Sequence[str], *, owner: str, kinds: Mapping[str, Kind] | None = None
) -> Dataset:
    """Make a complete Dataset whose columns are the nodes, in their order."""
    try:
        dataset = Dataset(data, kinds=kinds)
    except OptionError:
        # A node without a column: said below in words that do not mention kinds.
        dataset = Dataset(data)
    missing = [node for node in nodes if node not in set(dataset.names)]
    if missing:
        raise DataError(
            f"{owner}: the data lack the columns {_listed(missing)}, which are nodes of the graph."
        )
    strangers = [name for name in dataset.names if name not in set(nodes)]
    if strangers:
        raise DataError(f"{owner}: the columns {_listed(strangers)} are no nodes of the graph; drop them.")
    return dataset.select(nodes).complete(owner)


def aligned_rows(column: Column, labels: tuple[Label, ...]) -> Rows:
    """Give the values of a column; those of a discrete one are codes of the given labels."""
    if not isinstance(column, DiscreteColumn):
        return column.values
    if column.labels == labels:
        return column.codes
    by_label = {label: code for code, label in enumerate(labels)}
    by_text = {str(label): code for code, label in enumerate(labels)}
    found = [by_label.get(label, by_text.get(str(label), -1)) for label in column.labels]
    codes = np.array(found)[column.codes]
    if codes.min() < 0:
        row = int(codes.argmin())
        value = column.labels[column.codes[row]]
        raise DataError(
            f"Column {column.name!r} has the value {value!r} in row {row}, counted from 0, which is none of "
            f"the model's states {_listed(labels)}."
        )
    return codes


def _listed(names: Sequence[object], shown: int = 8) -> str:
    words = ", ".join(repr(name) for name in names[:shown])
    return words + (f" and {len(names) - shown} more" if len(names) > shown else "")
