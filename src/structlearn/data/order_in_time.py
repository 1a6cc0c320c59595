"""Rows that follow each other in time, which methods would take for independent ones."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from structlearn.data.aside import is_aside
from structlearn.data.columns import RawColumn
from structlearn.errors import warn

FEWEST_ROWS = 10  # fewer may rise by chance
UPS_FOR_A_DOWN = 3  # as in series that follow each other; in rows of no order there are as many

_TIME = re.compile(r"(t|time|date|datetime|timestamp|year|month|week|day|hour)s?([ _.(].*)?", re.IGNORECASE)


def warn_of_time(columns: Sequence[RawColumn], data: Any, given: Iterable[str]) -> None:
    """Warn of a column called time that rises from row to row, and of an index of dates in order."""
    for column in columns:
        if column.name in given or is_aside(column.name):
            continue
        if _TIME.fullmatch(column.name) and _rises(column):
            _warn(f"column {column.name!r} rises from row to row", f"; or drop=[{column.name!r}]")
    index = getattr(data, "index", None) if type(data).__module__.startswith("pandas") else None
    is_dated = getattr(index, "inferred_type", "") in {"datetime64", "datetime", "date", "period"}
    if index is not None and is_dated and len(index) >= FEWEST_ROWS and index.is_monotonic_increasing:
        _warn("the index of the frame is dates in order", "")


def _rises(column: RawColumn) -> bool:
    if not column.is_number or column.present.size < FEWEST_ROWS:
        return False
    steps = np.diff(column.present.astype(np.float64))
    n_up = int((steps > 0).sum())
    return n_up > 1 and n_up >= UPS_FOR_A_DOWN * int((steps < 0).sum())


def _warn(what: str, else_: str) -> None:
    warn(
        f"{what}: rows that follow each other in time may not be independent, as methods take them to be. "
        f"PCMCI, SparseVAR, DynamicNetwork and others learn from series, with time= and series={else_}."
    )
