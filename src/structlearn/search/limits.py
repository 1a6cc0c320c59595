"""Which arcs a search must keep, which it may not make, and how many parents a node may have."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge

NO_LIMIT = int(np.iinfo(np.int64).max)  # of parents: kernels compare whole numbers


@dataclass(frozen=True, slots=True)
class Limits:
    """The arcs u → v that must stay, `frozen[v, u]`, and that may not be made, `closed[v, u]`.

    `max_parents` is what a person says of the columns of a table. Contexts are parents besides, and
    `most_parents` counts them for each node.
    """

    frozen: NDArray[np.bool_]
    closed: NDArray[np.bool_]
    max_parents: int = NO_LIMIT
    contexts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    most_parents: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        n_contexts = self.frozen[:, self.contexts].sum(axis=1, dtype=np.int64)
        object.__setattr__(self, "most_parents", min(self.max_parents, len(self.frozen)) + n_contexts)

    @classmethod
    def of(cls, names: tuple[str, ...], knowledge: Knowledge, max_parents: int | None = None) -> "Limits":
        """The limits that knowledge about the columns sets."""
        required, forbidden = knowledge.matrices(names)
        most = NO_LIMIT if max_parents is None else max_parents
        contexts = np.flatnonzero([name in knowledge.contexts for name in names])
        return cls(np.ascontiguousarray(required.T), np.ascontiguousarray(forbidden.T), most, contexts)

    @property
    def name_arcs(self) -> bool:
        """Whether some arcs must stay, or may not be made."""
        return bool(self.frozen.any() or self.closed.any())

    def required_arcs(self) -> list[tuple[int, int]]:
        """The arcs (u, v) that every graph must have."""
        return [(int(u), int(v)) for v, u in np.argwhere(self.frozen)]

    def changed(self) -> NDArray[np.int64]:
        """The nodes that contexts act on."""
        return np.flatnonzero(self.frozen[:, self.contexts].any(axis=1))

    def contexts_of(self, child: int) -> list[int]:
        """The contexts that act on a node."""
        found: list[int] = self.contexts[self.frozen[child, self.contexts]].tolist()
        return found

    @property
    def columns(self) -> NDArray[np.int64]:
        """The nodes less the contexts: the columns of a person's table."""
        return np.delete(np.arange(len(self.frozen)), self.contexts)

    def of_columns(self) -> "Limits":
        """The limits of the columns of a person's table, less the contexts."""
        among = np.ix_(self.columns, self.columns)
        return Limits(self.frozen[among], self.closed[among], self.max_parents)

    def beside_contexts(self, parents: Sequence[Sequence[int]]) -> list[list[int]]:
        """The parents of all nodes, of those that the columns have among the columns."""
        found: list[list[int]] = [[] for _ in self.frozen]
        for child, members in zip(self.columns.tolist(), parents, strict=True):
            found[child] = sorted(self.columns[list(members)].tolist() + self.contexts_of(child))
        return found

    def free_parents(self, child: int) -> NDArray[np.int64]:
        """The nodes that may be parents of a child and need not."""
        is_free = ~(self.closed[child] | self.frozen[child])
        is_free[child] = False
        return np.flatnonzero(is_free)

    def among(self, chosen: NDArray[np.bool_]) -> "Limits":
        """The limits of a search among candidates; required arcs are allowed whatever they say."""
        is_itself = np.eye(len(chosen), dtype=np.bool_)
        return replace(self, closed=self.closed | ~(chosen | self.frozen | is_itself))


def count_families(limits: Limits) -> int:
    """How many parent sets the limits allow, of all nodes."""
    is_free = ~(limits.closed | limits.frozen)
    np.fill_diagonal(is_free, val=False)
    n_more = np.maximum(limits.most_parents - limits.frozen.sum(axis=1), 0)
    alike = Counter(zip(is_free.sum(axis=1).tolist(), n_more.tolist(), strict=True))
    return sum(n_nodes * _count_subsets(n_free, most) for (n_free, most), n_nodes in alike.items())


def _count_subsets(n: int, most: int) -> int:
    """How many subsets of n have no more than so many members."""
    if most >= n:
        return 1 << n
    found = term = 1
    for size in range(most):
        term = term * (n - size) // (size + 1)
        found += term
    return found
