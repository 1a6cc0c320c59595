"""Matching the columns and labels of new data to the nodes and states of a model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from structlearn.data import Column, Dataset, DiscreteColumn, Kind, Label
from structlearn.data.model_columns import ModelColumns
from structlearn.data.readers import read
from structlearn.data.states import marks_beside, places_of
from structlearn.errors import DataError, DataNote, OptionError, warn
from structlearn.models.cpds import Rows
from structlearn.naming import listed
from structlearn.statistics.weightless import without_weightless_rows


def rows_that_count(data: Any) -> Any:
    """Of a data set the rows that count; rows of other tables have no weights."""
    return without_weightless_rows(data) if isinstance(data, Dataset) else data


def matched(
    data: Any,
    nodes: Sequence[str],
    *,
    owner: str,
    kinds: Mapping[str, Kind] | None = None,
    labels: Mapping[str, tuple[Label, ...]] | None = None,
) -> Dataset:
    """Make a complete Dataset whose columns are the nodes, in their order, read by the states in `labels`."""
    found = as_dataset(data, ModelColumns(kinds or {}, labels or {}))
    return _selected(found, nodes, owner).complete(owner)


def matched_with_gaps(
    data: Any,
    nodes: Sequence[str],
    *,
    owner: str,
    kinds: Mapping[str, Kind],
    labels: Mapping[str, tuple[Label, ...]],
) -> Dataset:
    """Make a Dataset whose columns are the nodes, in their order; values may be missing.

    A node in `labels` may lack its whole column; without its states it may not.
    """
    dataset = as_dataset(data, ModelColumns(kinds, labels))
    unseen = [node for node in nodes if node not in set(dataset.names)]
    unknown = [node for node in unseen if node not in labels]
    if unknown:
        raise DataError(
            f"{owner}: the data lack the columns {listed(unknown)}, which are nodes of the graph. "
            "A node without any value needs its states: give it a TableCPD in cpds."
        )
    n_rows = dataset.n_rows
    hidden = [
        DiscreteColumn(node, np.zeros(n_rows, np.uint8), labels[node], np.ones(n_rows, np.bool_))
        for node in unseen
    ]
    with_all = Dataset.from_columns(
        [*dataset.columns, *hidden], weights=dataset.weights, inferred=dataset.inferred
    )
    return aligned(_selected(with_all, nodes, owner), labels)


def aligned(dataset: Dataset, labels: Mapping[str, tuple[Label, ...]]) -> Dataset:
    """Code the named columns by the states of a model; a label that reads the same is that state."""
    columns = [
        _recoded(column, labels[column.name])
        if isinstance(column, DiscreteColumn) and column.name in labels
        else column
        for column in dataset.columns
    ]
    return Dataset.from_columns(columns, weights=dataset.weights, inferred=dataset.inferred)


def _recoded(column: DiscreteColumn, labels: tuple[Label, ...]) -> DiscreteColumn:
    codes = aligned_rows(column, labels).astype(np.min_scalar_type(len(labels) - 1))
    return DiscreteColumn(column.name, codes, labels, column.missing)


def as_dataset(data: Any, known: ModelColumns) -> Dataset:
    """Make a Dataset of columns as a model knows them, some of which may not be there.

    Text that is a state stays what it is; where states are numbers, a mark such as NA that is none is a gap.
    """
    with known.reading():
        table = read(data) if isinstance(data, str | Path) else data  # a file is read once
        try:
            dataset = Dataset(table, kinds=known.kinds_of(known.kinds))
        except OptionError:
            # A node without a column: said later in words that do not mention kinds.
            there = table if isinstance(table, Dataset) else read(table)
            dataset = Dataset(table, kinds=known.kinds_of(column.name for column in there.columns))
    return _with_gaps_for_marks(dataset, known)


def _with_gaps_for_marks(dataset: Dataset, known: ModelColumns) -> Dataset:
    """The data with gaps where a mark such as NA stands beside numbers and is no state."""
    columns = list(dataset.columns)
    for place, column in enumerate(columns):
        states = known.states_of(column.name)
        if isinstance(column, DiscreteColumn) and column.labels != states:
            columns[place] = _with_gaps(column, marks_beside(column.labels, states))
    if all(new is old for new, old in zip(columns, dataset.columns, strict=True)):
        return dataset
    return Dataset.from_columns(
        columns,
        weights=dataset.weights,
        inferred=dataset.inferred,
        notes=dataset.notes,
        discretization=dataset.discretization,
        rows=dataset.rows,
    )


def _with_gaps(column: DiscreteColumn, marks: Sequence[Label]) -> DiscreteColumn:
    gone = np.isin(column.codes, [column.labels.index(mark) for mark in marks])
    gone &= True if column.missing is None else ~column.missing
    if not gone.any():
        return column
    taken = "is taken for a missing value" if len(marks) == 1 else "are taken for missing values"
    warn(
        f"{listed(marks)} {taken} among the numbers of {column.name!r}; the model has no such state.",
        DataNote,
    )
    missing = gone if column.missing is None else gone | column.missing
    return DiscreteColumn(column.name, column.codes * ~gone, column.labels, missing)


def _selected(dataset: Dataset, nodes: Sequence[str], owner: str) -> Dataset:
    missing = [node for node in nodes if node not in set(dataset.names)]
    if missing:
        raise DataError(
            f"{owner}: the data lack the columns {listed(missing)}, which are nodes of the graph."
        )
    strangers = [name for name in dataset.names if name not in set(nodes)]
    if strangers:
        raise DataError(f"{owner}: the columns {listed(strangers)} are no nodes of the graph; drop them.")
    return dataset.select(nodes)


def aligned_rows(column: Column, labels: tuple[Label, ...]) -> Rows:
    """Give the values of a column; those of a discrete one are codes of the given labels."""
    if not isinstance(column, DiscreteColumn):
        return column.values
    if column.labels == labels:
        return column.codes
    codes = np.array(places_of(column.labels, labels))[column.codes]
    if column.missing is not None:
        codes[column.missing] = 0
    if codes.min() < 0:
        row = int(codes.argmin())
        value = column.labels[column.codes[row]]
        raise DataError(
            f"Column {column.name!r} has the value {value!r} in row {row}, counted from 0, which is none of "
            f"the model's states {listed(labels)}."
        )
    return codes
