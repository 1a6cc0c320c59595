"""What a Markov network is given, checked: labels, factors, features."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from structlearn.data import Label
from structlearn.data.states import NOWHERE, places_of
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.models.factors import Factor, Feature
from structlearn.models.factors_parameters import Place
from structlearn.models.undirected_graph import refuse_unjoined

Labels = dict[str, tuple[Label, ...]]
Names = tuple[str, ...]


def checked_labels(graph: Graph, labels: Mapping[str, Iterable[Label]]) -> Labels:
    """One label or more for each node, all different."""
    if not isinstance(labels, Mapping):
        raise DataError(f"labels are a mapping from each node to its states, not {labels!r}.")
    for node in [*labels, *graph.nodes]:
        if node not in graph:
            raise DataError(f"labels has {node!r}, which is no node of the graph.")
        if node not in labels:
            raise DataError(
                f"labels lacks the node {node!r}; give the states of every node, or none and fit."
            )
    return {node: _states(node, labels[node]) for node in graph.nodes}


def checked_scopes(graph: Graph, factors: Iterable[Factor | Iterable[str]]) -> tuple[Names, ...]:
    """The names of each factor, which are all joined in the graph."""
    scopes = [part.names if isinstance(part, Factor) else tuple(part) for part in factors]
    for names in scopes:
        if not names or len(set(names)) < len(names):
            raise DataError(f"factors: {names!r} should be one or more different nodes.")
        refuse_unjoined(graph, names, f"The factor of {', '.join(map(str, names))}")
    return tuple(scopes)


def as_features(graph: Graph, features: Any) -> tuple[Feature, ...]:
    """Features, also from a mapping of tuples of (node, label) to weights, as `LogLinearMRF` has it."""
    if isinstance(features, Mapping):
        features = [Feature(dict(states), weight) for states, weight in features.items()]
    found = tuple(features)
    for feature in found:
        if not isinstance(feature, Feature):
            raise DataError(f"features are of the type Feature, not {feature!r}.")
        refuse_unjoined(graph, tuple(feature.states), f"{feature!r}")
    return found


def labels_of_tables(graph: Graph, factors: Sequence[Factor]) -> Labels | None:
    """The states 0, 1, … of each node; None where some node is in no table."""
    known = axis_labels(factors)
    return {node: known[node] for node in graph.nodes} if set(graph.nodes) <= set(known) else None


def axis_labels(factors: Sequence[Factor]) -> Labels:
    """The states 0, 1, … along the axes of tables, for each node that has one."""
    return {
        name: tuple(range(size))
        for factor in factors
        for name, size in zip(factor.names, factor.table.shape, strict=True)
    }


def check_shapes(factors: Sequence[Factor], labels: Mapping[str, tuple[Label, ...]]) -> None:
    """Refuse a table whose axis is not as long as the states of its node are many."""
    for factor in factors:
        for name, size in zip(factor.names, factor.table.shape, strict=True):
            if len(labels[name]) != size:
                raise DataError(
                    f"The factor of {', '.join(factor.names)} has {size} rows for {name!r}, which has "
                    f"{len(labels[name])} states."
                )


def place_of(feature: Feature, number: Mapping[str, int], labels: Mapping[str, tuple[Label, ...]]) -> Place:
    """The columns of a feature, ascending, and the codes of their states."""
    known = sorted((number[name], _code(name, state, labels)) for name, state in feature.states.items())
    return tuple(column for column, _ in known), tuple(code for _, code in known)


def _code(name: str, state: Label, labels: Mapping[str, tuple[Label, ...]]) -> int:
    """The code of a state."""
    (code,) = places_of([state], labels[name])
    if code == NOWHERE:
        raise DataError(f"A feature has {name!r} = {state!r}, and the states of {name!r} are {labels[name]}.")
    return code


def _states(node: str, labels: Any) -> tuple[Label, ...]:
    if isinstance(labels, Iterable) and not isinstance(labels, str):
        states = tuple(labels)
        if all(isinstance(state, Label) for state in states) and 0 < len(set(states)) == len(states):
            return states
    raise DataError(f"labels: {node!r} needs one or more different texts or numbers, not {labels!r}.")
