"""Rows in which columns were set, as a network that was acted upon sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.data.targets import Rows, Targets, rows_set
from structlearn.errors import DataError, OptionError
from structlearn.statistics.weightless import have_weight, without_weightless_rows

Part = tuple[Any, Dataset]


@dataclass(frozen=True, eq=False)
class RowsActedUpon:
    """Rows of a table, which of its columns are nodes, and in which of the rows each of them was set."""

    table: Dataset
    names: tuple[str, ...]
    rows_set: Mapping[str, Rows]

    @classmethod
    def of(cls, owner: str, table: Dataset, targets: Sequence[Targets]) -> "RowsActedUpon":
        """What several say of all rows of a table, who have to say the same; nothing was set if none do."""
        aside = {said for said in targets if isinstance(said, str)}
        names = tuple(name for name in table.names if name not in aside)
        first, *others = [rows_set(owner, table, said, names) for said in targets] or [{}]
        for other in others:
            if other.keys() != first.keys() or any(
                (rows != first[name]).any() for name, rows in other.items()
            ):
                raise OptionError(f"{owner}: learners have different targets. Say the same for all.")
        return cls(table, names, first)

    @property
    def nodes(self) -> Dataset:
        """The columns that are nodes."""
        return self.table.select(self.names)

    def take(self, rows: NDArray[Any]) -> "RowsActedUpon":
        """Some of the rows, by position or by a mask."""
        kept = {name: was_set[rows] for name, was_set in self.rows_set.items()}
        was_set = {name: each for name, each in kept.items() if each.any()}
        return RowsActedUpon(self.table.take(rows), self.names, was_set)

    def that_count(self) -> "RowsActedUpon":
        """The rows that have a weight."""
        kept = self.take(have_weight(self.table))
        return replace(kept, table=without_weightless_rows(self.table))

    def parts(self, owner: str, model: Any) -> list[Part]:
        """The model as it was acted upon, and the rows in which the same was set to the same values."""
        rows, together = self.nodes, dict[tuple[tuple[str, Any], ...], list[int]]()
        if not self.rows_set:
            return [(model, rows)]
        for name, was_set in self.rows_set.items():
            missing = rows.column(name).missing
            if missing is not None and (missing & was_set).any():
                raise DataError(f"{owner}: {name!r} has no value in a row in which it was set. Leave it out.")
        values = rows.select(self.rows_set).to_dict()
        for row in range(rows.n_rows):
            done = tuple((name, values[name][row]) for name, was_set in self.rows_set.items() if was_set[row])
            together.setdefault(done, []).append(row)
        return [
            (model.do(dict(done)) if done else model, rows.take(np.array(at)))
            for done, at in together.items()
        ]
