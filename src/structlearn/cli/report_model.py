"""The model that a report shows beside a learned graph."""

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from structlearn.data import Dataset
    from structlearn.graphs import Graph
    from structlearn.models import BayesianNetwork
    from structlearn.statistics import SourceTable


def small_network(
    graph: "Graph", dataset: "Dataset | SourceTable | None", targets: str | None = None
) -> "BayesianNetwork | None":
    """The network of tables for a page that shows what it believes; None where there can be none."""
    from structlearn.models import BayesianNetwork  # noqa: PLC0415, --help needs none of it
    from structlearn.models.of_graphs import is_directed  # noqa: PLC0415, as above
    from structlearn.report.sections.beliefs import MOST_CELLS, MOST_NODES  # noqa: PLC0415, as above

    if dataset is None or len(graph) > MOST_NODES or set(dataset.kinds.values()) != {"discrete"}:
        return None
    if set(dataset.missing) - {targets} or {*dataset.names} - {targets} != set(graph.nodes):
        return None
    if not is_directed(graph):
        return None
    dag, levels = graph.to_dag(), {name: len(states) for name, states in dataset.labels.items()}
    if any(prod(levels[name] for name in (node, *dag.parents(node))) > MOST_CELLS for node in dag.nodes):
        return None
    return BayesianNetwork(dag).fit(dataset, smoothing=1.0, targets=targets)
