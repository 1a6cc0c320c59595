"""Of what kinds the columns are, for what cannot take all."""

from typing import Literal

from structlearn.data import Kind
from structlearn.errors import DataError
from structlearn.statistics.protocol import Statistics

Sort = Kind | Literal["mixed"]


def sort_of(statistics: Statistics) -> Sort:
    """The kind of all columns, or "mixed" where there are both."""
    kinds = set(statistics.kinds)
    return "mixed" if len(kinds) > 1 else kinds.pop()


def only_kind(owner: str, statistics: Statistics, what: str) -> Kind:
    """The kind of all columns; a mixture is refused with the names of both sorts.

    `what` says what cannot take a mixture: a score, a test.
    """
    sort = sort_of(statistics)
    if sort != "mixed":
        return sort
    raise DataError(
        f"{owner}: the columns are of two kinds, {both_kinds(statistics)}, and no {what} here takes both. "
        "Choose columns of one kind, or say otherwise with kinds={…}."
    )


def both_kinds(statistics: Statistics) -> str:
    """A few names of columns of each kind, for a message."""
    by_kind: dict[Kind, list[str]] = {"discrete": [], "continuous": []}
    for name, kind in zip(statistics.names, statistics.kinds, strict=True):
        by_kind[kind].append(name)
    return " and ".join(f"{kind} ({_some(names)})" for kind, names in by_kind.items())


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
