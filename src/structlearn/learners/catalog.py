"""Every method, in one place: its name, its class, what it takes and what it returns."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

Family = Literal["constraint", "score", "order", "regression", "hybrid", "network"]


@dataclass(frozen=True, slots=True)
class Method:
    """One method of the library; its file, class and name are one name in three spellings."""

    name: str
    learner: str
    family: Family
    takes: tuple[str, ...]
    returns: str
    paper: str
    # Direct dependence only, or also what goes through other columns; or all columns of one module.
    joins: Literal["direct", "all", "modules"] = "direct"
    # In a course each row follows from the one before it, so that their order says something: it is a point
    # of a smooth curve, or the next step.
    rows: Literal["samples", "course", "steps"] = "samples"
    # What the nodes of the graph are: the columns, or clusters of them.
    nodes: Literal["columns", "clusters"] = "columns"
    # The options without a default: what has to be known beside the table.
    needs: tuple[str, ...] = ()

    @property
    def input(self) -> str:
        """What it takes, and what has to be given with it, in words."""
        return " with ".join([", ".join(self.takes), *self.needs])

    @property
    def module(self) -> str:
        """Where its class lives."""
        return f"structlearn.learners.{self.family}.{self.name.replace('-', '_')}"

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
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG or undirected",
            paper="Spirtes, Glymour and Scheines 2000",
        ),
        Method(
            name="pc",
            learner="PC",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG",
            paper="Spirtes, Glymour and Scheines 2000; Colombo and Maathuis 2014",
        ),
        Method(
            name="grow-shrink",
            learner="GrowShrink",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG or undirected",
            paper="Margaritis and Thrun 1999; Margaritis 2003",
        ),
        Method(
            name="low-order-graph",
            learner="LowOrderGraph",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="undirected",
            paper="Wille et al. 2004; Wille and Bühlmann 2006",
        ),
        Method(
            name="shrinkage-partial-correlation",
            learner="ShrinkagePartialCorrelation",
            family="constraint",
            takes=("continuous",),
            returns="undirected",
            paper="Schäfer and Strimmer 2005; Strimmer 2008",
        ),
        Method(
            name="hill-climbing",
            learner="HillClimbing",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995",
        ),
        Method(
            name="simulated-annealing",
            learner="SimulatedAnnealing",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995",
        ),
        Method(
            name="best-first",
            learner="BestFirst",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995; Korf 1993",
        ),
        Method(
            name="genetic-search",
            learner="GeneticSearch",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Larrañaga et al. 1996",
        ),
        Method(
            name="optimal-reinsertion",
            learner="OptimalReinsertion",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Moore and Wong 2003",
        ),
        Method(
            name="sparse-candidate",
            learner="SparseCandidate",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Friedman, Nachman and Pe'er 1999",
        ),
        Method(
            name="greedy-equivalence",
            learner="GreedyEquivalence",
            family="score",
            takes=("discrete", "continuous"),
            returns="CPDAG",
            paper="Chickering 2002; Hauser and Bühlmann 2012",
        ),
        Method(
            name="chow-liu",
            learner="ChowLiu",
            family="score",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Chow and Liu 1968",
        ),
        Method(
            name="polytree",
            learner="Polytree",
            family="score",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="CPDAG",
            paper="Rebane and Pearl 1987",
        ),
        Method(
            name="bounded-treewidth",
            learner="BoundedTreewidth",
            family="score",
            takes=("discrete", "continuous"),
            returns="undirected",
            paper="Malvestuto 1991; Srebro 2001",
        ),
        Method(
            name="lookahead-search",
            learner="LookaheadSearch",
            family="score",
            takes=("discrete", "continuous"),
            returns="undirected",
            paper="Xiang, Wong and Cercone 1997",
        ),
        Method(
            name="k2",
            learner="K2",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Cooper and Herskovits 1992",
        ),
        Method(
            name="order-search",
            learner="OrderSearch",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Teyssier and Koller 2005",
        ),
        Method(
            name="genetic-order-search",
            learner="GeneticOrderSearch",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Larrañaga et al. 1996",
        ),
        Method(
            name="boss",
            learner="BOSS",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Andrews et al. 2023",
        ),
        Method(
            name="exact-search",
            learner="ExactSearch",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Singh and Moore 2005; Silander and Myllymäki 2006; Cussens 2011",
        ),
        Method(
            name="exact-posterior",
            learner="ExactPosterior",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="PDAG",
            paper="Koivisto and Sood 2004; Koivisto 2006",
        ),
        Method(
            name="order-mcmc",
            learner="OrderMCMC",
            family="order",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Friedman and Koller 2003",
        ),
        Method(
            name="neighborhood-selection",
            learner="NeighborhoodSelection",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Meinshausen and Bühlmann 2006",
        ),
        Method(
            name="ising-neighborhoods",
            learner="IsingNeighborhoods",
            family="regression",
            takes=("discrete", "continuous", "mixed"),
            returns="undirected",
            paper="Wainwright, Ravikumar and Lafferty 2006; Ravikumar, Wainwright and Lafferty 2010",
        ),
        Method(
            name="graphical-lasso",
            learner="GraphicalLasso",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Banerjee et al. 2008; Friedman, Hastie and Tibshirani 2008; Hsieh et al. 2014",
        ),
        Method(
            name="log-linear-mrf",
            learner="LogLinearMRF",
            family="regression",
            takes=("discrete",),
            returns="undirected",
            paper="Lee, Ganapathi and Koller 2006; Perkins et al. 2003; Della Pietra et al. 1997",
        ),
        Method(
            name="feature-vector-machine",
            learner="FeatureVectorMachine",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Li, Yang and Xing 2005; Roth 2004",
        ),
        Method(
            name="convex-dag",
            learner="ConvexDAG",
            family="regression",
            takes=("discrete", "continuous"),
            returns="DAG",
            paper="Guo and Schuurmans 2006",
        ),
        Method(
            name="regression-dag-gaussian",
            learner="RegressionDAGGaussian",
            family="regression",
            takes=("continuous",),
            returns="undirected",
            paper="Li and Yang 2005; Li, Yang and Xing 2005",
        ),
        Method(
            name="mmpc",
            learner="MMPC",
            family="hybrid",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="skeleton",
            paper="Tsamardinos, Brown and Aliferis 2006",
        ),
        Method(
            name="mmhc",
            learner="MMHC",
            family="hybrid",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Tsamardinos, Brown and Aliferis 2006",
        ),
        Method(
            name="l1mb",
            learner="L1MB",
            family="hybrid",
            takes=("discrete", "continuous", "mixed"),
            returns="DAG",
            paper="Schmidt, Niculescu-Mizil and Murphy 2007",
        ),
        Method(
            name="aracne",
            learner="ARACNE",
            family="network",
            takes=("discrete", "continuous", "mixed"),
            returns="undirected",
            paper="Margolin et al. 2006; Basso et al. 2005",
        ),
        Method(
            name="similarity-network",
            learner="SimilarityNetwork",
            family="network",
            takes=("discrete", "continuous", "mixed"),
            returns="undirected",
            paper="Butte and Kohane 2000; Eisen et al. 1998",
            joins="all",
        ),
        Method(
            name="cluster-gaussian-network",
            learner="ClusterGaussianNetwork",
            family="network",
            takes=("continuous",),
            returns="undirected",
            paper="Toh and Horimoto 2002; Wermuth and Scheidt 1977",
            nodes="clusters",
        ),
        Method(
            name="module-network",
            learner="ModuleNetwork",
            family="network",
            takes=("continuous",),
            returns="DAG",
            paper="Segal et al. 2003; Segal et al. 2005",
            joins="modules",
        ),
        Method(
            name="factorization-network",
            learner="FactorizationNetwork",
            family="network",
            takes=("continuous",),
            returns="undirected",
            paper="Alter, Brown and Botstein 2000; Lee and Seung 2001; Hoyer 2004; Rennie and Srebro 2005",
            joins="modules",
        ),
        Method(
            name="network-component-analysis",
            learner="NetworkComponentAnalysis",
            family="network",
            takes=("continuous",),
            needs=("regulators",),
            returns="cyclic",
            paper="Liao et al. 2003",
        ),
        Method(
            name="system-identification",
            learner="SystemIdentification",
            family="network",
            takes=("continuous",),
            returns="cyclic",
            paper="Gustafsson et al. 2005; D'haeseleer et al. 1999; Yeung et al. 2002; Gardner et al. 2003",
            rows="course",
        ),
        Method(
            name="dependency-network",
            learner="DependencyNetwork",
            family="network",
            takes=("discrete", "continuous", "mixed"),
            returns="cyclic",
            paper="Heckerman, Chickering, Meek, Rounthwaite and Kadie 2000",
        ),
        Method(
            name="boolean-network",
            learner="BooleanNetwork",
            family="network",
            takes=("discrete", "continuous", "mixed"),
            returns="cyclic",
            paper="Liang, Fuhrman and Somogyi 1998; Akutsu, Miyano and Kuhara 1999",
            rows="steps",
        ),
        Method(
            name="relational-model",
            learner="RelationalModel",
            family="network",
            takes=("database",),
            returns="DAG or cyclic",
            paper="Friedman, Getoor, Koller and Pfeffer 1999",
        ),
    )
}
