"""What the graphical lasso hands back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.learners.regression.precision.path import PathPoint
from structlearn.outcome import EdgeEvidence, Outcome, Pair, edges_of
from structlearn.run import Status


def outcome_of(
    names: tuple[str, ...],
    points: list[PathPoint],
    chosen: PathPoint,
    status: Status,
) -> Outcome:
    """The graph at the penalty chosen, and the path that led there."""
    evidence = _evidence(names, chosen.precision)
    return Outcome(
        graph=Graph(names, edges=edges_of(evidence, "undirected")),
        status=status,
        evidence=evidence,
        trace=_trace(points),
        by_pair={"precision": chosen.precision.toarray(), "path": tuple(points)},
        extra={
            "penalty": chosen.penalty,
            "gap": chosen.gap,
            "objective": chosen.objective,
        },
    )


def _evidence(names: tuple[str, ...], precision: Any) -> dict[Pair, EdgeEvidence]:
    """The partial correlation of each edge, of a sparse matrix."""
    a, b = precision.nonzero()
    a, b, entries = (values[a < b] for values in (a, b, precision.data))
    scale = np.sqrt(precision.diagonal())
    partial = -entries / (scale[a] * scale[b])
    return {
        (names[i], names[j]): EdgeEvidence(score_gain=value)
        for i, j, value in zip(a.tolist(), b.tolist(), partial.tolist(), strict=True)
    }


def _trace(points: list[PathPoint]) -> dict[str, NDArray[Any]]:
    return {
        "penalty": np.array([point.penalty for point in points]),
        "edges": np.array([point.n_edges for point in points]),
        "criterion": np.array([point.criterion for point in points]),
        "steps": np.array([point.n_steps for point in points]),
        "gap": np.array([point.gap for point in points]),
    }
