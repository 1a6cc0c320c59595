"""The table that is factorised: which columns vary, in which units, and which entries are known."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.statistics import Statistics
from structlearn.statistics.incomplete import IncompleteStatistics
from structlearn.statistics.protocol import rows_of

Floats = NDArray[np.float64]


class Found(NamedTuple):
    """What factors say: strengths of pairs of columns, and of columns with factors, each with a threshold.

    `extra` is published under its names; `parts` is (columns, factors).
    """

    pairs: Floats
    pair_threshold: float
    parts: Floats
    part_threshold: float
    extra: dict[str, object]


def entries_of(owner: str, statistics: Statistics, names: tuple[str, ...]) -> Floats:
    """The rows of these columns, NaN where a value is missing."""
    places = [statistics.names.index(name) for name in names]
    if isinstance(statistics, IncompleteStatistics):
        rows = statistics.rows_with_gaps(places)
    else:
        rows = rows_of(owner, statistics, places)
    if rows.weights is not None and (rows.weights != 1.0).any():
        raise DataError(f"{owner}: rows count once each here. Repeat rows in place of giving them weights.")
    return rows.values


def is_varying(rows: Floats) -> NDArray[np.bool_]:
    """Which columns have two different values at least."""
    return np.array([np.unique(column[~np.isnan(column)]).size > 1 for column in rows.T], dtype=np.bool_)


def embedded(found: Found, is_there: NDArray[np.bool_]) -> Found:
    """The same with zeros for the columns that do not vary."""
    pairs = np.zeros((len(is_there), len(is_there)))
    pairs[np.ix_(is_there, is_there)] = found.pairs
    parts = np.zeros((len(is_there), found.parts.shape[1]))
    parts[is_there] = found.parts
    return found._replace(pairs=pairs, parts=parts)


def cosines(vectors: Floats) -> Floats:
    """Of the angles between rows; that with 0 is 0."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    of_length_one = vectors / np.where(lengths > 0.0, lengths, 1.0)
    return np.asarray(of_length_one @ of_length_one.T)


def in_even_units(rows: Floats) -> Floats:
    """Columns divided by their largest size, so that no square overflows or vanishes."""
    return np.asarray(rows / np.nanmax(np.abs(rows), axis=0))


def standardised(rows: Floats, *, center: bool, scale: bool) -> Floats:
    """Columns with mean 0 and mean square 1, over what is known, as far as asked for."""
    if scale:
        rows = in_even_units(rows)
    if center:
        rows = rows - np.nanmean(rows, axis=0)
    return np.asarray(rows / np.sqrt(np.nanmean(rows**2, axis=0))) if scale else rows
