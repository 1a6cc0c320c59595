"""Which part of a table to use, said alike for every engine."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from structlearn.data.choosing import without
from structlearn.data.unnamed_columns import is_index, said_of_index
from structlearn.errors import DataError, DataNote, warn
from structlearn.naming import no_such


@dataclass(frozen=True, slots=True)
class Choice:
    """The columns to use, all but those to drop by default, the rows, and the column of case weights.

    `filter` is a condition in the engine's own words: SQL, or an expression of ibis or Dask.
    """

    columns: tuple[str, ...] | None = None
    filter: Any = None
    weights: str | None = None
    drop: tuple[str, ...] = ()

    def names(self, known: Sequence[str]) -> tuple[str, ...]:
        """The columns to use of those that the table has; the weights are none of them."""
        kept = without(known, self.drop)
        for name in (*(self.columns or ()), *([] if self.weights is None else [self.weights])):
            if name not in kept:
                raise DataError(no_such("column", name, kept))
        index = [name for name in kept if is_index(name)] if self.columns is None else []
        for name in index:
            warn(said_of_index(name), DataNote)
        chosen = without(kept, index) if self.columns is None else self.columns
        return tuple(name for name in chosen if name != self.weights)


def checked_size(
    weights: str | None,
    n_rows: int,
    n_weights: int = 0,
    size: float = 0.0,
    least: float = 0.0,
    most: float = 0.0,
) -> float:
    """What the rows count for, by the number, the sum and the ends of the weights, if they are such.

    The rows are those of another weight than 0.
    """
    if weights is None:
        return float(n_rows)
    if not n_rows:
        raise DataError(
            f"weights={weights!r}: no row has a weight above 0. Give some row one, or look at the filter."
        )
    if n_weights < n_rows:
        raise DataError(f"weights={weights!r}: {n_rows - n_weights:,} rows have no weight.")
    if not (least >= 0.0 and math.isfinite(most) and size > 0.0):
        raise DataError(
            f"weights={weights!r}: they are from {least} to {most}. A weight is a finite number, at least 0."
        )
    return float(size)
