"""The DAGs that genetic search keeps."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.score.evolution.breeding import Arcs, random_arcs, repaired
from structlearn.rounding import slack
from structlearn.search.dag_state import DAGState
from structlearn.search.ranking import ranked
from structlearn.search.space import Space

MOST_DRAWS = 10  # for each member of the first population: with rows so few that most DAGs fail, give up


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


def first_population(state: DAGState, size: int) -> list[Individual]:
    """The DAG of a state and random ones; those with an impossible family are drawn again."""
    space = state.space
    members = [Individual(state.arcs.copy(), state.score)]
    for _ in range(MOST_DRAWS * size):
        if len(members) == size or space.run.must_stop():
            break
        one = Individual.of(repaired(random_arcs(space.n_nodes, space.rng), space), space)
        if one.score > -np.inf:
            members.append(one)
    return fittest(members, size)


def raised(arcs: Arcs, state: DAGState, n_steps: int) -> Individual:
    """A DAG after its first steps by single arcs; `state` is where it takes them."""
    born = Individual.of(arcs, state.space)
    if n_steps == 0 or born.score == -np.inf:
        return born
    state.become(arcs)
    for _ in range(n_steps):
        move = state.best_move()
        if move is None or move.gain <= slack(state.score):
            break
        state.apply(move)
    return Individual(state.arcs.copy(), state.score)


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
