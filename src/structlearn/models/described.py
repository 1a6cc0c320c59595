"""What the distributions of a model say about its nodes."""

from collections.abc import Mapping
from typing import Protocol

from structlearn.data import Kind, Label
from structlearn.models.cpds import CPD


class HasCPDs(Protocol):
    """A model with a distribution for each node."""

    @property
    def cpds(self) -> Mapping[str, CPD]:
        """The distribution of each node."""


class DescribedByCPDs:
    """Gives kinds, states and the number of parameters of nodes from their distributions."""

    @property
    def kinds(self: HasCPDs) -> dict[str, Kind]:
        """The kind of each node, "discrete" or "continuous"."""
        return {node: cpd.kind for node, cpd in self.cpds.items()}

    @property
    def labels(self: HasCPDs) -> dict[str, tuple[Label, ...]]:
        """The states of each discrete node."""
        return {node: cpd.labels for node, cpd in self.cpds.items() if cpd.kind == "discrete"}

    @property
    def n_parameters(self: HasCPDs) -> int:
        """How many numbers are free in all the distributions."""
        return sum(cpd.n_parameters for cpd in self.cpds.values())
