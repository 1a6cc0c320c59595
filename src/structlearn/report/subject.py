"""What a report is about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from structlearn.data import Dataset, Kind
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork
from structlearn.report.markup import Markup

if TYPE_CHECKING:
    from structlearn.learners.base import Learner

EXAMPLE = "example:"
EXAMPLE_ROWS = 5000
EXAMPLE_SEED = 0


@dataclass(frozen=True)
class Source:
    """Where the rows came from, for the lines that tell how to do it again.

    Parameters
    ----------
    table : str
        A path, or "example:NAME" for a bundled table or for EXAMPLE_ROWS rows of a bundled network.
    kinds : mapping of str to "discrete" or "continuous"
        The kinds that were given.
    columns : tuple of str or None
        The columns that were kept; None for all.
    transpose : bool or None
        Whether the table was turned; None where nobody said.
    name : str or None
        Which table of a database it is.
    reading : mapping of str to anything
        The options of reading that were given.
    cutting : mapping of str to anything
        How continuous columns were cut: the options of `discretize`.
    part : mapping of str to anything, or None
        Of a table opened by `sl.source`: the options of that which were given.
    """

    table: str
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    columns: tuple[str, ...] | None = None
    transpose: bool | None = None
    name: str | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    cutting: Mapping[str, Any] = field(default_factory=dict)
    part: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Subject:
    """A fitted learner with everything that is known around it."""

    learner: "Learner"
    dataset: Dataset | None
    title: str
    model: BayesianNetwork | None = None
    truth: Graph | None = None
    source: Source | None = None
    warnings: tuple[str, ...] = ()

    @property
    def graph(self) -> Graph:
        """The graph that was learned."""
        graph: Graph = self.learner.graph_
        return graph

    @property
    def method(self) -> str:
        """The name of the learner's class."""
        return type(self.learner).__name__


@dataclass(frozen=True)
class Section:
    """One part of the page; `name` is where links point to."""

    name: str
    heading: str
    body: Markup
