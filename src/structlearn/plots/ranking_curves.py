"""Pictures of how well the order of the edges finds the true ones."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from structlearn.errors import DataError, needing
from structlearn.graphs.ranking import RankingComparison
from structlearn.plots.look import ACCENT, INK, QUIET, VERDICTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = (ACCENT, VERDICTS["extra"], VERDICTS["misdirected"], "#0f9d76", "#b91c1c", INK)


def plot_ranking(found: RankingComparison | Mapping[str, RankingComparison]) -> "Figure":
    """Draw true over false positives and precision over recall, with chance as a broken line.

    Parameters
    ----------
    found : RankingComparison, or mapping of str to RankingComparison
        What `graph.compare_ranking(truth)` gives; several by name share the panels.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.

    Examples
    --------
    >>> import structlearn as sl
    >>> learned = sl.Graph("abc", edges=[sl.Edge("a", "b", weight=2.0), sl.Edge("a", "c", weight=1.0)])
    >>> figure = plot_ranking(learned.compare_ranking(sl.Graph("abc", directed=["ab"])))
    >>> [panel.get_xlabel() for panel in figure.axes]
    ['false positive rate', 'recall']
    """
    curves = found if isinstance(found, Mapping) else {"": found}
    if not curves or not all(isinstance(curve, RankingComparison) for curve in curves.values()):
        raise DataError(
            "plot_ranking: pass what graph.compare_ranking(truth) gives, or several of them by name."
        )
    # A Figure by itself needs no display and stays out of pyplot's list of open windows.
    with needing("matplotlib", "A picture of a ranking"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn

    figure = Figure(figsize=(8.4, 4.0), layout="constrained")
    rates, precisions = figure.subplots(1, 2)
    for i, (name, curve) in enumerate(curves.items()):
        colour, before = COLOURS[i % len(COLOURS)], f"{name}: " if name else ""
        rates.plot(*curve.roc, color=colour, label=f"{before}AUROC {curve.auroc:.3f}")
        precisions.plot(*curve.precision_recall(), color=colour, label=f"{before}AUPR {curve.aupr:.3f}")
    rates.plot([0, 1], [0, 1], color=QUIET, linestyle="--", linewidth=1)
    for chance in sorted({curve.chance_aupr for curve in curves.values()}):
        precisions.axhline(chance, color=QUIET, linestyle="--", linewidth=1)
    _finish(rates, "false positive rate", "true positive rate", "lower right")
    _finish(precisions, "recall", "precision", "upper right")
    return figure


def _finish(panel: "Axes", across: str, up: str, legend: Literal["lower right", "upper right"]) -> None:
    panel.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03))
    panel.set_xlabel(across, color=INK)
    panel.set_ylabel(up, color=INK)
    panel.spines[["top", "right"]].set_visible(False)
    panel.spines[["left", "bottom"]].set_color(QUIET)
    panel.tick_params(colors=QUIET, labelsize=9)
    panel.grid(color="#e2e8f0", linewidth=0.8)
    panel.legend(loc=legend, fontsize=9, frameon=False)
