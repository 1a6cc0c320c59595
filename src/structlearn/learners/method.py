"""What the catalog says of a method."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

Family = Literal["constraint", "score", "order", "regression", "hybrid", "network", "time"]


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
    # What the nodes of the graph are: the columns, clusters of them, or the columns now and some steps ago.
    nodes: Literal["columns", "clusters", "lags"] = "columns"
    # What noise its directions come from: any, or only what is not Gaussian; of other noise it warns.
    noise: Literal["any", "not Gaussian"] = "any"
    # What other libraries call it.
    aliases: tuple[str, ...] = ()
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
