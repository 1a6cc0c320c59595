"""The DAGs that genetic search keeps."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


class Generations:
    """The scores of every generation."""

    def __init__(self) -> None:
        self._scores: list[list[float]] = []

    def add(self, population: list[Individual]) -> None:
        """Note a generation, unless it has died out."""
        if population:
            self._scores.append([one.score for one in population])

    def columns(self) -> dict[str, NDArray[Any]]:
        """The best, mean and worst score of every generation, and its size."""
        return {
            "score": np.array([max(scores) for scores in self._scores]),
            "mean": np.array([sum(scores) / len(scores) for scores in self._scores]),
            "worst": np.array([min(scores) for scores in self._scores]),
            "size": np.array([len(scores) for scores in self._scores]),
        }
