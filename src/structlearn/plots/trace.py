"""Pictures of what a learner did, step by step."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError, needing
from structlearn.plots.look import ACCENT, INK, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES_PER_PANEL = 1.7


def plot_trace(trace: Mapping[str, ArrayLike]) -> "Figure":
    """Draw every number of a learner's `trace_` against the step, one panel below the other.

    Parameters
    ----------
    trace : mapping of str to array-like
        Columns of equal length; those that hold no numbers are left out.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    # A Figure by itself needs no display and stays out of pyplot's list of open windows.
    with needing("matplotlib", "A picture of a trace"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    columns = _numeric(trace)
    figure = Figure(figsize=(7.0, 0.6 + INCHES_PER_PANEL * len(columns)), layout="constrained")
    panels = figure.subplots(len(columns), 1, sharex=True, squeeze=False)[:, 0]
    for panel, (name, values) in zip(panels, columns.items(), strict=True):
        _draw(panel, name, values)
    panels[-1].set_xlabel("step", color=QUIET)
    return figure


def _numeric(trace: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
    try:
        columns = {name: np.asarray(values) for name, values in trace.items()}
    except (AttributeError, ValueError):
        raise DataError("plot_trace: a trace maps names to columns, one number a step.") from None
    numeric = {
        name: values for name, values in columns.items() if values.dtype.kind in "biuf" and values.ndim == 1
    }
    if not numeric:
        raise DataError("plot_trace: the trace has no column of numbers, so there is nothing to draw.")
    return numeric


def _draw(panel: "Axes", name: str, values: NDArray[Any]) -> None:
    marker = "o" if values.size <= 60 else ""
    panel.plot(np.arange(values.size), values, color=ACCENT, linewidth=1.6, marker=marker, markersize=3)
    panel.set_ylabel(name.replace("_", " "), color=INK)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(QUIET)
    panel.tick_params(colors=QUIET, labelsize=9)
    panel.grid(axis="y", color="#e2e8f0", linewidth=0.8)
    panel.margins(x=0.01)
