"""From the blankets of all columns to the edges of a graph."""

import numpy as np

from structlearn.independence.asking import Asker
from structlearn.learners.constraint.blankets.blankets import Blankets
from structlearn.learners.constraint.blankets.neighborhoods import Within
from structlearn.learners.constraint.skeletons.known_pairs import KnownPairs
from structlearn.learners.constraint.skeletons.separators import Separators
from structlearn.learners.constraint.skeletons.skeleton import Skeleton, tell_of_untested
from structlearn.run import Run


def joined_blankets(blankets: Blankets, known_pairs: KnownPairs) -> Skeleton:
    """Every pair of a blanket: the structure of a Markov random field."""
    is_edge = known_pairs.may_be_edge(blankets.pairs)
    nothing = Separators(blankets.n_nodes, [])
    return Skeleton(blankets.pairs[is_edge], blankets.largest_p[is_edge], nothing)


def neighbors_within(within: Within, blankets: Blankets, known_pairs: KnownPairs, run: Run) -> Skeleton:
    """The pairs of blankets that no subset of the smaller one separates."""
    largest_p, separators = within.separate(blankets.pairs)
    if within.n_tests < len(blankets.pairs):  # each takes one at least
        tell_of_untested(run, len(blankets.pairs), within.n_tests)
    is_edge = ~np.isnan(largest_p) & known_pairs.may_be_edge(blankets.pairs)
    is_edge |= known_pairs.must_be_edge(blankets.pairs)
    return Skeleton(blankets.pairs[is_edge], np.nan_to_num(largest_p[is_edge], nan=1.0), separators)


class Steps:
    """How many tests each step took, and what was left after it."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._n_before = 0
        self.columns: dict[str, list[object]] = {"step": [], "tests": [], "edges": []}

    def add(self, step: str, n_edges: int) -> None:
        """Note the end of a step."""
        values = (step, self._asker.n_tests - self._n_before, n_edges)
        self._n_before = self._asker.n_tests
        for column, value in zip(self.columns.values(), values, strict=True):
            column.append(value)
