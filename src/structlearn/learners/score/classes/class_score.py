"""The score of an equivalence class: the sum over the families of its member."""

import math
from typing import NamedTuple

from structlearn.learners.score.classes.pattern import Pattern
from structlearn.learners.score.kernels.class_members import other_families
from structlearn.scores import FamilyScores


class ClassScore(NamedTuple):
    """A sum over families that is counted anew for each class; families that stay are not looked up again."""

    total: float
    pattern: Pattern
    families: list[float]

    @classmethod
    def of(cls, pattern: Pattern, scores: FamilyScores) -> "ClassScore":
        """The score of a class."""
        families = [scores.local(node, parents) for node, parents in enumerate(pattern.member())]
        return cls(math.fsum(families), pattern, families)

    def at(self, then: Pattern, scores: FamilyScores) -> "ClassScore":
        """The score of another class, quick to find if few families are others."""
        families = self.families.copy()
        for node in other_families(*self.pattern.arrows, *then.arrows).tolist():
            families[node] = scores.local(node, then.parents_in_member(node))
        return ClassScore(math.fsum(families), then, families)
