"""Pictures of graphs, laid out and drawn by Graphviz."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Unpack
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import NDArray

from structlearn.graphs import Graph
from structlearn.plots.apart import apart, below
from structlearn.plots.destination import checked_ending
from structlearn.plots.dot_text import described, described_node, printable, text_of
from structlearn.plots.drawing import Drawing, PlotOptions
from structlearn.plots.graphviz import rendered
from structlearn.plots.layouts import (
    BETWEEN_NODES,
    MOST_NODES_IN_LAYERS,
    Engine,
    engine_for,
    is_spread,
    places_in,
)
from structlearn.whole_files import path_of, write_whole

# A PNG of hundreds of nodes has fewer, so that it can be drawn in a second and opened; at 60 names of 11
# points can just be read.
PIXELS_PER_INCH, FEWEST_PIXELS_PER_INCH, MOST_PIXELS = 160, 60, 3400
# How many times as long as broad a picture on a page is; of a few nodes anything can be read.
LONGEST, FEW_NODES = 2.5, 20
SVG = "http://www.w3.org/2000/svg"


class Picture:
    """A drawn graph: shows itself in a notebook, and can be saved.

    Parameters
    ----------
    graph : Graph
        The graph to draw.
    truth : Graph, optional
        The graph to judge it by; its missing edges are drawn dashed.
    **options
        As `plot_graph` has them.
    """

    def __init__(self, graph: Graph, *, truth: Graph | None = None, **options: Unpack[PlotOptions]) -> None:
        self._drawing = Drawing.of(graph, truth, **options)

    def save(self, path: str | Path) -> Path:
        """Write an SVG, PNG or PDF file, by the ending of `path`; the file appears whole or not at all."""
        path = path_of(path)
        ending = checked_ending("plot", path)
        write_whole(path, self.svg().encode() if ending == "svg" else self._drawn(ending))
        return path

    def svg(self) -> str:
        """Give the picture as SVG: node i of the graph has the id node-i, edge i the id edge-i."""
        return tidied(self._drawn("svg"), self._titles())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _drawn(self, ending: str) -> bytes:
        text, program = self._laid_out
        size = self._drawing.size
        page = {} if size is None else {"size": f"{size[0]},{size[1]}!"}
        if ending == "png":
            page |= {"dpi": f"{self._pixels_per_inch():.0f}", "bgcolor": "white"}
        return rendered(text, program, ending, **page)

    def _pixels_per_inch(self) -> float:
        if self._drawing.size is not None or len(self._drawing.graph) <= MOST_NODES_IN_LAYERS:
            return PIXELS_PER_INCH
        inches = max(_size(*self._laid_out))
        return max(FEWEST_PIXELS_PER_INCH, min(PIXELS_PER_INCH, MOST_PIXELS / inches))

    @cached_property
    def _laid_out(self) -> tuple[str, str]:
        """The text that Graphviz draws, and its program for it."""
        drawing = self._drawing
        engine = engine_for(drawing)
        if is_spread(drawing, engine):
            return text_of(drawing, _spread(drawing, engine)), "nop"
        if engine == "dot" and drawing.direction is None and drawing.layout == "auto":
            drawing = _on_a_page(drawing)
        return text_of(drawing), engine_for(drawing)

    def _titles(self) -> dict[str, str]:
        graph, groups = self._drawing.graph, self._drawing.groups
        names = {f"node-{i}": described_node(graph, name) for i, name in enumerate(graph.nodes)}
        names |= {f"group-{i}": title for i, title in enumerate(groups)}
        return names | {f"edge-{i}": described(edge) for i, edge in enumerate(graph.edges)}


def plot_graph(
    graph: Graph,
    path: str | Path | None = None,
    *,
    truth: Graph | None = None,
    **options: Unpack[PlotOptions],
) -> Picture:
    """Draw a graph: in layers where edges have directions, by springs where none has or nodes are many.

    An edge shows its marks: an arrow, nothing for a tail, a circle for either. Strong edges are thick: by
    confidence, else weight, else p-value, the first that is known. Nodes whose facts have the same
    "group" stand in a box, or else the same "module", "class" or "lag"; in layouts without boxes, which all
    of more than 60 nodes are, they have a colour.

    Parameters
    ----------
    graph : Graph
        The graph to draw.
    path : str or Path, optional
        Where to save the picture; ends in .svg, .png or .pdf.
    truth : Graph, optional
        Colour the edges by what they have right and wrong beside this graph, as
        `Graph.compare` counts them, and draw the missing ones dashed.
    layout : str, default "auto"
        "dot" has layers, "neato" and "sfdp" have springs, "circo" has circles. "auto" takes layers for
        arrows between at most 60 nodes, and springs otherwise.
    direction : "down", "right", "up" or "left", optional
        Which way layers run. If not given: down, or to the right where that makes a better page.
    size : float or (float, float), optional
        The inches that the picture fits into, both ways or (width, height); a PNG has 160 pixels an inch.
    highlight : str or iterable of str and (str, str), default ()
        The nodes that stand out, and by pairs the edges.
    groups : str or mapping of str to names, optional
        The nodes that belong together, by a title for each group; or the name of a fact that says so.
        If not given, the facts of the nodes decide; {} has no groups.
    labels : "confidence", "weight" or "p_value", optional
        What is written at each edge.
    threshold : float, optional
        Draw only the edges with a confidence (or weight, whatever its sign) of at least this, or with a
        p-value of at most this: of what `labels` names, or else of the first that is known.

    Returns
    -------
    Picture
        Shows itself in a notebook; `save(path)` writes it.
    """
    picture = Picture(graph, truth=truth, **options)
    if path is not None:
        picture.save(path)
    return picture


def svg(graph: Graph, *, truth: Graph | None = None, **options: Unpack[PlotOptions]) -> str:
    """Give the picture of a graph as SVG that can stand inside an HTML page."""
    return Picture(graph, truth=truth, **options).svg()


def _spread(drawing: Drawing, engine: Engine) -> NDArray[np.float64]:
    """A place for each node: by springs and then pushed apart, and in rows below where it has no edge.

    Lone nodes give springs nothing to pull at, and 1,500 of them take over 15 s.
    """
    graph, truth = drawing.graph, drawing.truth
    edges = [*graph.edges, *(() if truth is None else truth.edges)]
    ends = {name for edge in edges for name in (edge.source, edge.target)}
    lone = np.array([name not in ends for name in graph.nodes], dtype=np.bool_)
    centres, sizes = places_in(rendered(text_of(drawing, np.zeros((len(graph), 2))), "nop", "plain"))
    if ends:
        joined = replace(
            drawing,
            graph=graph.subgraph(ends),
            truth=None if truth is None else truth.subgraph(ends),
            layout="sfdp" if engine == "sfdp" else "neato",
        )
        found, _ = places_in(rendered(text_of(joined), engine, "plain", splines=""))
        centres[~lone] = apart(found, sizes[~lone], gap=BETWEEN_NODES)
    return below(centres, sizes, lone, gap=2 * BETWEEN_NODES)


def _on_a_page(drawing: Drawing) -> Drawing:
    """The drawing in layers downwards, to the right, or else by springs: the first that makes no strip.

    Where all do, and where nodes are few, layers are kept: downwards, or to the right if that is better.
    """
    right = replace(drawing, direction="right")
    shapes = [_shape(each) for each in (drawing, right)]
    if len(drawing.graph) > FEW_NODES and min(shapes) > LONGEST and not drawing.groups:
        springs = replace(drawing, layout="neato")
        if _shape(springs) <= LONGEST:
            return springs
    width, height = _size(text_of(drawing), "dot")
    return right if width > LONGEST * height and shapes[1] < shapes[0] else drawing


def _shape(drawing: Drawing) -> float:
    """How many times as long as broad a drawing is."""
    shorter, longer = sorted(_size(text_of(drawing), engine_for(drawing)))
    return longer / shorter


def _size(text: str, program: str) -> tuple[float, float]:
    """How many inches wide and high the picture of a text is."""
    _, _, width, height = rendered(text, program, "plain").split()[:4]
    return max(float(width), 0.01), max(float(height), 0.01)


def tidied(drawn: bytes, titles: dict[str, str]) -> str:
    """Drop the prolog and comments, name nodes and edges in their titles, and let the picture shrink."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(drawn)  # noqa: S314, made by Graphviz just now
    root.set("style", "max-width: 100%; height: auto")
    root.set("role", "img")
    for group in root.iter(f"{{{SVG}}}g"):
        title = group.find(f"{{{SVG}}}title")
        if title is not None:
            title.text = printable(titles.get(group.get("id", ""), ""))
    return ET.tostring(root, encoding="unicode")
