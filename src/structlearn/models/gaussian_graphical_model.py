"""A normal distribution whose precision matrix is zero where an undirected graph has no edge."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solve_triangular

from structlearn.data import ContinuousColumn, Dataset, Kind
from structlearn.errors import DataError, OptionError, within_memory
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import matched, rows_that_count
from structlearn.models.bayesian_network import NETWORK, BayesianNetwork
from structlearn.models.cliques import decomposition, maximal_cliques, neighbor_sets
from structlearn.models.cpds import LinearGaussianCPD
from structlearn.models.gaussian_closed_form import (
    DEPENDENT,
    decomposable_precision,
    marginal_precision,
    network_parameters,
    symmetric,
)
from structlearn.models.gaussian_parts import checked_mean, checked_precision, refuse_large_matrix
from structlearn.models.gaussian_queries import QueriedGaussian
from structlearn.models.network_page import field_html, network_html
from structlearn.models.saved import Saved
from structlearn.models.undirected_graph import checked_graph
from structlearn.naming import listed
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.covariance_selection import covariance_selection
from structlearn.numerics.partial_correlations import partial_correlations
from structlearn.options import Rules, Whole, check_options
from structlearn.options.seeds import generator_of
from structlearn.rounding import CONSTANT
from structlearn.statistics import MemoryStatistics, Moments, from_dataset

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]

RULES: Rules = {"n": Whole(1, "the number of rows to draw")}
EXACT = 1e-20  # the tolerance of a fit: entries move by less than its root


class GaussianGraphicalModel(QueriedGaussian, Saved):
    """A joint normal distribution: columns without an edge are independent given all others.

    Parameters
    ----------
    graph : Graph
        An undirected graph; `graph.moral()` makes one of a DAG.
    precision : array of shape (p, p), optional
        The inverse of the covariance matrix, in the order of the nodes; symmetric, positive definite, and
        zero where the graph has no edge. Without it, call `fit`.
    mean : array of shape (p,), optional
        The mean of each node; by default 0.

    Notes
    -----
    The maximum-likelihood fit has the covariances of the data wherever there is an edge [1]_.

    References
    ----------
    .. [1] Dempster (1972), Covariance selection, Biometrics 28.

    Examples
    --------
    >>> import numpy as np
    >>> import structlearn as sl
    >>> chain = sl.Graph("abc", undirected=[("a", "b"), ("b", "c")])
    >>> model = sl.GaussianGraphicalModel(chain, [[1.0, 0.4, 0.0], [0.4, 1.0, 0.4], [0.0, 0.4, 1.0]])
    >>> model
    <GaussianGraphicalModel: 3 nodes, 2 edges, 8 parameters>
    >>> model.partial_correlations[0].tolist()
    [1.0, -0.4, 0.0]
    >>> model.conditional({"b": 1.0}).mean.tolist()
    [-0.4, -0.4]
    """

    def __init__(
        self, graph: Graph, precision: ArrayLike | None = None, *, mean: ArrayLike | None = None
    ) -> None:
        self._graph = checked_graph(graph, "GaussianGraphicalModel")
        self._precision = None if precision is None else checked_precision(self._graph, precision)
        self._mean = checked_mean(graph, np.zeros(len(graph)) if mean is None else mean)

    @classmethod
    def from_bayesian(cls, model: BayesianNetwork) -> Self:
        """The same distribution: the moral graph, and the precision matrix of the regressions.

        A network with a node that is no linear regression with normal noise is refused.
        """
        check_options("from_bayesian", {"model": NETWORK}, {"model": model})
        cpds = {}
        for node, cpd in model.cpds.items():
            if not isinstance(cpd, LinearGaussianCPD):
                raise DataError(f"from_bayesian: {node!r} has a {cpd.form} distribution, not a linear one.")
            cpds[node] = cpd
        mean, precision = network_parameters(cpds)
        return cls(model.graph.moral(), precision, mean=mean)

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
        """The kind of each node: "continuous"."""
        return dict.fromkeys(self.nodes, "continuous")

    @property
    def mean(self) -> Vector:
        """The mean of each node."""
        return self._mean.copy()

    @property
    def precision(self) -> Matrix:
        """The inverse of the covariance matrix, in the order of the nodes."""
        if self._precision is None:
            raise DataError("This model has no precision matrix yet: call fit(data) first, or give one.")
        return self._precision.copy()

    @property
    def covariance(self) -> Matrix:
        """The covariance matrix, in the order of the nodes."""
        return symmetric(np.linalg.inv(self.precision))

    @property
    def partial_correlations(self) -> Matrix:
        """The correlation of each two nodes given all others; 1 on the diagonal."""
        return partial_correlations(self.precision)

    @property
    def n_parameters(self) -> int:
        """A mean and a variance for each node, and a number for each edge."""
        return 2 * len(self._graph) + len(self._graph.edges)

    def fit(self, data: Any, *, precision: ArrayLike | None = None) -> Self:
        """Estimate the mean and the precision matrix, by maximum likelihood on the edges of the graph.

        Parameters
        ----------
        data : anything `Dataset` takes
            Its columns are the nodes, in any order; numbers all. Case weights of a `Dataset` count.
        precision : array of shape (p, p), optional
            A precision matrix of the standardised columns, in the order of the nodes, as
            `GraphicalLasso.precision_` is one: it is kept, shrinkage and all, in the units of the data.
        """
        dataset = self._matched(rows_that_count(data), "fit")
        statistics = from_dataset(dataset)
        moments = statistics.moments()
        deviations = np.sqrt(np.diag(moments.covariance))
        self._refuse_constants(moments.mean, deviations)
        if precision is None:
            standard = self._most_likely(moments, statistics.n_rows)
        else:
            standard = checked_precision(self._graph, precision)
        self._precision = standard / np.outer(deviations, deviations)
        self._mean = moments.mean.copy()
        return self

    @within_memory("sample: so many rows do not fit in memory. Draw fewer at a time.")
    def sample(self, n: int, *, random_state: int | np.random.Generator | None = None) -> Dataset:
        """Draw `n` independent rows.

        `pandas.DataFrame(model.sample(1000).to_dict())` makes a frame of them.
        """
        check_options("sample", RULES, {"n": n})
        noise = generator_of("sample", random_state).standard_normal((len(self.nodes), n))
        drawn = solve_triangular(np.linalg.cholesky(self.precision), noise, lower=True, trans="T")
        rows = drawn + self._mean[:, None]
        return Dataset.from_columns(
            [ContinuousColumn(node, row) for node, row in zip(self.nodes, rows, strict=True)]
        )

    def log_likelihood(self, data: Any) -> float:
        """Sum the natural log density of every row, times its case weight if it has one."""
        dataset = self._matched(rows_that_count(data), "log_likelihood")
        rows = self._log_densities(dataset)
        return float(rows.sum() if dataset.weights is None else dataset.weights @ rows)

    def log_likelihood_rows(self, data: Any) -> Vector:
        """Give the natural log density of each row."""
        return self._log_densities(self._matched(data, "log_likelihood_rows"))

    def conditional(self, evidence: Mapping[str, float]) -> "GaussianGraphicalModel":
        """The distribution of the other nodes where some have the values given.

        Its precision matrix is that part of the whole one; only the mean depends on the values.
        """
        numbers = self._checked_evidence(evidence, "conditional")
        if len(numbers) == len(self.nodes):
            raise OptionError("conditional: no node is left; give the values of some only.")
        known = [self.nodes.index(node) for node in numbers]
        others = [i for i in range(len(self.nodes)) if i not in set(known)]
        precision = self.precision
        own = precision[np.ix_(others, others)]
        apart = np.array(list(numbers.values())) - self._mean[known]
        mean = self._mean[others] - np.linalg.solve(own, precision[np.ix_(others, known)] @ apart)
        return GaussianGraphicalModel(self._graph.subgraph([self.nodes[i] for i in others]), own, mean=mean)

    def marginal(self, names: Sequence[str]) -> "GaussianGraphicalModel":
        """The distribution of some nodes alone, in the order of the names.

        Nodes that a path through those left out joins get an edge.
        """
        chosen = self._checked_names(names, "marginal")
        kept = [self.nodes.index(name) for name in chosen]
        graph = self._graph_without_others(chosen)
        # What is no edge is 0 but for rounding.
        is_there = (graph.adjacency() != 0) | np.eye(len(kept), dtype=bool)
        precision = np.where(is_there, marginal_precision(self.precision, kept), 0.0)
        return GaussianGraphicalModel(graph, precision, mean=self._mean[kept])

    def to_dict(self) -> dict[str, Any]:
        """Give the mean and the precision matrix, its diagonal and its edges, as what JSON can hold."""
        refuse_large_matrix(len(self.nodes))
        precision = self.precision
        values = [precision[i, j] for i, j in self._graph.links.pairs().tolist()]
        return {
            "mean": dict(zip(self.nodes, self._mean.tolist(), strict=True)),
            "diagonal": dict(zip(self.nodes, np.diag(precision).tolist(), strict=True)),
            "edges": [[*pair, float(v)] for pair, v in zip(self._graph.undirected, values, strict=True)],
        }

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make the model of a graph that `to_dict` gave."""
        place = {node: i for i, node in enumerate(graph.nodes)}
        try:
            mean = np.array([known["mean"][node] for node in graph.nodes], dtype=np.float64)
            diagonal = np.array([known["diagonal"][node] for node in graph.nodes], dtype=np.float64)
            entries = [(place[a], place[b], float(value)) for a, b, value in known["edges"]]
        except KeyError as error:
            raise DataError(f"A Gaussian graphical model lacks {error}.") from None
        except (TypeError, ValueError, OverflowError):
            raise DataError("A part of the Gaussian graphical model has the wrong type.") from None
        refuse_large_matrix(len(graph))
        precision = np.diag(diagonal)
        for i, j, value in entries:
            precision[i, j] = precision[j, i] = value
        return cls(graph, precision, mean=mean)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GaussianGraphicalModel):
            return NotImplemented
        return (
            self._graph == other._graph
            and self.nodes == other.nodes
            and np.array_equal(self._mean, other._mean)
            and _equal(self._precision, other._precision)
        )

    __hash__ = None  # type: ignore[assignment]  # fit changes a model

    def __repr__(self) -> str:
        known = "not fitted" if self._precision is None else f"{self.n_parameters:,} parameters"
        nodes, edges = counted(len(self.nodes), "node"), counted(len(self._graph.edges), "edge")
        return f"<GaussianGraphicalModel: {nodes}, {edges}, {known}>"

    def _repr_html_(self) -> str:
        if self._precision is None:
            return network_html(repr(self), self._graph, None)
        return field_html(repr(self), self._graph, self._mean, self._precision)

    def _most_likely(self, moments: Moments, n_rows: int) -> Matrix:
        """The precision matrix of the standardised columns."""
        cliques = decomposition(neighbor_sets(len(self.nodes), self._graph.links.pairs().tolist()))
        with threads_for(len(self.nodes)):
            if cliques is None:
                fit = covariance_selection(moments.correlation, self._graph.adjacency() != 0, tolerance=EXACT)
                precision = None if fit is None else fit.precision
            else:
                precision = decomposable_precision(moments.correlation, cliques)
        if precision is not None:
            return precision
        raise DataError(
            f"fit: {n_rows} rows are too few for this graph, or columns are linearly dependent: the "
            f"likelihood has no maximum{self._why_none(moments.correlation)}. Remove edges, or give a "
            "precision matrix."
        )

    def _why_none(self, correlation: Matrix) -> str:
        """The nodes that are all joined and linearly dependent, in words, where there are such."""
        for clique in sorted(maximal_cliques(self._graph), key=len, reverse=True):
            if np.linalg.eigvalsh(correlation[np.ix_(clique, clique)])[0] < DEPENDENT:
                return f" on {listed(sorted(self.nodes[i] for i in clique))}, which are all joined"
        return ""

    def _refuse_constants(self, mean: Vector, deviations: Vector) -> None:
        constant = np.flatnonzero(deviations <= CONSTANT * np.abs(mean))
        if len(constant):
            raise DataError(
                f"fit: column {self.nodes[constant[0]]!r} is constant, so it has no normal distribution. "
                "Drop it."
            )

    def _matched(self, data: Any, owner: str) -> Dataset:
        dataset = matched(data, self.nodes, owner=owner, kinds=self.kinds)
        others = [name for name, kind in dataset.kinds.items() if kind != "continuous"]
        if others:
            raise DataError(f"{owner}: column {others[0]!r} has no numbers, and this model needs them.")
        return dataset

    def _log_densities(self, dataset: Dataset) -> Vector:
        factor = np.linalg.cholesky(self.precision)
        rows = MemoryStatistics(dataset.complete("log_likelihood"))  # all of them, those of weight 0 too
        apart = rows.rows(range(len(self.nodes))).values - self._mean
        with np.errstate(over="ignore"):  # a number whose square is beyond floats has density 0
            squares = ((apart @ factor) ** 2).sum(axis=1)
        volume = 2.0 * np.log(np.diag(factor)).sum() - len(self.nodes) * math.log(2.0 * math.pi)
        densities: Vector = 0.5 * (volume - squares)
        return densities

    def _graph_without_others(self, names: Sequence[str]) -> Graph:
        """The graph of some nodes, joined also where a path through the others joins them."""
        neighbors = {node: set(self._graph.neighbors(node)) for node in self.nodes}
        for node in set(self.nodes).difference(names):
            around = neighbors.pop(node)
            for other in around:
                neighbors[other] |= around - {other}
                neighbors[other].discard(node)
        place = {name: i for i, name in enumerate(names)}
        pairs = [(a, b) for a in names for b in neighbors[a] if place[a] < place[b]]
        return Graph(names, undirected=pairs)


def _equal(ours: Matrix | None, theirs: Matrix | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return np.array_equal(ours, theirs)
