"""A node given its parents, many rows at once: probabilities, means, draws."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.models.cpds import CPD, Rows

Floats = NDArray[np.float64]
State = Mapping[str, Rows]
"""The values of some nodes in each of several rows: codes, or numbers of a continuous node."""

MOST_CELLS = 2**16  # of a table that stands for a tree or a regression: half a MiB


@dataclass(frozen=True, eq=False)
class Conditional:
    """The distribution of a node where its parents are known in each of `n` rows."""

    node: str
    cpd: CPD
    levels: tuple[int, ...]
    """The number of states of each parent; 0 for continuous ones."""

    @property
    def is_discrete(self) -> bool:
        """Whether the node has states."""
        return self.cpd.kind == "discrete"

    @cached_property
    def table(self) -> Floats | None:
        """The probabilities by joint state of the parents; None where that would be no or a large table."""
        n_cells = math.prod(self.levels) * max(len(self.cpd.labels), 1)
        if not self.is_discrete or not 0 < n_cells <= MOST_CELLS:
            return None
        table = self.cpd.as_table()
        return None if table is None else table.reshape(-1, len(self.cpd.labels))

    def shares(self, state: State, n: int) -> Floats:
        """The probability of each state of a discrete node, (n, states)."""
        if self.table is not None:
            return self.table[self._cells(state, n)]
        parents = self._parents(state)
        codes = range(len(self.cpd.labels))
        logs = [self.cpd.log_probability(np.full(n, code), parents) for code in codes]
        return np.exp(np.stack(logs, axis=1))

    def normals(self, state: State, n: int) -> tuple[Floats, Floats]:
        """The mean and the variance of a continuous node in each row."""
        cpd: Any = self.cpd
        found: tuple[Floats, Floats] = cpd.normals(self._parents(state), n)
        return found

    def draw(self, state: State, n: int, rng: np.random.Generator) -> Rows:
        """A value for each row."""
        if self._sums is None:
            return self.cpd.sample(self._parents(state), n, rng)
        below = self._sums[self._cells(state, n), :-1]
        drawn: Rows = (rng.random(n)[:, None] >= below).sum(axis=1)
        return drawn

    @cached_property
    def _sums(self) -> Floats | None:
        if self.table is None:
            return None
        sums = np.cumsum(self.table, axis=1)
        # Dividing makes the last possible state exactly 1, so that no rounding can draw a state behind it.
        return np.asarray(sums / sums[:, -1:])

    def _cells(self, state: State, n: int) -> NDArray[np.int64]:
        cells = np.zeros(n, dtype=np.int64)
        for parent, n_states in zip(self.cpd.parents, self.levels, strict=True):
            cells = cells * n_states + state[parent]
        return cells

    def _parents(self, state: State) -> list[Rows]:
        return [state[parent] for parent in self.cpd.parents]


def conditionals_of(cpds: Mapping[str, CPD]) -> dict[str, Conditional]:
    """The conditional of every node."""
    n_states = {node: len(cpd.labels) for node, cpd in cpds.items()}
    return {
        node: Conditional(node, cpd, tuple(n_states[parent] for parent in cpd.parents))
        for node, cpd in cpds.items()
    }
