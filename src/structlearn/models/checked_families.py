"""Distributions of all nodes of a graph, checked against it and against each other."""

from collections.abc import Mapping

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.models.cpds import CPD, is_cpd
from structlearn.models.cpds.shown import with_states


def checked_families(graph: Graph, cpds: Mapping[str, CPD]) -> dict[str, CPD]:
    """The distribution of every node, in the order of the nodes; its parents are those of the graph."""
    for node in graph.nodes:
        if node not in cpds:
            raise DataError(f"cpds lacks the node {node!r}; give a distribution to every node, or fit.")
        if not is_cpd(cpds[node]):
            raise DataError(f"What fits {node!r} has to give a CPD, and gave {cpds[node]!r}.")
    levels = {node: len(cpds[node].labels) for node in graph.nodes}
    for node in graph.nodes:
        _check_family(node, cpds, graph.parents(node))
        cpds[node].check(node, levels)
    states = {node: cpds[node].labels for node in graph.nodes if cpds[node].labels}
    return {node: with_states(cpds[node], states) for node in graph.nodes}


def _check_family(node: str, cpds: Mapping[str, CPD], parents: tuple[str, ...]) -> None:
    cpd = cpds[node]
    if sorted(cpd.parents) != sorted(parents):
        raise DataError(f"The CPD of {node!r} has the parents {cpd.parents}, and the graph has {parents}.")
    for parent in parents:
        if cpd.parent_kind not in {None, cpds[parent].kind}:
            raise DataError(
                f"The {cpd.form} CPD of {node!r} takes {cpd.parent_kind} parents, and {parent!r} is "
                f"{cpds[parent].kind}."
            )
