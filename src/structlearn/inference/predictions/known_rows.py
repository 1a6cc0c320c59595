"""Rows of data as a model reads them: codes and numbers, and what is not known."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.data.model_columns import ModelColumns
from structlearn.errors import DataError, warn
from structlearn.models.alignment import aligned_rows, as_dataset
from structlearn.models.cpds import Rows
from structlearn.naming import listed, meant

Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]
MOST_STRANGERS = 100  # columns whose names are compared, which takes a millisecond each among many nodes


@dataclass(frozen=True, eq=False)
class KnownRows:
    """A value of each node in each row, 0 where it is unknown; `unknown` is (rows, nodes)."""

    dataset: Dataset
    nodes: tuple[str, ...]
    values: dict[str, Rows]
    unknown: Flags

    @classmethod
    def of(cls, owner: str, model: Any, data: Any, *, unused: frozenset[str] = frozenset()) -> "KnownRows":
        """Match columns to nodes and labels to states; those that are no nodes, or unused, are left alone."""
        labels = getattr(model, "labels", {})
        dataset = as_dataset(data, ModelColumns(model.kinds, labels, unused))
        _look_at_strangers(owner, dataset.names, tuple(model.nodes))
        n, nodes = dataset.n_rows, tuple(model.nodes)
        unknown = np.ones((n, len(nodes)), dtype=np.bool_)
        values: dict[str, Rows] = {}
        for place, node in enumerate(nodes):
            if node not in dataset.names or node in unused:
                values[node] = np.zeros(n, dtype=np.int64 if node in labels else np.float64)
                continue
            column = dataset.column(node)
            values[node] = aligned_rows(column, labels.get(node, ()))
            unknown[:, place] = False if column.missing is None else column.missing
        return cls(dataset, nodes, values, unknown)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.unknown)

    def codes(self) -> Integers:
        """The code of each discrete node in each row, -1 where it is unknown."""
        table = np.stack([self.values[node] for node in self.nodes], axis=1).astype(np.int64)
        return np.where(self.unknown, -1, table)

    def numbers(self) -> NDArray[np.float64]:
        """The number of each node in each row."""
        return np.stack([self.values[node] for node in self.nodes], axis=1).astype(np.float64)

    def evidence(self, row: int, labels: dict[str, Any], without: str | None = None) -> dict[str, Any]:
        """What is known in one row, as a question takes it."""
        return {
            node: labels[node][self.values[node][row]] if node in labels else float(self.values[node][row])
            for node, unknown in zip(self.nodes, self.unknown[row], strict=True)
            if not unknown and node != without
        }


def _look_at_strangers(owner: str, names: Sequence[str], nodes: Sequence[str]) -> None:
    """Refuse data without any node, and warn of columns that nearly have the name of a node without one."""
    if not set(names) & set(nodes):
        raise DataError(f"{owner}: no column is a node of the model; its nodes are {listed(nodes)}.")
    lacking = [node for node in nodes if node not in set(names)]
    strangers = [name for name in names if name not in set(nodes)] if lacking else []
    for name in strangers[:MOST_STRANGERS]:
        if near := meant(name, lacking):
            warn(f"{owner}: column {name!r} is no node of the model{near}, and is not used.")


def by_pattern(unknown: Flags) -> Iterator[tuple[Flags, Integers]]:
    """Each set of unknown columns that occurs, and the rows in which it does."""
    if not len(unknown):
        return
    if (unknown == unknown[0]).all():
        yield unknown[0], np.arange(len(unknown))
        return
    _, first, number = np.unique(np.packbits(unknown, axis=1), axis=0, return_index=True, return_inverse=True)
    number = number.ravel()
    order = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number))
    for row, rows in zip(first.tolist(), np.split(order, ends[:-1]), strict=True):
        yield unknown[row], rows


def different_rows(codes: Integers, levels: Sequence[int]) -> tuple[Integers, Integers]:
    """Where each different row of codes first occurs, and which of them each row is."""
    if not codes.shape[1]:
        return np.zeros(1, dtype=np.int64), np.zeros(len(codes), dtype=np.int64)
    if math.prod(levels) < 2**62:
        keys = np.zeros(len(codes), dtype=np.int64)
        for column, size in enumerate(levels):
            keys = keys * size + codes[:, column]
        _, first, number = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, number = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), number.ravel().astype(np.int64)


def refuse_impossible(owner: str, rows: Integers) -> None:
    """Refuse rows that the model holds impossible: nothing is known given them."""
    if len(rows):
        many = f" and {len(rows) - 1:,} more rows have" if len(rows) > 1 else " has"
        raise DataError(
            f"{owner}: what is known in row {int(rows.min())}, counted from 0,{many} probability 0 in this "
            "model, so nothing is known given it. Fit the model with smoothing=…, or leave such rows out."
        )
