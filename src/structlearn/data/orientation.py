"""Tables that lie on their side: variables in rows, samples in columns, as expression data often come."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data.columns import RawColumn
from structlearn.data.readers import checked_names
from structlearn.data.values import settled
from structlearn.errors import DataError, warn
from structlearn.naming import listed

MOST = 0.9  # of the names; a few controls and averages stand among genes and samples
FEWEST = 3  # with fewer rows or columns names say nothing
MANY_TIMES = 2  # columns for each row: more than people have samples of as few variables

_SAMPLE = re.compile(
    r"(sample|gsm|patient|subject|array|chip|cell|tumou?r|control|experiment|condition|replicate)s?"
    r"[ _.:-]?\d+",
    re.IGNORECASE,
)
_GENE = re.compile(
    r"(?i:gene[ _.-]?|g)\d+"  # as simulators name them
    r"|(?i:ens[a-z]*g\d{6,}(\.\d+)?|b\d{4}|at[1-5]g\d{5})"  # Ensembl, Escherichia coli, Arabidopsis
    r"|[\w/-]+_at"  # probe sets
    r"|[a-z]{3}[A-Z]"  # bacterial genes such as recA
    r"|[A-Z]{2}[A-Z0-9-]{1,8}"  # symbols such as TP53, and the reading frames of yeast
)
_GENE_HEADER = re.compile(
    r"(gene|probe|probe ?set|orf|transcript|symbol|locus)s?[ _.-]?(ids?|names?|symbols?)?|id_ref",
    re.IGNORECASE,
)


def transposed(columns: Sequence[RawColumn], row_names: Sequence[str] | None = None) -> tuple[RawColumn, ...]:
    """The rows of a table as its columns, named by its first column of text where it has one.

    Without names for the rows, `row_names` or such a column, they are x0, x1, … as those of an array.
    """
    values = list(columns)
    if row_names is None and _has_names(columns):
        row_names, values = _names_of(columns[0]), values[1:]
    texts = [column.name for column in values if column.is_object]
    if texts and len(texts) < len(values):
        raise DataError(
            f"transpose: {listed(texts)} {'is' if len(texts) == 1 else 'are'} text among numbers. Only the "
            "first column may be, with the names of the rows; drop the others."
        )
    dates = [column.name for column in values if column.present.dtype.kind in "mM"]
    if dates:
        raise DataError(f"transpose: {listed(dates)} holds dates or times, which no row of others goes with.")
    n_rows = values[0].n_rows
    names = checked_names(range(n_rows) if row_names is None else row_names)
    matrix = np.array([_filled(column) for column in values])
    is_missing = np.array(
        [np.zeros(n_rows, dtype=np.bool_) if c.missing is None else c.missing for c in values]
    )
    return tuple(
        settled(name, matrix[:, i], missing=is_missing[:, i] if is_missing[:, i].any() else None)
        for i, name in enumerate(names)
    )


def row_names_of(data: Any) -> tuple[str, ...] | None:
    """The names of the rows of a pandas frame whose index has some."""
    if not type(data).__module__.startswith("pandas") or not hasattr(data, "index"):
        return None
    names = data.index.tolist()
    return tuple(names) if names and all(isinstance(name, str) for name in names) else None


def warn_if_transposed(
    columns: Sequence[RawColumn], row_names: Sequence[str] | None, given: Iterable[str]
) -> bool:
    """Warn of a table that has samples where it should have variables; say whether it was so.

    Nothing is said where the kind of the column of names is `given`.
    """
    first, rest = columns[0], [column.name for column in columns]
    if first.name in given:
        return False
    header, labels = None, row_names
    if row_names is None and first.is_object:
        header, labels, rest = first.name, _labels_of(first), rest[1:]
        if labels is None or any(column.is_object for column in columns[1:]):
            return False
    if not _is_on_its_side(header, labels, rest, n_rows=first.n_rows):
        return False
    rows = f" and its rows ({_first(labels)}) like variables" if labels else ""
    names = f", where column {header!r} names the variables" if header is not None else ""
    warn(
        f"the table looks transposed: its columns ({_first(rest)}) look like samples{rows}. Samples are "
        f"expected in rows: pass sl.Dataset(data, transpose=True){names}; transpose=False says that all is "
        "as it should be."
    )
    return True


def _is_on_its_side(
    header: str | None, labels: Sequence[str] | None, names: Sequence[str], *, n_rows: int
) -> bool:
    if len(names) < FEWEST:
        return False
    if labels is None:
        return _mostly(_SAMPLE, names)
    if n_rows < FEWEST or _mostly(_SAMPLE, labels):
        return False
    if _mostly(_SAMPLE, names):
        return True
    if not _mostly(_GENE, labels) or _mostly(_GENE, names):
        return False
    return len(names) >= MANY_TIMES * n_rows or (header is not None and bool(_GENE_HEADER.fullmatch(header)))


def _mostly(pattern: re.Pattern[str], names: Sequence[str]) -> bool:
    return sum(bool(pattern.fullmatch(name)) for name in names) >= MOST * len(names)


def _labels_of(column: RawColumn) -> tuple[str, ...] | None:
    """What a column of text calls the rows, if each has a name of its own."""
    if column.missing is not None or column.categories is not None:
        return None
    if len(column.different()) < column.n_rows:
        return None
    return tuple(str(column.value(i)) for i in range(column.n_rows))


def _has_names(columns: Sequence[RawColumn]) -> bool:
    """Whether the first column names the rows: the only text, or text that never repeats."""
    if len(columns) == 1 or not columns[0].is_object:
        return False
    return not columns[1].is_object or _labels_of(columns[0]) is not None


def _names_of(column: RawColumn) -> tuple[str, ...]:
    if column.missing is not None:
        row = int(column.missing.argmax())
        raise DataError(
            f"transpose: column {column.name!r} names the rows, but row {row}, from 0, has no name."
        )
    return tuple(str(column.value(i)) for i in range(column.n_rows))


def _filled(column: RawColumn) -> NDArray[Any]:
    """A value for each row, anything where it is missing."""
    if column.words is None:
        return column.spread(column.present)
    return column.spread(np.array(column.words, dtype=object)[column.present])


def _first(names: Sequence[str]) -> str:
    return f"{names[0]!r}, {names[1]!r}, …"
