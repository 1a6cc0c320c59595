"""Learn the structure of probabilistic graphical models from data.

>>> import structlearn as sl
>>> data = sl.example("asia").sample(1000, random_state=0)
>>> sl.learn(data, method="hill-climbing", score="bic").nodes
('asia', 'tub', 'smoke', 'lung', 'bronc', 'either', 'xray', 'dysp')
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Where each public name lives: it is loaded on first use, so that importing the library is quick.
_HOMES = {
    "BOSS": "structlearn.learners.order.boss",
    "BayesianNetwork": "structlearn.models",
    "BestFirst": "structlearn.learners.score.best_first",
    "BoundedTreewidth": "structlearn.learners.score.bounded_treewidth",
    "ChowLiu": "structlearn.learners.score.chow_liu",
    "DataError": "structlearn.errors",
    "DataWarning": "structlearn.errors",
    "Dataset": "structlearn.data",
    "Edge": "structlearn.graphs",
    "EdgeConfidence": "structlearn.learners.ensemble.edge_confidence",
    "ExactPosterior": "structlearn.learners.order.exact_posterior",
    "ExactSearch": "structlearn.learners.order.exact_search",
    "Factor": "structlearn.models.factors",
    "Feature": "structlearn.models.factors",
    "FeatureVectorMachine": "structlearn.learners.regression.feature_vector_machine",
    "GaussianGraphicalModel": "structlearn.models.gaussian_graphical_model",
    "GeneticOrderSearch": "structlearn.learners.order.genetic_order_search",
    "GeneticSearch": "structlearn.learners.score.genetic_search",
    "Graph": "structlearn.graphs",
    "GraphicalLasso": "structlearn.learners.regression.graphical_lasso",
    "GreedyEquivalence": "structlearn.learners.score.greedy_equivalence",
    "GrowShrink": "structlearn.learners.constraint.grow_shrink",
    "HillClimbing": "structlearn.learners.score.hill_climbing",
    "IsingModel": "structlearn.models.ising_model",
    "IsingNeighborhoods": "structlearn.learners.regression.ising_neighborhoods",
    "K2": "structlearn.learners.order.k2",
    "Knowledge": "structlearn.data",
    "L1MB": "structlearn.learners.hybrid.l1mb",
    "LogLinearMRF": "structlearn.learners.regression.log_linear_mrf",
    "LookaheadSearch": "structlearn.learners.score.lookahead_search",
    "LowOrderGraph": "structlearn.learners.constraint.low_order_graph",
    "MMHC": "structlearn.learners.hybrid.mmhc",
    "MMPC": "structlearn.learners.hybrid.mmpc",
    "MarkovNetwork": "structlearn.models.markov_network",
    "NeighborhoodSelection": "structlearn.learners.regression.neighborhood_selection",
    "OptimalReinsertion": "structlearn.learners.score.optimal_reinsertion",
    "OptionError": "structlearn.errors",
    "Oracle": "structlearn.data",
    "OrderMCMC": "structlearn.learners.order.order_mcmc",
    "OrderSearch": "structlearn.learners.order.order_search",
    "PC": "structlearn.learners.constraint.pc",
    "Polytree": "structlearn.learners.score.polytree",
    "RegressionDAGGaussian": "structlearn.learners.regression.regression_dag_gaussian",
    "SGS": "structlearn.learners.constraint.sgs",
    "ShrinkagePartialCorrelation": "structlearn.learners.constraint.shrinkage_partial_correlation",
    "SimulatedAnnealing": "structlearn.learners.score.simulated_annealing",
    "SparseCandidate": "structlearn.learners.score.sparse_candidate",
    "StabilitySelection": "structlearn.learners.ensemble.stability_selection",
    "example": "structlearn.api",
    "fit_power_law": "structlearn.graphs.power_law",
    "is_imap": "structlearn.independence.imaps",
    "learn": "structlearn.api",
    "load": "structlearn.api",
    "load_local_scores": "structlearn.formats.local_scores",
    "markov_blanket": "structlearn.learners.constraint.markov_blanket",
    "methods": "structlearn.api",
    "minimal_imap": "structlearn.independence.imaps",
    "random_dag": "structlearn.graphs.generators",
    "random_model": "structlearn.models.random_models",
    "random_undirected": "structlearn.graphs.generators",
    "save_local_scores": "structlearn.formats.local_scores",
    "score": "structlearn.api",
    "test_independence": "structlearn.independence.single_test",
    "topology": "structlearn.graphs.topology",
}

__all__ = [*_HOMES, "__version__"]  # noqa: PLE0604, the keys are the names


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'structlearn' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
