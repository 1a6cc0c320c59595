"""The methods in time, for the catalog."""

from structlearn.learners.method import Method

METHODS_IN_TIME = (
    Method(
        name="sparse-var",
        aliases=("var", "granger"),
        learner="SparseVAR",
        family="time",
        takes=("continuous",),
        returns="DAG",
        paper="Granger 1969; Lozano, Abe, Liu and Rosset 2009",
        rows="steps",
        nodes="lags",
    ),
)
