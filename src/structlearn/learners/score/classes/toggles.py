"""What toggling each parent gains nodes with some sets of parents."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.admission import Admission
from structlearn.scores import FamilyScores
from structlearn.scores.families import Family

TOGGLE_BYTES = 64 * 2**20  # of gains of nodes with a set of parents: searches come back to most of them
Gains = NDArray[np.float64]


class Toggles:
    """The gains of each node as one parent more, or one less: remembered, and scored in large batches.

    Parameters
    ----------
    scores : FamilyScores
        The score.
    admission : Admission
        How many parents a node may have: where there is no room, one more gains −∞.
    """

    def __init__(self, scores: FamilyScores, admission: Admission) -> None:
        self._scores = scores
        self._admission = admission
        self._known: dict[Family, Gains] = {}
        self._most = TOGGLE_BYTES // (8 * scores.n_nodes)

    def within(self, admission: Admission) -> "Toggles":
        """The same score within other limits."""
        return Toggles(self._scores, admission)

    def prepare(self, families: Iterable[Family]) -> None:
        """Score what is not known of families, whose parents are sorted, in few batches."""
        unknown = [family for family in families if family not in self._known]
        may_grow = [family for family in unknown if self._admission.has_room(family[1])]
        self._scores.prepare_toggles(may_grow)
        if len(may_grow) < len(unknown):
            self._scores.prepare_losses(unknown)

    def of(self, family: Family) -> Gains:
        """The gains of a family, whose parents are sorted."""
        known = self._known.get(family)
        if known is None:
            known = self._known[family] = self._found(*family)
            if len(self._known) > self._most:
                del self._known[next(iter(self._known))]
        return known

    def _found(self, node: int, parents: tuple[int, ...]) -> Gains:
        if self._admission.has_room(parents):
            return self._scores.toggles(node, parents)
        gains = np.full(self._scores.n_nodes, -np.inf)
        now = self._scores.local(node, parents)
        for parent in parents:
            gains[parent] = self._scores.local(node, set(parents) - {parent}) - now
        return gains
