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
            name="pc",
            learner="PC",
            module="structlearn.learners.constraint.pc",
            family="constraint",
            takes=("discrete", "continuous", "oracle"),
            returns="CPDAG",
            paper="Spirtes, Glymour and Scheines 2000; Colombo and Maathuis 2014",
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
