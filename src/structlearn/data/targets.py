"""Which columns an experimenter set in which rows."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data.dataset import Dataset
from structlearn.errors import DataError, OptionError
from structlearn.naming import each_of, listed, no_such
from structlearn.options import Either, Instance

Targets = str | Mapping[str, ArrayLike] | Collection[Any]
# A column of any library is a collection: a list, an array, a series.
TARGETS = Either((Instance(str), Instance(Mapping), Instance(Collection)), "what was set in which rows")
Rows = NDArray[np.bool_]


def rows_set(owner: str, dataset: Dataset, targets: Targets, nodes: Sequence[str]) -> dict[str, Rows]:
    """In which rows each node was set; nodes that never were are left out.

    Parameters
    ----------
    owner : str
        In whose name to refuse.
    dataset : Dataset
        The table.
    targets : str, mapping or sequence
        The column with the names of what was set in a row, several with commas between them, nothing where
        nothing was; such a column itself; or by node the rows in which it was set, as positions or a mask.
    nodes : sequence of str
        What may have been set.
    """
    if isinstance(targets, str):
        return _by_column(owner, dataset, targets, nodes)
    if not isinstance(targets, Mapping):
        return _by_cell(owner, _cells(owner, targets, dataset.n_rows), nodes)
    _refuse_strangers(owner, targets, nodes)
    found = {name: _mask(owner, name, rows, dataset.n_rows) for name, rows in targets.items()}
    return {name: rows for name, rows in found.items() if rows.any()}


def _by_column(owner: str, dataset: Dataset, column: str, nodes: Sequence[str]) -> dict[str, Rows]:
    if column not in dataset.names:
        raise OptionError(no_such("column", column, dataset.names, owner=f"{owner}(targets={column!r})"))
    if column in nodes:
        raise OptionError(f"{owner}(targets={column!r}): this column is a node of the graph.")
    return _by_cell(owner, dataset.column(column).decoded().tolist(), nodes)


def _cells(owner: str, targets: Collection[Any], n_rows: int) -> list[Any]:
    cells = list(each_of(targets))
    if len(cells) != n_rows:
        raise DataError(
            f"{owner}: targets are the name of a column, the rows by the name of what was set, or a cell for "
            f"each of the {n_rows} rows, and these are {len(cells)}."
        )
    return cells


def _by_cell(owner: str, cells: list[Any], nodes: Sequence[str]) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row, cell in enumerate(cells):
        for name in [cell] if isinstance(cell, str) and cell in nodes else _names_in(cell):
            found.setdefault(name, np.zeros(len(cells), dtype=np.bool_))[row] = True
    _refuse_strangers(owner, found, nodes)
    return found


def _names_in(cell: Any) -> list[str]:
    if type(cell).__name__ in {"NoneType", "NAType"} or cell != cell:  # noqa: PLR0124, NaN
        return []
    return [name for part in str(cell).split(",") if (name := part.strip())]


def _refuse_strangers(owner: str, found: Mapping[str, Any], nodes: Sequence[str]) -> None:
    strangers = sorted(set(found) - set(nodes))
    if strangers:
        raise DataError(
            f"{owner}: targets name {listed(strangers)}, and there is no such column among {listed(nodes)}. "
            "Leave a cell empty where nothing was set."
        )


def _mask(owner: str, name: str, rows: ArrayLike, n_rows: int) -> Rows:
    given = np.asarray(rows)
    if given.dtype == np.bool_ and given.shape == (n_rows,):
        return given
    is_whole = given.ndim == 1 and (given.dtype.kind in "iu" or not given.size)
    if not is_whole or ((given < 0) | (given >= n_rows)).any():
        raise DataError(
            f"{owner}: the rows in which {name!r} was set are positions from 0 to {n_rows - 1}, or a mask of "
            f"{n_rows} truth values."
        )
    return np.isin(np.arange(n_rows), given)
