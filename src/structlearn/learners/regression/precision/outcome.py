"""What the graphical lasso hands back."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.learners.regression.precision.path import PathPoint, edges_of
from structlearn.numerics.partial_correlations import partial_correlations
from structlearn.numerics.precision.penalised_likelihood import Matrix
from structlearn.outcome import EdgeEvidence, Outcome, Pair
from structlearn.run import Status


def outcome_of(
    names: tuple[str, ...],
    points: list[PathPoint],
    chosen: PathPoint,
    status: Status,
) -> Outcome:
    """The graph at the penalty chosen, and the path that led there."""
    precision = chosen.precision.toarray()
    evidence = _evidence(names, precision)
    return Outcome(
        graph=Graph(names, undirected=list(evidence)),
        status=status,
        evidence=evidence,
        trace=_trace(points),
        by_pair={"precision": precision, "path": tuple(points)},
        extra={
            "penalty": chosen.penalty,
            "gap": chosen.gap,
            "objective": chosen.objective,
        },
    )


def _evidence(names: tuple[str, ...], precision: Matrix) -> dict[Pair, EdgeEvidence]:
    a, b = np.divmod(edges_of(precision), len(precision))
    partial = partial_correlations(precision)[a, b]
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
