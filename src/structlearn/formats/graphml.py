"""GraphML, read by networkx, Gephi, yEd and Cytoscape; written, not read.

A graph with arrows is a directed GraphML graph, in which an undirected edge goes both ways with
`kind` "undirected": readers such as networkx refuse a file that mixes both sorts of edge.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from structlearn.errors import DataError
from structlearn.graphs import Edge, Graph
from structlearn.models import BayesianNetwork

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
ATTRIBUTES = {"kind": "string", "weight": "double", "p_value": "double", "confidence": "double"}

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(thing: Graph | BayesianNetwork) -> str:
    """Give a graph, or the graph of a network, as GraphML."""
    graph = thing.graph if isinstance(thing, BayesianNetwork) else thing
    root = Element("graphml", xmlns=NAMESPACE)
    for name, kind in ATTRIBUTES.items():
        SubElement(root, "key", {"id": name, "for": "edge", "attr.name": name, "attr.type": kind})
    default = "undirected" if graph.is_undirected else "directed"
    body = SubElement(root, "graph", edgedefault=default)
    for node in graph.nodes:
        SubElement(body, "node", id=_checked(node))
    for source, target, edge in _written_edges(graph):
        _add_edge(body, source, target, edge)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _written_edges(graph: Graph) -> Iterator[tuple[str, str, Edge]]:
    for edge in graph.edges:
        yield edge.source, edge.target, edge
        if edge.kind == "undirected" and not graph.is_undirected:
            yield edge.target, edge.source, edge


def _add_edge(body: Element, source: str, target: str, edge: Edge) -> None:
    element = SubElement(body, "edge", source=source, target=target)
    for name in ATTRIBUTES:
        value = getattr(edge, name)
        if value is not None:
            SubElement(element, "data", key=name).text = str(value)


def _checked(name: str) -> str:
    found = _NOT_IN_XML.search(name)
    if found:
        raise DataError(
            f"GraphML cannot hold {found[0]!r} in the name {name!r}; rename that node, or use .json."
        )
    return name
