"""What a search for decomposable graphs hands back."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.learners.score.cliques.decomposable import (
    Attachment,
    Clique,
    CliqueGains,
    Neighbors,
    is_clique,
    joined,
    total_gain,
)
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run

Pair = tuple[int, int]


def outcome_of(
    names: tuple[str, ...], gains: CliqueGains, attachments: list[Attachment], run: Run
) -> Outcome:
    """The graph that grows by these attachments."""
    pairs = [(a, b) for a, clique in attachments for b in clique]

    def loss(a: int, b: int, common: Clique) -> float:
        return float(gains.of(tuple(sorted((*common, b))))[a] - gains.of(common)[a])

    return Outcome(
        graph=Graph(names, undirected=[(names[a], names[b]) for a, b in pairs]),
        status=run.status,
        score=gains.alone + total_gain(gains, attachments),
        trace=_trace(names, gains, attachments),
        evidence=losses(names, pairs, loss),
    )


def losses(
    names: tuple[str, ...], pairs: Sequence[Pair], loss: Callable[[int, int, Clique], float]
) -> dict[tuple[str, str], EdgeEvidence]:
    """What is lost without each edge, by its ends and the rest of their clique.

    Without an edge of several cliques the graph would not be decomposable; then the least that one of them
    would lose counts.
    """
    neighbors = joined(len(names), [(a, (b,)) for a, b in pairs])
    evidence = {}
    for a, b in pairs:
        rests = _largest_cliques(neighbors, neighbors[a] & neighbors[b])
        evidence[names[a], names[b]] = EdgeEvidence(score_gain=min(loss(a, b, rest) for rest in rests))
    return evidence


def _largest_cliques(neighbors: Neighbors, nodes: set[int]) -> list[Clique]:
    """Those of some nodes of a decomposable graph that are in no larger one."""
    left, found = set(nodes), [frozenset[int]()]
    while left:
        node = next(v for v in sorted(left) if is_clique(neighbors, neighbors[v] & left))
        found.append(frozenset({node, *(neighbors[node] & left)}))
        left.remove(node)
    return [tuple(sorted(clique)) for clique in found if not any(clique < other for other in found)]


def _trace(
    names: tuple[str, ...], gains: CliqueGains, attachments: list[Attachment]
) -> dict[str, NDArray[Any]]:
    gained = np.array([gains.of(clique)[node] for node, clique in attachments], dtype=np.float64)
    joined_to = [", ".join(names[other] for other in clique) for _, clique in attachments]
    return {
        "node": np.array([names[node] for node, _ in attachments], dtype=object),
        "to": np.array(joined_to, dtype=object),
        "gain": gained,
        "score": gains.alone + np.cumsum(gained),
    }
