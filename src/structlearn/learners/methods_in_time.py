"""The methods in time, for the catalog."""

from structlearn.learners.method import Method

METHODS_IN_TIME = (
    Method(
        name="dynamic-network",
        aliases=("dbn",),
        learner="DynamicNetwork",
        family="time",
        takes=("discrete", "continuous", "mixed"),
        returns="DAG",
        paper="Friedman, Murphy and Russell 1998; Murphy 2002",
        rows="steps",
        nodes="lags",
    ),
    Method(
        name="var-lingam",
        learner="VARLiNGAM",
        family="time",
        takes=("continuous",),
        returns="DAG",
        paper="Hyvärinen, Zhang, Shimizu and Hoyer 2010",
        noise="not Gaussian",
        rows="steps",
        nodes="lags",
    ),
    Method(
        name="pcmci",
        learner="PCMCI",
        family="time",
        takes=("discrete", "continuous", "mixed"),
        returns="DAG or PDAG",
        paper="Runge et al. 2019; Runge 2020",
        rows="steps",
        nodes="lags",
    ),
    Method(
        name="sparse-var",
        aliases=("granger",),
        learner="SparseVAR",
        family="time",
        takes=("continuous",),
        returns="DAG",
        paper="Granger 1969; Lozano, Abe, Liu and Rosset 2009",
        rows="steps",
        nodes="lags",
    ),
)
