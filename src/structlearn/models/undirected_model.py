"""What undirected models of discrete nodes share: rows, likelihoods, questions and files."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Kind, Label
from structlearn.errors import DataError, within_memory
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import aligned, matched, rows_that_count
from structlearn.models.codes import codes_of, dataset_of, weighted_total
from structlearn.models.factors_samples import exact_rows
from structlearn.models.network_page import factors_html, network_html
from structlearn.models.queried import Queried
from structlearn.models.saved import Saved
from structlearn.models.undirected_graph import checked_graph
from structlearn.numerics.junction_tree import Calibrated, JunctionTree, TooWideError
from structlearn.options import OneOf, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import generator_of

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Objective = Literal["exact", "pseudo"]

OBJECTIVE = OrNone(OneOf(("exact", "pseudo"), "what to maximise"), "by the tree-width")
SAMPLE_RULES: Rules = {
    "n": Whole(1, "the number of rows to draw"),
    "method": OrNone(OneOf(("exact", "gibbs"), "how to draw"), "by the tree-width"),
    "sweeps": Whole(1, "how often each node is drawn anew"),
}


class Distribution(Protocol):
    """A distribution over rows of codes by position, known but for a constant."""

    @property
    def tree(self) -> JunctionTree:
        """The junction tree; a TooWideError where its tables would not fit."""

    @property
    def calibrated(self) -> Calibrated:
        """The probabilities in each clique of the junction tree."""

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum over all states; a TooWideError where that is out of reach."""

    def log_weights(self, codes: Integers) -> Floats:
        """The log probability of each row of codes, but for the log partition."""

    def log_pseudo_likelihoods(self, codes: Integers) -> Floats:
        """The sum over nodes of the log probability of each given all others, for each row."""


class UndirectedModel(Queried, Saved, ABC):
    """Discrete nodes with a distribution along an undirected graph.

    A model says what its `labels`, `factors()` and parameters are; the rest follows from its distribution
    by position.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = checked_graph(graph, type(self).__name__)
        self._objective: Objective | None = None

    @property
    def graph(self) -> Graph:
        """The undirected graph."""
        return self._graph

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self._graph.nodes

    @property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each node: "discrete"."""
        return dict.fromkeys(self.nodes, "discrete")

    @property
    @abstractmethod
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The states of each node."""

    @property
    def objective(self) -> Objective | None:
        """What `fit` maximised, "exact" or "pseudo"; None where the parameters were given."""
        return self._objective

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum of the product over all states.

        A DataError where the tree-width of the graph puts it out of reach.
        """
        return self._log_partition("log_partition")

    @within_memory("sample: so many rows do not fit in memory. Draw fewer at a time.")
    def sample(
        self,
        n: int,
        *,
        method: Literal["exact", "gibbs"] | None = None,
        sweeps: int = 1000,
        random_state: int | np.random.Generator | None = None,
    ) -> Dataset:
        """Draw `n` independent rows.

        Parameters
        ----------
        n : int
            How many.
        method : {"exact", "gibbs"} or None, default None
            Draw along a junction tree, or let a Markov chain for each row run. By default exactly,
            unless the tree-width of the graph puts that out of reach.
        sweeps : int, default 1000
            How long the chains are. Nodes that pull each other strongly on a large graph need more.
        random_state : int, Generator or None, default None
            The seed of all randomness.
        """
        check_options("sample", SAMPLE_RULES, {"n": n, "method": method, "sweeps": sweeps})
        rng = generator_of("sample", random_state)
        return dataset_of(self._drawn(n, method, sweeps, rng), self.labels)

    def log_likelihood(self, data: Any) -> float:
        """Sum the natural log probability of every row, times its case weight if it has one.

        -inf where a row is impossible. A DataError where the tree-width of the graph puts the
        partition function out of reach.
        """
        dataset = self._matched(rows_that_count(data), "log_likelihood", self.labels)
        return weighted_total(dataset, self._log_probabilities(dataset, "log_likelihood"))

    def log_likelihood_rows(self, data: Any) -> Floats:
        """Give the natural log probability of each row; columns and states go by their names."""
        dataset = self._matched(data, "log_likelihood_rows", self.labels)
        return self._log_probabilities(dataset, "log_likelihood_rows")

    def pseudo_log_likelihood(self, data: Any) -> float:
        """Sum over rows and nodes the log probability of each node given all others."""
        dataset = self._matched(rows_that_count(data), "pseudo_log_likelihood", self.labels)
        return weighted_total(dataset, self._distribution().log_pseudo_likelihoods(codes_of(dataset)))

    @abstractmethod
    def factors(self) -> list[tuple[tuple[str, ...], Floats]]:
        """The names and the table of each factor."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._identity() == other._identity()

    __hash__ = None  # type: ignore[assignment]  # fit changes a model

    def __repr__(self) -> str:
        nodes, edges = counted(len(self.nodes), "node"), counted(len(self._graph.edges), "edge")
        return f"<{type(self).__name__}: {', '.join([nodes, edges, *self._described()])}>"

    def _repr_html_(self) -> str:
        if "not fitted" in self._described():
            return network_html(repr(self), self._graph, None)
        return factors_html(repr(self), self.labels, self.factors())

    @abstractmethod
    def _distribution(self) -> Distribution:
        """All that is known, by position; a DataError where parameters lack."""

    @staticmethod
    @abstractmethod
    def _gibbs_rows(known: Any, n_rows: int, sweeps: int, rng: np.random.Generator, /) -> Integers:
        """Rows of codes, each the end of a chain of its own."""

    @abstractmethod
    def _identity(self) -> tuple[Any, ...]:
        """What two equal models have in common."""

    @abstractmethod
    def _described(self) -> list[str]:
        """What the model is made of besides nodes and edges, in words."""

    def _drawn(
        self, n: int, method: Literal["exact", "gibbs"] | None, sweeps: int, rng: np.random.Generator
    ) -> Integers:
        known = self._distribution()
        if method == "gibbs":
            return self._gibbs_rows(known, n, sweeps, rng)
        try:
            return exact_rows(known.tree, known.calibrated, n, rng)
        except TooWideError as error:
            if method == "exact":
                raise DataError(f"sample(method='exact'): {error}. Use method='gibbs'.") from None
        return self._gibbs_rows(known, n, sweeps, rng)

    def _log_partition(self, owner: str) -> float:
        try:
            return self._distribution().log_partition
        except TooWideError as error:
            raise DataError(
                f"{owner}: {error}. pseudo_log_likelihood(data) has no such limit; use it instead."
            ) from None

    def _log_probabilities(self, dataset: Dataset, owner: str) -> Floats:
        return self._distribution().log_weights(codes_of(dataset)) - self._log_partition(owner)

    def _matched(self, data: Any, owner: str, labels: Mapping[str, tuple[Label, ...]]) -> Dataset:
        """The data with a column per node, coded by these labels or else by those it has."""
        return aligned(matched(data, self.nodes, owner=owner, kinds=self.kinds, labels=labels), labels)
