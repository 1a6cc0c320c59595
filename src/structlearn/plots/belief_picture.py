"""Pictures of models: every node with bars of what is believed of it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

from structlearn.errors import OptionError
from structlearn.graphs import Graph
from structlearn.graphs.edge import SYMMETRIC
from structlearn.graphs.graphviz_marks import looks
from structlearn.inference.beliefs import Belief, beliefs_of
from structlearn.plots.destination import checked_ending
from structlearn.plots.dot_text import EDGE, NODE, PAGE, printable
from structlearn.plots.graph_picture import PIXELS_PER_INCH, tidied
from structlearn.plots.graphviz import rendered
from structlearn.plots.look import ACCENT, INK, QUIET
from structlearn.whole_files import path_of, write_whole

MOST_NODES = 120  # with bars, so many take Graphviz two seconds
MOST_STATES = 8  # of a node that is not taller than its neighbours
LONGEST_WORD = 24
BAR_WIDTH, BAR_HEIGHT = 60, 8  # points
SHARE_WIDTH = 36  # of "100.0%"
TRACK, KNOWN_FILL = "#dbe4f3", "#fff3dc"


class BeliefPicture:
    """A drawn model: shows itself in a notebook, and can be saved.

    Parameters
    ----------
    graph : Graph
        The graph of the model.
    beliefs : mapping of str to Belief
        What is believed of each node.
    """

    def __init__(self, graph: Graph, beliefs: Mapping[str, Belief]) -> None:
        self._graph, self._beliefs = graph, beliefs

    def save(self, path: str | Path) -> Path:
        """Write an SVG, PNG or PDF file, by the ending of `path`; the file appears whole or not at all."""
        path = path_of(path)
        ending = checked_ending("plot", path)
        page = {"dpi": PIXELS_PER_INCH, "bgcolor": "white"} if ending == "png" else {}
        drawn = self.svg().encode() if ending == "svg" else rendered(self._text, self._engine, ending, **page)
        write_whole(path, drawn)
        return path

    def svg(self) -> str:
        """Give the picture as SVG: node i has the id belief-i, the bar of its state j the id a_bar-i-j."""
        names = {f"belief-{i}": name for i, name in enumerate(self._graph.nodes)}
        return tidied(rendered(self._text, self._engine, "svg"), names)

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def _engine(self) -> str:
        return "neato" if self._graph.edge_kinds <= SYMMETRIC else "dot"

    @cached_property
    def _text(self) -> str:
        layout = {
            "id": "beliefs-picture",
            "ranksep": 0.42,
            "nodesep": 0.22,
            "mode": "sgd",
            "start": 1,
            "overlap": "vpsc",
            "sep": "+9",
        }
        lines = [f"graph [{_written({**PAGE, **layout})}]"]
        lines += [f"node [{_written({**NODE, 'margin': '0.05,0.02'})}]", f"edge [{_written(EDGE)}]"]
        lines += self._nodes()
        place = {name: i for i, name in enumerate(self._graph.nodes)}
        lines += [
            f'"belief-{place[edge.source]}" -> "belief-{place[edge.target]}" [{_written(looks(edge))}]'
            for edge in self._graph.edges
        ]
        return "\n".join(["digraph {", *(f"  {line};" for line in lines), "}", ""])

    def _nodes(self) -> Iterator[str]:
        for i, name in enumerate(self._graph.nodes):
            belief = self._beliefs[name]
            look = {"id": f"belief-{i}"} | ({"fillcolor": KNOWN_FILL} if belief.is_known else {})
            head = f'<tr><td colspan="3"><b>{_words(name)}</b></td></tr>'
            table = f'<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{head}'
            yield f'"belief-{i}" [{_written(look)}, label=<{table}{"".join(_rows(i, name, belief))}</table>>]'


def plot_beliefs(
    model: Any, path: str | Path | None = None, *, evidence: Mapping[str, Any] | None = None
) -> BeliefPicture:
    """Draw a model: each node with a bar for the probability of each state, or with mean and deviation.

    Parameters
    ----------
    model : BayesianNetwork, MarkovNetwork, IsingModel, GaussianGraphicalModel or DependencyModel
        The model.
    path : str or Path, optional
        Where to save the picture; ends in .svg, .png or .pdf.
    evidence : mapping of str to state, optional
        What is known; these nodes have another colour.

    Returns
    -------
    BeliefPicture
        Shows itself in a notebook; `save(path)` writes it.
    """
    if len(model.nodes) > MOST_NODES:
        raise OptionError(
            f"plot: a picture with bars has at most {MOST_NODES} nodes, and this model {len(model.nodes):,}. "
            "model.graph.plot() draws its graph."
        )
    picture = BeliefPicture(model.graph, beliefs_of(model, evidence))
    if path is not None:
        picture.save(path)
    return picture


def _rows(i: int, name: str, belief: Belief) -> Iterator[str]:
    """The lines below the name of a node."""
    if not belief.labels:
        said = f"{belief.mean:.4g}" + ("" if belief.is_known else f" ± {belief.deviation:.3g}")
        yield f'<tr><td colspan="3">{_small(said)}</td></tr>'
        return
    n_shown = len(belief.labels) if len(belief.labels) <= MOST_STATES else MOST_STATES - 1
    for j, (label, share) in enumerate(zip(belief.labels[:n_shown], belief.shares, strict=False)):
        title = escape(printable(f"{name} = {label}"))
        cells = (
            f'<td align="left" {_known_as("state", i, j, title)}>{_small(str(label))}</td>',
            f"<td {_known_as('bar', i, j, title)}>{_bar(share)}</td>",
            f'<td align="right" width="{SHARE_WIDTH}" {_known_as("share", i, j, title)}>',
            f"{_small(f'{share:.1%}')}</td>",
        )
        yield f"<tr>{''.join(cells)}</tr>"
    if n_shown < len(belief.labels):
        rest = f"… {len(belief.labels) - n_shown} more: {sum(belief.shares[n_shown:]):.1%}"
        yield f'<tr><td colspan="3" align="left">{_small(rest)}</td></tr>'


def _known_as(part: str, i: int, j: int, title: str) -> str:
    # Graphviz writes the id of a cell only if it has a title too.
    return f'id="{part}-{i}-{j}" title="{title}"'


def _bar(share: float) -> str:
    """Two cells side by side, neither without width: Graphviz would leave it out."""
    width = min(max(round(BAR_WIDTH * share), 1), BAR_WIDTH - 1)
    left = TRACK if share * BAR_WIDTH < 0.5 else ACCENT
    right = ACCENT if (1 - share) * BAR_WIDTH < 0.5 else TRACK
    cells = "".join(
        f'<td fixedsize="true" width="{points}" height="{BAR_HEIGHT}" bgcolor="{colour}"></td>'
        for points, colour in ((width, left), (BAR_WIDTH - width, right))
    )
    return f'<table border="0" cellborder="0" cellspacing="0" cellpadding="0"><tr>{cells}</tr></table>'


def _small(text: str) -> str:
    return f'<font point-size="9" color="{INK}">{_words(text)}</font>'


def _words(text: str) -> str:
    cut = text if len(text) <= LONGEST_WORD else f"{text[: LONGEST_WORD - 1]}…"
    return escape(printable(cut)) or f'<font color="{QUIET}">(empty)</font>'


def _written(attributes: Mapping[str, object]) -> str:
    return ", ".join(f'{name}="{value}"' for name, value in attributes.items())
