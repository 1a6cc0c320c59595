"""The DAGs that genetic search keeps."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from structlearn.learners.score.evolution.breeding import Arcs
from structlearn.search.ranking import ranked
from structlearn.search.space import Space


@dataclass(frozen=True, slots=True)
class Individual:
    """A DAG and its score."""

    arcs: Arcs
    score: float

    @classmethod
    def of(cls, arcs: Arcs, space: Space) -> "Individual":
        """Score a DAG."""
        return cls(arcs, space.scores.total([np.flatnonzero(row).tolist() for row in arcs]))


def fittest(individuals: Iterable[Individual], n_kept: int) -> list[Individual]:
    """The best of them, from the best down; no DAG twice, and none with an impossible family."""
    distinct = {np.packbits(one.arcs).tobytes(): one for one in individuals if one.score > -np.inf}
    members = list(distinct.values())
    return [members[place] for place in ranked(np.array([one.score for one in members]))[:n_kept]]
