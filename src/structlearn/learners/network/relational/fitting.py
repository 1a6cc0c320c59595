"""From the parents that were found to a graph, what speaks for its edges, and a model."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from structlearn.data.relational import Feature, Schema, features_of
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.learners.network.relational.search import Plan, Search
from structlearn.outcome import EdgeEvidence, Pair
from structlearn.scores import CPDForm, Score

if TYPE_CHECKING:
    from structlearn.models.relational import ProbabilisticRelationalModel


def refuse_taken_names(schema: Schema, plan: Plan) -> None:
    """Refuse columns that are called as an aggregate is: both would be one node."""
    bases = (each.name for each in schema.classes)
    made = (features_of(schema, b, max_length=plan.max_chain, aggregates=plan.aggregates) for b in bases)
    for feature in chain.from_iterable(made):
        if feature.aggregate is not None and (name := _seen_node(feature)) in schema.nodes:
            raise DataError(
                f"Column {name!r} has the name of what each {feature.base!r} sees of others. Rename it, or "
                f"leave {feature.aggregate!r} out of aggregates=."
            )


def source_node(feature: Feature) -> str:
    """The node that an arrow of a feature comes from; a count is a node of its own."""
    return feature.source or _seen_node(feature)


def class_graph(schema: Schema, structure: Mapping[str, Sequence[Feature]]) -> Graph:
    """The attributes with arrows from their parents: classes are groups, and chains are facts."""
    facts: dict[str, dict[str, Any]] = {each.node: {"group": each.owner} for each in schema.attributes}
    for node, features in structure.items():
        if features:
            facts[node]["parents"] = {str(feature): source_node(feature) for feature in features}
        for feature in features:
            facts.setdefault(source_node(feature), {"group": feature.base, "chain": str(feature)})
    arrows = {
        (source_node(feature), node): None for node, features in structure.items() for feature in features
    }
    is_dag = Graph(facts, directed=arrows).is_dag
    return Graph(facts, directed=arrows, kind="DAG" if is_dag else "cyclic", facts=facts)


def edge_evidence(search: Search) -> dict[Pair, EdgeEvidence]:
    """What the score would lose without each arrow, that is, without all the features that make it."""
    found = {}
    for node, features in search.structure.items():
        target = search.targets[node]
        now = target.score(target.columns(features))
        for source in dict.fromkeys(map(source_node, features)):
            fewer = [feature for feature in features if source_node(feature) != source]
            found[source, node] = EdgeEvidence(score_gain=now - target.score(target.columns(fewer)))
    return found


def fitted_model(
    schema: Schema, search: Search, graph: Graph, *, cpd: CPDForm, score: str | Score, smoothing: float
) -> "ProbabilisticRelationalModel":
    """The model with the distributions that the database shows."""
    from structlearn.models.cpds import (  # noqa: PLC0415, a door to a later layer
        CPD,
        Family,
        TableCPD,
        TreeCPD,
    )
    from structlearn.models.relational import (  # noqa: PLC0415, as above
        Dependency,
        ProbabilisticRelationalModel,
    )

    dependencies = {}
    for node, target in search.targets.items():
        columns = search.columns(node)
        labels = target.statistics.labels
        family = Family(target.statistics, 0, columns, labels[0], tuple(labels[column] for column in columns))
        made: CPD
        if cpd == "tree":
            made = TreeCPD.fit(family, smoothing=smoothing, score=score)
        else:
            made = TableCPD.fit(family, smoothing=smoothing)
        dependencies[node] = Dependency(tuple(target.coded[column - 1] for column in columns), made)
    return ProbabilisticRelationalModel(graph, schema, dependencies)


def _seen_node(feature: Feature) -> str:
    return f"{feature.base}.{feature}"
