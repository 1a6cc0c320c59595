"""What a search for the features of a log-linear model hands back."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn, Label
from structlearn.graphs import Edge, Graph
from structlearn.learners.regression.log_linear.feature_induction import FeatureInduction, Model
from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.outcome import Outcome

State = tuple[str, Label]


def outcome_of(
    names: tuple[str, ...], search: FeatureInduction, model: Model, extra: Mapping[str, Any]
) -> Outcome:
    """What a search found; `extra` is published with it, but for what is None."""
    indicators = search.indicators
    features = [_states(names, indicators, feature) for feature in model.features]
    return Outcome(
        graph=Graph.from_edges(names, _edges(features, model.weights)),
        status=search.run.status,
        score=indicators.size * model.value,
        trace=_trace(names, search),
        extra={
            **{name: value for name, value in extra.items() if value is not None},
            "features": dict(zip(features, model.weights.tolist(), strict=True)),
            "penalty": search.penalty * indicators.size,
        },
    )


def _states(names: tuple[str, ...], indicators: Indicators, feature: Features) -> tuple[tuple[str, int], ...]:
    members = feature[feature < indicators.constant]
    return tuple((names[indicators.column[k]], int(indicators.code[k])) for k in members)


def _edges(features: list[tuple[tuple[str, int], ...]], weights: NDArray[np.float64]) -> list[Edge]:
    """An edge for each pair of columns in a feature, with the weight of their features."""
    found: dict[tuple[str, str], list[float]] = {}
    for feature, weight in zip(features, weights.tolist(), strict=True):
        for (a, _), (b, _) in combinations(feature, 2):
            found.setdefault((a, b), []).append(weight)
    return [
        Edge(a, b, "undirected", weight=several[0] if len(several) == 1 else float(np.linalg.norm(several)))
        for (a, b), several in found.items()
    ]


def _trace(names: tuple[str, ...], search: FeatureInduction) -> dict[str, NDArray[Any]]:
    size, steps = search.indicators.size, search.steps
    named = [_states(names, search.indicators, step.feature) for step in steps]
    return {
        "feature": np.array([", ".join(name for name, _ in states) for states in named], dtype=object),
        "slope": size * np.array([step.slope for step in steps]),
        "gain": size * np.array([step.gain for step in steps]),
        "score": size * np.array([step.value for step in steps]),
        "n_features": np.array([step.n_features for step in steps], dtype=np.int64),
    }


def labelled(
    features: Mapping[tuple[tuple[str, Any], ...], float], labels: Mapping[str, tuple[Label, ...]]
) -> dict[tuple[State, ...], float]:
    """The features with the labels of their states in place of codes."""
    return {
        tuple((name, labels[name][code]) for name, code in states): weight
        for states, weight in features.items()
    }


def seen_labels(table: Dataset) -> dict[str, tuple[Label, ...]]:
    """The labels of each column that occur in a row that counts."""
    counts = np.ones(table.n_rows, dtype=bool) if table.weights is None else table.weights > 0
    return {
        column.name: tuple(column.labels[code] for code in np.unique(column.codes[counts]))
        for column in table.columns
        if isinstance(column, DiscreteColumn)
    }
