"""The Graphviz text of a picture; nodes go by position, so that every name is safe."""

from collections.abc import Iterator, Mapping

from structlearn.graphs import Edge, Graph
from structlearn.graphs.compare import verdicts
from structlearn.graphs.edge import SYMMETRIC
from structlearn.graphs.facts import NOTHING, said
from structlearn.graphs.graphviz_marks import looks
from structlearn.graphs.separation import topological_order
from structlearn.plots.look import (
    FONT,
    INK,
    NODE_BORDER,
    NODE_FILL,
    QUIET,
    USUAL,
    VERDICTS,
    edge_widths,
)

# Measured: 1,200 edges take layers 3 s, and 100 nodes take bent lines 2 s; both grow fast. An edge takes a
# place in each layer that it passes: all edges between 30 nodes, 4,500 places, take 7 s, and between 40 nodes
# half a minute.
MOST_EDGES_IN_LAYERS = 1500
MOST_PLACES_IN_LAYERS = 5000
MOST_NODES_WITH_BENT_LINES = 80
# Springs hold apart what nothing joins: 1,500 lone nodes take them over 15 s, and rows of them 0.2 s.
MOST_PARTS_BY_SPRINGS = 200

LONGEST_LABEL = 200  # nobody reads on, and Graphviz gives up at 16,384; the title has the whole name

Attributes = Mapping[str, object]

NODE: Attributes = {
    "shape": "box",
    "style": "rounded,filled",
    "color": NODE_BORDER,
    "fillcolor": NODE_FILL,
    "fontcolor": INK,
    "fontname": FONT,
    "fontsize": 11,
    "height": 0.3,
    "width": 0.3,
    "margin": "0.11,0.06",
}
EDGE: Attributes = {"color": QUIET, "arrowsize": 0.65, "penwidth": USUAL, "len": 0.75}
PAGE: Attributes = {"bgcolor": "transparent", "pad": 0.15, "fontname": FONT, "fontsize": 11}
BOX: Attributes = {
    "style": "rounded",
    "color": QUIET,
    "penwidth": 0.5,
    "fontcolor": QUIET,
    "fontname": FONT,
    "fontsize": 10,
    "labeljust": "l",
    "margin": 8,
}
ARROW_LABEL = {"fontname": FONT, "fontsize": "8", "fontcolor": QUIET}
GROUPING = ("group", "module", "class", "lag")
LAYERS: Attributes = {"ranksep": 0.42, "nodesep": 0.22}
IN_ROWS: Attributes = {"pack": "true", "packmode": "array"}
SPRINGS: Attributes = {"mode": "sgd", "start": 1, "overlap": "vpsc", "sep": "+9"}


def dot(graph: Graph, *, truth: Graph | None = None) -> str:
    """Give the Graphviz text that `plot_graph` draws.

    Examples
    --------
    >>> text = dot(Graph(["a", "b"], directed=[("a", "b")]))
    >>> '"node-0" -> "node-1"' in text
    True
    """
    lines = [f"graph {_bracketed({**PAGE, **_layout(graph)})}"]
    lines += [f"node {_bracketed(NODE)}", f"edge {_bracketed(EDGE)}"]
    lines += [
        f'"node-{i}" {_bracketed({"id": f"node-{i}", "label": _shown(_in_its_box(graph, name))})}'
        for i, name in enumerate(graph.nodes)
    ]
    lines += _boxes(graph)
    lines += _edges(graph, truth)
    lines += [] if truth is None else [f"label=<{_legend()}>"]
    return "\n".join(["digraph {", *(f"  {line};" for line in lines), "}", ""])


def layout_engine(graph: Graph) -> str:
    """Name the Graphviz layout that suits the graph: layers for arrows, springs for lines."""
    n_edges = len(graph.edges)
    if (
        graph.edge_kinds <= SYMMETRIC
        or n_edges > MOST_EDGES_IN_LAYERS
        or _n_places(graph) > MOST_PLACES_IN_LAYERS
    ):
        return "fdp" if groups_of(graph) else "neato"
    return "dot"


def _n_places(graph: Graph) -> int:
    """How many layers the arrows of a graph pass, all together; 0 where there is no order."""
    order = topological_order(graph.links)
    layer = [0] * len(graph)
    for node in order or ():
        layer[node] = 1 + max((layer[parent] for parent in graph.links.parents(node).tolist()), default=-1)
    return (
        sum(layer[target] - layer[source] for source, target in graph.links.arrows.tolist()) if order else 0
    )


def described(edge: Edge) -> str:
    """Say an edge and what is known about it."""
    values = {"weight": edge.weight, "p": edge.p_value, "confidence": edge.confidence}
    known = ", ".join(f"{name} {value:.3g}" for name, value in values.items() if value is not None)
    return f"{edge} ({known})" if known else str(edge)


def described_node(graph: Graph, name: str) -> str:
    """Say a node and what is known about it."""
    facts = graph.facts.get(name)
    return f"{name} ({said(facts)})" if facts else name


def groups_of(graph: Graph) -> dict[str, list[int]]:
    """Give the positions of the nodes in each box, by its title: the first fact that groups nodes."""
    for fact in GROUPING:
        found: dict[str, list[int]] = {}
        for i, name in enumerate(graph.nodes):
            value = graph.facts.get(name, NOTHING).get(fact)
            if isinstance(value, str | int):
                found.setdefault(str(value) if fact == "group" else f"{fact} {value}", []).append(i)
        if found:
            return found
    return {}


def printable(text: str) -> str:
    """Show a mark for each letter that no picture can show, such as a line break or a null."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _shown(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"


def _layout(graph: Graph) -> Attributes:
    if layout_engine(graph) == "dot":
        return LAYERS
    packed = IN_ROWS if layout_engine(graph) == "neato" and _n_parts(graph) > MOST_PARTS_BY_SPRINGS else {}
    return {
        **SPRINGS,
        **packed,
        "splines": "true" if len(graph) <= MOST_NODES_WITH_BENT_LINES else "line",
    }


def _n_parts(graph: Graph) -> int:
    """How many parts there are that no edge joins."""
    part = list(range(len(graph)))
    place = {name: i for i, name in enumerate(graph.nodes)}

    def first(node: int) -> int:
        while part[node] != node:
            part[node] = node = part[part[node]]
        return node

    for edge in graph.edges:
        part[first(place[edge.source])] = first(place[edge.target])
    return sum(first(node) == node for node in range(len(graph)))


def _edges(graph: Graph, truth: Graph | None) -> Iterator[str]:
    place = {name: i for i, name in enumerate(graph.nodes)}
    verdict_of = {} if truth is None else verdicts(graph, truth)
    for i, (edge, width) in enumerate(zip(graph.edges, edge_widths(graph.edges), strict=True)):
        look = {"id": f"edge-{i}", "penwidth": f"{width:.2f}"}
        look |= _labelled(graph, edge)
        if verdict_of:
            look["color"] = VERDICTS[verdict_of[_pair(edge)]]
        yield _statement(place, edge, look)
    absent = [] if truth is None else [e for e in truth.edges if verdict_of[_pair(e)] == "missing"]
    for i, edge in enumerate(absent):
        yield _statement(place, edge, {"id": f"missing-{i}", "color": VERDICTS["missing"], "style": "dashed"})


def _labelled(graph: Graph, edge: Edge) -> dict[str, str]:
    """The chains and aggregates that an arrow stands for, where its child's facts say so."""
    facts = graph.facts.get(edge.target, NOTHING)
    parents = facts.get("parents")
    if not isinstance(parents, Mapping):
        return {}
    own = f"{facts.get('group')}."
    ways = [way for way, source in parents.items() if source == edge.source and own + way != source]
    return {"label": _shown(", ".join(ways)), **ARROW_LABEL} if ways else {}


def _in_its_box(graph: Graph, name: str) -> str:
    """The name of a node; what the title of its box says already is left away."""
    return name.removeprefix(f"{graph.facts.get(name, NOTHING).get('group')}.") or name


def _boxes(graph: Graph) -> Iterator[str]:
    for i, (title, places) in enumerate(groups_of(graph).items()):
        inside = "; ".join(f'"node-{place}"' for place in places)
        look = _bracketed({**BOX, "id": f"group-{i}", "label": _shown(title)})
        yield f'subgraph "cluster-{i}" {{ graph {look}; {inside} }}'


def _pair(edge: Edge) -> frozenset[str]:
    return frozenset((edge.source, edge.target))


def _statement(place: Mapping[str, int], edge: Edge, look: Attributes) -> str:
    ends = f'"node-{place[edge.source]}" -> "node-{place[edge.target]}"'
    return f"{ends} {_bracketed({**look, **looks(edge)})}"


def _legend() -> str:
    return " &#160; ".join(
        f'<font color="{color}"><b>―</b> {verdict}</font>' for verdict, color in VERDICTS.items()
    )


def _bracketed(attributes: Attributes) -> str:
    return "[" + ", ".join(f"{name}={_quoted(str(value))}" for name, value in attributes.items()) + "]"


def _quoted(text: str) -> str:
    """Escape what Graphviz reads as an entity, as an escape, or as the end of the text."""
    escaped = printable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
