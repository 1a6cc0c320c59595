"""The picture of the graph, to zoom, drag and point at."""

import json
import re
from collections.abc import Mapping

from structlearn.graphs import Graph
from structlearn.graphs.edge import ARROWS_AND_LINES, FORMS, EdgeKind
from structlearn.graphs.facts import NOTHING, plain, said
from structlearn.graphs.ranking import weight_strength
from structlearn.plots import svg
from structlearn.plots.drawing import usual_labels
from structlearn.report.markup import Markup, joined, tag
from structlearn.report.subject import Section, Subject
from structlearn.report.wording import counted, listed
from structlearn.shown import visible

# Names cannot be read in a picture of more nodes that fits a screen.
MOST_NODES_AT_A_GLANCE = 150
# More have the whole width of the page, and the table of edges stands below.
MOST_NODES_IN_A_COLUMN = 40
PIXELS_PER_POINT = 1.75
HINT = (
    "Thicker edges have stronger evidence. Point at an edge for its evidence; click a node for its "
    "Markov blanket."
)

MEANINGS: Mapping[EdgeKind, str] = {
    "directed": "a → b, a is a cause of b",
    "undirected": "a — b, both are causes of what the rows were selected by",
    "bidirected": "a ↔ b, something hidden causes both",
    "partially directed": "a o→ b, b is no cause of a: a causes b, or something hidden both",
    "nondirected": "a o–o b, either may cause the other, or something hidden both",
    "partially undirected": "a –o b, a is a cause of b or of what the rows were selected by",
}


def section(subject: Subject) -> Section:
    """Draw the graph."""
    graph = subject.graph
    drawn = svg(graph, truth=subject.truth, labels=usual_labels(graph))
    frame = tag(
        "div",
        Markup(drawn),
        class_="frame",
        tabindex=0,
        role="group",
        aria_label="Picture of the graph. Plus and minus zoom, arrow keys move, 0 resets, Escape clears.",
        style=_dimensions(drawn, len(graph)),
    )
    figure = tag(
        "figure",
        _tools(graph),
        frame,
        tag("output", "", class_="readout", aria_live="polite", data_hint=HINT if graph.edges else None),
        tag("figcaption", *_captions(graph)),
        class_=" ".join(_classes(subject)),
        data_graph=json.dumps(_for_script(graph), separators=(",", ":")),
    )
    return Section("graph", "Graph", figure)


def _classes(subject: Subject) -> list[str]:
    large = ["large"] if len(subject.graph) > MOST_NODES_IN_A_COLUMN else []
    return ["picture", *large, *(["compared"] if subject.truth is not None else [])]


def _tools(graph: Graph) -> Markup:
    buttons = [
        tag("button", sign, type="button", data_zoom=name, title=title, aria_label=title)
        for sign, name, title in (
            ("+", "in", "Zoom in"),
            ("−", "out", "Zoom out"),
            ("Reset", "reset", "Reset the view"),
        )
    ]
    return tag("div", *buttons, _search(graph), _strength(graph), class_="tools")


def _search(graph: Graph) -> Markup:
    names = tag("datalist", *(tag("option", value=name) for name in graph.nodes), id="nodes")
    field = tag(
        "input",
        type="search",
        list="nodes",
        data_find=True,
        placeholder="Find a node",
        aria_label="Find a node by a part of its name; Enter goes to the next one",
    )
    return joined([field, names])


def _strength(graph: Graph) -> Markup | None:
    """A slider that fades weak edges, where arrows may run both ways and a picture is soon too dense."""
    strengths = _strengths(graph)
    if graph.kind != "cyclic" or strengths is None:
        return None
    most = len(strengths)
    slider = tag("input", type="range", min=1, max=most, value=most, aria_label="How many edges to show")
    return tag("label", "Strongest ", slider, tag("output", ""), data_strength=True, hidden=True)


def _strengths(graph: Graph) -> list[float] | None:
    """How strong each edge's weight is; None where some have none, or there is nothing to compare."""
    found = [weight_strength(graph, edge) for edge in graph.edges]
    weights = [size for size in found if size is not None]
    return weights if 1 < len(weights) == len(graph.edges) else None


def _captions(graph: Graph) -> list[Markup]:
    captions = []
    if len(graph) > MOST_NODES_AT_A_GLANCE:
        large = (
            f"With {counted(len(graph), 'node')} this view shows the shape, not the names: zoom in to "
            "read them, find a node by its name, or filter the table of edges."
        )
        captions.append(tag("p", large, class_="note"))
    if not graph.edges:
        empty = "No edges: nothing in the data speaks for one under these options."
        captions.append(tag("p", empty, class_="note"))
    if not graph.edge_kinds <= ARROWS_AND_LINES:
        meanings = [MEANINGS[kind] for kind in FORMS if kind in MEANINGS and kind in graph.edge_kinds]
        captions.append(tag("p", f"{graph.kind}: ", "; ".join(meanings), ".", class_="quiet"))
    return captions


def _for_script(graph: Graph) -> dict[str, object]:
    place = {name: i for i, name in enumerate(graph.nodes)}
    return {
        "nodes": [
            {
                "name": visible(name),
                "blanket": [place[other] for other in graph.markov_blanket(name)],
                "said": _said(graph, name),
                "facts": plain(graph.facts.get(name, NOTHING)),
            }
            for name in graph.nodes
        ],
        "edges": [[place[edge.source], place[edge.target]] for edge in graph.edges],
        "strength": _strengths(graph),
    }


def _said(graph: Graph, name: str) -> str:
    related = {
        "parents": graph.parents(name),
        "children": graph.children(name),
        "undirected neighbours": graph.neighbors(name),
        "with a hidden cause in common": graph.spouses(name),
    }
    facts = said(graph.facts.get(name, NOTHING))
    parts = [visible(facts)] if facts else []
    parts += [f"{words}: {listed(nodes)}" for words, nodes in related.items() if nodes]
    blanket = graph.markov_blanket(name)
    if not blanket:
        return "; ".join([*parts, "no edges"])
    return "; ".join([*parts, f"Markov blanket ({len(blanket)}): {listed(blanket, 12)}"])


def _dimensions(drawn: str, n_nodes: int) -> str:
    """Tell the style sheet the shape that Graphviz chose, and how large it may get at most."""
    found = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', drawn)
    width, height = (float(found[1]), float(found[2])) if found else (400.0, 300.0)
    least = "14rem" if n_nodes <= MOST_NODES_AT_A_GLANCE else "32rem"
    return f"--ratio: {height / width:.4f}; --natural: {height * PIXELS_PER_POINT:.0f}px; --least: {least}"
