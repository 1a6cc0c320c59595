"""What a file may hold: a graph, or a model with its graph."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from structlearn.data import Knowledge
from structlearn.errors import DataError
from structlearn.graphs import Graph

if TYPE_CHECKING:
    from structlearn.models import BayesianNetwork, DependencyModel
    from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel
    from structlearn.models.ising_model import IsingModel
    from structlearn.models.markov_network import MarkovNetwork
    from structlearn.models.module_network import ModuleNetworkModel
    from structlearn.models.relational import ProbabilisticRelationalModel

HOMES = {
    "bayesian-network": ("structlearn.models.bayesian_network", "BayesianNetwork"),
    "markov-network": ("structlearn.models.markov_network", "MarkovNetwork"),
    "ising-model": ("structlearn.models.ising_model", "IsingModel"),
    "relational-model": (
        "structlearn.models.relational.probabilistic_relational_model",
        "ProbabilisticRelationalModel",
    ),
    "module-network": ("structlearn.models.module_network", "ModuleNetworkModel"),
    "dependency-network": ("structlearn.models.dependency_model", "DependencyModel"),
    "gaussian-graphical-model": ("structlearn.models.gaussian_graphical_model", "GaussianGraphicalModel"),
}
"""Where each kind of model lives: it is loaded when a file has one, so that other files open quickly."""


Content: TypeAlias = (
    "Graph | BayesianNetwork | MarkovNetwork | IsingModel | GaussianGraphicalModel | ModuleNetworkModel "
    "| ProbabilisticRelationalModel | DependencyModel"
)

Saved: TypeAlias = "Content | Knowledge"
"""What a file may hold beside them: what is known before any data are seen."""


def kind_of(thing: object) -> str:
    """The kind of a model, empty for everything else."""
    homes = {(base.__module__, base.__name__) for base in type(thing).__mro__}
    return next((kind for kind, home in HOMES.items() if home in homes), "")


def class_of(kind: str) -> Any:
    """The class of a kind of model."""
    module, name = HOMES[kind]
    return getattr(import_module(module), name)


def graph_of(thing: Saved) -> Graph:
    """Give a graph, or the graph of a model."""
    if isinstance(thing, Knowledge):
        raise DataError("knowledge is no graph; write it to a file that ends in .knowledge or .txt.")
    return thing if isinstance(thing, Graph) else thing.graph
