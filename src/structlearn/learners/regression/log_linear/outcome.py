"""What a search for the features of a log-linear model hands back."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.graphs import Edge, Graph
from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Model
from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.outcome import Outcome
from structlearn.statistics import Statistics

State = tuple[str, Label]


def outcome_of(
    statistics: Statistics, search: FeatureInduction, model: Model, extra: Mapping[str, Any]
) -> Outcome:
    """What a search found; `extra` is published with it, but for what is None."""
    names, indicators = statistics.names, search.indicators
    features = [_states(statistics, indicators, feature) for feature in model.features]
    return Outcome(
        graph=Graph.from_edges(names, _edges(features, model.weights)),
        status=search.run.status,
        score=indicators.size * model.value,
        trace=_trace(statistics, search),
        extra={
            **{name: value for name, value in extra.items() if value is not None},
            "features": dict(zip(features, model.weights.tolist(), strict=True)),
            "labels": _seen_labels(statistics),
            "penalty": search.penalty * indicators.size,
        },
    )


def _states(statistics: Statistics, indicators: Indicators, feature: Features) -> tuple[State, ...]:
    """The columns of a feature, each with the label of its state."""
    places = [(indicators.column[k], indicators.code[k]) for k in feature[feature < indicators.constant]]
    return tuple((statistics.names[j], statistics.labels[j][code]) for j, code in places)


def _edges(features: list[tuple[State, ...]], weights: NDArray[np.float64]) -> list[Edge]:
    """An edge for each pair of columns in a feature, with the weight of their features."""
    found: dict[tuple[str, str], list[float]] = {}
    for feature, weight in zip(features, weights.tolist(), strict=True):
        for (a, _), (b, _) in combinations(feature, 2):
            found.setdefault((a, b), []).append(weight)
    return [
        Edge(a, b, "undirected", weight=several[0] if len(several) == 1 else float(np.linalg.norm(several)))
        for (a, b), several in found.items()
    ]


def _trace(statistics: Statistics, search: FeatureInduction) -> dict[str, NDArray[Any]]:
    size, steps = search.indicators.size, search.steps
    named = [_states(statistics, search.indicators, step.feature) for step in steps]
    return {
        "feature": np.array([", ".join(name for name, _ in states) for states in named], dtype=object),
        "slope": size * np.array([step.slope for step in steps]),
        "gain": size * np.array([step.gain for step in steps]),
        "score": size * np.array([step.value for step in steps]),
        "n_features": np.array([step.n_features for step in steps], dtype=np.int64),
    }


def _seen_labels(statistics: Statistics) -> dict[str, tuple[Label, ...]]:
    """The labels of each column that occur in a row that counts."""
    margins = statistics.margins(range(len(statistics.names)))
    return {
        name: tuple(label for label, count in zip(labels, margin.tolist(), strict=True) if count > 0)
        for name, labels, margin in zip(statistics.names, statistics.labels, margins, strict=True)
    }
