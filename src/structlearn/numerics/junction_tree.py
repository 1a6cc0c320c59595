"""Exact inference in a discrete model: a junction tree and the messages along it."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError

MOST_CELLS = 2**22  # 32 MiB for the largest table
FEW_CELLS = 2**10  # up to here one table of everything is quicker than a tree
MOST_AXES = 32  # of NumPy's 64: columns with a single state take an axis and no cell

Scope = tuple[int, ...]


class TooWideError(DataError):
    """A graph whose junction tree would not fit; the message says how wide it is."""


@dataclass(frozen=True)
class Calibrated:
    """What the messages say, for each row of evidence.

    `log_z` is the logarithm of the sum over all states that agree with the evidence, and `beliefs`
    has a table of probabilities per clique, each with the rows of evidence as first axis.
    """

    log_z: NDArray[np.float64]
    beliefs: tuple[NDArray[np.float64], ...]


class JunctionTree:
    """The cliques of a triangulated graph, each after the one it hangs from.

    Parameters
    ----------
    levels : array of int
        The number of states of each column.
    scopes : iterable of tuples of columns
        What must lie within a clique.
    """

    def __init__(self, levels: NDArray[np.int64], scopes: Iterable[Scope]) -> None:
        self.levels = tuple(int(n) for n in levels)
        everything = tuple(range(len(self.levels)))
        if prod(self.levels) <= FEW_CELLS and len(self.levels) <= MOST_AXES:
            self.cliques, self.parents = [everything], [-1]
        else:
            self.cliques, self.parents = _cliques(self.levels, scopes)
        self.width = max(len(clique) for clique in self.cliques) - 1
        sizes = [prod(self._shape(clique)) for clique in self.cliques]
        if sum(sizes) > MOST_CELLS:
            raise TooWideError(
                f"the graph has a tree-width of about {self.width}: exact probabilities take tables of "
                f"{sum(sizes):,} cells, more than {MOST_CELLS:,}"
            )
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self._homes = {column: self.home((column,)) for column in everything}

    @property
    def n_cells(self) -> int:
        """The cells of the tables of all cliques."""
        return int(self.starts[-1])

    def home(self, scope: Scope) -> int:
        """The first clique that contains a scope."""
        wanted = set(scope)
        return next(i for i, clique in enumerate(self.cliques) if wanted.issubset(clique))

    def cells(self, columns: Scope, states: Scope) -> NDArray[np.int64]:
        """The cells, in the home of these columns, where they have these states."""
        home = self.home(columns)
        clique = self.cliques[home]
        numbers = np.arange(self.starts[home], self.starts[home + 1]).reshape(self._shape(clique))
        given = dict(zip(columns, states, strict=True))
        where = tuple(given.get(column, slice(None)) for column in clique)
        return np.atleast_1d(numbers[where]).ravel()

    def calibrate(self, tables: NDArray[np.float64], evidence: NDArray[np.int64] | None = None) -> Calibrated:
        """Send the messages, given the logarithms of all tables, one clique after the other.

        Each row of `evidence` has the state of each column, -1 where it is not known.
        """
        found, log_z = self._entered(tables, evidence)
        messages = self._collected(found, log_z)
        total = found[0].sum(axis=_all_but_first(found[0]), keepdims=True)
        found[0] = found[0] / total
        for child in range(1, len(found)):
            self._distribute(found, messages[child], child)
        return Calibrated(log_z + np.log(total.ravel()), tuple(found))

    def margins(self, calibrated: Calibrated) -> list[NDArray[np.float64]]:
        """The probabilities of each column's states, (rows of evidence, states)."""
        return [
            _summed_onto(calibrated.beliefs[home], self._axes(home, (column,))).reshape(-1, n_states)
            for (column, home), n_states in zip(self._homes.items(), self.levels, strict=True)
        ]

    def separator(self, child: int) -> Scope:
        """The columns that a clique shares with the one it hangs from."""
        parent = self.parents[child]
        return tuple(column for column in self.cliques[child] if column in self.cliques[parent])

    def _entered(
        self, tables: NDArray[np.float64], evidence: NDArray[np.int64] | None
    ) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """The tables without logarithms and with the evidence, and what they were divided by."""
        found, log_z = [], 0.0
        for i, clique in enumerate(self.cliques):
            table = tables[self.starts[i] : self.starts[i + 1]]
            highest = table.max()
            log_z += highest
            found.append(np.exp(table - highest).reshape(1, *self._shape(clique)))
        if evidence is None:
            return found, np.full(1, log_z)
        for column in np.flatnonzero((evidence >= 0).any(axis=0)).tolist():
            home, states = self._homes[column], evidence[:, column, None]
            agrees = (states == np.arange(self.levels[column])) | (states < 0)
            shape = [len(evidence), *(n if c == column else 1 for c, n in self._sides(home))]
            found[home] = found[home] * agrees.reshape(shape)
        return found, np.full(len(evidence), log_z)

    def _collected(
        self, found: list[NDArray[np.float64]], log_z: NDArray[np.float64]
    ) -> list[NDArray[np.float64]]:
        """Messages towards the root; each clique becomes its table times what its children say."""
        messages = [np.ones(1) for _ in found]
        for child in range(len(found) - 1, 0, -1):
            separator, parent = self.separator(child), self.parents[child]
            message = _summed_onto(found[child], self._axes(child, separator))
            scale = message.sum(axis=_all_but_first(message), keepdims=True)
            log_z += np.log(scale.ravel())
            found[child] = found[child] / scale
            messages[child] = message / scale
            found[parent] = found[parent] * self._laid_out(messages[child], separator, parent)
        return messages

    def _distribute(self, found: list[NDArray[np.float64]], message: NDArray[np.float64], child: int) -> None:
        separator, parent = self.separator(child), self.parents[child]
        truth = _summed_onto(found[parent], self._axes(parent, separator))
        said = self._laid_out(message, separator, parent)
        ratio = np.divide(
            truth, said, out=np.zeros(np.broadcast_shapes(truth.shape, said.shape)), where=said > 0
        )
        found[child] = found[child] * self._laid_out(ratio, separator, child)

    def _laid_out(self, table: NDArray[np.float64], scope: Scope, clique: int) -> NDArray[np.float64]:
        """A table over a scope with the axes of a clique."""
        return table.reshape(len(table), *(n if column in scope else 1 for column, n in self._sides(clique)))

    def _axes(self, clique: int, scope: Scope) -> Scope:
        return tuple(i + 1 for i, column in enumerate(self.cliques[clique]) if column not in scope)

    def _sides(self, clique: int) -> list[tuple[int, int]]:
        return [(column, self.levels[column]) for column in self.cliques[clique]]

    def _shape(self, columns: Scope) -> Scope:
        return tuple(self.levels[column] for column in columns)


def _summed_onto(table: NDArray[np.float64], axes: Scope) -> NDArray[np.float64]:
    summed: NDArray[np.float64] = table.sum(axis=axes, keepdims=True)
    return summed


def _all_but_first(table: NDArray[np.float64]) -> Scope:
    return tuple(range(1, table.ndim))


def _cliques(levels: Scope, scopes: Iterable[Scope]) -> tuple[list[Scope], list[int]]:
    """The cliques of the triangulated graph, and the one that each hangs from."""
    neighbors: list[set[int]] = [set() for _ in levels]
    for scope in scopes:
        for column in scope:
            neighbors[column].update(other for other in scope if other != column)
    cliques: list[set[int]] = []
    parents: list[int] = []
    clique_of: dict[int, int] = {}
    order = _eliminated(levels, neighbors)
    place = {node: i for i, (node, _) in enumerate(order)}
    for node, later in reversed(order):
        # The one that goes first of the neighbours left is in a clique with all the others.
        parent = clique_of[min(later, key=place.__getitem__)] if later else min(len(cliques), 1) - 1
        if parent >= 0 and later == cliques[parent]:
            cliques[parent].add(node)
            clique_of[node] = parent
            continue
        clique_of[node] = len(cliques)
        cliques.append({node, *later})
        parents.append(parent)
    return [tuple(sorted(clique)) for clique in cliques], parents


def _eliminated(levels: Scope, neighbors: list[set[int]]) -> list[tuple[int, set[int]]]:
    """The nodes in the order of least fill, each with those of its neighbours that come later."""
    left = set(range(len(levels)))
    cost = {node: _cost(levels, neighbors, node) for node in left}
    order = []
    while left:
        node = min(left, key=lambda candidate: (*cost[candidate], candidate))
        later = neighbors[node]
        for other in later:
            neighbors[other].discard(node)
            neighbors[other].update(later - {other})
        left.discard(node)
        order.append((node, later))
        for changed in later.union(*(neighbors[other] for other in later)):
            cost[changed] = _cost(levels, neighbors, changed)
    return order


def _cost(levels: Scope, neighbors: list[set[int]], node: int) -> tuple[int, int]:
    """How many edges are added when a node goes, and how large its table is."""
    around = neighbors[node]
    n_missing = sum(len(around - neighbors[other]) - 1 for other in around) // 2
    return n_missing, prod(levels[other] for other in (node, *around))
