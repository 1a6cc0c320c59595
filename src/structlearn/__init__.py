"""Learn the structure of probabilistic graphical models from data.

>>> import structlearn as sl
>>> data = sl.example("asia").sample(1000, random_state=0)
>>> sl.learn(data, method="hill-climbing", score="bic").nodes
('asia', 'tub', 'smoke', 'lung', 'bronc', 'either', 'xray', 'dysp')
"""

from importlib import import_module
from typing import Any

from structlearn.garbage import none_collected

__version__ = "0.1.0"

# Where each public name lives: it is loaded on first use, so that importing the library is quick.
_METHODS = import_module("structlearn.learners.catalog").CATALOG.values()  # unseen by mypy: no cycle
_HOMES = {method.learner: method.module for method in _METHODS} | {
    "BayesianNetwork": "structlearn.models",
    "DataError": "structlearn.errors",
    "DataWarning": "structlearn.errors",
    "Dataset": "structlearn.data",
    "Discretization": "structlearn.data.discretization",
    "Edge": "structlearn.graphs",
    "EdgeConfidence": "structlearn.learners.ensemble.edge_confidence",
    "Experiment": "structlearn.models.experiments",
    "Factor": "structlearn.models.factors",
    "Feature": "structlearn.models.factors",
    "GaussianGraphicalModel": "structlearn.models.gaussian_graphical_model",
    "Graph": "structlearn.graphs",
    "IsingModel": "structlearn.models.ising_model",
    "Knowledge": "structlearn.data",
    "MarkovNetwork": "structlearn.models.markov_network",
    "NetworkComponentAnalysis": "structlearn.learners.network.network_component_analysis",
    "OptionError": "structlearn.errors",
    "Oracle": "structlearn.data",
    "StabilitySelection": "structlearn.learners.ensemble.stability_selection",
    "cross_validate": "structlearn.cross_validation",
    "discretize": "structlearn.numerics.discretization",
    "effect": "structlearn.inference.effects",
    "example": "structlearn.api",
    "fit_power_law": "structlearn.graphs.power_law",
    "is_imap": "structlearn.independence.imaps",
    "latent_classes": "structlearn.models.latent_classes",
    "learn": "structlearn.api",
    "load": "structlearn.api",
    "load_local_scores": "structlearn.formats.local_scores",
    "markov_blanket": "structlearn.learners.constraint.markov_blanket",
    "methods": "structlearn.api",
    "minimal_imap": "structlearn.independence.imaps",
    "mutual_information": "structlearn.numerics.information.mutual_information",
    "random_dag": "structlearn.graphs.generators",
    "random_model": "structlearn.models.random_models",
    "random_undirected": "structlearn.graphs.generators",
    "response": "structlearn.inference.responses",
    "sample": "structlearn.models.experiments",
    "save_local_scores": "structlearn.formats.local_scores",
    "score": "structlearn.api",
    "source": "structlearn.statistics.engines.opening",
    "test_independence": "structlearn.independence.single_test",
    "topology": "structlearn.graphs.topology",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604, the keys are the names


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'structlearn' has no attribute {name!r}")
    with none_collected():
        found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
