"""The score of an equivalence class: the sum over the families of its member."""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.classes.pattern import Pattern
from structlearn.scores import FamilyScores


class ClassScore(NamedTuple):
    """A sum over families that is counted anew for each class; families that stay are not looked up again.

    Families are told apart by the sums of a random word for each parent.
    """

    total: float
    words: NDArray[np.uint64]
    families: NDArray[np.float64]

    @classmethod
    def of(cls, pattern: Pattern, scores: FamilyScores) -> "ClassScore":
        """The score of a class."""
        words = _family_words(pattern)
        families = np.array([scores.local(node, parents) for node, parents in enumerate(pattern.member())])
        return cls(math.fsum(families), words, families)

    def at(self, then: Pattern, scores: FamilyScores) -> "ClassScore":
        """The score of another class, quick to find if few families are others."""
        words = _family_words(then)
        families = self.families.copy()
        for node in np.flatnonzero(words != self.words).tolist():
            families[node] = scores.local(node, then.parents_in_member(node))
        return ClassScore(math.fsum(families), words, families)


def _family_words(pattern: Pattern) -> NDArray[np.uint64]:
    """A word for the parents of every node: sums run over, so that differences of running sums are exact."""
    running = np.zeros(len(pattern.others) + 1, dtype=np.uint64)
    np.cumsum(np.where(pattern.is_above, _words(pattern.n_nodes)[pattern.others], 0), out=running[1:])
    words: NDArray[np.uint64] = np.diff(running[pattern.starts])
    return words


@lru_cache(maxsize=4)
def _words(n_nodes: int) -> NDArray[np.uint64]:
    return np.random.default_rng(0).integers(2**64, size=n_nodes, dtype=np.uint64)
