"""Pictures of time courses: what was measured, and what a fitted system does."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, needing
from structlearn.plots.look import INK, QUIET, told

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
COLOURS = ("#2563eb", "#e07a1f", "#0f9d76", "#a855b8", "#b91c1c", "#64748b")
MOST_PANELS = 12
PANELS_IN_A_ROW = 3
ROOM = 0.2  # how far beyond the data a line is shown, per their spread: what runs away would flatten the rest


class HasTrajectory(Protocol):
    """A course with what was measured and what was fitted, by node."""

    @property
    def times(self) -> Floats:
        """When."""

    @property
    def measured(self) -> Mapping[str, Floats]:
        """What was seen."""

    @property
    def fitted(self) -> Mapping[str, Floats]:
        """What the system does from the first state on."""


def plot_trajectories(trajectories: Sequence[HasTrajectory], nodes: Sequence[str] | None = None) -> "Figure":
    """Draw courses node by node: dots are measured, lines are the fitted system from the first dot on.

    Parameters
    ----------
    trajectories : sequence of Trajectory
        The `trajectories_` of a learner.
    nodes : sequence of str, optional
        Which nodes to draw; by default the first twelve.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    if not trajectories:
        raise DataError("plot_trajectories: there are no courses; steady states have none.")
    known = list(trajectories[0].measured)
    drawn = known[:MOST_PANELS] if nodes is None else list(nodes)
    unknown = [name for name in drawn if name not in known]
    if unknown or not drawn:
        raise DataError(
            f"plot_trajectories: there is no node {unknown[0]!r}." if unknown else "No nodes are named."
        )
    with needing("matplotlib", "A picture of trajectories"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    n_columns = min(PANELS_IN_A_ROW, len(drawn))
    n_rows = -(-len(drawn) // n_columns)
    figure = Figure(figsize=(3.2 * n_columns + 0.6, 2.3 * n_rows + 0.5), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, sharex=True, squeeze=False).ravel()
    for panel, name in zip(panels, drawn, strict=False):
        _draw(panel, name, trajectories)
    for panel in panels[len(drawn) :]:
        panel.set_visible(False)
    figure.supxlabel("time", color=QUIET, fontsize=10)
    return figure


def _draw(panel: "Axes", name: str, trajectories: Sequence[HasTrajectory]) -> None:
    for k, course in enumerate(trajectories):
        colour = COLOURS[k % len(COLOURS)]
        panel.plot(course.times, course.measured[name], "o", color=colour, markersize=3, alpha=0.75)
        panel.plot(course.times, course.fitted[name], color=colour, linewidth=1.4)
    seen = np.concatenate([course.measured[name] for course in trajectories])
    spread = np.ptp(seen) or 1.0
    panel.set_ylim(seen.min() - ROOM * spread, seen.max() + ROOM * spread)
    panel.set_title(told(name), color=INK, fontsize=10)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(QUIET)
    panel.tick_params(colors=QUIET, labelsize=8)
    panel.grid(axis="y", color="#e2e8f0", linewidth=0.8)
