"""Pictures of graphs, laid out and drawn by Graphviz."""

import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from structlearn.errors import DataError, OptionError, needing
from structlearn.graphs import Graph
from structlearn.plots.dot_text import described, described_node, dot, groups_of, layout_engine, printable
from structlearn.whole_files import write_whole

ENDINGS = ("svg", "png", "pdf")
PIXELS_PER_INCH = 160
SVG = "http://www.w3.org/2000/svg"


class Picture:
    """A drawn graph: shows itself in a notebook, and can be saved.

    Parameters
    ----------
    graph : Graph
        The graph to draw.
    truth : Graph, optional
        The graph to judge it by; its missing edges are drawn dashed.
    """

    def __init__(self, graph: Graph, *, truth: Graph | None = None) -> None:
        for given in (graph, truth):
            if given is not None and not isinstance(given, Graph):
                raise OptionError(f"plot: this draws a Graph, not a {type(given).__name__}.")
        self._graph = graph
        self._text = dot(graph, truth=truth)

    def save(self, path: str | Path) -> Path:
        """Write an SVG, PNG or PDF file, by the ending of `path`; the file appears whole or not at all."""
        path = Path(path)
        ending = _checked_ending(path)
        write_whole(path, self.svg().encode() if ending == "svg" else self._drawn(ending))
        return path

    def svg(self) -> str:
        """Give the picture as SVG: node i of the graph has the id node-i, edge i the id edge-i."""
        return _tidied(self._drawn("svg"), self._titles())

    def _repr_svg_(self) -> str:
        return self.svg()

    def _drawn(self, ending: str) -> bytes:
        with needing("pygraphviz", "A picture of a graph"):
            import pygraphviz  # noqa: PLC0415, loads Graphviz

        try:
            page = pygraphviz.AGraph(string=self._text)  # by way of a temporary file
            if ending == "png":
                page.graph_attr.update(dpi=PIXELS_PER_INCH, bgcolor="white")
            drawn: bytes = page.draw(format=ending, prog=layout_engine(self._graph))
        except OSError as error:
            raise DataError(
                f"The graph cannot be drawn: a temporary file in {tempfile.gettempdir()} cannot be written: "
                f"{error.strerror or error}."
            ) from None
        except ValueError as error:
            raise DataError(f"The graph cannot be drawn: Graphviz says: {error}.") from None
        return drawn

    def _titles(self) -> dict[str, str]:
        graph = self._graph
        names = {f"node-{i}": described_node(graph, name) for i, name in enumerate(graph.nodes)}
        names |= {f"group-{i}": title for i, title in enumerate(groups_of(graph))}
        return names | {f"edge-{i}": described(edge) for i, edge in enumerate(graph.edges)}


def plot_graph(graph: Graph, path: str | Path | None = None, *, truth: Graph | None = None) -> Picture:
    """Draw a graph: in layers where edges have directions, by springs where none has.

    An edge shows its marks: an arrow, nothing for a tail, a circle for either. Strong edges are thick: by
    confidence, else weight, else p-value, the first that is known. Nodes whose facts have the same
    "group" stand in a box, or else the same "module", "class" or "lag".

    Parameters
    ----------
    graph : Graph
        The graph to draw.
    path : str or Path, optional
        Where to save the picture; ends in .svg, .png or .pdf.
    truth : Graph, optional
        Colour the edges by what they have right and wrong beside this graph, as
        `Graph.compare` counts them, and draw the missing ones dashed.

    Returns
    -------
    Picture
        Shows itself in a notebook; `save(path)` writes it.
    """
    picture = Picture(graph, truth=truth)
    if path is not None:
        picture.save(path)
    return picture


def svg(graph: Graph, *, truth: Graph | None = None) -> str:
    """Give the picture of a graph as SVG that can stand inside an HTML page."""
    return Picture(graph, truth=truth).svg()


def _tidied(drawn: bytes, titles: dict[str, str]) -> str:
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


def _checked_ending(path: Path) -> str:
    ending = path.suffix.lower().lstrip(".")
    if ending not in ENDINGS:
        raise OptionError(f"plot: {str(path)!r} must end in {', '.join('.' + word for word in ENDINGS)}.")
    if not path.parent.is_dir():
        raise OptionError(f"plot: there is no folder {str(path.parent)!r}; make it first.")
    return ending
