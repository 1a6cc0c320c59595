"""What searches for trees hand back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.independence.asking import Asker
from structlearn.learners.score.trees.directions import Directions
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run
from structlearn.search.space import Space


def outcome_of(
    names: tuple[str, ...], directions: Directions, log_p: NDArray[np.float64], asker: Asker, run: Run
) -> Outcome:
    """The forest with the directions that its edges have, and the p-value of each."""
    edges, arrows, lines = directions.edges, directions.arrows(), directions.lines()
    p_value = np.exp(log_p)
    return Outcome(
        graph=Graph(
            names,
            directed=[(names[a], names[b]) for a, b in arrows],
            undirected=[(names[a], names[b]) for a, b in lines],
        ),
        status=run.status,
        trace={
            "source": np.array([names[a] for a, _ in edges], dtype=object),
            "target": np.array([names[b] for _, b in edges], dtype=object),
            "p_value": np.array([p_value[edge] for edge in edges], dtype=np.float64),
        },
        evidence={
            (names[a], names[b]): EdgeEvidence(p_value=float(p_value[a, b])) for a, b in arrows + lines
        },
        conflicts=tuple(f"{names[a]} → {names[b]} ← {names[c]}" for a, b, c in directions.conflicts),
        n_tests=asker.n_tests,
    )


def strongest_first(space: Space, parents: list[list[int]]) -> dict[str, NDArray[Any]]:
    """The arcs from the strongest down, and what the score comes to with each."""
    gains = {arc: known.score_gain or 0.0 for arc, known in space.evidence(parents).items()}
    ordered = sorted(gains.items(), key=lambda found: (-found[1], found[0]))
    gained = np.array([gain for _, gain in ordered], dtype=np.float64)
    return {
        "source": np.array([source for (source, _), _ in ordered], dtype=object),
        "target": np.array([target for (_, target), _ in ordered], dtype=object),
        "gain": gained,
        "score": space.scores.total([() for _ in parents]) + np.cumsum(gained),
    }
