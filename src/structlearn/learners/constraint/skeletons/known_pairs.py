"""What knowledge says about the two ends of a pair."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.data.pair_knowledge import refuse_directions
from structlearn.errors import OptionError
from structlearn.numerics.acyclic import descends


class KnownPairs:
    """What knowledge says about the two ends of each pair."""

    def __init__(self, names: tuple[str, ...], knowledge: Knowledge) -> None:
        self._is_empty = not knowledge
        if knowledge:
            self.required, self.forbidden = knowledge.matrices(names)

    def may_be_edge(self, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether an arrow is allowed in at least one direction."""
        if self._is_empty:
            return np.ones(len(pairs), dtype=np.bool_)
        a, b = pairs.T
        is_allowed: NDArray[np.bool_] = ~(self.forbidden[a, b] & self.forbidden[b, a])
        return is_allowed

    def must_be_edge(self, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether an arrow is required in one direction."""
        if self._is_empty:
            return np.zeros(len(pairs), dtype=np.bool_)
        a, b = pairs.T
        is_required: NDArray[np.bool_] = self.required[a, b] | self.required[b, a]
        return is_required

    def required_pairs(self) -> NDArray[np.int64]:
        """The pairs of which an arrow is required."""
        if self._is_empty:
            return np.zeros((0, 2), dtype=np.int64)
        return np.argwhere(np.triu(self.required | self.required.T, k=1))

    @property
    def n_closed(self) -> int:
        """How many pairs may have an arrow in no direction."""
        return 0 if self._is_empty else int(np.triu(self.forbidden & self.forbidden.T, k=1).sum())

    def is_required(self, a: int, b: int) -> bool:
        """Whether a → b has to be there."""
        return not self._is_empty and bool(self.required[a, b])

    def is_forbidden(self, a: int, b: int) -> bool:
        """Whether a → b may not be there."""
        return not self._is_empty and bool(self.forbidden[a, b])

    def neighbors_that_must_be(self, n_nodes: int) -> list[set[int]]:
        """The columns that each must be joined to."""
        if self._is_empty:
            return [set() for _ in range(n_nodes)]
        must = self.required | self.required.T
        return [set(np.flatnonzero(row).tolist()) for row in must]

    def refuse_directions(self, owner: str, names: tuple[str, ...]) -> None:
        """Refuse knowledge of one direction only, for a method whose edges have none."""
        if not self._is_empty:
            refuse_directions(owner, names, self.required, self.forbidden)

    def refuse_forbidden_causes(self, owner: str, names: tuple[str, ...]) -> None:
        """Refuse required paths against a forbidden arrow, for a method to which that denies any of them."""
        if self._is_empty:
            return
        against = np.argwhere(descends(self.required) & self.forbidden & ~self.forbidden.T)
        if len(against):
            a, b = (names[v] for v in against[0])
            raise OptionError(
                f"{owner}(knowledge=…): {a} → {b} is forbidden, and required arrows lead there. "
                f"Here that says that {a} is no cause of {b}, direct or not. Drop one of them."
            )

    def directions(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The arrows, among the edges given, that knowledge directs."""
        if self._is_empty:
            return np.zeros((0, 2), dtype=np.int64)
        a, b = pairs.T
        forward = self.required[a, b] | self.forbidden[b, a]
        backward = self.required[b, a] | self.forbidden[a, b]
        return np.concatenate([pairs[forward], pairs[backward & ~forward][:, ::-1]])
