"""Pictures of clusters: their tree beside the similarities."""

from typing import TYPE_CHECKING

import numpy as np

from structlearn.errors import DataError, needing
from structlearn.plots.look import INK, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from structlearn.learners.network.similarity_network import SimilarityNetwork

MOST_NAMES = 80  # more would overlap


def plot_dendrogram(learner: "SimilarityNetwork") -> "Figure":
    """Draw the tree of clusters of a fitted `SimilarityNetwork`, with the similarities as a heat map below.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    if not hasattr(learner, "dendrogram_"):
        raise DataError("plot_dendrogram: this SimilarityNetwork has learned nothing yet; call fit first.")
    with needing("matplotlib", "A picture of clusters"):
        from matplotlib.figure import Figure  # noqa: PLC0415, slow to load and not needed to learn
    from scipy.cluster import hierarchy  # noqa: PLC0415, as above

    tree, n_columns = learner.dendrogram_, len(learner.dendrogram_.names)
    size = min(max(0.22 * n_columns, 4.0), 14.0)
    figure = Figure(figsize=(size, 1.4 * size), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=[2, 5])
    if len(tree.merges):
        hierarchy.dendrogram(
            tree.merges, ax=above, no_labels=True, color_threshold=0.0, above_threshold_color=INK
        )
    above.set_ylabel("distance", color=INK)
    above.spines[["top", "right", "bottom"]].set_visible(False)
    above.tick_params(colors=QUIET, labelsize=9)
    place = {name: i for i, name in enumerate(learner.graph_.nodes)}
    order = [place[name] for name in tree.leaves]
    values = np.asarray(learner.similarity_)[np.ix_(order, order)]
    # Colours by what pairs have: a column with itself would outshine them.
    largest = float(np.abs(values[~np.eye(n_columns, dtype=np.bool_)]).max(initial=1e-300))
    signed = learner.used_measure_ not in ("euclidean", "mutual-information")
    low, colours = (-largest, "RdBu_r") if signed else (0.0, "Blues")
    shown = below.imshow(values, cmap=colours, vmin=low, vmax=largest, aspect="auto")
    below.tick_params(colors=INK, labelsize=8, length=0)
    names = list(tree.leaves) if n_columns <= MOST_NAMES else []
    below.set_xticks(range(len(names)), names, rotation=90)
    below.set_yticks(range(len(names)), names)
    below.spines[:].set_visible(False)
    figure.colorbar(shown, ax=below, location="bottom", shrink=0.5, label=learner.used_measure_)
    return figure
