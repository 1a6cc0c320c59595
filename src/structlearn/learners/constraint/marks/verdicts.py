"""Whether a node is in the sets that separate two others: by the first such set, or by a vote."""

from dataclasses import dataclass

import numpy as np

from structlearn.independence.asking import Asker
from structlearn.learners.constraint.directions.collider_votes import (
    colliders_by_vote,
    every_separator,
    is_elected,
)
from structlearn.learners.constraint.directions.orientation import (
    Colliders,
    as_triples,
    outside_separators,
    unshielded_triples,
)
from structlearn.learners.constraint.skeletons.pruning_options import ColliderRule
from structlearn.learners.constraint.skeletons.skeleton import Skeleton


@dataclass(frozen=True)
class Verdicts:
    """What the separating sets of a skeleton say by a collider rule.

    Those that vote are the sets of neighbours that separate a pair, and the set found first. Where the test
    is the truth, all say the same, and the first is enough.
    """

    asked_rule: ColliderRule
    skeleton: Skeleton
    asker: Asker
    max_conditioning: int | None

    @property
    def rule(self) -> ColliderRule:
        """Which sets decide."""
        return "first" if self.asker.knows_separators else self.asked_rule

    def colliders(self) -> Colliders:
        """The unshielded triples that are colliders, and those that nobody knows of."""
        triples = unshielded_triples(self.skeleton.lines, self.asker.must_stop)
        separators = self.skeleton.separators
        if self.rule == "first":
            return Colliders(outside_separators(triples, separators)[0], as_triples(()))
        return colliders_by_vote(
            triples,
            self.skeleton.lines,
            separators,
            self.asker,
            rule=self.rule,
            max_conditioning=self.max_conditioning,
        )

    def is_given(self, node: int, a: int, c: int) -> bool | None:
        """Whether the sets that separate a and c have the node; None where that is not known."""
        pair = np.array([[min(a, c), max(a, c)]])
        if self.rule == "first":
            at = int(self.skeleton.separators.find(*pair.T)[0])
            return None if at < 0 else node in self.skeleton.separators.given[at]
        found = every_separator(
            pair, self.skeleton.lines, self.skeleton.separators, self.asker, self.max_conditioning
        )
        return is_elected(node, found[0], self.rule) if found else None
