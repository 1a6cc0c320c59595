"""What a table says of a pair: scores with and without an edge, and tests."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.scores import FamilyScores, score_for
from structlearn.statistics import opened, statistics_of

if TYPE_CHECKING:
    from structlearn.scores import Score

OWNER = "why"


def said_by_scores(graph: Graph, pair: tuple[str, str], data: Any, score: "str | Score") -> Iterator[str]:
    """What each direction of an edge does to the score of the graph, or of a DAG that it stands for."""
    try:
        dag = graph.to_dag()
    except DataError:
        return  # a graph without a DAG has no score
    statistics = statistics_of(opened(data), graph.nodes, owner=OWNER)
    families = FamilyScores(score_for(OWNER, score, statistics), statistics)
    place = {name: i for i, name in enumerate(statistics.names)}
    named = repr(score) if isinstance(score, str) else str(score)
    for source, target in (pair, pair[::-1]):
        others = [place[node] for node in dag.parents(target) if node != source]
        if source in dag.descendants(target) and dag.edge(target, source) is None:
            yield f"{source} → {target} would close a directed cycle."
            continue
        gain = families.local(place[target], [*others, place[source]]) - families.local(place[target], others)
        yield f"{source} → {target} changes the score {named} of {target}'s family by {gain:+,.2f}."


def said_by_tests(pair: tuple[str, str], given: tuple[str, ...], data: Any) -> Iterator[str]:
    """Whether two columns are independent alone, and given what should separate them."""
    from structlearn.independence import test_independence  # noqa: PLC0415, few ask why

    for condition in {(): None, given: None}:
        found = test_independence(data, *pair, given=condition, missing="drop")
        alone = f"Given {', '.join(condition)}" if condition else "Taken alone"
        doubt = "" if found.reliable else "; there are too few rows for this test to be relied on"
        yield f"{alone}, the test of independence has p-value {found.p_value:.2g}{doubt}."
