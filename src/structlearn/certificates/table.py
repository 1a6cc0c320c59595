"""Which table a certificate is about."""

import math
from collections.abc import Mapping
from typing import Any

from structlearn.certificates.findings import Finding
from structlearn.data import Kind
from structlearn.errors import DataError
from structlearn.naming import listed, meant
from structlearn.statistics import Missing, Statistics, opened, rows_by, statistics_of
from structlearn.statistics.missing import observed

Content = Mapping[str, Any]


def about(statistics: Statistics, missing: Missing) -> dict[str, Any]:
    """What tells a table from others: rows, columns, their kinds and numbers of levels."""
    return {
        "rows": _n_rows(statistics),
        "columns": list(statistics.names),
        "kinds": list(statistics.kinds),
        "levels": statistics.levels.tolist(),
        "missing": rows_by(missing),
    }


def statistics_again(data: Any, table: Content, only: Kind | None) -> Statistics:
    """The statistics of the same columns of a table, as the fit had them."""
    source = opened(data)
    lacking = [name for name in table["columns"] if name not in source.names]
    if lacking:
        lacks = f"{listed(lacking)}{meant(lacking[0], source.names)}"
        raise DataError(
            f"The certificate is about another table: this one lacks {lacks}. Pass the table of the fit, its "
            "columns with the names they had."
        )
    columns, missing = table["columns"], table["missing"]
    source = observed(source, columns, missing)
    found = statistics_of(source, columns, owner="check", only=only, missing=missing)
    other = [
        f"{name!r} is {kind} here, and was {before}"
        for name, kind, before in zip(found.names, found.kinds, table["kinds"], strict=True)
        if kind != before
    ]
    if other:
        raise DataError(
            f"The certificate is about other kinds of columns: {other[0]}. Pass the table of the fit, or say "
            "what its columns are with kinds={…}."
        )
    return found


def same_table(statistics: Statistics, table: Content) -> Finding:
    """Whether the table has as many rows and levels as that of the fit."""
    shape = f"the table has {table['rows']:,} rows and {len(table['columns'])} columns"
    n_rows = _n_rows(statistics)
    other = [] if math.isclose(n_rows, table["rows"]) else [f"{n_rows:,} rows"]
    levels = zip(statistics.names, statistics.levels.tolist(), table["levels"], strict=True)
    other += [
        f"{found} in place of {before} levels of {name!r}"
        for name, found, before in levels
        if found != before
    ]
    but = f"; this one has {' and '.join(other[:2])}" if other else ""
    return Finding(not other, f"{shape}, as the fit had it{but}.")


def _n_rows(statistics: Statistics) -> float:
    """The rows, each by its weight: an engine has those that are equal only once."""
    size = float(statistics.size)
    return int(size) if size.is_integer() else size
