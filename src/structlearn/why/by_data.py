"""What a table says of a pair: scores with and without an edge, and tests."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.scores import FamilyScores, Score, score_for
from structlearn.scores.in_contexts import in_contexts
from structlearn.scores.interventional import with_experiments
from structlearn.statistics import Missing, Source, statistics_beside_targets
from structlearn.statistics.contexts import Contexts
from structlearn.statistics.experiments import rows_and_targets
from structlearn.why.record import Record

OWNER = "why"
NO_CONTEXTS: Mapping[str, tuple[str, ...]] = {}


def said_by_scores(
    graph: Graph, pair: tuple[str, str], source: Source, score: str | Score | None, record: Record
) -> Iterator[str]:
    """What each direction of an edge does to the score of the graph, or of a DAG that it stands for."""
    try:
        dags = [_dag_with(graph, *ends) for ends in (pair, pair[::-1])]
    except DataError:
        return  # a graph without a DAG has no score
    families, acting, named = _family_scores(graph, source, score, record)
    place = {name: i for i, name in enumerate(graph.nodes)}
    for dag, (cause, effect) in zip(dags, (pair, pair[::-1]), strict=True):
        arcs = [arc for arc in dag.directed if set(arc) != set(pair)]
        if cause in Graph(dag.nodes, directed=arcs).descendants(effect):
            yield f"{cause} → {effect} would close a directed cycle."
            continue
        others = [place[node] for node, child in arcs if child == effect] + acting[effect]
        gain = families.local(place[effect], [*others, place[cause]]) - families.local(place[effect], others)
        if gain == -math.inf:  # states have no continuous parents, columns none that determine them
            yield (
                f"{cause} → {effect} is not among what the score {named} compares: no such family is "
                "possible."
            )
            continue
        yield f"{cause} → {effect} changes the score {named} of {effect}'s family by {gain:+,.2f}."


def _dag_with(graph: Graph, source: str, target: str) -> Graph:
    """A DAG of the graph; one with this direction of their edge, where it has none."""
    edge = graph.edge(source, target)
    if edge is None or edge.kind != "undirected":
        return graph.to_dag()
    lines = [line for line in graph.undirected if set(line) != {source, target}]
    return Graph(graph.nodes, directed=[*graph.directed, (source, target)], undirected=lines).to_dag()


def _family_scores(
    graph: Graph, source: Source, score: str | Score | None, record: Record
) -> tuple[FamilyScores, dict[str, list[int]], str]:
    """The scores of families of the rows that the method had, the contexts of each, and what they are called.

    Where columns were changed and not set, their contexts come after the nodes.
    """
    chosen = score or record.score or "bic"
    by_family = record.missing == "familywise" and (chosen == "pnal" or getattr(chosen, "takes_gaps", False))
    rows: Missing = "familywise" if by_family else "error" if record.missing == "error" else "drop"
    is_there = not isinstance(record.targets, str) or record.targets in source.names
    targets, acts_on = record.targets if is_there else None, NO_CONTEXTS
    if record.is_soft and targets is not None:
        changed = rows_and_targets(OWNER, source, targets, nodes=graph.nodes, missing=rows)
        contexts = Contexts.of(OWNER, *changed)
        source, targets, acts_on = contexts.table, None, contexts.acts_on
    columns = [*graph.nodes, *acts_on]
    statistics = statistics_beside_targets(OWNER, source, columns, targets=targets, missing=rows)
    if not isinstance(chosen, str | Score):
        chosen = chosen(statistics)
    found = with_experiments(OWNER, score_for(OWNER, chosen, statistics), statistics)
    found = in_contexts(found, statistics, frozenset(acts_on)) if acts_on else found
    acting = {node: [columns.index(each) for each in acts_on if node in acts_on[each]] for node in columns}
    return FamilyScores(found, statistics), acting, repr(chosen) if isinstance(chosen, str) else str(chosen)


def said_by_tests(pair: tuple[str, str], given: tuple[str, ...], data: Any) -> Iterator[str]:
    """Whether two columns are independent alone, and given what should separate them."""
    from structlearn.independence import test_independence  # noqa: PLC0415, few ask why

    for condition in {(): None, given: None}:
        found = test_independence(data, *pair, given=condition, missing="drop")
        alone = f"Given {', '.join(condition)}" if condition else "Taken alone"
        doubt = "" if found.reliable else "; there are too few rows for this test to be relied on"
        yield f"{alone}, the test of independence has p-value {found.p_value:.2g}{doubt}."
