"""DOT, the language of Graphviz; written, not read."""

import re

from structlearn.graphs import Edge, Graph
from structlearn.models import BayesianNetwork

_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")


def write(thing: Graph | BayesianNetwork) -> str:
    """Give a graph, or the graph of a network, as DOT."""
    return dot_text(thing.graph if isinstance(thing, BayesianNetwork) else thing)


def dot_text(graph: Graph) -> str:
    r"""Give a graph as DOT: a `graph` where no edge is directed, otherwise a `digraph`.

    Examples
    --------
    >>> print(dot_text(Graph(["a", "b c"], directed=[("a", "b c")])), end="")
    digraph {
      "a";
      "b c";
      "a" -> "b c";
    }
    """
    word = "graph" if graph.is_undirected else "digraph"
    lines = [f"  {_quoted(node)};" for node in graph.nodes]
    lines += [f"  {_statement(edge, arrow='--' if word == 'graph' else '->')};" for edge in graph.edges]
    return "\n".join([f"{word} {{", *lines, "}", ""])


def _statement(edge: Edge, *, arrow: str) -> str:
    headless = " [dir=none]" if arrow == "->" and edge.kind == "undirected" else ""
    return f"{_quoted(edge.source)} {arrow} {_quoted(edge.target)}{headless}"


def _quoted(name: str) -> str:
    # Graphviz would break the label at a backslash, decode an entity, and take a leading % for no name.
    escaped = _ENTITY.sub("&amp;", name).replace("\\", "\\\\").replace('"', '\\"')
    return f'"&#37;{escaped[1:]}"' if escaped.startswith("%") else f'"{escaped}"'
