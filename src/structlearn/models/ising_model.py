"""The Ising model: an undirected graph of columns with two states."""

from collections.abc import Mapping
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Dataset, Label
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.names import counted
from structlearn.models.alignment import aligned, rows_that_count
from structlearn.models.factors import exponentials
from structlearn.models.ising_fit import fit_spins, refuse_empty_cells, refuse_infinite_couplings
from structlearn.models.ising_parts import (
    ascending_labels,
    checked_couplings,
    checked_fields,
    checked_labels,
    edge_weights,
)
from structlearn.models.ising_samples import gibbs_rows
from structlearn.models.spins import Spins
from structlearn.models.undirected_model import OBJECTIVE, Objective, UndirectedModel
from structlearn.numerics.log_linear.indicators import Indicators
from structlearn.options import Between, Flag, OneOf, Rules, check_options
from structlearn.statistics import from_dataset

Coding = Literal["plus-minus", "zero-one"]
Floats = NDArray[np.float64]

RULES: Rules = {
    "coding": OneOf(("plus-minus", "zero-one"), "the two numbers that the states stand for"),
    "refit": Flag("whether to estimate the couplings too"),
    "objective": OBJECTIVE,
    "ridge": Between(0, 1e12, "the price of a squared coupling"),
}


class IsingModel(UndirectedModel):
    """Columns of two states that pull each other along the edges of an undirected graph.

    Parameters
    ----------
    graph : Graph
        An undirected graph, as `IsingNeighborhoods` or `LogLinearMRF` learn it.
    fields : mapping of str to float, optional
        What pulls each node to its second state; with couplings alone, nothing does. Without either,
        call `fit`.
    couplings : mapping of (str, str) to float, optional
        What pulls the two ends of each edge to the same state.
    labels : mapping of str to (label, label), optional
        The states of each node; by default the two numbers of the coding, and in `fit` those of
        the data.
    coding : {"plus-minus", "zero-one"}, default "plus-minus"
        What the states stand for in log P(x) = Σ couplings·xᵢ·xⱼ + Σ fields·xᵢ − log_partition:
        −1 and 1, or 0 and 1. The two sets of parameters differ; see `recoded`.

    Examples
    --------
    >>> import structlearn as sl
    >>> graph = sl.Graph(["a", "b"], undirected=[("a", "b")])
    >>> model = sl.IsingModel(graph, {"a": 0.0, "b": 0.0}, {("a", "b"): 0.5})
    >>> model
    <IsingModel: 2 nodes, 1 edge, 3 parameters>
    >>> round(model.log_likelihood({"a": [1], "b": [1]}), 4)  # 0.5 − log(2·e^0.5 + 2·e^−0.5)
    -1.0064
    """

    _gibbs_rows = staticmethod(gibbs_rows)

    def __init__(
        self,
        graph: Graph,
        fields: Mapping[str, float] | None = None,
        couplings: Mapping[tuple[str, str], float] | None = None,
        *,
        labels: Mapping[str, tuple[Label, Label]] | None = None,
        coding: Coding = "plus-minus",
    ) -> None:
        check_options("IsingModel", RULES, {"coding": coding})
        super().__init__(graph)
        self._coding: Coding = coding
        self._labels = None if labels is None else checked_labels(graph, labels)
        self._spins: Spins | None = None
        if fields is not None or couplings is not None:
            fields = dict.fromkeys(graph.nodes, 0.0) if fields is None else fields
            self._spins = self._decoded(
                checked_fields(graph, fields), checked_couplings(graph, couplings or {})
            )

    @property
    def coding(self) -> Coding:
        """What the states stand for in the parameters."""
        return self._coding

    @property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The two states of each node."""
        numbers = (-1, 1) if self._coding == "plus-minus" else (0, 1)
        return dict.fromkeys(self.nodes, numbers) if self._labels is None else dict(self._labels)

    @property
    def fields(self) -> dict[str, float]:
        """What pulls each node to its second state, in the model's coding."""
        return dict(zip(self.nodes, self._parameters()[0].tolist(), strict=True))

    @property
    def couplings(self) -> dict[tuple[str, str], float]:
        """What pulls the ends of each edge to the same state, in the model's coding."""
        return dict(zip(self._graph.undirected, self._parameters()[1].tolist(), strict=True))

    @property
    def n_parameters(self) -> int:
        """How many numbers are free: one for each node and each edge."""
        return len(self.nodes) + len(self._graph.edges)

    @property
    def log_partition(self) -> float:
        """The logarithm of the sum over all states, in the model's coding.

        A DataError where the tree-width of the graph puts it out of reach.
        """
        fields, couplings = self._parameters()
        shift = 0.0 if self._coding == "plus-minus" else fields.sum() / 2.0 + couplings.sum() / 4.0
        return float(super().log_partition + shift)

    def recoded(self, coding: Coding) -> "IsingModel":
        """The same distribution with the parameters of the other coding, and the same labels."""
        model = IsingModel(self._graph, coding=coding)
        model._spins, model._labels, model._objective = self._distribution(), self.labels, self._objective
        return model

    def fit(
        self, data: Any, *, refit: bool = True, objective: Objective | None = None, ridge: float = 0.0
    ) -> Self:
        """Estimate the parameters from data, without the shrinkage of the learner that found the graph.

        Parameters
        ----------
        data : anything `Dataset` takes
            Its columns are the nodes, in any order, with two values each. Case weights count.
        refit : bool, default True
            With False the weights of the graph's edges stay as couplings, in the model's coding
            (those of `LogLinearMRF` are for "zero-one"), and only the fields are estimated. They are
            about the second state of each node: of two numbers the larger, of texts as `labels` says.
        objective : {"exact", "pseudo"} or None, default None
            Maximise the likelihood or the pseudo-likelihood; by default the likelihood, unless
            the tree-width of the graph puts it out of reach.
        ridge : float, default 0.0
            What the sum of the squared couplings, of states −1 and 1, is multiplied by and taken off
            the log-likelihood. Above 0 there is always a maximum.
        """
        check_options("fit", RULES, {"refit": refit, "objective": objective, "ridge": ridge})
        dataset = self._matched(rows_that_count(data), "fit", self._labels or {})
        if self._labels is None:
            _refuse_other_than_two(dataset)
            if not refit:
                dataset = aligned(dataset, ascending_labels(dataset))
        indicators = Indicators.of(from_dataset(dataset))
        _refuse_lone_states(indicators, dataset)
        if refit and ridge == 0.0:
            refuse_empty_cells(indicators, self.nodes, self._edges)
        couplings = (
            None if refit else self._decoded(np.zeros(len(self.nodes)), edge_weights(self._graph)).couplings
        )
        spins, self._objective = fit_spins(
            indicators, self._edges, objective=objective, ridge=float(ridge), couplings=couplings
        )
        if refit:
            refuse_infinite_couplings(spins, self.nodes)
        self._spins, self._labels = spins, dataset.labels
        return self

    def factors(self) -> list[tuple[tuple[str, ...], Floats]]:
        """The names and the table of each factor: one for each node, one for each edge.

        Their product is the probability times the exponential of the log partition of states −1 and 1, and
        less than that where floats do not reach it.
        """
        return [(names, exponentials(logs)) for names, logs in self.log_factors()]

    def log_factors(self) -> list[tuple[tuple[str, ...], Floats]]:
        """The logarithms of the factors, also where their numbers are beyond floats."""
        spins = self._distribution()
        signs = np.array([-1.0, 1.0])
        alone = [((node,), h * signs) for node, h in zip(self.nodes, spins.fields, strict=True)]
        pairs = zip(self._graph.undirected, spins.couplings, strict=True)
        return [*alone, *((pair, j * np.outer(signs, signs)) for pair, j in pairs)]

    def to_dict(self) -> dict[str, Any]:
        """Give coding, labels and, for states −1 and 1 whatever the coding, fields and couplings."""
        spins = self._distribution()
        pairs = zip(self._graph.undirected, spins.couplings.tolist(), strict=True)
        content: dict[str, Any] = {
            "coding": self._coding,
            "fields": dict(zip(self.nodes, spins.fields.tolist(), strict=True)),
            "couplings": [[*pair, value] for pair, value in pairs],
        }
        if self._labels is not None:
            content["labels"] = {node: list(states) for node, states in self._labels.items()}
        return content

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make the model of a graph that `to_dict` gave."""
        try:
            couplings = {(a, b): value for a, b, value in known["couplings"]}
            model = cls(graph, known["fields"], couplings, labels=known.get("labels"))
            model._coding = cls(graph, coding=known["coding"]).coding
        except KeyError as error:
            raise DataError(f"An Ising model lacks {error}.") from None
        except DataError:
            raise
        except (TypeError, ValueError, OverflowError, AttributeError):
            raise DataError("A part of the Ising model has the wrong type.") from None
        return model

    def _identity(self) -> tuple[Any, ...]:
        found = None if self._spins is None else (self.fields, self.couplings)
        return self._graph, self._coding, self._labels, found

    def _described(self) -> list[str]:
        return ["not fitted" if self._spins is None else f"{self.n_parameters:,} parameters"]

    @property
    def _edges(self) -> NDArray[np.int64]:
        return self._graph.links.pairs()

    def _distribution(self) -> Spins:
        if self._spins is None:
            raise DataError(
                "This model has no parameters yet: call fit(data) first, or give fields and couplings."
            )
        return self._spins

    def _parameters(self) -> tuple[Floats, Floats]:
        """The fields and couplings in the model's coding."""
        spins = self._distribution()
        return (spins.fields, spins.couplings) if self._coding == "plus-minus" else spins.zero_one()

    def _decoded(self, fields: Floats, couplings: Floats) -> Spins:
        """The spins of parameters in the model's coding."""
        if self._coding == "plus-minus":
            return Spins(self._edges, fields, couplings)
        return Spins.from_zero_one(self._edges, fields, couplings)


def _refuse_other_than_two(dataset: Dataset) -> None:
    for node, found in dataset.labels.items():
        if len(found) != 2:
            raise DataError(
                f"fit: column {node!r} has {counted(len(found), 'value')}, and an Ising model takes two. "
                "Leave it out, or join some of its values."
            )


def _refuse_lone_states(indicators: Indicators, dataset: Dataset) -> None:
    for node, n_seen in zip(dataset.names, indicators.levels.tolist(), strict=True):
        if n_seen != 2:
            raise DataError(
                f"fit: column {node!r} has a single value here, so that its field would be infinite. "
                "Leave it out."
            )
