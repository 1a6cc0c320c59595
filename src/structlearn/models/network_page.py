"""A network of distributions in a notebook: its nodes, and below each the table."""

from collections.abc import Mapping
from typing import Any

from structlearn.graphs import Graph
from structlearn.models.cpds import CPD
from structlearn.shown import Listing, html_lines, html_text

MOST_NODES = 40  # with a table each, a page of half a MiB at most


def network_html(title: str, graph: Graph, cpds: Mapping[str, CPD] | None) -> str:
    """The title, and each node with its parents; a click opens its distribution."""
    heading = f"<p>{html_text(title)}</p>"
    if cpds is None:
        rows = [[node, ", ".join(graph.parents(node)) or "none"] for node in graph.nodes]
        return heading + Listing.of(["node", "parents"], rows, n_left=2).html()
    parts = [_node_html(node, cpds[node]) for node in graph.nodes[:MOST_NODES]]
    left_out = len(graph) - len(parts)
    rest = f"<p>… and {left_out:,} more nodes</p>" if left_out else ""
    return f"{heading}{''.join(parts)}{rest}"


def _node_html(node: str, cpd: CPD) -> str:
    given = f" given {', '.join(cpd.parents)}" if cpd.parents else ""
    said = f" ({cpd.form}, {cpd.n_parameters:,} parameter{'' if cpd.n_parameters == 1 else 's'})"
    summary = f"<summary><b>{html_text(node)}</b>{html_text(given)}{said}</summary>"
    shown: Any = getattr(cpd, "_repr_html_", None)
    return f"<details>{summary}{html_lines(str(cpd)) if shown is None else shown()}</details>"
