"""What the catalog says of this family: methods of regressions of columns on each other."""

from structlearn.learners.method import Method

REGRESSION_METHODS = (
    Method(
        name="neighborhood-selection",
        aliases=("mb", "meinshausen-buhlmann"),
        learner="NeighborhoodSelection",
        family="regression",
        takes=("continuous",),
        returns="undirected",
        paper="Meinshausen and Bühlmann 2006",
    ),
    Method(
        name="ising-neighborhoods",
        aliases=("ising",),
        learner="IsingNeighborhoods",
        family="regression",
        takes=("discrete", "continuous", "mixed"),
        returns="undirected",
        paper="Wainwright, Ravikumar and Lafferty 2006; Ravikumar, Wainwright and Lafferty 2010",
    ),
    Method(
        name="graphical-lasso",
        aliases=("glasso",),
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
)
