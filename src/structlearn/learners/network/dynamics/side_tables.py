"""Numbers that belong to the rows of a table: perturbations, errors, rates."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.data import Dataset
from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.naming import listed

Floats = NDArray[np.float64]


def columns_of(value: Any) -> dict[str, str]:
    """The columns of the table that a mapping from nodes names; nothing where it is a table of its own."""
    if isinstance(value, Mapping) and value and all(isinstance(name, str) for name in value.values()):
        return dict(value)
    return {}


def side_table(owner: str, option: str, value: Any, names: Sequence[str], n_rows: int) -> Floats:
    """A table with a row for each row and a column for each of `names`; zeros where it says nothing.

    Columns are found by their names, so that their order does not matter.
    """
    found = np.zeros((n_rows, len(names)))
    if value is None:
        return found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # rows may be numbered by what was done to them
        table = Dataset(value).complete(f"{owner}({option}=…)")
    if table.n_rows != n_rows:
        raise DataError(
            f"{owner}({option}=…): it has {table.n_rows:,} rows, and the table {n_rows:,}. Each row "
            "says what belongs to the row of the table in the same place."
        )
    refuse_other_names(owner, option, table.names, names)
    for name, column in table.to_dict().items():
        if column.dtype.kind not in "iuf":
            raise DataError(f"{owner}({option}=…): column {name!r} holds something else than numbers.")
        found[:, list(names).index(name)] = column
    return found


def refuse_other_names(owner: str, option: str, given: Sequence[str], names: Sequence[str]) -> None:
    """Refuse what belongs to no node."""
    strangers = [name for name in given if name not in names]
    if strangers:
        raise OptionError(
            f"{owner}({option}=…): there is no node {listed(strangers)}; the nodes are {listed(names)}. Name "
            "the columns by the nodes that they belong to."
        )


def values_by_node(owner: str, given: Mapping[str, float] | ArrayLike, names: Sequence[str]) -> Floats:
    """A number for each node, from a mapping by name or from numbers in the order of the nodes."""
    if isinstance(given, Mapping):
        missing = [name for name in names if name not in given]
        refuse_other_names(owner, "start", list(given), names)
        if missing:
            raise DataError(f"{owner}: there is no value for {listed(missing)}.")
        given = [given[name] for name in names]
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (len(names),) or not np.isfinite(values).all():
        raise DataError(
            f"{owner}: give a number for each of the {len(names)} nodes, in their order or by name."
        )
    return values
