"""What greedy search among classes hands back: its moves, its CPDAG, and what each edge is worth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.graphs import Graph
from structlearn.graphs.links import Links
from structlearn.learners.score.classes.admission import Admission
from structlearn.learners.score.classes.moves import ClassMove
from structlearn.learners.score.classes.search import ClassSearch
from structlearn.outcome import EdgeEvidence, Pair
from structlearn.search.limits import Limits
from structlearn.search.space import Space


class ClassTrace:
    """Every move of a run, step by step."""

    def __init__(self, space: Space) -> None:
        self._names = np.array(space.names, dtype=object)
        self._contexts = space.limits.contexts
        self._run = space.run
        self._steps: list[tuple[ClassMove, float]] = []

    def add(self, move: ClassMove, score: float) -> None:
        """Note a move that led to this score."""
        self._steps.append((move, score))
        self._run.show(f"score {score:.1f} after {len(self._steps)} moves")

    def columns(self) -> dict[str, NDArray[Any]]:
        """The moves as columns."""
        moves = [move for move, _ in self._steps]
        befores = [[node for node in move.before if node not in self._contexts] for move in moves]
        return {
            "move": np.array([move.kind for move in moves], dtype=object),
            "source": self._names[[move.source for move in moves]],
            "target": self._names[[move.target for move in moves]],
            "before": np.array([", ".join(self._names[before]) for before in befores], dtype=object),
            "gain": np.array([move.gain for move in moves], dtype=np.float64),
            "score": np.array([score for _, score in self._steps], dtype=np.float64),
        }


def graph_of_links(names: tuple[str, ...], links: Links) -> Graph:
    """The graph with the names of its nodes."""
    return Graph(
        names,
        directed=[(names[a], names[b]) for a, b in links.arrows.tolist()],
        undirected=[(names[a], names[b]) for a, b in links.lines.tolist()],
    )


def evidence_of(search: ClassSearch) -> dict[Pair, EdgeEvidence]:
    """What the cheapest deletion of each edge would cost."""
    names = search.space.names
    unlimited = Admission(Limits.of(names, Knowledge()))
    cost: dict[tuple[int, int], float] = {}
    for move in search.deletions(unlimited):
        ends = (min(move.source, move.target), max(move.source, move.target))
        cost[ends] = min(cost.get(ends, np.inf), -move.gain)
    return {(names[a], names[b]): EdgeEvidence(score_gain=loss) for (a, b), loss in cost.items()}
