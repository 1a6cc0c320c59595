"""All that a Markov network knows, by name and by position."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.models.cpds.table import refuse_large_table
from structlearn.models.factors import Factor, Feature, exponentials
from structlearn.models.factors_layout import Layout
from structlearn.models.factors_parameters import Place
from structlearn.models.factors_product import FactorProduct
from structlearn.models.markov_network_parts import Labels, check_shapes, place_of

Floats = NDArray[np.float64]
Names = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Content:
    """The states of each node, the factors and the features; a DataError where they do not agree."""

    labels: Labels
    factors: tuple[Factor, ...]
    features: tuple[Feature, ...]

    def __post_init__(self) -> None:
        check_shapes(self.factors, self.labels)
        _ = self.places

    @cached_property
    def nodes(self) -> Names:
        """The names of the nodes."""
        return tuple(self.labels)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The number of states of each node."""
        return tuple(map(len, self.labels.values()))

    @cached_property
    def places(self) -> list[Place]:
        """The columns and codes of each feature."""
        number = {node: i for i, node in enumerate(self.nodes)}
        return [place_of(feature, number, self.labels) for feature in self.features]

    @cached_property
    def feature_tables(self) -> dict[tuple[int, ...], Floats]:
        """The sum of the weights in each joint state, for each set of columns that has features."""
        tables: dict[tuple[int, ...], Floats] = {}
        for (columns, codes), feature in zip(self.places, self.features, strict=True):
            shape = [self.levels[column] for column in columns]
            refuse_large_table(self.nodes[columns[-1]], shape)
            tables.setdefault(columns, np.zeros(shape))[codes] += feature.weight
        return tables

    @cached_property
    def base(self) -> FactorProduct:
        """The product of the factors alone."""
        place = {node: i for i, node in enumerate(self.nodes)}
        tables = [(tuple(place[name] for name in own.names), own.table) for own in self.factors]
        return FactorProduct.of(self.levels, tables)

    @cached_property
    def layout(self) -> Layout:
        """Where the tables lie: those of the factors, and one for the features of each set of columns."""
        return Layout(self.levels, (*self.base.layout.scopes, *self.feature_tables))

    @cached_property
    def product(self) -> FactorProduct:
        """The product of all factors and features."""
        tables = [table.ravel() for table in self.feature_tables.values()]
        return FactorProduct(self.layout, np.concatenate([self.base.logs, *tables]))

    def tables(self) -> list[tuple[Names, Floats]]:
        """The names and the table of each factor, one for the features of each set of nodes, and ones."""
        known = [(factor.names, factor.table) for factor in self.factors]
        known += [
            (self.named(columns), exponentials(table)) for columns, table in self.feature_tables.items()
        ]
        return known + [((node,), np.ones(len(self.labels[node]))) for node in self._lone]

    def log_tables(self) -> list[tuple[Names, Floats]]:
        """The same in logarithms, however large."""
        with np.errstate(divide="ignore"):
            known = [(factor.names, np.log(factor.table)) for factor in self.factors]
        known += [(self.named(columns), table) for columns, table in self.feature_tables.items()]
        return known + [((node,), np.zeros(len(self.labels[node]))) for node in self._lone]

    @cached_property
    def _lone(self) -> list[str]:
        """The nodes of no factor and of no feature."""
        joined = {name for factor in self.factors for name in factor.names}
        joined |= {name for columns in self.feature_tables for name in self.named(columns)}
        return [node for node in self.nodes if node not in joined]

    def named(self, columns: Iterable[int]) -> Names:
        """The names of some nodes, given where they are."""
        return tuple(self.nodes[column] for column in columns)

    def to_dict(self) -> dict[str, Any]:
        """Labels and factors as what JSON can hold."""
        return {
            "labels": {node: list(states) for node, states in self.labels.items()},
            "factors": [{"names": list(own.names), "table": own.table.tolist()} for own in self.factors],
        }
