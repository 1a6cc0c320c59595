"""Edges from factors: between columns, from factors to columns, or from rows to columns."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.learners.network.factors.table import Found
from structlearn.outcome import EdgeEvidence
from structlearn.statistics import Statistics
from structlearn.statistics.protocol import rows_of

Floats = NDArray[np.float64]
Evidence = dict[tuple[str, str], EdgeEvidence]


def between_columns(
    names: tuple[str, ...], found: Found, threshold: float, is_forbidden: NDArray[np.bool_]
) -> tuple[Graph, Evidence]:
    """An edge where the size of the strength exceeds the threshold."""
    is_edge = np.triu((np.abs(found.pairs) > threshold) & ~is_forbidden, k=1)
    evidence = {
        (names[i], names[j]): EdgeEvidence(float(found.pairs[i, j])) for i, j in np.argwhere(is_edge).tolist()
    }
    return Graph(names, undirected=list(evidence)), evidence


def from_factors(
    owner: str, names: tuple[str, ...], found: Found, threshold: float
) -> tuple[Graph, Evidence]:
    """Arrows from each factor, a node of its own, to the columns where its size exceeds the threshold."""
    factors = [f"factor {k + 1}" for k in range(found.parts.shape[1])]
    if taken := sorted(set(factors) & set(names)):
        raise DataError(
            f"{owner}(reading='factors'): column {taken[0]!r} has the name of a factor. Rename it."
        )
    evidence = {
        (factors[k], names[j]): EdgeEvidence(float(found.parts[j, k]))
        for j, k in np.argwhere(np.abs(found.parts) > threshold).tolist()
    }
    return Graph([*names, *factors], directed=list(evidence)), evidence


def from_rows(
    names: tuple[str, ...], row_names: list[str], strengths: Floats, threshold: float
) -> tuple[Graph, Evidence]:
    """Arrows from rows to columns where the fitted entry exceeds the threshold.

    Where rows and columns are the same set and the fitted table is symmetric, edges have no direction.
    """
    is_edge = strengths > threshold
    nodes = [*names, *(name for name in row_names if name not in set(names))]
    found = {
        (row_names[i], names[j]): EdgeEvidence(float(strengths[i, j]))
        for i, j in np.argwhere(is_edge).tolist()
        if row_names[i] != names[j]
    }
    if set(found) == {pair[::-1] for pair in found} and set(row_names) == set(names):
        halves = {pair: known for pair, known in found.items() if pair[0] < pair[1]}
        return Graph(nodes, undirected=list(halves)), halves
    return Graph(nodes, directed=list(found)), found


def names_of_rows(owner: str, statistics: Statistics, column: str | None) -> list[str]:
    """What the rows are called, each by a name of its own."""
    if column is None:
        raise OptionError(f"{owner}(reading='links'): say in row_names= which column names the rows.")
    place = statistics.names.index(column)
    labels, values = statistics.labels[place], rows_of(owner, statistics, [place]).values[:, 0]
    found = [str(labels[int(code)]) for code in values] if labels else [f"{value:g}" for value in values]
    if len(set(found)) < len(found) or len(found) < statistics.n_rows:
        raise DataError(f"{owner}: column {column!r} does not give each row a name of its own.")
    return found
