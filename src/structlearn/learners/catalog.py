"""Every method, in one place: its name, its class, what it takes and what it returns."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

Family = Literal["constraint", "score", "order", "regression", "hybrid"]


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the library."""

    name: str
    learner: str
    module: str
    family: Family
    takes: tuple[str, ...]
    returns: str
    paper: str

    def load(self) -> "type[Learner]":
        """The learner's class."""
        learner: type[Learner] = getattr(import_module(self.module), self.learner)
        return learner


CATALOG: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            name="sgs",
            learner="SGS",
            module="structlearn.learners.constraint.sgs",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG or undirected",
            paper="Spirtes, Glymour and Scheines 2000",
        ),
        Method(
            name="pc",
            learner="PC",
            module="structlearn.learners.constraint.pc",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG",
            paper="Spirtes, Glymour and Scheines 2000; Colombo and Maathuis 2014",
        ),
        Method(
            name="grow-shrink",
            learner="GrowShrink",
            module="structlearn.learners.constraint.grow_shrink",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG or undirected",
            paper="Margaritis and Thrun 1999; Margaritis 2003",
        ),
        Method(
            name="low-order-graph",
            learner="LowOrderGraph",
            module="structlearn.learners.constraint.low_order_graph",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="undirected",
            paper="Wille et al. 2004; Wille and Bühlmann 2006",
        ),
        Method(
            name="shrinkage-partial-correlation",
            learner="ShrinkagePartialCorrelation",
            module="structlearn.learners.constraint.shrinkage_partial_correlation",
            family="constraint",
            takes=("continuous",),
            returns="undirected",
            paper="Schäfer and Strimmer 2005; Strimmer 2008",
        ),
        Method(
            name="hill-climbing",
            learner="HillClimbing",
            module="structlearn.learners.score.hill_climbing",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995",
        ),
        Method(
            name="simulated-annealing",
            learner="SimulatedAnnealing",
            module="structlearn.learners.score.simulated_annealing",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995",
        ),
        Method(
            name="best-first",
            learner="BestFirst",
            module="structlearn.learners.score.best_first",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995; Korf 1993",
        ),
        Method(
            name="genetic-search",
            learner="GeneticSearch",
            module="structlearn.learners.score.genetic_search",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Larrañaga et al. 1996",
        ),
        Method(
            name="optimal-reinsertion",
            learner="OptimalReinsertion",
            module="structlearn.learners.score.optimal_reinsertion",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Moore and Wong 2003",
        ),
        Method(
            name="sparse-candidate",
            learner="SparseCandidate",
            module="structlearn.learners.score.sparse_candidate",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Friedman, Nachman and Pe'er 1999",
        ),
        Method(
            name="greedy-equivalence",
            learner="GreedyEquivalence",
            module="structlearn.learners.score.greedy_equivalence",
            family="score",
            takes=("discrete", "continuous"),
            returns="CPDAG",
            paper="Chickering 2002; Hauser and Bühlmann 2012",
        ),
        Method(
            name="chow-liu",
            learner="ChowLiu",
            module="structlearn.learners.score.chow_liu",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Chow and Liu 1968",
        ),
        Method(
            name="polytree",
            learner="Polytree",
            module="structlearn.learners.score.polytree",
            family="score",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG",
            paper="Rebane and Pearl 1987",
        ),
        Method(
            name="bounded-treewidth",
            learner="BoundedTreewidth",
            module="structlearn.learners.score.bounded_treewidth",
            family="score",
            takes=("discrete", "continuous"),
            returns="undirected",
            paper="Malvestuto 1991; Srebro 2001",
        ),
        Method(
            name="lookahead-search",
            learner="LookaheadSearch",
            module="structlearn.learners.score.lookahead_search",
            family="score",
            takes=("discrete", "continuous"),
            returns="undirected",
            paper="Xiang, Wong and Cercone 1997",
        ),
        Method(
            name="k2",
            learner="K2",
            module="structlearn.learners.order.k2",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Cooper and Herskovits 1992",
        ),
        Method(
            name="order-search",
            learner="OrderSearch",
            module="structlearn.learners.order.order_search",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Teyssier and Koller 2005",
        ),
        Method(
            name="genetic-order-search",
            learner="GeneticOrderSearch",
            module="structlearn.learners.order.genetic_order_search",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Larrañaga et al. 1996",
        ),
        Method(
            name="boss",
            learner="BOSS",
            module="structlearn.learners.order.boss",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Andrews et al. 2023",
        ),
        Method(
            name="exact-search",
            learner="ExactSearch",
            module="structlearn.learners.order.exact_search",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Singh and Moore 2005; Silander and Myllymäki 2006; Cussens 2011",
        ),
        Method(
            name="exact-posterior",
            learner="ExactPosterior",
            module="structlearn.learners.order.exact_posterior",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="PDAG",
            paper="Koivisto and Sood 2004; Koivisto 2006",
        ),
        Method(
            name="order-mcmc",
            learner="OrderMCMC",
            module="structlearn.learners.order.order_mcmc",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Friedman and Koller 2003",
        ),
        Method(
            name="neighborhood-selection",
            learner="NeighborhoodSelection",
            module="structlearn.learners.regression.neighborhood_selection",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Meinshausen and Bühlmann 2006",
        ),
        Method(
            name="ising-neighborhoods",
            learner="IsingNeighborhoods",
            module="structlearn.learners.regression.ising_neighborhoods",
            family="regression",
            takes=("discrete", "continuous", "mixed"),
            returns="undirected",
            paper="Wainwright, Ravikumar and Lafferty 2006; Ravikumar, Wainwright and Lafferty 2010",
        ),
        Method(
            name="graphical-lasso",
            learner="GraphicalLasso",
            module="structlearn.learners.regression.graphical_lasso",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Banerjee et al. 2008; Friedman, Hastie and Tibshirani 2008; Hsieh et al. 2014",
        ),
        Method(
            name="log-linear-mrf",
            learner="LogLinearMRF",
            module="structlearn.learners.regression.log_linear_mrf",
            family="regression",
            takes=("discrete",),
            returns="undirected",
            paper="Lee, Ganapathi and Koller 2006; Perkins et al. 2003; Della Pietra et al. 1997",
        ),
        Method(
            name="feature-vector-machine",
            learner="FeatureVectorMachine",
            module="structlearn.learners.regression.feature_vector_machine",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Li, Yang and Xing 2005; Roth 2004",
        ),
        Method(
            name="regression-dag-gaussian",
            learner="RegressionDAGGaussian",
            module="structlearn.learners.regression.regression_dag_gaussian",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Li and Yang 2005; Li, Yang and Xing 2005",
        ),
        Method(
            name="mmpc",
            learner="MMPC",
            module="structlearn.learners.hybrid.mmpc",
            family="hybrid",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="skeleton",
            paper="Tsamardinos, Brown and Aliferis 2006",
        ),
        Method(
            name="mmhc",
            learner="MMHC",
            module="structlearn.learners.hybrid.mmhc",
            family="hybrid",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Tsamardinos, Brown and Aliferis 2006",
        ),
        Method(
            name="l1mb",
            learner="L1MB",
            module="structlearn.learners.hybrid.l1mb",
            family="hybrid",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Schmidt, Niculescu-Mizil and Murphy 2007",
        ),
    )
}
