"""Edges from strengths: from regulators to genes, or between the genes that they share."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge, Graph
from structlearn.outcome import EdgeEvidence

Floats = NDArray[np.float64]
Evidence = dict[tuple[str, str], EdgeEvidence]


class Links(NamedTuple):
    """Strengths (genes, regulators), their p-values where there are any, and which of them are edges."""

    genes: list[str]
    regulators: list[str]
    strengths: Floats
    p_values: Floats | None
    is_edge: NDArray[np.bool_]


def arrows(columns: Sequence[str], links: Links) -> tuple[Graph, Evidence]:
    """An arrow from each regulator to each gene that it acts on; among columns they may go round."""
    evidence = {
        (links.regulators[k], links.genes[i]): EdgeEvidence(
            float(links.strengths[i, k]),
            p_value=None if links.p_values is None else float(links.p_values[i, k]),
        )
        for i, k in np.argwhere(links.is_edge).tolist()
    }
    nodes = [*columns, *(name for name in links.regulators if name not in set(columns))]
    if set(links.regulators) & set(columns):
        edges = [Edge(*arc, "directed") for arc in evidence]
        return Graph.from_edges(nodes, edges, kind="cyclic"), evidence
    return Graph(nodes, directed=list(evidence)), evidence


def between_genes(
    columns: Sequence[str], links: Links, activities: Floats, rows: Floats, is_forbidden: NDArray[np.bool_]
) -> tuple[Graph, Evidence]:
    """An edge between genes that share a regulator: the part of their correlation that goes through it.

    The weight of genes i and j is Σ A_ik A_jk ‖P_k‖² / (‖E_i‖ ‖E_j‖) over the regulators k that both have.
    """
    shares = np.where(links.is_edge, links.strengths, 0.0) * _lengths(activities) / _lengths(rows)[:, None]
    weights = shares @ shares.T
    share_one = (links.is_edge.astype(np.float64) @ links.is_edge.T) > 0.0
    places = [list(columns).index(gene) for gene in links.genes]
    is_out = is_forbidden[np.ix_(places, places)]
    evidence = {
        (links.genes[i], links.genes[j]): EdgeEvidence(float(weights[i, j]))
        for i, j in np.argwhere(np.triu(share_one & ~is_out, k=1)).tolist()
    }
    return Graph(columns, undirected=list(evidence)), evidence


def _lengths(rows: Floats) -> Floats:
    """Of each row, however large or small its numbers are."""
    largest = np.maximum(np.abs(rows).max(axis=1), np.finfo(float).tiny)
    return np.asarray(largest * np.linalg.norm(rows / largest[:, None], axis=1))
