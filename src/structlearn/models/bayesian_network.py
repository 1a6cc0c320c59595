"""A directed acyclic graph with a distribution for every node."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Kind, Label
from structlearn.data.targets import Targets
from structlearn.errors import DataError, OptionError, within_memory
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import aligned, aligned_rows, matched, matched_with_gaps
from structlearn.models.checked_families import checked_families
from structlearn.models.codes import drawn_column, weighted_total
from structlearn.models.cpds import CPD, CPDS, Family, Rows, TableCPD, is_cpd
from structlearn.models.described import DescribedByCPDs
from structlearn.models.expectation_maximisation import EMRun, fit_with_gaps
from structlearn.models.fitters import Wish, check_wishes, fitter_for
from structlearn.models.network_page import network_html
from structlearn.models.queried import QueriedNetwork
from structlearn.models.rows_elsewhere import rows_or_source, statistics_to_fit
from structlearn.models.saved import Saved
from structlearn.naming import as_names
from structlearn.options import Between, Instance, OneOf, Rules, Whole, check_options
from structlearn.options.seeds import generator_of
from structlearn.statistics import SourceTable, Statistics, from_dataset, opened
from structlearn.statistics.experiments import rows_and_targets
from structlearn.statistics.protocol import FOR_ROWS

T = TypeVar("T")

RULES: Rules = {
    "smoothing": Between(0, 1e12, "the number of pseudo-rows spread over each table"),
    "missing": OneOf(("error", "em"), "what to do about missing values"),
    "n": Whole(1, "the number of rows to draw"),
}


class BayesianNetwork(DescribedByCPDs, QueriedNetwork, Saved):
    """A joint distribution: each node given its parents in a directed acyclic graph.

    Parameters
    ----------
    graph : Graph
        A DAG, or a partially directed graph (such as a CPDAG); then `graph.to_dag()` is used.
    cpds : mapping of str to CPD, str or callable, optional
        The distribution of every node. Or, for some nodes, what `fit` is to give them: a kind by its
        name ("table", "tree", "softmax", "sigmoid", "noisy-or", "linear-gaussian", "gaussian-tree",
        "conditional-gaussian", "additive-gaussian"), or a callable such as
        `functools.partial(TreeCPD.fit, max_depth=2)`.

    Examples
    --------
    >>> import structlearn as sl
    >>> from structlearn.models import TableCPD
    >>> graph = sl.Graph(["rain", "grass"], directed=[("rain", "grass")])
    >>> model = sl.BayesianNetwork(graph, {
    ...     "rain": TableCPD([0.8, 0.2], labels=["no", "yes"]),
    ...     "grass": TableCPD([[0.9, 0.1], [0.0, 1.0]], labels=["dry", "wet"], parents=["rain"]),
    ... })
    >>> model
    <BayesianNetwork: 2 nodes, 1 edge, 3 parameters>
    >>> round(model.log_likelihood({"rain": ["no"], "grass": ["wet"]}), 4)  # log(0.8 * 0.1)
    -2.5257
    """

    def __init__(self, graph: Graph, cpds: Mapping[str, Wish] | None = None) -> None:
        if not isinstance(graph, Graph):
            raise DataError(
                f"BayesianNetwork takes a Graph, not a {type(graph).__name__}; see Graph.from_networkx."
            )
        self._graph = graph.to_dag()
        self._wishes = self._checked_wishes(cpds or {})
        given = {node: cpd for node, cpd in self._wishes.items() if is_cpd(cpd)}
        is_wish = not cpds or len(given) < len(cpds)
        self._cpds = None if is_wish else checked_families(self._graph, given)
        self._em: EMRun | None = None
        self._prepared: tuple[Any, Any] | None = None

    @property
    def graph(self) -> Graph:
        """The DAG."""
        return self._graph

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes."""
        return self._graph.nodes

    @property
    def cpds(self) -> dict[str, CPD]:
        """The distribution of each node."""
        if self._cpds is None:
            raise DataError("This network has no distributions yet: call fit(data) first, or give cpds.")
        return dict(self._cpds)

    @property
    def em_(self) -> EMRun | None:
        """How expectation-maximisation went; None where the network was not fitted by it."""
        return self._em

    def fit(
        self,
        data: Any,
        *,
        smoothing: float = 0.0,
        missing: Literal["error", "em"] = "error",
        targets: Targets | None = None,
    ) -> Self:
        """Estimate every distribution from data, by maximum likelihood unless smoothed.

        Every node gets the kind of distribution that it had or was promised when the network was made.
        Otherwise a discrete node gets a table, or a softmax where a parent is continuous; a continuous
        one a linear Gaussian, one for each joint state of its discrete parents. A node that was made
        with a distribution keeps its states. Case weights of a `Dataset` count.

        Parameters
        ----------
        data : anything `Dataset` or `sl.source` takes
            Its columns are the nodes, in any order. Rows may stay where they are.
        smoothing : float, default 0.0
            Pseudo-rows added to each table, spread evenly over its cells: the equivalent sample
            size of a uniform Dirichlet prior. With 0, parents' states that never occur get the
            uniform distribution.
        missing : "error" or "em", default "error"
            What to do about missing values: refuse them, or estimate by expectation-maximisation, for
            nodes with tables. A node made with a table may then lack its whole column; `em_` says
            how it went.
        targets : str, mapping or sequence, optional
            What was set from outside in which rows, as learners take it: a row says nothing of the
            distribution of what was set in it.
        """
        check_options("fit", RULES, {"smoothing": smoothing, "missing": missing})
        if targets is not None:
            return self._fit_to_experiments(data, targets, smoothing, missing)
        rows = rows_or_source(data)
        if isinstance(rows, SourceTable):
            statistics = statistics_to_fit(rows, self.nodes, self._given_kinds(), self._given_labels())
            fitted = self._estimated(None, self._families(statistics), smoothing)
        else:
            dataset = self._to_fit(rows, missing)
            statistics = from_dataset(dataset, missing="testwise", owner="fit")
            fitted = self._estimated(dataset, self._families(statistics), smoothing)
        self._cpds = checked_families(self._graph, fitted)
        return self

    def _fit_to_experiments(self, data: Any, targets: Targets, smoothing: float, missing: str) -> Self:
        if missing == "em":
            raise OptionError("fit(missing='em', targets=…): gaps are not estimated in rows told apart.")
        source = opened(data, aside={"targets": targets} if isinstance(targets, str) else {})
        rows, rows_set = rows_and_targets("fit", source, targets)
        dataset = self._to_fit(rows, "error")
        families = self._families(from_dataset(dataset, owner="fit"))
        for node, is_set in rows_set.items():
            if is_set.all():
                raise DataError(f"fit: {node!r} was set in every row, so that its distribution is unknown.")
            families[node] = self._families(from_dataset(dataset.take(~is_set), owner="fit"))[node]
        self._cpds = checked_families(self._graph, self._estimated(None, families, smoothing))
        return self

    @within_memory("sample: so many rows do not fit in memory. Draw fewer at a time.")
    def sample(self, n: int, *, random_state: int | np.random.Generator | None = None) -> Dataset:
        """Draw `n` independent rows, each node after its parents.

        `pandas.DataFrame(model.sample(1000).to_dict())` makes a frame of them.
        """
        check_options("sample", RULES, {"n": n})
        rng = generator_of("sample", random_state)
        cpds = self.cpds
        drawn: dict[str, Rows] = {}
        for node in self._graph.topological_order():
            parents = [drawn[parent] for parent in cpds[node].parents]
            drawn[node] = cpds[node].sample(parents, n, rng)
        return Dataset.from_columns([drawn_column(node, cpds[node], drawn[node]) for node in self.nodes])

    def do(self, actions: Mapping[str, Any]) -> "BayesianNetwork":
        """Give the network in which some nodes are set from outside: no arrow leads into them any more.

        Examples
        --------
        >>> import structlearn as sl
        >>> acted = sl.example("asia").do({"lung": "no"})
        >>> acted.graph.parents("lung"), acted.cpds["lung"].probabilities.tolist()
        ((), [0.0, 1.0])
        """
        from structlearn.inference import acted_upon  # noqa: PLC0415, a door to a later layer

        return acted_upon(self, actions)

    def marginal(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Give the probability of each joint state of some discrete nodes: an axis per name.

        States are in the order of `labels`. A network is thus a prior for the score `BDe`.

        Examples
        --------
        >>> import structlearn as sl
        >>> sl.example("cancer").marginal(["Cancer"]).round(4)
        array([0.0116, 0.9884])
        """
        for node in as_names(names):
            if node in self.nodes and self.cpds[node].kind == "continuous":
                raise DataError(f"marginal: {node!r} is continuous, so it has no cells; see query.")
        probabilities: NDArray[np.float64] = self.query(names).probabilities
        return probabilities

    def prepared(self, make: Callable[["BayesianNetwork"], T]) -> T:
        """Give what `make` makes of this network, kept until it is fitted again."""
        if self._prepared is None or self._prepared[0] is not self._cpds:
            self._prepared = self._cpds, make(self)
        made: T = self._prepared[1]
        return made

    def log_likelihood(self, data: Any) -> float:
        """Sum the natural log probability (density) of every row, times its case weight if it has one.

        -inf where a row is impossible. See `log_likelihood_rows`.
        """
        rows = rows_or_source(data)
        if isinstance(rows, SourceTable):
            raise DataError(f"log_likelihood needs the rows themselves. {FOR_ROWS}")
        dataset = self._matched(rows, "log_likelihood")
        return weighted_total(dataset, self._log_probabilities(dataset))

    def log_likelihood_rows(self, data: Any) -> NDArray[np.float64]:
        """Give the natural log probability (density) of each row.

        Columns are matched to nodes by name, and states by label; a label of the data that is none
        of the model's but reads the same (the number 1 and the text "1") is that state.
        """
        return self._log_probabilities(self._matched(data, "log_likelihood_rows"))

    def numbered(self) -> "BayesianNetwork":
        """Give the same network with nodes "0", "1", … and states 0, 1, …, as tables.

        For formats without names, such as UAI.

        Examples
        --------
        >>> import structlearn as sl
        >>> sl.example("cancer").numbered().cpds["2"].parents
        ('0', '1')
        """
        number = {node: str(position) for position, node in enumerate(self.nodes)}
        tables: dict[str, TableCPD] = {}
        for node, cpd in self.cpds.items():
            table = cpd.as_table()
            if table is None:
                raise DataError(f"numbered: {node!r} has a {cpd.form} distribution, which is no table.")
            parents = [number[parent] for parent in cpd.parents]
            tables[number[node]] = TableCPD(table, labels=range(len(cpd.labels)), parents=parents)
        arrows = [(number[parent], number[child]) for parent, child in self._graph.directed]
        return BayesianNetwork(Graph(number.values(), directed=arrows), tables)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BayesianNetwork):
            return NotImplemented
        return self._graph == other._graph and self._cpds == other._cpds

    __hash__ = None  # type: ignore[assignment]  # fit changes a network

    def __repr__(self) -> str:
        known = "not fitted" if self._cpds is None else f"{self.n_parameters:,} parameters"
        nodes, edges = counted(len(self.nodes), "node"), counted(len(self._graph.edges), "edge")
        return f"<BayesianNetwork: {nodes}, {edges}, {known}>"

    def _repr_html_(self) -> str:
        return network_html(repr(self), self._graph, self._cpds)

    def _to_fit(self, data: Any, missing: Literal["error", "em"]) -> Dataset:
        kinds, labels = self._given_kinds(), self._given_labels()
        if missing == "em":
            return matched_with_gaps(data, self.nodes, owner="fit", kinds=kinds, labels=labels)
        return aligned(matched(data, self.nodes, owner="fit", kinds=kinds, labels=labels), labels)

    def _families(self, statistics: Statistics) -> dict[str, Family]:
        families: dict[str, Family] = {}
        for child, node in enumerate(self.nodes):
            parents = tuple(self._graph.links.parents(child).tolist())
            labels, *others = (statistics.labels[column] for column in (child, *parents))
            families[node] = Family(statistics, child, parents, labels, tuple(others))
        return families

    def _estimated(
        self, dataset: Dataset | None, families: Mapping[str, Family], smoothing: float
    ) -> dict[str, CPD]:
        fitters = {
            node: fitter_for(node, self._wishes.get(node), family) for node, family in families.items()
        }
        self._em = None
        if dataset is None or not dataset.missing:
            return {node: fitters[node](family, smoothing=smoothing) for node, family in families.items()}
        given = {node: cpd for node, cpd in self._wishes.items() if is_cpd(cpd)}
        cpds, self._em = fit_with_gaps(dataset, families, fitters, given=given, smoothing=smoothing)
        return cpds

    def _checked_wishes(self, cpds: Mapping[str, Wish]) -> dict[str, Wish]:
        for node in cpds:
            if node not in self._graph:
                raise DataError(f"cpds has {node!r}, which is no node of the graph.")
        check_wishes(cpds)
        return dict(cpds)

    def _given_kinds(self) -> dict[str, Kind]:
        return {
            node: CPDS[wish].kind if isinstance(wish, str) else wish.kind
            for node, wish in self._wishes.items()
            if isinstance(wish, str) or is_cpd(wish)
        }

    def _given_labels(self) -> dict[str, tuple[Label, ...]]:
        return {node: wish.labels for node, wish in self._wishes.items() if is_cpd(wish) and wish.labels}

    def _matched(self, data: Any, owner: str) -> Dataset:
        return matched(data, self.nodes, owner=owner, kinds=self.kinds, labels=self.labels)

    def _log_probabilities(self, dataset: Dataset) -> NDArray[np.float64]:
        cpds = self.cpds
        rows = {column.name: aligned_rows(column, cpds[column.name].labels) for column in dataset.columns}
        total = np.zeros(dataset.n_rows)
        for node, cpd in cpds.items():
            total += cpd.log_probability(rows[node], [rows[parent] for parent in cpd.parents])
        return total


NETWORK = Instance(BayesianNetwork, "the network")
