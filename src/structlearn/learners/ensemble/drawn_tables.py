"""The tables that a resample is learnt from, drawn from rows wherever they are."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.learners.ensemble.drawing import Draw, counts_drawn, has_counts, times_drawn
from structlearn.learners.ensemble.rows_in_blocks import RowsInBlocks
from structlearn.statistics import SourceTable, complete_cases


@dataclass(frozen=True, eq=False)
class DifferentRows:
    """A table whose weights are whole: each is how many rows, all the same, a row stands for."""

    dataset: Dataset

    @property
    def names(self) -> tuple[str, ...]:
        """The columns."""
        return self.dataset.names


@runtime_checkable
class CountsAnew(Protocol):
    """An engine whose workers can count each row as often as they are told."""

    def reweighted(self, draw: Any) -> Any:
        """The same table, where each row counts as often as `draw` says."""


Drawable = Dataset | DifferentRows | RowsInBlocks | SourceTable


def drawable(source: SourceTable, owner: str, *, missing: str) -> DifferentRows | SourceTable:
    """What resamples can be drawn from: the different rows if they are few, or else the parts of a table."""
    found = source.collapsed()
    if found is not None and has_counts(found.weights):
        kept = Dataset.from_columns(found.columns, weights=found.weights, inferred=source.inferred)
        return DifferentRows(complete_cases(kept, owner) if missing == "drop" else kept)
    if not isinstance(source.engine, CountsAnew):
        raise DataError(
            f"{owner} draws rows, and {source.engine.title} gives counts and moments only, of too many "
            "different rows to draw from. Draw some first: sl.source(…, sample_rows=100_000)."
        )
    if missing == "drop" and source.missing:
        raise DataError(
            f"{owner}(missing='drop'): the rows of {source.engine.title} stay where they are. Leave gaps to "
            "the learner, which has an option missing too, or to the source: filter=…."
        )
    return source


def tables_of(table: Drawable, draw: Draw, entropy: int, number: int) -> Iterator[tuple[Any, str]]:
    """The tables of the draw of a number, and in words what is in them."""
    if isinstance(table, Dataset):
        for rows in draw(entropy, number, table.n_rows):
            n_different = np.count_nonzero(np.bincount(rows))
            yield table.take(rows), f", with {n_different:,} different rows of {table.n_rows:,},"
    elif isinstance(table, RowsInBlocks):
        yield from table.tables(draw, entropy, number)
    elif isinstance(table, DifferentRows):
        weights = table.dataset.weights
        assert weights is not None  # noqa: S101, they are how often each row occurs
        for counts in counts_drawn(draw, entropy, number, weights.astype(np.int64)):
            yield _counted(table.dataset, counts), f", with {np.count_nonzero(counts):,} different rows,"
    else:
        n_parts = len(draw(entropy, number, 2))
        for part in range(n_parts):
            times = partial(times_drawn, draw, entropy, number, part)
            yield table.reweighted(times), ""


def _counted(dataset: Dataset, counts: NDArray[np.int64]) -> Dataset:
    """The rows that were drawn at all; a single one is two that are the same, as it would be in a table."""
    rows = np.flatnonzero(counts)
    rows = np.repeat(rows, 2) if rows.size == 1 and counts[rows[0]] > 1 else rows
    weights = counts[rows] / (2.0 if rows.size == 2 and rows[0] == rows[1] else 1.0)
    columns = [column.take(rows) for column in dataset.columns]
    return Dataset.from_columns(columns, weights=weights, inferred=dataset.inferred, rows="independent")
