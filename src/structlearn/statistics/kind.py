"""The one kind of the columns, for what cannot take two."""

from structlearn.data import Kind
from structlearn.errors import DataError
from structlearn.statistics.protocol import Statistics


def only_kind(owner: str, statistics: Statistics, what: str) -> Kind:
    """The kind of all columns; a mixture is refused with the names of both sorts.

    `what` says what cannot take a mixture: a score, a test.
    """
    by_kind: dict[Kind, list[str]] = {"discrete": [], "continuous": []}
    for name, kind in zip(statistics.names, statistics.kinds, strict=True):
        by_kind[kind].append(name)
    if by_kind["discrete"] and by_kind["continuous"]:
        raise DataError(
            f"{owner}: the columns are of two kinds, discrete ({_some(by_kind['discrete'])}) and continuous "
            f"({_some(by_kind['continuous'])}), and no {what} here takes both. Choose columns of one kind, "
            "or say otherwise with kinds={…}."
        )
    return statistics.kinds[0]


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
