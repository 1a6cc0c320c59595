"""A Markov network: an undirected graph of discrete nodes with factors, or with weighted features."""

from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Label
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import rows_that_count
from structlearn.models.bayesian_network import NETWORK, BayesianNetwork
from structlearn.models.cliques import maximal_cliques
from structlearn.models.cpds.table import refuse_large_table
from structlearn.models.factors import Factor, Feature
from structlearn.models.factors_layout import Layout
from structlearn.models.factors_parameters import count_in_tables, count_in_weights
from structlearn.models.factors_product import FactorProduct
from structlearn.models.factors_samples import gibbs_rows
from structlearn.models.markov_network_content import Content
from structlearn.models.markov_network_fit import Fit, FitOptions, Goal, fit_tables, fit_weights
from structlearn.models.markov_network_parts import (
    Labels,
    as_features,
    axis_labels,
    checked_labels,
    checked_scopes,
    labels_of_tables,
)
from structlearn.models.undirected_model import OBJECTIVE, UndirectedModel
from structlearn.options import Between, Rules, check_options
from structlearn.statistics import Statistics, from_dataset

Floats = NDArray[np.float64]

RULES: Rules = {
    "smoothing": Between(0, 1e12, "the number of pseudo-rows spread over all joint states"),
    "ridge": Between(0, 1e12, "the price of a squared weight"),
    "objective": OBJECTIVE,
}


class MarkovNetwork(UndirectedModel):
    """Discrete nodes whose joint distribution is a product of factors along an undirected graph.

    Parameters
    ----------
    graph : Graph
        An undirected graph; `graph.moral()` makes one of a DAG.
    factors : iterable of Factor or of names, optional
        Tables over nodes that are all joined. Where only names are given, `fit` estimates the tables; by
        default there is one for each maximal clique of the graph.
    features : iterable of Feature, or mapping of ((name, label), …) to float, optional
        Weights for partial states, multiplied with the factors if there are any: a log-linear model,
        as `LogLinearMRF.features_` is one. `fit` then estimates the weights.
    labels : mapping of str to iterable of labels, optional
        The states of each node, in the order of the tables' axes; by default 0, 1, …, and in `fit`
        those of the data, but along the axes of tables that stay.

    Notes
    -----
    P(x) = exp(−log_partition) · Π factor(x) · exp(Σ weight · [x has the feature]). The sum over all
    states is exact, by a junction tree; where the tree-width of the graph puts it out of
    reach, `pseudo_log_likelihood`, Gibbs samples and fits by pseudo-likelihood remain [1]_.

    References
    ----------
    .. [1] Besag (1975), Statistical analysis of non-lattice data, The Statistician 24.

    Examples
    --------
    >>> import structlearn as sl
    >>> ring = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])
    >>> same, other = [[100, 1], [1, 100]], [[1, 100], [100, 1]]
    >>> model = sl.MarkovNetwork(ring, [
    ...     sl.Factor("ab", [[30, 5], [1, 10]]), sl.Factor("bc", same),
    ...     sl.Factor("cd", other), sl.Factor("da", same),
    ... ])
    >>> model
    <MarkovNetwork: 4 nodes, 4 edges, 4 factors, 8 parameters>
    >>> model.marginal(["b"]).round(4)
    array([0.2639, 0.7361])

    A log-linear model, of which the data say the weights:

    >>> both = sl.Feature({"a": "yes", "b": "yes"})
    >>> model = sl.MarkovNetwork(sl.Graph("ab", undirected=["ab"]), features=[both])
    >>> data = {"a": ["no", "no", "yes", "yes", "yes"], "b": ["no", "yes", "no", "yes", "yes"]}
    >>> model.fit(data).features[0]  # log(2 / 1): twice as often as each other state
    Feature({'a': 'yes', 'b': 'yes'}, weight=0.693147)
    """

    _gibbs_rows = staticmethod(gibbs_rows)

    def __init__(
        self,
        graph: Graph,
        factors: Iterable[Factor | Iterable[str]] | None = None,
        *,
        features: Iterable[Feature] | Mapping[tuple[tuple[str, Label], ...], float] | None = None,
        labels: Mapping[str, Iterable[Label]] | None = None,
    ) -> None:
        super().__init__(graph)
        given = None if factors is None else list(factors)
        self._scopes: tuple[tuple[str, ...], ...] | None = None
        tables = [part for part in given or () if isinstance(part, Factor)]
        has_tables = given is not None and len(tables) == len(given)
        if given is not None:
            self._scopes = checked_scopes(graph, given)
        if features is not None and given and not has_tables:
            raise DataError(
                "MarkovNetwork: beside features every factor needs a table, which stays as it is."
            )
        self._features = None if features is None else as_features(graph, features)
        self._given_labels = None if labels is None else checked_labels(graph, labels)
        self._factors: tuple[Factor, ...] | None = (
            tuple(tables) if has_tables or features is not None else None
        )
        self._labels = self._given_labels
        if self._labels is None and self._factors:
            self._labels = labels_of_tables(graph, self._factors)
        if self._labels is None and self._factors and self._features is None:
            raise DataError("labels: some nodes are in no factor, so that their states must be given.")
        self._status, self._boundary = "The parameters were given.", False
        self._content = self._joined()

    @classmethod
    def from_bayesian(cls, model: BayesianNetwork) -> Self:
        """The same distribution: the moral graph, and the table of each node given its parents.

        A network with a node that has no table, such as a continuous one, is refused.
        """
        check_options("from_bayesian", {"model": NETWORK}, {"model": model})
        factors = []
        for node, cpd in model.cpds.items():
            table = cpd.as_table()
            if table is None:
                raise DataError(f"from_bayesian: {node!r} has a {cpd.form} distribution, which is no table.")
            factors.append(Factor((*cpd.parents, node), table))
        return cls(model.graph.moral(), factors, labels=model.labels)

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The states of each node."""
        if self._labels is None:
            raise DataError("This model has no states yet: call fit(data) first, or give labels.")
        return dict(self._labels)

    @property
    def features(self) -> tuple[Feature, ...]:
        """The features with their weights; none where the model has tables only."""
        return self._features or ()

    @property
    def n_parameters(self) -> int:
        """How many numbers `fit` is free to choose, tables or weights; what is redundant does not count."""
        content = self._known()
        if self._features is not None:
            return count_in_weights(content.places, content.levels)
        return count_in_tables(self._fitted_scopes(), content.levels)

    @property
    def status(self) -> str:
        """Where the parameters come from, in a sentence."""
        return "Not fitted yet." if self._content is None else self._status

    @property
    def boundary(self) -> bool:
        """Whether the fit ended where some probabilities are 0, because some states never occur."""
        return self._boundary

    def factors(self) -> list[tuple[tuple[str, ...], Floats]]:
        """The names and the table of each factor; features of the same nodes make one table.

        Every node is in one of them, and their product is the distribution but for a constant.
        """
        return self._known().tables()

    def log_factors(self) -> list[tuple[tuple[str, ...], Floats]]:
        """The logarithms of the factors, also where their numbers are beyond floats."""
        return self._known().log_tables()

    def fit(
        self, data: Any, *, smoothing: float = 0.0, ridge: float = 0.0, objective: Goal | None = None
    ) -> Self:
        """Estimate the weights of the features or, where there are none, the tables of the factors.

        Tables over the maximal cliques of a decomposable graph have a closed form; others come
        from iterative proportional fitting, weights from Newton's method or L-BFGS. `status` says
        which, and how near the end is.

        Parameters
        ----------
        data : anything `Dataset` takes
            Its columns are the nodes, in any order, all discrete. Case weights count.
        smoothing : float, default 0.0
            Pseudo-rows, spread evenly over all joint states. Above 0 there is always a maximum.
        ridge : float, default 0.0
            What the sum of the squared weights, or of the squared logarithms of the tables, is
            multiplied by and taken off the log-likelihood.
        objective : {"exact", "pseudo"} or None, default None
            Maximise the likelihood or the pseudo-likelihood; by default the likelihood, unless the
            tree-width of the graph puts it out of reach.
        """
        check_options("fit", RULES, {"smoothing": smoothing, "ridge": ridge, "objective": objective})
        dataset = self._matched(rows_that_count(data), "fit", self._given_labels or self._labels_that_stay())
        statistics = from_dataset(dataset)
        options = FitOptions(objective, float(smoothing), float(ridge))
        if self._features is None:
            fit = self._fit_tables(dataset.labels, statistics, options)
        else:
            fit = self._fit_weights(dataset.labels, statistics, options)
        self._objective, self._status, self._boundary = fit.objective, fit.status, fit.boundary
        self._labels = dataset.labels
        self._content = self._joined()
        return self

    def numbered(self) -> "MarkovNetwork":
        """Give the same network with nodes "0", "1", … and states 0, 1, …, and features as tables.

        For formats without names, such as UAI.

        Examples
        --------
        >>> import structlearn as sl
        >>> model = sl.MarkovNetwork(sl.Graph("ab", undirected=["ab"]), [sl.Factor("ab", [[2, 1], [1, 2]])])
        >>> model.numbered().nodes
        ('0', '1')
        """
        number = {node: str(position) for position, node in enumerate(self.nodes)}
        pairs = [(number[a], number[b]) for a, b in self._graph.undirected]
        factors = [Factor([number[name] for name in names], table) for names, table in self.factors()]
        labels = {number[node]: range(len(states)) for node, states in self.labels.items()}
        return MarkovNetwork(Graph(number.values(), undirected=pairs), factors, labels=labels)

    def to_dict(self) -> dict[str, Any]:
        """Give labels, factors and features as what JSON can hold."""
        content = self._known().to_dict()
        if self._features is not None:
            content["features"] = [
                {"states": dict(own.states), "weight": own.weight} for own in self._features
            ]
        return content

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make the model of a graph that `to_dict` gave."""
        try:
            factors = [Factor(factor["names"], factor["table"]) for factor in known["factors"]]
            features = None
            if "features" in known:
                features = [Feature(own["states"], own["weight"]) for own in known["features"]]
            return cls(graph, factors, features=features, labels=known["labels"])
        except KeyError as error:
            raise DataError(f"A Markov network lacks {error}.") from None
        except (TypeError, AttributeError):
            raise DataError("A part of the Markov network has the wrong type.") from None

    def _identity(self) -> tuple[Any, ...]:
        parts = self._scopes if self._factors is None else self._factors
        return self._graph, self.nodes, self._labels, parts, self._features

    def _described(self) -> list[str]:
        if self._content is None or self._factors is None:
            return ["not fitted"]
        parts = [counted(len(self._factors), "factor")] if self._factors else []
        parts += [counted(len(self._features), "feature")] if self._features is not None else []
        return [*parts, f"{self.n_parameters:,} parameters"]

    def _distribution(self) -> FactorProduct:
        return self._known().product

    def _joined(self) -> Content | None:
        """All that is known, where that is enough for a distribution."""
        if self._labels is None or self._factors is None:
            return None
        return Content(self._labels, self._factors, self.features)

    def _known(self) -> Content:
        if self._content is not None:
            return self._content
        _ = self.labels
        raise DataError(
            "This model has no parameters yet: call fit(data) first, or give factors or features."
        )

    def _labels_that_stay(self) -> Labels:
        """The states along the axes of tables that a fit of weights keeps: 0, 1, …."""
        return {} if self._features is None else axis_labels(self._factors or ())

    def _fitted_scopes(self) -> tuple[tuple[int, ...], ...]:
        if self._scopes is None:
            return tuple(maximal_cliques(self._graph))
        return tuple(tuple(sorted(self.nodes.index(name) for name in names)) for names in self._scopes)

    def _fit_tables(self, labels: Labels, statistics: Statistics, options: FitOptions) -> Fit:
        layout = Layout(tuple(len(labels[node]) for node in self.nodes), self._fitted_scopes())
        for scope in layout.scopes:
            refuse_large_table(self.nodes[scope[-1]], layout.shape(scope))
        fit = fit_tables(layout, statistics, options)
        names = [[self.nodes[column] for column in scope] for scope in layout.scopes]
        self._factors = tuple(map(Factor, names, fit.found))
        return fit

    def _fit_weights(self, labels: Labels, statistics: Statistics, options: FitOptions) -> Fit:
        fit = fit_weights(Content(labels, self._factors or (), self.features), statistics, options)
        weights = fit.found[0].tolist()
        self._features = tuple(
            Feature(own.states, weight) for own, weight in zip(self.features, weights, strict=True)
        )
        return fit
