"""A picture of how a fitted learner came to its graph: its steps, or else the edges with their strengths."""

import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from structlearn.errors import DataError, needing
from structlearn.graphs import Edge
from structlearn.plots.destination import checked_ending
from structlearn.plots.drawing import MEASURES, Measure
from structlearn.plots.look import ACCENT, INK, QUIET, told
from structlearn.plots.trace import changing, plot_trace
from structlearn.whole_files import path_of, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from structlearn.learners.base import Learner

MOST_BARS = 30
AGAINST = "#e07a1f"
NEXT_TO_ZERO = 1e-300  # in the place of a p-value of 0, which has no logarithm


def plot_learning(learner: "Learner", path: str | Path | None = None) -> "Figure":
    """Draw what changed from step to step; of a method without steps, its strongest edges.

    Parameters
    ----------
    learner : Learner
        After `fit`.
    path : str or Path, optional
        Where to save the picture; ends in .svg, .png or .pdf.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook.
    """
    owner = type(learner).__name__
    if not hasattr(learner, "graph_"):
        raise DataError(f"plot_trace: this {owner} has learned nothing yet; call fit first.")
    ending = None if path is None else checked_ending("plot_trace", path_of(path))
    trace = getattr(learner, "trace_", {})
    if changing(trace):
        n_steps = len(next(iter(trace.values())))
        figure = plot_trace(trace, title=f"{owner}: {n_steps:,} steps")
    else:
        figure = _plot_strengths(owner, learner.graph_.edges, learner.weight_means)
    if path is not None:
        content = io.BytesIO()
        figure.savefig(content, format=ending, dpi=150)
        write_whole(path_of(path), content.getvalue())
    return figure


def _plot_strengths(owner: str, edges: Sequence[Edge], weight_means: str) -> "Figure":
    with needing("matplotlib", "A picture of a trace"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    measure = _telling_measure(edges)
    sizes = [(_size(edge, measure), edge) for edge in edges]
    strongest = sorted(sizes, key=lambda pair: abs(pair[0]), reverse=True)[:MOST_BARS]
    figure = Figure(figsize=(7.0, 1.2 + 0.26 * max(len(strongest), 1)), layout="constrained")
    panel = figure.subplots()
    rows = range(len(strongest))
    colours = [ACCENT if size >= 0 else AGAINST for size, _ in strongest]
    panel.barh(rows, [size for size, _ in strongest], color=colours, height=0.7)
    panel.set_yticks(rows, [told(str(edge)) for _, edge in strongest])
    panel.invert_yaxis()
    panel.set_xlabel(_meaning(measure, weight_means), color=QUIET)
    panel.set_title(_title(owner, len(strongest), len(edges)), color=INK, fontsize=11)
    panel.spines[["top", "right"]].set_visible(False)
    panel.tick_params(colors=INK, labelsize=9)
    return figure


def _telling_measure(edges: Sequence[Edge]) -> Measure | None:
    """The first measure in which edges differ, or else the first that is known."""
    known: dict[Measure, set[float]] = {
        measure: {value for edge in edges if (value := getattr(edge, measure)) is not None}
        for measure in MEASURES
    }
    several = [measure for measure, values in known.items() if len(values) > 1]
    return next(iter([*several, *(measure for measure, values in known.items() if values)]), None)


def _size(edge: Edge, measure: Measure | None) -> float:
    value = 1.0 if measure is None else getattr(edge, measure)
    if value is None or not math.isfinite(value):
        return 0.0
    return -math.log10(max(value, NEXT_TO_ZERO)) if measure == "p_value" else float(value)


def _meaning(measure: Measure | None, weight_means: str) -> str:
    words = {
        "weight": weight_means,
        "p_value": "-log10 of the p-value, at most 300",
        "confidence": "confidence",
    }
    return "nothing is known about the edges" if measure is None else words[measure]


def _title(owner: str, n_shown: int, n_edges: int) -> str:
    if not n_edges:
        return f"{owner}: no steps, and no edges"
    return f"{owner}: no steps; " + (
        f"{n_shown} strongest of {n_edges:,} edges" if n_shown < n_edges else "its edges"
    )
