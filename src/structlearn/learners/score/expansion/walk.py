"""A walk from each graph to the best one that waits, wherever it was found."""

import numpy as np

from structlearn.learners.score.expansion.frontier import Frontier
from structlearn.learners.score.expansion.neighbors import neighbors, start_step
from structlearn.search.dag_state import DAGState
from structlearn.search.kernels import moves


class Walk:
    """A graph that jumps to the best one waiting, and what it has left behind."""

    def __init__(self, starts: list[DAGState], max_open: int) -> None:
        self.state = starts[0].copy()
        self.frontier = Frontier(max_open)
        self._visited = [np.packbits(start.arcs) for start in starts]
        for origin, start in enumerate(starts):
            self.frontier.push(start_step(start, origin))

    def advance(self) -> np.void:
        """Go to the best waiting graph."""
        step = self.frontier.pop()
        n = len(self.state.arcs)
        arcs = np.unpackbits(self._visited[step["origin"]], count=n * n).astype(np.bool_).reshape(n, n)
        if step["kind"] != moves.NONE:
            arcs[step["v"], step["u"]] ^= True
        if step["kind"] == moves.REVERSE:
            arcs[step["u"], step["v"]] = True
        self.state.become(arcs)
        return step

    def expand(self) -> None:
        """Let the graphs one move away wait."""
        self.frontier.push(neighbors(self.state, len(self._visited)))
        self._visited.append(np.packbits(self.state.arcs))
