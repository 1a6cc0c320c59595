"""What a network of clusters says, under names: nodes, edges, steps and members."""

from collections.abc import Sequence

import numpy as np

from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.learners.network.clusters.elimination import (
    Elimination,
    Floats,
    Pairs,
    Removal,
    Selected,
)
from structlearn.outcome import EdgeEvidence, Pair
from structlearn.run import Run


def names_of_clusters(owner: str, members: Sequence[Sequence[str]], columns: Sequence[str]) -> list[str]:
    """A cluster of one column has its name; the others are numbered, the largest first."""
    names = [each[0] if len(each) == 1 else f"cluster {k + 1}" for k, each in enumerate(members)]
    taken = sorted({name for name, each in zip(names, members, strict=True) if len(each) > 1} & set(columns))
    if taken:
        raise DataError(f"{owner}: column {taken[0]!r} has the name of a cluster. Rename it.")
    return names


def allowed_pairs(members: Sequence[Sequence[str]], knowledge: Knowledge, is_forbidden: Pairs) -> Pairs:
    """Which clusters may be joined: those where no column may not be joined with one of the other."""
    is_allowed = ~np.eye(len(members), dtype=np.bool_)
    if knowledge:
        place = {name: j for j, name in enumerate(sorted(name for each in members for name in each))}
        belongs = np.zeros((len(members), len(place)), dtype=np.int64)
        for k, each in enumerate(members):
            belongs[k, [place[name] for name in each]] = 1
        is_allowed &= ~(belongs @ is_forbidden @ belongs.T > 0)
    return is_allowed


def evidence_of(
    nodes: Sequence[str], elimination: Elimination, found: Selected, run: Run
) -> dict[Pair, EdgeEvidence]:
    """The partial correlation of each edge, and the p-value of what the deviance would rise by without it."""
    known = {}
    for i, j in np.argwhere(np.triu(found.is_edge)).tolist():
        p_value = None if run.must_stop() else elimination.p_value(found, i, j, elimination.cost(found, i, j))
        known[nodes[i], nodes[j]] = EdgeEvidence(float(found.partial[i, j]), p_value=p_value)
    return known


def steps(nodes: Sequence[str], removals: Sequence[Removal]) -> dict[str, np.ndarray]:
    """The edges that were taken out on trial, as columns."""
    return {
        "source": np.array([nodes[each.source] for each in removals], dtype=object),
        "target": np.array([nodes[each.target] for each in removals], dtype=object),
        **{
            name: np.array([getattr(each, name) for each in removals])
            for name in ("partial", "deviance", "increase", "p_value", "is_out")
        },
    }


def graph_of(nodes: Sequence[str], members: Sequence[Sequence[str]], pairs: Sequence[Pair]) -> Graph:
    """The clusters as nodes; those of several columns know them."""
    facts = {node: {"members": each} for node, each in zip(nodes, members, strict=True) if len(each) > 1}
    return Graph(nodes, undirected=pairs, facts=facts)


def with_lone(matrix: Floats, n_nodes: int) -> Floats:
    """The matrix with ones on the diagonal for nodes behind it that have nothing to do with the others."""
    whole = np.eye(n_nodes)
    whole[: len(matrix), : len(matrix)] = matrix
    return whole
