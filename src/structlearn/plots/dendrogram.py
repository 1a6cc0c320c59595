"""Pictures of clusters: their tree beside the similarities."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import DataError, needing
from structlearn.plots.look import INK, QUIET, told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from structlearn.learners.network.cluster_gaussian_network import ClusterGaussianNetwork
    from structlearn.learners.network.similarity_network import SimilarityNetwork

MOST_NAMES = 80  # more would overlap


def similarity_of_leaves(
    learner: "SimilarityNetwork | ClusterGaussianNetwork",
) -> tuple[NDArray[np.float64], str]:
    """How similar every two columns are, in the order of the leaves of the tree, and by which measure."""
    tree = learner.dendrogram_
    similarity = getattr(learner, "column_similarity_", None)
    if similarity is not None:
        return np.asarray(similarity)[np.ix_(tree.places, tree.places)], "pearson"
    place = {name: i for i, name in enumerate(learner.graph_.nodes)}
    order = [place[name] for name in tree.leaves]
    return np.asarray(learner.similarity_)[np.ix_(order, order)], learner.used_measure_  # type: ignore[union-attr]  # one that has learnt


def plot_dendrogram(learner: "SimilarityNetwork | ClusterGaussianNetwork") -> "Figure":
    """Draw the tree of clusters of a fitted learner, with the similarities as a heat map below.

    Returns
    -------
    matplotlib.figure.Figure
        Shows itself in a notebook; `savefig(path)` writes it.
    """
    if not hasattr(learner, "dendrogram_"):
        raise DataError(
            f"plot_dendrogram: this {type(learner).__name__} has learned nothing yet; call fit first."
        )
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
    values, measure = similarity_of_leaves(learner)
    # Colours by what pairs have: a column with itself would outshine them.
    largest = float(np.abs(values[~np.eye(n_columns, dtype=np.bool_)]).max(initial=1e-300))
    signed = measure not in ("euclidean", "mutual-information")
    low, colours = (-largest, "RdBu_r") if signed else (0.0, "Blues")
    shown = below.imshow(values, cmap=colours, vmin=low, vmax=largest, aspect="auto")
    below.tick_params(colors=INK, labelsize=8, length=0)
    names = [told(name) for name in tree.leaves] if n_columns <= MOST_NAMES else []
    below.set_xticks(range(len(names)), names, rotation=90)
    below.set_yticks(range(len(names)), names)
    below.spines[:].set_visible(False)
    figure.colorbar(shown, ax=below, location="bottom", shrink=0.5, label=measure)
    return figure
