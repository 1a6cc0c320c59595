"""Every method, in one place: its name, its class, what it takes and what it returns."""

from dataclasses import dataclass
from importlib import import_module
from typing import Literal

from structlearn.learners.base import Learner

Family = Literal["constraint", "score"]


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

    def load(self) -> type[Learner]:
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
            module="structlearn.learners.constraint.low_order",
            family="constraint",
            takes=("discrete", "continuous", "mixed", "oracle"),
            returns="undirected",
            paper="Wille et al. 2004; Wille and Bühlmann 2006",
        ),
        Method(
            name="shrinkage-partial-correlation",
            learner="ShrinkagePartialCorrelation",
            module="structlearn.learners.constraint.shrinkage",
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
            takes=("discrete", "continuous"),
            returns="DAG",
            paper="Heckerman, Geiger and Chickering 1995",
        ),
    )
}
