"""A dependency network: a distribution for every node given others, in a graph that may have cycles."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, DiscreteColumn
from structlearn.data.model_columns import ModelColumns
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import aligned_rows, as_dataset, matched, rows_that_count
from structlearn.models.checked_families import checked_families
from structlearn.models.codes import weighted_total
from structlearn.models.conditionals import Conditional, conditionals_of
from structlearn.models.cpds import CPD, CPDS
from structlearn.models.dependency_doors import DependencyDoors
from structlearn.models.described import DescribedByCPDs
from structlearn.models.network_page import network_html
from structlearn.models.saved import Saved
from structlearn.naming import as_names, listed, no_such

Floats = NDArray[np.float64]
Starts = dict[str, tuple[float, float]]


class DependencyModel(DescribedByCPDs, DependencyDoors, Saved):
    """Local distributions, each learnt on its own, that need not agree on one joint distribution [1]_.

    Their joint is what the ordered pseudo-Gibbs sampler ends in, which draws the nodes one after the other,
    again and again. Where the distributions come from one joint distribution it is that one; otherwise it
    depends on the order, and `consistency` says how far they are from agreeing.

    Parameters
    ----------
    graph : Graph
        Arrows only, cycles allowed: from each node to those whose distributions use it.
    cpds : mapping of str to CPD
        The distribution of every node given its parents.
    order : sequence of str or int, optional
        The order in which a sweep draws the nodes. By default that of the graph; a number is the seed of a
        random one.
    starts : mapping of str to (float, float), optional
        The mean and deviation of the values that chains begin with, for continuous nodes; by default (0, 1).

    References
    ----------
    .. [1] Heckerman, Chickering, Meek, Rounthwaite and Kadie (2000), Dependency networks for inference,
       collaborative filtering, and data visualization, Journal of Machine Learning Research 1.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.models import DependencyModel, TableCPD
    >>> graph = sl.Graph("ab", directed=["ba"], kind="cyclic")
    >>> cpds = {"a": TableCPD([[0.8, 0.2], [0.2, 0.8]], labels=[0, 1], parents=["b"])}
    >>> cpds["b"] = TableCPD([0.5, 0.5], labels=[0, 1])
    >>> for order in ("ab", "ba"):
    ...     answer = DependencyModel(graph, cpds, order=order).query(["a", "b"], method="exact")
    ...     print(answer.order, answer.probabilities.round(6).tolist())
    ('a', 'b') [[0.25, 0.25], [0.25, 0.25]]
    ('b', 'a') [[0.4, 0.1], [0.1, 0.4]]
    """

    def __init__(
        self,
        graph: Graph,
        cpds: Mapping[str, CPD],
        *,
        order: Sequence[str] | int | None = None,
        starts: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        if not isinstance(graph, Graph) or not graph.edge_kinds <= {"directed"}:
            raise DataError("DependencyModel takes a Graph whose edges are all arrows.")
        if strangers := [node for node in cpds if node not in graph]:
            raise DataError(f"cpds has {strangers[0]!r}, which is no node of the graph.")
        self._graph = graph
        self._cpds = checked_families(graph, cpds)
        if loops := [node for node, cpd in self._cpds.items() if node in cpd.parents]:
            raise DataError(
                f"DependencyModel: the distribution of {loops[0]!r} depends on {loops[0]!r} itself."
            )
        self._order = _checked_order(graph.nodes, order)
        self._starts = {name: (float(mean), float(spread)) for name, (mean, spread) in (starts or {}).items()}

    @property
    def graph(self) -> Graph:
        """The arrows, with their strengths where they are known."""
        return self._graph

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self._graph.nodes

    @property
    def order(self) -> tuple[str, ...]:
        """The order in which a sweep draws the nodes."""
        return self._order

    @property
    def starts(self) -> Starts:
        """Mean and deviation of what chains begin with, by continuous node."""
        usual = dict.fromkeys((node for node, kind in self.kinds.items() if kind == "continuous"), (0.0, 1.0))
        return usual | self._starts

    @property
    def cpds(self) -> dict[str, CPD]:
        """The distribution of each node."""
        return dict(self._cpds)

    @cached_property
    def conditionals(self) -> dict[str, Conditional]:
        """The distribution of each node, ready for many rows at once."""
        return conditionals_of(self._cpds)

    def with_order(self, order: Sequence[str] | int) -> "DependencyModel":
        """The same distributions with another order of the sampler, or a random one by its seed."""
        return DependencyModel(self._graph, self._cpds, order=order, starts=self._starts)

    def pseudo_log_likelihood(self, data: Any) -> float:
        """Sum log p(x | its parents) over all nodes and rows, times case weights if there are any.

        This is no log-likelihood of the rows: the product of the local distributions sums to 1 over the
        states of each node, not over all joint states.
        """
        dataset = self._matched(rows_that_count(data), "pseudo_log_likelihood")
        return weighted_total(
            dataset, sum(self._log_probabilities(dataset).values(), np.zeros(dataset.n_rows))
        )

    def pseudo_log_likelihood_rows(self, data: Any) -> dict[str, Floats]:
        """Give log p(x | its parents) of each node in each row; -inf where it is impossible."""
        return self._log_probabilities(self._matched(data, "pseudo_log_likelihood_rows"))

    def log_likelihood(self, data: Any) -> NoReturn:  # noqa: ARG002, it is refused whatever they are
        """Refuse: local distributions that need not agree give rows no probability."""
        raise DataError(
            "A dependency network has no log_likelihood: its local distributions need not come from one "
            "joint distribution. Compare models by pseudo_log_likelihood."
        )

    def predict_proba(self, data: Any, names: str | Iterable[str] | None = None) -> dict[str, Floats]:
        """Give the probability of each state of discrete nodes, row by row, given all other columns.

        As `BayesianNetwork.predict_proba`, of rows with the parents of these nodes; other columns, and the
        nodes' own, may be missing.
        """
        wanted = self._named("predict_proba", list(self.labels) if names is None else names)
        for name in wanted:
            if name not in self.labels:
                raise DataError(f"predict_proba: {name!r} is continuous; predict gives its mean.")
        rows, n = self._inputs("predict_proba", data, wanted)
        return {name: self.conditionals[name].shares(rows, n) for name in wanted}

    def predict(self, data: Any, names: str | Iterable[str] | None = None) -> dict[str, NDArray[Any]]:
        """Give the most probable state, or the mean, of nodes given all other columns, row by row.

        Ties go to the state that comes first in `labels`. See `predict_proba`.
        """
        wanted = self._named("predict", self.nodes if names is None else names)
        rows, n = self._inputs("predict", data, wanted)
        found: dict[str, NDArray[Any]] = {}
        for name in wanted:
            here = self.conditionals[name]
            if here.is_discrete:
                codes = here.shares(rows, n).argmax(axis=1)
                found[name] = DiscreteColumn(name, codes, here.cpd.labels).decoded()
            else:
                found[name] = here.normals(rows, n)[0]
        return found

    def to_dict(self) -> dict[str, Any]:
        """Give order, starts and distributions as what JSON can hold."""
        return {
            "order": list(self._order),
            "starts": {name: list(start) for name, start in self._starts.items()},
            "cpds": {node: {"form": cpd.form, **cpd.to_dict()} for node, cpd in self._cpds.items()},
        }

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make the model of a graph that `to_dict` gave."""
        cpds = {node: CPDS[cpd["form"]].from_dict(cpd) for node, cpd in known["cpds"].items()}
        return cls(graph, cpds, order=known["order"], starts=known["starts"])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DependencyModel):
            return NotImplemented
        return self._identity == other._identity

    def __hash__(self) -> int:
        return hash((self._order, tuple(self._cpds.values())))

    def __repr__(self) -> str:
        nodes, edges = counted(len(self.nodes), "node"), counted(len(self._graph.edges), "edge")
        return f"<DependencyModel: {nodes}, {edges}, {self.n_parameters:,} parameters>"

    def _repr_html_(self) -> str:
        return network_html(repr(self), self._graph, self._cpds)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self._graph, self._cpds, self._order, self._starts

    def _matched(self, data: Any, owner: str) -> Dataset:
        return matched(data, self.nodes, owner=owner, kinds=self.kinds, labels=self.labels)

    def _log_probabilities(self, dataset: Dataset) -> dict[str, Floats]:
        rows = {
            column.name: aligned_rows(column, self._cpds[column.name].labels) for column in dataset.columns
        }
        return {
            node: cpd.log_probability(rows[node], [rows[parent] for parent in cpd.parents])
            for node, cpd in self._cpds.items()
        }

    def _named(self, owner: str, names: str | Iterable[str]) -> tuple[str, ...]:
        wanted = as_names(names)
        if unknown := [name for name in wanted if name not in self.nodes]:
            raise DataError(no_such("node", unknown[0], self.nodes, owner=owner))
        return wanted

    def _inputs(self, owner: str, data: Any, wanted: Sequence[str]) -> tuple[dict[str, Any], int]:
        """The parents of some nodes in the data."""
        needed = {parent for name in wanted for parent in self._cpds[name].parents}
        dataset = as_dataset(
            data, ModelColumns(self.kinds, self.labels, unused=frozenset(self.nodes) - needed)
        )
        lacking = [node for node in self.nodes if node in needed and node not in dataset.names]
        if lacking:
            raise DataError(f"{owner}: the data lack the columns {listed(lacking)}, which others depend on.")
        inputs = [name for name in dataset.names if name in needed]
        if not inputs:
            return {}, dataset.n_rows
        advice = "A node's parents must be known; ask query, which averages over what is not."
        columns = dataset.select(inputs).complete(owner, advice=advice).columns
        return {c.name: aligned_rows(c, self._cpds[c.name].labels) for c in columns}, dataset.n_rows


def _checked_order(nodes: tuple[str, ...], order: Sequence[str] | int | None) -> tuple[str, ...]:
    if order is None:
        return nodes
    if isinstance(order, int) and not isinstance(order, bool) and order >= 0:
        return tuple(nodes[i] for i in np.random.default_rng(order).permutation(len(nodes)))
    if not isinstance(order, Iterable) or sorted(map(str, order)) != sorted(nodes):
        raise DataError(
            f"The order has each of the nodes {listed(nodes)} once, or is a seed, and not {order!r}."
        )
    return tuple(order)
