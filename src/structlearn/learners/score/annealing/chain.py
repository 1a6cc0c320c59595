"""Random changes of a graph, accepted by what they do to its score."""

import numpy as np

from structlearn.learners.score.kernels import annealing as kernels
from structlearn.search.dag_state import DAGState, Move
from structlearn.search.kernels import moves

DRAWS = 1024  # proposals between two looks at the clock


class Chain:
    """A graph, its random numbers and how many proposals it has had."""

    def __init__(self, state: DAGState) -> None:
        self.state = state
        self.n_proposals = 0
        self._draws = np.empty((0, 3))

    def next_change(self, temperature: float, most: int) -> Move | None:
        """Propose until a change is accepted, or the numbers at hand or `most` proposals are used up."""
        if len(self._draws) == 0:
            self._draws = self.state.space.rng.random((DRAWS, 3))
        limits = self.state.limits
        n_used, kind, u, v, gain = kernels.next_change(
            self.state.gains,
            self.state.arcs,
            self.state.ancestors,
            limits.frozen,
            limits.closed,
            limits.most_parents,
            max(temperature, np.finfo(np.float64).tiny),
            self._draws[:most],
        )
        self._draws = self._draws[n_used:]
        self.n_proposals += n_used
        return None if kind == moves.NONE else Move(kind, u, v, gain)
