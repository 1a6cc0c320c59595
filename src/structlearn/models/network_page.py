"""Models in a notebook: nodes or factors, and below each its table."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.graphs import Graph
from structlearn.models.cpds import CPD
from structlearn.shown import Listing, html_lines, html_text

Floats = NDArray[np.float64]
MOST_NODES = 40  # with a table each, a page of half a MiB at most


def network_html(title: str, graph: Graph, cpds: Mapping[str, CPD] | None) -> str:
    """The title, and each node with its parents; a click opens its distribution."""
    heading = f"<p>{html_text(title)}</p>"
    if cpds is None:
        around, what = (graph.neighbors, "neighbours") if graph.is_undirected else (graph.parents, "parents")
        rows = ([node, ", ".join(around(node)) or "none"] for node in graph.nodes)
        return heading + Listing.of(["node", what], rows, n_left=2, n_rows=len(graph)).html()
    parts = [_node_html(node, cpds[node]) for node in graph.nodes[:MOST_NODES]]
    return heading + "".join(parts) + _rest(len(graph), "nodes")


def factors_html(
    title: str, labels: Mapping[str, tuple[Label, ...]], factors: Sequence[tuple[tuple[str, ...], Floats]]
) -> str:
    """The title, and each factor; a click opens its table."""
    parts = []
    for names, table in factors[:MOST_NODES]:
        states = product(*(map(str, labels[name]) for name in names))
        rows = ([*state, f"{value:.4g}"] for state, value in zip(states, table.flat, strict=True))
        listing = Listing.of([*names, "factor"], rows, n_left=len(names), n_rows=table.size)
        parts.append(f"<details><summary>{html_text(', '.join(names))}</summary>{listing.html()}</details>")
    return f"<p>{html_text(title)}</p>{''.join(parts)}{_rest(len(factors), 'factors')}"


def field_html(title: str, graph: Graph, mean: Floats, precision: Floats) -> str:
    """The title, and each node with its mean, its deviation given all others, and its neighbours."""
    deviations = 1.0 / np.sqrt(np.diag(precision))
    rows = (
        [node, ", ".join(graph.neighbors(node)) or "none", f"{m:.4g}", f"{d:.4g}"]
        for node, m, d in zip(graph.nodes, mean.tolist(), deviations.tolist(), strict=True)
    )
    head = ["node", "neighbours", "mean", "deviation given all others"]
    return f"<p>{html_text(title)}</p>{Listing.of(head, rows, n_left=2, n_rows=len(graph)).html()}"


def _rest(n: int, what: str) -> str:
    return f"<p>… and {n - MOST_NODES:,} more {what}</p>" if n > MOST_NODES else ""


def _node_html(node: str, cpd: CPD) -> str:
    given = f" given {', '.join(cpd.parents)}" if cpd.parents else ""
    said = f" ({cpd.form}, {cpd.n_parameters:,} parameter{'' if cpd.n_parameters == 1 else 's'})"
    summary = f"<summary><b>{html_text(node)}</b>{html_text(given)}{said}</summary>"
    shown: Any = getattr(cpd, "_repr_html_", None)
    return f"<details>{summary}{html_lines(str(cpd)) if shown is None else shown()}</details>"
