"""Pictures of what a learner did, step by step."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError, needing
from structlearn.plots.look import ACCENT, INK, QUIET, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Column = NDArray[Any]
Trace = Mapping[str, Column]

INCHES_PER_PANEL = 1.7
MOST_WORDS = 15  # below the steps; more would overlap
LONGEST_WORD = 24
# Which run of several a step belongs to: a line stands where one ends.
RUNS = ("chain", "climb", "start", "round", "n_modules")
# What a step is called, rather than what it brought.
NAMES = ("parent", "proposal")
ROUNDING = 1e-9  # sums of the same scores in another order differ by less
# Along which methods go, so that it says more than the number of the step.
WAYS = ("conditions", "penalty")


def plot_trace(trace: Mapping[str, ArrayLike], *, title: str = "") -> "Figure":
    """Draw every number of a learner's `trace_` against the step, one panel below the other.

    `learner.plot_trace()` does so for each method, and shows the strongest edges where there are no steps.

    Parameters
    ----------
    trace : mapping of str to array-like
        Columns of equal length. Those that hold no numbers, or only number runs or stay the same while
        others change, have no panel.
    title : str, default ""
        What stands above.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    # A Figure by itself needs no display and stays out of pyplot's list of open windows.
    with needing("matplotlib", "A picture of a trace"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    columns = _columns(trace)
    shown = _shown(columns)
    figure = Figure(figsize=(7.0, 0.8 + INCHES_PER_PANEL * len(shown)), layout="constrained")
    panels = figure.subplots(len(shown), 1, sharex=True, squeeze=False)[:, 0]
    way, places = _way(columns)
    for panel, (name, values) in zip(panels, shown.items(), strict=True):
        _draw(panel, name, places, values)
        for end in _ends_of_runs(columns):
            panel.axvline(end, color=QUIET, linewidth=0.6, linestyle=":")
    _name_steps(panels[-1], columns, way)
    panels[0].set_title(title, color=INK, fontsize=11)
    return figure


def changing(trace: Mapping[str, ArrayLike]) -> Trace:
    """The columns with numbers that change from step to step, the only ones worth a picture."""
    return {name: values for name, values in _numeric(_columns(trace)).items() if _changes(values)}


def _columns(trace: Mapping[str, ArrayLike]) -> Trace:
    try:
        return {name: np.asarray(values) for name, values in trace.items()}
    except (AttributeError, ValueError):
        raise DataError("plot_trace: a trace maps names to columns, one number a step.") from None


def _numeric(columns: Trace) -> Trace:
    return {
        name: values
        for name, values in columns.items()
        if values.dtype.kind in "biuf" and values.ndim == 1 and name not in {*RUNS, *NAMES}
    }


def _shown(columns: Trace) -> Trace:
    numeric = _numeric(columns)
    if not numeric:
        raise DataError("plot_trace: the trace has no column of numbers, so there is nothing to draw.")
    telling = {name: values for name, values in numeric.items() if _changes(values) and name not in WAYS}
    return telling or numeric


def _changes(values: Column) -> bool:
    finite = values[np.isfinite(values)]
    return finite.size > 1 and bool(np.ptp(finite.astype(float)) > ROUNDING * np.abs(finite).max())


def _way(columns: Trace) -> tuple[str, Column]:
    """What the steps are drawn along: their number, or what they went through."""
    for name in WAYS:
        if name in columns and _changes(columns[name]):
            return name, columns[name]
    return "step", np.arange(max((values.size for values in columns.values()), default=0))


def _ends_of_runs(columns: Trace) -> list[float]:
    runs = next((columns[name] for name in RUNS if name in columns), np.empty(0))
    return [float(place) + 0.5 for place in np.flatnonzero(runs[1:] != runs[:-1])]


def _name_steps(panel: "Axes", columns: Trace, way: str) -> None:
    panel.set_xlabel(way, color=QUIET)
    words = _words(columns)
    if way == "penalty":
        panel.set_xscale("log")
    elif way == "step" and 0 < len(words) <= MOST_WORDS:
        panel.set_xticks(range(len(words)), words, rotation=30, ha="right", fontsize=8)
    else:
        panel.locator_params(axis="x", integer=True)


def _words(columns: Trace) -> list[str]:
    """What each step did, where the trace says it in words."""
    if "step" in columns:
        words = [str(word) for word in columns["step"]]
    elif "source" in columns:
        moves = columns.get("move", [""] * len(columns["source"]))
        parts = zip(moves, columns["source"], columns["target"], strict=True)
        words = [f"{move} {source}, {target}".strip() for move, source, target in parts]
    else:
        return []
    return [told(word, longest=LONGEST_WORD) for word in words]


def _draw(panel: "Axes", name: str, places: Column, values: Column) -> None:
    marker = "o" if values.size <= 60 else ""
    panel.plot(places[: values.size], values, color=ACCENT, linewidth=1.6, marker=marker, markersize=3)
    panel.set_ylabel(name.replace("_", " "), color=INK)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(QUIET)
    panel.tick_params(colors=QUIET, labelsize=9)
    panel.grid(axis="y", color="#e2e8f0", linewidth=0.8)
    panel.margins(x=0.01)
