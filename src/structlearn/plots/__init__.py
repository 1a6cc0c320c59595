"""Pictures of graphs and of how a learner got there."""

from structlearn.plots.belief_picture import BeliefPicture, plot_beliefs
from structlearn.plots.dendrogram import plot_dendrogram
from structlearn.plots.dot_text import dot
from structlearn.plots.graph_picture import Picture, plot_graph, svg
from structlearn.plots.learning import plot_learning
from structlearn.plots.modules import plot_module
from structlearn.plots.ranking_curves import plot_ranking
from structlearn.plots.trace import plot_trace
from structlearn.plots.trajectories import plot_trajectories

__all__ = [
    "BeliefPicture",
    "Picture",
    "dot",
    "plot_beliefs",
    "plot_dendrogram",
    "plot_graph",
    "plot_learning",
    "plot_module",
    "plot_ranking",
    "plot_trace",
    "plot_trajectories",
    "svg",
]
