"""What the distributions in the leaves of a tree have in common: their parents, and who asks for them."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.models.cpds.arguments import refuse_other_levels
from structlearn.models.cpds.protocol import Rows
from structlearn.models.cpds.shown import ShownCPD
from structlearn.models.cpds.tree_shape import TreeShape
from structlearn.models.kernels.routing import LEAF


class ByTests(ShownCPD):
    """A distribution for each leaf of a tree of tests on the parents."""

    form: ClassVar[str]
    _shape: TreeShape

    @property
    def parents(self) -> tuple[str, ...]:
        """The names of the parents."""
        return self._shape.names

    @property
    def parent_levels(self) -> dict[str, int]:
        """The number of states of each parent; 0 for continuous ones."""
        return self._shape.levels

    @property
    def tested_parents(self) -> tuple[str, ...]:
        """The parents that the tree asks for; the node does not depend on the others."""
        return self._shape.tested_parents

    @property
    def n_leaves(self) -> int:
        """How many distributions there are."""
        return len(self._shape.leaves)

    def leaves_of(self, parents: Sequence[Rows], n: int) -> NDArray[np.int64]:
        """The place of the leaf that each of `n` rows of the parents leads to."""
        return self._shape.leaf_of_rows(parents, n)

    def is_independent_of(self, parent: str, context: Mapping[str, Label] | None = None) -> bool:
        """Whether the node is independent of a parent where others have the values of `context`.

        True where no test of the parent can be reached, so for every distribution in the leaves.
        """
        context = context or {}
        if parent not in self.parents or parent in context:
            raise DataError(
                f"is_independent_of: {parent!r} has to be a parent without a value in the context; there "
                f"are {', '.join(self.parents)}."
            )
        place = self.parents.index(parent)
        shape = self._shape
        return all(
            shape.tests[vertex] == LEAF or shape.tested[vertex] != place
            for vertex in shape.reachable("is_independent_of", context)
        )

    def check(self, child: str, levels: Mapping[str, int]) -> None:
        """Refuse parents whose number of states is not that of the tree."""
        refuse_other_levels(self.form, child, self.parent_levels, levels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ByTests) or self.form != other.form:
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        raise NotImplementedError
