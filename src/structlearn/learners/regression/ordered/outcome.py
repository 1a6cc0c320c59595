"""What regressions in one order of columns, or in several, say together."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.learners.regression.ordered.estimates import OrderEstimate, OrderPoint
from structlearn.numerics.covariance_selection import covariance_selection
from structlearn.outcome import EdgeEvidence, Outcome
from structlearn.run import Run, Status

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """The means over orders; `probability`, of an edge, where draws say."""

    precision: Floats
    partial: Floats
    probability: Floats | None

    @classmethod
    def of(cls, estimates: list[OrderEstimate]) -> "MeanEstimate":
        """The means of some estimates."""
        known = [each.probability for each in estimates if each.probability is not None]
        return cls(
            np.mean([each.precision for each in estimates], axis=0),
            np.mean([each.partial for each in estimates], axis=0),
            np.asarray(np.mean(known, axis=0)) if known else None,
        )

    def edges(self, *, threshold: float, min_probability: float) -> Mask:
        """The pairs whose partial correlation is large, or probable enough to be; none to itself."""
        is_edge = np.abs(self.partial) > threshold
        if self.probability is not None:
            is_edge = self.probability > min_probability
        return np.asarray(is_edge & ~np.eye(len(is_edge), dtype=np.bool_))

    def evidence(self, names: tuple[str, ...], is_edge: Mask) -> dict[tuple[str, str], EdgeEvidence]:
        """The partial correlation of each edge, and its probability."""
        return {
            (names[i], names[j]): EdgeEvidence(
                score_gain=float(self.partial[i, j]),
                confidence=None if self.probability is None else float(self.probability[i, j]),
            )
            for i, j in np.argwhere(np.triu(is_edge)).tolist()
        }


def refitted(correlation: Floats, is_edge: Mask, precision: Floats, run: Run) -> Floats:
    """The most likely precision matrix with these edges; the one given where there are too few rows."""
    fit = covariance_selection(correlation, is_edge)
    if fit is not None:
        return fit.precision
    run.warn(
        "there are too few rows to fit so many edges, so refit=True leaves precision_ as the regressions "
        "have it. Take a larger threshold."
    )
    return precision


def outcome_of(
    names: tuple[str, ...],
    evidence: dict[tuple[str, str], EdgeEvidence],
    precision: Floats,
    estimates: list[OrderEstimate],
    status: Status,
) -> Outcome:
    """The graph, with the regressions of the last order."""
    last = estimates[-1]
    samples = [sample for each in estimates for sample in each.samples]
    return Outcome(
        graph=Graph(names, undirected=list(evidence)),
        status=status,
        evidence=evidence,
        trace=_trace(last.path),
        by_pair={
            "precision": precision,
            "coefficients": last.fit.coefficients,
            **({"samples": np.array(samples)} if samples else {}),
        },
        extra={
            "order": tuple(names[i] for i in last.order.tolist()),
            "penalty": last.penalty,
        },
    )


def _trace(path: list[OrderPoint]) -> dict[str, NDArray[Any]]:
    return {
        "penalty": np.array([point.penalty for point in path]),
        "coefficients": np.array(
            [np.count_nonzero(point.fit.coefficients) for point in path], dtype=np.int64
        ),
        "criterion": np.array([point.criterion for point in path]),
    }
