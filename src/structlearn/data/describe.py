"""What is in each column, in a few words."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import Column, ContinuousColumn, DiscreteColumn, Kind, Label
from structlearn.data.dataset import Dataset
from structlearn.shown import on_one_line

SHOWN_LABELS = 4


@dataclass(frozen=True)
class ColumnSummary:
    """One column: `shares` of its commonest labels, or the ends, mean and deviation of its numbers.

    Missing values are left out of both. `deviation` is the square root of the unbiased variance.
    """

    name: str
    kind: Kind
    inferred: bool
    missing: int
    levels: int | None = None
    shares: tuple[tuple[Label, float], ...] = ()
    minimum: float | None = None
    mean: float | None = None
    maximum: float | None = None
    deviation: float | None = None


@dataclass(frozen=True)
class Description:
    """A summary of a data set; printed, it is a table with a line for each column."""

    n_rows: int
    columns: tuple[ColumnSummary, ...]

    def __str__(self) -> str:
        return self.text()

    def text(self, choose: str = "kinds={…}") -> str:
        """The table; a note says how to `choose` kinds, where some were inferred."""
        head = ("column", "kind", "levels", "missing", "values")
        lines = [head, *(tuple(map(on_one_line, _cells(column))) for column in self.columns)]
        widths = [max(len(line[j]) for line in lines) for j in range(len(head))]
        table = [_aligned(line, widths) for line in lines]
        rows = f"{self.n_rows:,} row{'' if self.n_rows == 1 else 's'}"
        columns = f"{len(self.columns):,} column{'' if len(self.columns) == 1 else 's'}"
        note = [f"* inferred from the values; say {choose} to choose"] if self._any_inferred else []
        return "\n".join([f"{rows}, {columns}", *table, *note])

    @property
    def _any_inferred(self) -> bool:
        return any(column.inferred for column in self.columns)


def describe(dataset: Dataset) -> Description:
    """Summarise every column of a data set.

    Examples
    --------
    >>> from structlearn.data import Dataset
    >>> print(describe(Dataset({"smoker": ["yes", "no", "no", "no"], "age": [31.5, 40.0, 28.0, None]})))
    4 rows, 2 columns
    column  kind         levels  missing  values
    smoker  discrete*         2        0  no 75%, yes 25%
    age     continuous*       –        1  28 to 40, mean 33.17, sd 6.171
    * inferred from the values; say kinds={…} to choose
    """
    return Description(
        dataset.n_rows,
        tuple(_summary(column, inferred=column.name in dataset.inferred) for column in dataset.columns),
    )


def _summary(column: Column, *, inferred: bool) -> ColumnSummary:
    if isinstance(column, DiscreteColumn):
        return _discrete(column, inferred=inferred)
    return _continuous(column, inferred=inferred)


def _discrete(column: DiscreteColumn, *, inferred: bool) -> ColumnSummary:
    present = column.codes if column.missing is None else column.codes[~column.missing]
    counts = np.bincount(present, minlength=column.levels)
    n_missing = column.n_rows - present.size
    return summary_of_counts(column.name, column.kind, inferred, n_missing, column.labels, counts)


def summary_of_counts(
    name: str,
    kind: Kind,
    inferred: bool,
    missing: int,
    labels: tuple[Label, ...],
    counts: NDArray[Any],
) -> ColumnSummary:
    """Summarise a discrete column of which the counts of its labels are known."""
    commonest = np.argsort(-counts, kind="stable")[:SHOWN_LABELS]
    total = max(float(counts.sum()), 1.0)
    shares = tuple((labels[code], float(counts[code] / total)) for code in commonest)
    return ColumnSummary(name, kind, inferred, missing, len(labels), shares)


def _continuous(column: ContinuousColumn, *, inferred: bool) -> ColumnSummary:
    present = column.values if column.missing is None else column.values[~column.missing]
    some, several = present.size > 0, present.size > 1
    # A power of two changes no digit, and keeps sums and squares within what a number can be.
    largest = 2.0 ** np.frexp(np.abs(present).max(initial=0.0))[1].clip(-1000, 1000)
    return ColumnSummary(
        name=column.name,
        kind=column.kind,
        inferred=inferred,
        missing=column.n_rows - present.size,
        minimum=float(present.min()) if some else None,
        mean=float((present / largest).mean() * largest) if some else None,
        maximum=float(present.max()) if some else None,
        deviation=float((present / largest).std(ddof=1) * largest) if several else None,
    )


def _cells(column: ColumnSummary) -> tuple[str, ...]:
    kind = column.kind + ("*" if column.inferred else "")
    levels = "–" if column.levels is None else f"{column.levels:,}"
    values = _numbers(column) if column.levels is None else _shares(column)
    return column.name, kind, levels, f"{column.missing:,}", values


def _shares(column: ColumnSummary) -> str:
    words = [f"{label} {share:.0%}" for label, share in column.shares]
    return ", ".join(words + (["…"] if len(column.shares) < (column.levels or 0) else []))


def _numbers(column: ColumnSummary) -> str:
    if column.mean is None:
        return "none"
    spread = "" if column.deviation is None else f", sd {column.deviation:.4g}"
    return f"{column.minimum:.4g} to {column.maximum:.4g}, mean {column.mean:.4g}{spread}"


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    name, kind, levels, missing, values = cells
    left = f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {levels:>{widths[2]}}  {missing:>{widths[3]}}"
    return f"{left}  {values}".rstrip()
