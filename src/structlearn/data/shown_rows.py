"""A table in a notebook: its first rows and columns, and the kind of each."""

from collections.abc import Sequence

import numpy as np

from structlearn.data.columns import Column, DiscreteColumn
from structlearn.shown import Listing, html_text

SHOWN_ROWS = 6
SHOWN_COLUMNS = 12


def dataset_html(columns: Sequence[Column], *, weighted: bool) -> str:
    """How many rows and columns there are, the kinds, and the first rows; a gap is empty."""
    n_rows, shown = columns[0].n_rows, columns[:SHOWN_COLUMNS]
    first = np.arange(min(n_rows, SHOWN_ROWS))
    values = [[_written(value) for value in column.take(first).decoded()] for column in shown]
    kinds = [_kind(column) for column in shown]
    listing = Listing.of(
        [column.name for column in shown], [kinds, *zip(*values, strict=True)], n_left=len(shown)
    )
    left_out = len(columns) - len(shown)
    said = f"{n_rows:,} row{'' if n_rows == 1 else 's'}{', weighted' if weighted else ''}, "
    said += f"{len(columns):,} column{'' if len(columns) == 1 else 's'}"
    said += f", the first {len(shown)} of them here" if left_out else ""
    return f"<p>{html_text(said)}</p>{listing.html()}"


def _kind(column: Column) -> str:
    gaps = "" if column.missing is None else f", {int(column.missing.sum()):,} missing"
    if isinstance(column, DiscreteColumn):
        return f"discrete, {column.levels:,} level{'' if column.levels == 1 else 's'}{gaps}"
    return f"continuous{gaps}"


def _written(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
