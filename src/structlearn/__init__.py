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
    "GeneticSearch": "structlearn.learners.score.genetic",
    "Graph": "structlearn.graphs",
    "GreedyEquivalence": "structlearn.learners.score.greedy_equivalence",
    "GrowShrink": "structlearn.learners.constraint.grow_shrink",
    "HillClimbing": "structlearn.learners.score.hill_climbing",
    "Knowledge": "structlearn.data",
    "LookaheadSearch": "structlearn.learners.score.lookahead",
    "LowOrderGraph": "structlearn.learners.constraint.low_order",
    "OptimalReinsertion": "structlearn.learners.score.optimal_reinsertion",
    "OptionError": "structlearn.errors",
    "Oracle": "structlearn.data",
    "PC": "structlearn.learners.constraint.pc",
    "Polytree": "structlearn.learners.score.polytree",
    "SGS": "structlearn.learners.constraint.sgs",
    "ShrinkagePartialCorrelation": "structlearn.learners.constraint.shrinkage",
    "SimulatedAnnealing": "structlearn.learners.score.annealing",
    "SparseCandidate": "structlearn.learners.score.sparse_candidate",
    "example": "structlearn.api",
    "fit_power_law": "structlearn.graphs.power_law",
    "is_imap": "structlearn.independence.imaps",
    "learn": "structlearn.api",
    "load": "structlearn.api",
    "markov_blanket": "structlearn.learners.constraint.markov_blanket",
    "methods": "structlearn.api",
    "minimal_imap": "structlearn.independence.imaps",
    "random_dag": "structlearn.graphs.generators",
    "random_model": "structlearn.models.random_models",
    "random_undirected": "structlearn.graphs.generators",
    "score": "structlearn.api",
    "test_independence": "structlearn.independence.door",
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
