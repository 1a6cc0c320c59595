"""GraphML, the format of networkx, Gephi, yEd and Cytoscape: a graph without distributions.

A graph with arrows is a directed GraphML graph, in which an edge with the same mark at both ends goes both
ways: readers such as networkx refuse a file that mixes both sorts of edge. Its `kind` says what it is.
Where edges have no kind, as networkx writes them, two arrows between the same nodes are an undirected edge.
The kind of the graph is data of the graph, facts are data of the nodes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element as MadeElement
from xml.etree.ElementTree import SubElement, indent, tostring

from structlearn.formats import graphml_facts
from structlearn.formats.content import Content, graph_of
from structlearn.formats.xml_tree import Element, checked, parse_xml
from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import FORMS, SYMMETRIC
from structlearn.graphs.kinds import KINDS

FORM = "GraphML"
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
NUMBERS = ("weight", "p_value", "confidence")
ATTRIBUTES = {"kind": "string", **dict.fromkeys(NUMBERS, "double")}
REFUSED = {
    "hyperedge": "an edge of more than two nodes",
    "port": "a port",
    "graph": "a graph inside a node",
}


def read(text: str) -> Graph:
    """Make a graph of the text of a GraphML file; a node is called by its id."""
    root = parse_xml(text, "graphml")
    body = root.only("graph")
    for element in [*body.children, *(inner for node in body.all("node") for inner in node.children)]:
        if element.tag in REFUSED:
            raise element.error(f"the file has {REFUSED[element.tag]}, which no Graph holds.")
    names = {key.attributes.get("id"): key.attributes.get("attr.name") for key in root.all("key")}
    default = body.attributes.get("edgedefault", "directed")
    edges = [_read_edge(edge, names, default) for edge in body.all("edge")]
    nodes = {node.attribute("id"): node for node in body.all("node")}
    said = {names.get(data.attributes.get("key")): data.word for data in body.all("data")}
    return Graph(
        [node.attribute("id") for node in body.all("node")],
        edges=_joined(edges),
        kind=next((kind for kind in KINDS if said.get("kind") == kind), None),
        facts=graphml_facts.read(root.all("key"), nodes),
    )


def write(thing: Content) -> str:
    """Give a graph, or the graph of a model, as GraphML."""
    graph = graph_of(thing)
    root = MadeElement("graphml", xmlns=NAMESPACE)
    for name, kind in ATTRIBUTES.items():
        SubElement(root, "key", {"id": name, "for": "edge", "attr.name": name, "attr.type": kind})
    facts = graphml_facts.write(graph.facts, root)
    default = "undirected" if graph.is_undirected else "directed"
    if graph.given_kind is not None:
        SubElement(root, "key", {"id": "graph", "for": "graph", "attr.name": "kind", "attr.type": "string"})
    body = SubElement(root, "graph", edgedefault=default)
    if graph.given_kind is not None:
        SubElement(body, "data", key="graph").text = graph.given_kind
    for node in graph.nodes:
        element = SubElement(body, "node", id=checked(node, FORM))
        for key, value in facts.get(node, {}).items():
            SubElement(element, "data", key=key).text = value
    for source, target, edge in _written_edges(graph):
        _add_edge(body, source, target, edge)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _read_edge(edge: Element, names: Mapping[str | None, str | None], default: str) -> tuple[Edge, bool]:
    """Give an edge, and whether it says its kind."""
    known = {names.get(data.attributes.get("key")): data.word for data in edge.all("data")}
    own = {"true": "directed", "false": "undirected"}.get(edge.attributes.get("directed", ""), default)
    word = known.get("kind", own)
    kind = next((name for name in FORMS if name == word), None)
    if kind is None:
        raise edge.error(f"the kind of an edge should be one of {', '.join(FORMS)}, not {word!r}.")
    numbers = {name: _number(edge, name, known[name]) for name in NUMBERS if name in known}
    return Edge(edge.attribute("source"), edge.attribute("target"), kind, **numbers), "kind" in known


def _number(edge: Element, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise edge.error(f"the {name} of an edge should be a number, not {text!r}.") from None


def _joined(edges: Sequence[tuple[Edge, bool]]) -> Iterator[Edge]:
    """Each edge with equal ends once, however it is written."""
    bare = [not says_kind and edge.kind == "directed" for edge, says_kind in edges]
    arrows = {(edge.source, edge.target) for (edge, _), is_bare in zip(edges, bare, strict=True) if is_bare}
    done: set[tuple[str, frozenset[str]]] = set()
    for (edge, _), is_bare in zip(edges, bare, strict=True):
        is_line = is_bare and edge.source != edge.target and (edge.target, edge.source) in arrows
        one = replace(edge, kind="undirected") if is_line else edge
        ends = one.kind, frozenset((one.source, one.target))
        if one.kind not in SYMMETRIC or ends not in done:
            done.add(ends)
            yield one


def _written_edges(graph: Graph) -> Iterator[tuple[str, str, Edge]]:
    for edge in graph.edges:
        yield edge.source, edge.target, edge
        if edge.kind in SYMMETRIC and not graph.is_undirected:
            yield edge.target, edge.source, edge


def _add_edge(body: MadeElement, source: str, target: str, edge: Edge) -> None:
    element = SubElement(body, "edge", source=source, target=target)
    for name in ATTRIBUTES:
        value = getattr(edge, name)
        if value is not None:
            SubElement(element, "data", key=name).text = str(value)
