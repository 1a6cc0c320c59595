"""GraphML, the format of networkx, Gephi, yEd and Cytoscape: a graph without distributions.

A graph with arrows is a directed GraphML graph, in which an undirected edge goes both ways with
`kind` "undirected": readers such as networkx refuse a file that mixes both sorts of edge. Where
edges have no kind, as networkx writes them, two arrows between the same nodes are such an edge too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element as MadeElement
from xml.etree.ElementTree import SubElement, indent, tostring

from structlearn.formats.content import Content, graph_of
from structlearn.formats.xml_tree import Element, checked, parse_xml
from structlearn.graphs import Edge, Graph
from structlearn.graphs.edge import EdgeKind

FORM = "GraphML"
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
NUMBERS = ("weight", "p_value", "confidence")
ATTRIBUTES = {"kind": "string", **dict.fromkeys(NUMBERS, "double")}
KINDS: dict[str, EdgeKind] = {"directed": "directed", "undirected": "undirected"}
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
    nodes = [node.attribute("id") for node in body.all("node")]
    return Graph.from_edges(nodes, _joined(edges, has_kinds="kind" in names.values()))


def write(thing: Content) -> str:
    """Give a graph, or the graph of a model, as GraphML."""
    graph = graph_of(thing)
    root = MadeElement("graphml", xmlns=NAMESPACE)
    for name, kind in ATTRIBUTES.items():
        SubElement(root, "key", {"id": name, "for": "edge", "attr.name": name, "attr.type": kind})
    default = "undirected" if graph.is_undirected else "directed"
    body = SubElement(root, "graph", edgedefault=default)
    for node in graph.nodes:
        SubElement(body, "node", id=checked(node, FORM))
    for source, target, edge in _written_edges(graph):
        _add_edge(body, source, target, edge)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _read_edge(edge: Element, names: Mapping[str | None, str | None], default: str) -> Edge:
    known = {names.get(data.attributes.get("key")): data.word for data in edge.all("data")}
    own = {"true": "directed", "false": "undirected"}.get(edge.attributes.get("directed", ""), default)
    kind = known.get("kind", own)
    if kind not in KINDS:
        raise edge.error(f"the kind of an edge should be directed or undirected, not {kind!r}.")
    numbers = {name: _number(edge, name, known[name]) for name in NUMBERS if name in known}
    return Edge(edge.attribute("source"), edge.attribute("target"), KINDS[kind], **numbers)


def _number(edge: Element, name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise edge.error(f"the {name} of an edge should be a number, not {text!r}.") from None


def _joined(edges: Sequence[Edge], *, has_kinds: bool) -> Iterator[Edge]:
    """Each undirected edge once, however it is written."""
    arrows = set() if has_kinds else {(edge.source, edge.target) for edge in edges}
    done: set[frozenset[str]] = set()
    for edge in edges:
        ends = frozenset((edge.source, edge.target))
        is_arrow = edge.kind == "directed" and (edge.target, edge.source) not in arrows
        if is_arrow:
            yield edge
        elif ends not in done:
            done.add(ends)
            yield replace(edge, kind="undirected")


def _written_edges(graph: Graph) -> Iterator[tuple[str, str, Edge]]:
    for edge in graph.edges:
        yield edge.source, edge.target, edge
        if edge.kind == "undirected" and not graph.is_undirected:
            yield edge.target, edge.source, edge


def _add_edge(body: MadeElement, source: str, target: str, edge: Edge) -> None:
    element = SubElement(body, "edge", source=source, target=target)
    for name in ATTRIBUTES:
        value = getattr(edge, name)
        if value is not None:
            SubElement(element, "data", key=name).text = str(value)
