"""Engines that tables may stay in: a new one joins every test of test_every_engine.py by its line here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from structlearn.statistics import SourceTable
from tests.oracles.row_engine import RowEngine

Table = Mapping[str, list]


@dataclass(frozen=True)
class Place:
    """How to put a table of lists, None where a value is missing, into an engine.

    `make(table, folder, weights)` gives the source, with `weights` the name of the column that has them, or
    skips with its reason. Where a question takes long, `is_slow`: most of the fits are slow tests then.
    """

    make: Callable[[Table, Path, str | None], SourceTable]
    is_slow: bool = False


def in_rows(table: Table, _: Path, weights: str | None) -> SourceTable:
    """The slow engine that judges the others."""
    columns = {name: values for name, values in table.items() if name != weights}
    return SourceTable(RowEngine(columns, weights=None if weights is None else table[weights]))


ENGINES = {
    "rows": Place(in_rows),
}
