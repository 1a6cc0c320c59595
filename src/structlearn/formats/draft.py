"""A network of tables, put together from the pieces of a file."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError
from structlearn.formats.tables import Shorthand, first_wrong, normalised
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, TableCPD
from structlearn.models.cpds.table import refuse_large_table

Numbers = list[float] | NDArray[np.float64]
Fail = Callable[[str], DataError]
"""Makes the error of a piece: it knows the line where the piece stands."""


@dataclass(frozen=True)
class _Definition:
    parents: tuple[str, ...]
    numbers: Numbers | None
    fail: Fail


class Draft:
    """Nodes and tables in any order, as a file has them; a DataError names the line of a wrong one."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[str, ...]] = {}
        self._definitions: dict[str, _Definition] = {}
        self._shorthand = Shorthand()

    def declare(self, name: str, states: Sequence[str], fail: Fail) -> None:
        """Add a node."""
        if name in self._states:
            raise fail(f"the node {name!r} is declared a second time.")
        if not states:
            raise fail(f"the node {name!r} has no states.")
        if len(set(states)) < len(states):
            raise fail(f"{name!r} has a state that is listed twice.")
        self._states[name] = tuple(states)

    def define(self, child: str, parents: Sequence[str], numbers: Numbers | None, *, fail: Fail) -> None:
        """Add the table of a node, its own state fastest and its last parent's next; None is uniform."""
        if child in self._definitions:
            raise fail(f"{child!r} has a second table.")
        if len({child, *parents}) <= len(parents):
            raise fail(f"a node appears twice in the table of {child!r}.")
        self._definitions[child] = _Definition(tuple(parents), numbers, fail)

    def levels(self, name: str, fail: Fail) -> int:
        """How many states a node has."""
        if name not in self._states:
            raise fail(f"the node {name!r} is not declared.")
        return len(self._states[name])

    def count_unlisted(self, child: str, parents: Sequence[str], fail: Fail) -> list[int]:
        """The shape of a table that the file does not list; refused where it, or all of them, are large."""
        shape = [self.levels(name, fail) for name in (*parents, child)]
        try:
            self._shorthand.add(child, shape)
        except DataError as error:
            raise fail(str(error)) from None
        return shape

    def network(self) -> BayesianNetwork:
        """Make the network, once every piece was added."""
        if not self._states:
            raise DataError("the file ends without having declared a node.")
        for name, definition in self._definitions.items():
            if definition.numbers is None:
                self.count_unlisted(name, definition.parents, definition.fail)
        tables = {name: self._table(name, definition) for name, definition in self._definitions.items()}
        for name in self._states:
            if name not in tables:
                raise DataError(f"the file ends, and the node {name!r} has no table.")
        arrows = [(parent, child) for child in self._states for parent in tables[child].parents]
        return BayesianNetwork(Graph(self._states, directed=arrows), tables)

    def _table(self, child: str, definition: _Definition) -> TableCPD:
        fail = definition.fail
        shape = [self.levels(name, fail) for name in (*definition.parents, child)]
        try:
            rows = _rows(child, definition.numbers, shape)
        except DataError as error:
            raise fail(f"{child!r}: {error}") from None
        return TableCPD(rows.reshape(shape), labels=self._states[child], parents=definition.parents)


def _rows(child: str, numbers: Numbers | None, shape: Sequence[int]) -> NDArray[np.float64]:
    if numbers is None:
        return np.full((math.prod(shape[:-1]), shape[-1]), 1 / shape[-1])
    refuse_large_table(child, shape)
    if len(numbers) != math.prod(shape):
        raise DataError(f"expected {math.prod(shape)} probabilities, found {len(numbers)}.")
    rows = np.array(numbers).reshape(-1, shape[-1])
    wrong = first_wrong(rows)
    if wrong is not None:
        raise DataError(f"row {wrong[0] + 1}: {wrong[1]}")
    return normalised(rows)
