"""What to do about missing values."""

from collections.abc import Collection, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from structlearn.data import Dataset
from structlearn.data.gaps import refuse_gaps
from structlearn.errors import DataError
from structlearn.options import OneOf
from structlearn.statistics.weightless import without_weightless_rows

Missing = Literal["error", "drop", "testwise", "familywise", "em"]
MISSING = OneOf(("error", "drop", "testwise"), "what to do about missing values")
MISSING_BY_ROW = OneOf(("error", "drop"), "what to do about missing values")
MISSING_BY_FAMILY = OneOf(("error", "drop", "familywise"), "what to do about missing values")
MISSING_OR_EXPECTED = OneOf(("error", "drop", "familywise", "em"), "what to do about missing values")
ADVICE = {
    "drop": "missing='drop' leaves those rows out",
    "testwise": "missing='testwise' lets each test use the rows that have all of its columns",
    "familywise": "missing='familywise' with score='pnal' lets each family use the rows that have all of it",
    "em": "missing='em' estimates those of discrete columns together with the graph",
}


@runtime_checkable
class HasGaps(Protocol):
    """A table that knows how many values it lacks: in memory, or where its rows are."""

    @property
    def missing(self) -> dict[str, int]:
        """How many values are missing, for the columns where some are."""

    @property
    def n_rows(self) -> int:
        """The number of rows."""


def refuse_missing(
    source: Any,
    owner: str,
    *,
    missing: Missing,
    offered: Sequence[str],
    columns: Collection[str] | None = None,
    takes_targets: bool = False,
) -> None:
    """Refuse gaps in these columns, by default all, unless `missing` says otherwise.

    `offered` are the words that it may be. Of a method that `takes_targets`, a column with gaps that names
    others is taken to be what was set.
    """
    if missing == "error" and isinstance(source, Dataset | HasGaps):
        source = without_weightless_rows(source) if isinstance(source, Dataset) else source
        ways = [way for word, way in ADVICE.items() if word in offered]
        advice = f"{'; '.join(ways)}; or fill the gaps in first."
        gaps = {name: n for name, n in source.missing.items() if columns is None or name in columns}
        naming = [name for name in gaps if takes_targets and _names_others(source, name)]
        if naming:
            advice = (
                f"{naming[0]!r} names other columns: targets={naming[0]!r} takes it for what was set or "
                f"shifted from outside in each row, nothing where it is empty. Otherwise {advice}"
            )
        refuse_gaps(owner, gaps, source.n_rows, advice=advice)


def _names_others(source: HasGaps, name: str) -> bool:
    """Whether the column has names of other columns and nothing else, some with commas between them."""
    if not isinstance(source, Dataset) or not source.labels.get(name):
        return False
    others = {*source.names} - {name}
    return all(_is_among(label, others) for label in source.labels[name])


def _is_among(label: object, names: Collection[str]) -> bool:
    return label in names or all(part.strip() in names for part in str(label).split(","))


def rows_by(missing: Missing) -> Missing:
    """The rows that statistics take, in their own words: what is estimated is there by then."""
    by_method: dict[Missing, Missing] = {"familywise": "testwise", "em": "error"}
    return by_method.get(missing, missing)


def without_empty_rows(dataset: Dataset) -> tuple[Dataset, int]:
    """The rows that have any value, and how many have none: these say nothing, and would count as rows."""
    masks = [column.missing for column in dataset.columns if column.missing is not None]
    if len(masks) < len(dataset.columns):
        return dataset, 0
    is_empty = np.logical_and.reduce(masks)
    n_empty = int(is_empty.sum())
    return (dataset.take(~is_empty) if n_empty else dataset), n_empty


def observed(source: Any, columns: Sequence[str], missing: Missing) -> Any:
    """The rows of a table in memory with a value of these columns, where each question has its own rows."""
    if rows_by(missing) != "testwise" or not isinstance(source, Dataset):
        return source
    return without_empty_rows(source.select(columns))[0]


def n_incomplete(dataset: Dataset, aside: Collection[str]) -> int:
    """How many rows miss a value, but for columns that are set aside."""
    masks = [column.missing for column in dataset.columns if column.name not in aside]
    gaps = [mask for mask in masks if mask is not None]
    return int(np.logical_or.reduce(gaps).sum()) if gaps else 0


def complete_cases(dataset: Dataset, owner: str) -> Dataset:
    """The rows that miss nothing; a DataError in the name of `owner` if there is none."""
    masks = [column.missing for column in dataset.columns if column.missing is not None]
    if not masks:
        return dataset
    is_complete = ~np.logical_or.reduce(masks)
    if not is_complete.any():
        raise DataError(
            f"{owner}: each of the {dataset.n_rows:,} rows misses a value, so missing='drop' leaves none. "
            "Leave out the columns with most gaps, or use missing='testwise'."
        )
    return dataset.take(is_complete)
