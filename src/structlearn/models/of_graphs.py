"""The model that a graph and a table make: directed where the graph can be, otherwise a field of lines."""

from typing import Any

from structlearn.data import Dataset
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel
from structlearn.models.markov_network import MarkovNetwork
from structlearn.models.markov_network_fit import WideForSmoothingError


def model_of(graph: Graph, dataset: Dataset, *, smoothing: float = 0.0) -> Any:
    """Fit a Bayesian network where the graph is, or stands for, a DAG; a field of its lines otherwise."""
    if is_directed(graph):
        return BayesianNetwork(graph).fit(dataset, smoothing=smoothing)
    return undirected_model(graph, dataset, smoothing=smoothing)


def is_directed(graph: Graph) -> bool:
    """Whether a Bayesian network can have the graph."""
    try:
        graph.to_dag()
    except DataError:
        return False
    return True


def undirected_model(graph: Graph, dataset: Dataset, *, smoothing: float = 0.0) -> Any:
    """Fit a Markov network or, to continuous columns, a Gaussian graphical model.

    Where the lines are too many for pseudo-rows a ridge takes their place.
    """
    lines = graph if graph.is_undirected else graph.moral()
    kinds = set(dataset.kinds.values())
    if kinds == {"continuous"}:
        return GaussianGraphicalModel(lines).fit(dataset)
    if kinds == {"discrete"}:
        try:
            return MarkovNetwork(lines).fit(dataset, smoothing=smoothing)
        except WideForSmoothingError:
            return MarkovNetwork(lines).fit(dataset, ridge=smoothing)
    raise DataError(
        "a graph of lines takes discrete columns only, or continuous ones only. Leave some out, or say "
        "otherwise with kinds={…}."
    )
