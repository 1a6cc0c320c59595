"""The Graphviz text of a picture; nodes go by position, so that every name is safe."""

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Edge, Graph
from structlearn.graphs.facts import NOTHING, said
from structlearn.graphs.graphviz_marks import looks
from structlearn.plots.drawing import Drawing, PlotOptions
from structlearn.plots.layouts import Attributes, Engine, engine_for, has_boxes, page_attributes
from structlearn.plots.look import (
    ACCENT,
    FONT,
    GROUP_FILLS,
    INK,
    NODE_BORDER,
    NODE_FILL,
    QUIET,
    THICKEST,
    USUAL,
    VERDICTS,
    edge_widths,
)

LONGEST_LABEL = 200  # nobody reads on, and Graphviz gives up at 16,384; the title has the whole name

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
BESIDE = " "
ARROW_LABEL = {"fontname": FONT, "fontsize": "8", "fontcolor": QUIET}
LIT_NODE = {"fillcolor": ACCENT, "color": ACCENT, "fontcolor": "white"}
TITLES_IN_A_LINE, MOST_TITLES = 6, 18


def dot(graph: Graph, *, truth: Graph | None = None, **options: Unpack[PlotOptions]) -> str:
    """Give the Graphviz text that `plot_graph` draws.

    Examples
    --------
    >>> text = dot(Graph(["a", "b"], directed=[("a", "b")]))
    >>> '"node-0" -> "node-1"' in text
    True
    """
    return text_of(Drawing.of(graph, truth, **options))


def text_of(drawing: Drawing, places: NDArray[np.float64] | None = None) -> str:
    """The text of a drawing; `places` has the centre of each node, where it is known already."""
    engine = engine_for(drawing)
    lines = [f"graph {_bracketed({**PAGE, **page_attributes(drawing, engine)})}"]
    lines += [f"node {_bracketed(NODE)}", f"edge {_bracketed(EDGE)}"]
    lines += _nodes(drawing, places)
    is_in_time = engine == "dot" and bool(drawing.columns_of_time)
    lines += _columns_of_time(drawing) if is_in_time else _boxes(drawing, engine)
    lines += _edges(drawing)
    legend = _legend(drawing)
    lines += [f"label=<{legend}>"] if legend else []
    return "\n".join(["digraph {", *(f"  {line};" for line in lines), "}", ""])


def described(edge: Edge) -> str:
    """Say an edge and what is known about it."""
    values = {"weight": edge.weight, "p": edge.p_value, "confidence": edge.confidence}
    known = ", ".join(f"{name} {value:.3g}" for name, value in values.items() if value is not None)
    return f"{edge} ({known})" if known else str(edge)


def described_node(graph: Graph, name: str) -> str:
    """Say a node and what is known about it."""
    facts = graph.facts.get(name)
    return f"{name} ({said(facts)})" if facts else name


def printable(text: str) -> str:
    """Show a mark for each letter that no picture can show, such as a line break or a null."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _shown(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"


def _nodes(drawing: Drawing, places: NDArray[np.float64] | None) -> Iterator[str]:
    coloured = {} if has_boxes(engine_for(drawing)) else _colours(drawing)
    for i, name in enumerate(drawing.graph.nodes):
        look = {
            "id": f"node-{i}",
            "label": _shown(_in_its_box(drawing.graph, name)),
            **coloured.get(name, {}),
        }
        look |= LIT_NODE if name in drawing.nodes else {}
        look |= {} if places is None else {"pos": "{:.2f},{:.2f}".format(*places[i])}
        yield f'"node-{i}" {_bracketed(look)}'


def _colours(drawing: Drawing) -> dict[str, dict[str, str]]:
    return {
        name: {"fillcolor": GROUP_FILLS[i % len(GROUP_FILLS)], "class": f"group-{i}"}
        for i, names in enumerate(drawing.groups.values())
        for name in names
    }


def _edges(drawing: Drawing) -> Iterator[str]:
    graph, truth = drawing.graph, drawing.truth
    place = {name: i for i, name in enumerate(graph.nodes)}
    for i, (edge, width) in enumerate(zip(graph.edges, edge_widths(graph), strict=True)):
        look = {"id": f"edge-{i}", "penwidth": f"{width:.2f}"}
        look |= _labelled(drawing, edge)
        if truth is not None:
            look["color"] = VERDICTS[drawing.verdicts[_pair(edge)]]
        if _pair(edge) in drawing.pairs:
            look |= {"color": ACCENT, "penwidth": f"{THICKEST:.2f}"}
        yield _statement(place, edge, look)
    absent = [] if truth is None else [e for e in truth.edges if drawing.verdicts[_pair(e)] == "missing"]
    for i, edge in enumerate(absent):
        yield _statement(place, edge, {"id": f"missing-{i}", "color": VERDICTS["missing"], "style": "dashed"})


def _labelled(drawing: Drawing, edge: Edge) -> dict[str, str]:
    """What is written at an arrow: its measure, where one is asked for, and the ways that it stands for."""
    written = [_measured(drawing, edge), *_ways(drawing.graph, edge)]
    text = ", ".join(word for word in written if word)
    # Graphviz begins a label at the middle of its line, and a thick one hid the minus before a number.
    return {"label": f"{BESIDE}{_shown(text)}{BESIDE}", **ARROW_LABEL} if text else {}


def _measured(drawing: Drawing, edge: Edge) -> str:
    value = None if drawing.labels is None else getattr(edge, drawing.labels)
    if value is None:
        return ""
    return f"{value:.0%}" if drawing.labels == "confidence" else f"{value:.2g}"


def _ways(graph: Graph, edge: Edge) -> list[str]:
    """The chains and aggregates that an arrow stands for, where its child's facts say so."""
    facts = graph.facts.get(edge.target, NOTHING)
    parents = facts.get("parents")
    if not isinstance(parents, Mapping):
        return []
    own = f"{facts.get('group')}."
    return [way for way, source in parents.items() if source == edge.source and own + way != source]


def _in_its_box(graph: Graph, name: str) -> str:
    """The name of a node; what the title of its box says already is left away."""
    return name.removeprefix(f"{graph.facts.get(name, NOTHING).get('group')}.") or name


def _columns_of_time(drawing: Drawing) -> Iterator[str]:
    """A rank for each lag, held in order by lines that nobody sees between a variable and itself later."""
    place = {name: i for i, name in enumerate(drawing.graph.nodes)}
    for nodes in drawing.columns_of_time:
        inside = "; ".join(f'"node-{place[name]}"' for name in nodes)
        yield f"{{ rank=same; {inside} }}"
    for before, after in pairwise(drawing.columns_of_time):
        for first, second in zip(before, after, strict=False):
            yield f'"node-{place[first]}" -> "node-{place[second]}" [style=invis, weight=100]'


def _boxes(drawing: Drawing, engine: Engine) -> Iterator[str]:
    if not has_boxes(engine):
        return
    place = {name: i for i, name in enumerate(drawing.graph.nodes)}
    for i, (title, names) in enumerate(drawing.groups.items()):
        inside = "; ".join(f'"node-{place[name]}"' for name in names)
        look = _bracketed({**BOX, "id": f"group-{i}", "label": _shown(title)})
        yield f'subgraph "cluster-{i}" {{ graph {look}; {inside} }}'


def _pair(edge: Edge) -> frozenset[str]:
    return frozenset((edge.source, edge.target))


def _statement(place: Mapping[str, int], edge: Edge, look: Attributes) -> str:
    ends = f'"node-{place[edge.source]}" -> "node-{place[edge.target]}"'
    return f"{ends} {_bracketed({**look, **looks(edge)})}"


def _legend(drawing: Drawing) -> str:
    """What colours mean: of edges beside the truth, and of groups that have no boxes."""
    judged = [f'<font color="{color}"><b>―</b> {verdict}</font>' for verdict, color in VERDICTS.items()]
    boxed = has_boxes(engine_for(drawing))
    titles = [
        f'<font color="{GROUP_FILLS[i % len(GROUP_FILLS)]}">■</font> {escape(printable(_shown(title)))}'
        for i, title in enumerate([] if boxed else list(drawing.groups)[:MOST_TITLES])
    ]
    titles += ["…"] if not boxed and len(drawing.groups) > MOST_TITLES else []
    lines = [] if drawing.truth is None else [judged]
    lines += [titles[i : i + TITLES_IN_A_LINE] for i in range(0, len(titles), TITLES_IN_A_LINE)]
    return "<br/>".join(" &#160; ".join(line) for line in lines)


def _bracketed(attributes: Attributes) -> str:
    return "[" + ", ".join(f"{name}={_quoted(str(value))}" for name, value in attributes.items()) + "]"


def _quoted(text: str) -> str:
    """Escape what Graphviz reads as an entity, as an escape, or as the end of the text."""
    escaped = printable(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
