"""A dynamic Bayesian network with its distributions: the same at all steps but the first."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from structlearn.data import ContinuousColumn, Dataset
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.lags import slice_name, unrolled
from structlearn.graphs.names import counted
from structlearn.models.bayesian_network import BayesianNetwork
from structlearn.models.cpds import CPD, LinearGaussianCPD, TableCPD
from structlearn.models.cpds.linear_gaussian import VARIANCE_FLOOR
from structlearn.models.fitters import Fitter
from structlearn.rounding import CONSTANT

if TYPE_CHECKING:
    from structlearn.inference.in_time import Course

K = TypeVar("K")
Evidence = Mapping[str, Sequence[Any]]


class DynamicModel:
    """What a variable is, given others some steps ago and within the step.

    Parameters
    ----------
    transition : BayesianNetwork
        Over nodes such as x[t-1] and x[t], whose facts are "variable" and "lag". The distributions of nodes
        at lag 0 count. Where all are tables, or all linear with Gaussian noise, answers are exact; else they
        are those of 10,000 courses that are drawn (particles), the same ones each time.
    initial : BayesianNetwork
        Over the first steps, as many as the largest lag, with nodes such as x[0].
    context : collection of str, default ()
        Variables that are at all steps what they are at the first, which is the only one where they have a
        node.

    Notes
    -----
    Evidence is by variable what was seen at each step from the first on: a sequence, with None where nothing
    was. A variable that is left out is hidden.
    """

    def __init__(
        self, transition: BayesianNetwork, initial: BayesianNetwork, context: Collection[str] = ()
    ) -> None:
        facts = transition.graph.facts
        self._lag = {node: (known["variable"], int(known["lag"])) for node, known in facts.items()}
        self.transition, self.initial, self.context = transition, initial, frozenset(context)
        self.variables = tuple(variable for variable, lag in self._lag.values() if lag == 0)
        self.n_first = max(lag for _, lag in self._lag.values())
        expected = {slice_name(*self.node(v, step)) for step in range(self.n_first) for v in self.variables}
        if set(initial.nodes) != expected:
            raise DataError(
                f"DynamicModel: the first {self.n_first} steps of all variables are needed, from "
                f"{slice_name(self.variables[0], 0)!r} on, and the initial network has other nodes."
            )
        forms = {cpd.form for _, cpd, _ in self.families()}
        forms |= {cpd.form for cpd in initial.cpds.values()}
        self.is_discrete, self.is_normal = forms == {TableCPD.form}, forms == {LinearGaussianCPD.form}

    def __repr__(self) -> str:
        return f"<DynamicModel: {counted(len(self.variables), 'variable')}, {counted(self.n_first, 'lag')}>"

    def node(self, variable: str, step: int) -> tuple[str, int]:
        """A variable with the step whose value it has: the first where it never changes."""
        return variable, 0 if variable in self.context else step

    def families(self) -> list[tuple[str, CPD, list[tuple[str, int]]]]:
        """Each variable with its distribution, and its parents with their lags."""
        cpds = self.transition.cpds
        now = {variable: node for node, (variable, lag) in self._lag.items() if lag == 0}
        return [
            (variable, cpds[node], [self._lag[parent] for parent in cpds[node].parents])
            for variable, node in now.items()
        ]

    def order_of_step(self) -> list[str]:
        """The variables, parents within the step first."""
        ordered = self.transition.graph.topological_order()
        return [self._lag[node][0] for node in ordered if self._lag[node][1] == 0]

    def unrolled(self, n_slices: int) -> BayesianNetwork:
        """The network of so many steps, with nodes such as x[0], all distributions included.

        They are tables, or linear with Gaussian noise. What never changes has a node at the first step only.
        """
        if not (self.is_discrete or self.is_normal):
            raise DataError(
                "unrolled: only networks of tables, or of linear distributions with Gaussian noise, are "
                "unrolled. filter, smooth and forecast take others too."
            )
        graph = unrolled(self.transition.graph, self.initial.graph, n_slices, context=self.context)
        cpds = {node: cpd for node, cpd in self.initial.cpds.items() if node in graph.nodes}
        for step in range(self.n_first, n_slices):
            for variable, cpd, parents in self.families():
                names = [slice_name(*self.node(parent, step - lag)) for parent, lag in parents]
                if variable not in self.context:
                    cpds[slice_name(variable, step)] = _renamed(cpd, names)
        return BayesianNetwork(graph, cpds)

    def filter(self, evidence: Evidence) -> "Course":
        """What is known of each step from what was seen up to it.

        Examples
        --------
        >>> import structlearn as sl
        >>> facts = {"s[t-1]": {"variable": "s", "lag": 1}, "s[t]": {"variable": "s", "lag": 0}}
        >>> graph = sl.Graph(list(facts), directed=[("s[t-1]", "s[t]")], facts=facts)
        >>> from structlearn.models import TableCPD
        >>> from structlearn.models.dynamic_model import DynamicModel
        >>> first = sl.BayesianNetwork(sl.Graph(["s[0]"]), {"s[0]": TableCPD([0.5, 0.5], labels=[0, 1])})
        >>> step = TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=[0, 1], parents=["s[t-1]"])
        >>> alone = TableCPD([0.5, 0.5], labels=[0, 1])
        >>> model = DynamicModel(sl.BayesianNetwork(graph, {"s[t-1]": alone, "s[t]": step}), first)
        >>> model.filter({"s": [0, None, None]}).probabilities["s"].round(2).tolist()
        [[1.0, 0.0], [0.9, 0.1], [0.83, 0.17]]
        """
        from structlearn.inference.in_time import filtered  # noqa: PLC0415, a door to a later layer

        return filtered(self, evidence)

    def smooth(self, evidence: Evidence) -> "Course":
        """What is known of each step from all that was seen, before and after it."""
        from structlearn.inference.in_time import smoothed  # noqa: PLC0415, a door to a later layer

        return smoothed(self, evidence)

    def forecast(self, evidence: Evidence, n_steps: int) -> "Course":
        """What will be at the steps after those that were seen."""
        from structlearn.inference.in_time import forecast  # noqa: PLC0415, a door to a later layer

        return forecast(self, evidence, n_steps)


def fitted_dynamic_model(
    graph: Graph,
    initial: Graph,
    lagged: Dataset,
    beginnings: Dataset,
    variances: Mapping[str, float],
    *,
    smoothing: float,
    context: Collection[str] = (),
) -> DynamicModel:
    """Fit the distributions to a lagged table, and those of the first steps to the beginnings of series."""
    transition = fitted_in_time(graph, lagged, variances, smoothing=smoothing)
    first = fitted_in_time(initial, beginnings, variances, smoothing=smoothing)
    return DynamicModel(transition, first, context)


def fitted_in_time(
    graph: Graph, rows: Dataset, variances: Mapping[str, float], *, smoothing: float
) -> BayesianNetwork:
    """Fit a network whose nodes are variables at steps; `variances` has those of the numbers at all steps.

    A number that is the same in all rows, such as a first step from 0, follows from nothing, and gets as tiny
    a share of its variable's variance as what its parents determine.
    """
    still: dict[str, CPD] = {}
    for node in graph.nodes:
        column = rows.column(node)
        if isinstance(column, ContinuousColumn) and np.ptp(column.values) <= CONSTANT * abs(column.values[0]):
            variance = VARIANCE_FLOOR * variances[node[: node.rindex("[")]]
            still[node] = LinearGaussianCPD(float(column.values[0]), {}, variance=variance)
    edges = [edge for edge in graph.edges if edge.target not in still]
    network = BayesianNetwork(Graph(graph.nodes, edges=edges, facts=graph.facts), _as_they_are(still))
    return network.fit(rows, smoothing=smoothing)


def _as_they_are(cpds: Mapping[str, CPD]) -> dict[str, Fitter]:
    return {node: lambda _, cpd=cpd, **__: cpd for node, cpd in cpds.items()}


def summed(parents: Iterable[K], weights: Iterable[float]) -> dict[K, float]:
    """The weight of each parent: what never changes may be the same one at several lags."""
    found: dict[K, float] = {}
    for parent, weight in zip(parents, weights, strict=True):
        found[parent] = found.get(parent, 0.0) + weight
    return found


def _renamed(cpd: CPD, parents: Sequence[str]) -> CPD:
    """The same distribution of parents with other names, which may be fewer."""
    if isinstance(cpd, TableCPD):
        names = list(dict.fromkeys(parents))
        axes = [names.index(parent) for parent in parents]
        operands: list[Any] = [cpd.probabilities, [*axes, len(names)], range(len(names) + 1)]
        return TableCPD(np.einsum(*operands), labels=cpd.labels, parents=names)
    assert isinstance(cpd, LinearGaussianCPD)  # noqa: S101, checked when the model was made
    coefficients = summed(parents, cpd.coefficients.values())
    return LinearGaussianCPD(cpd.intercept, coefficients, variance=cpd.variance)
