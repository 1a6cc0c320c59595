"""A template of dependencies over a schema, which becomes a Bayesian network for any database with it."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from structlearn.data.relational import CodedFeature, Database, Feature, Schema, opened_database
from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.models.relational.dependency import Dependency
from structlearn.models.relational.instances import OfInstances, refuse_strange_values
from structlearn.models.relational.tallies import refuse_unseen
from structlearn.models.saved import Saved
from structlearn.naming import listed
from structlearn.statistics.relational import ClassView


class ProbabilisticRelationalModel(OfInstances, Saved):
    """What the attributes of objects depend on: one distribution for all objects of a class [1]_.

    Parameters
    ----------
    graph : Graph
        The attributes, as "Student.intelligence", with arrows from their parents.
    schema : Schema
        Classes, attributes with their states, and references.
    dependencies : mapping of str to Dependency
        The parents of each attribute and its CPD.

    References
    ----------
    .. [1] Friedman, Getoor, Koller and Pfeffer (1999), Learning probabilistic relational models,
       International Joint Conference on Artificial Intelligence 16.
    """

    def __init__(self, graph: Graph, schema: Schema, dependencies: Mapping[str, Dependency]) -> None:
        _refuse_other_names(graph, schema, dependencies)
        self.graph = graph
        self.schema = schema
        self.dependencies = {node: dependencies[node] for node in schema.nodes}

    @property
    def n_parameters(self) -> int:
        """How many numbers are free in all the distributions."""
        return sum(each.cpd.n_parameters for each in self.dependencies.values())

    def log_likelihood(self, database: Any) -> float:
        """Sum the natural log probability of every value of every object, given what the object sees.

        Objects without a value of an attribute say nothing of it.

        Parameters
        ----------
        database : path, str, connection of duckdb, sqlite3 or ibis, or mapping of str to data frame
            A database with the tables and columns of the schema; its rows stay there.
        """
        return float(sum(self.log_likelihoods(database).values()))

    def log_likelihoods(self, database: Any) -> dict[str, float]:
        """The log-likelihood of each attribute."""
        found: dict[str, float] = {}
        with opened_database(database) as opened:
            for entity in self.schema.classes:
                if entity.attributes:
                    found |= self._log_likelihoods_of(opened, entity.name)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Give schema and dependencies as JSON takes them."""
        return {
            "schema": self.schema.to_dict(),
            "dependencies": {node: each.to_dict() for node, each in self.dependencies.items()},
        }

    @classmethod
    def from_dict(cls, graph: Graph, known: Mapping[str, Any]) -> Self:
        """Make a model of what `to_dict` gave."""
        schema = Schema.from_dict(known["schema"])
        dependencies = {
            node: Dependency.from_dict(schema, schema.attribute(node).owner, each)
            for node, each in known["dependencies"].items()
            if node in schema.nodes
        }
        return cls(graph, schema, dependencies)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProbabilisticRelationalModel):
            return NotImplemented
        same = (self.graph, self.schema) == (other.graph, other.schema)
        return same and self.dependencies == other.dependencies

    __hash__ = None  # type: ignore[assignment]  # equal by value, so not hashed

    def __repr__(self) -> str:
        n_classes = len(self.schema.classes)
        return (
            f"<ProbabilisticRelationalModel: {len(self.dependencies)} attributes of {n_classes} classes, "
            f"{self.n_parameters} parameters>"
        )

    def _log_likelihoods_of(self, database: Database, base: str) -> dict[str, float]:
        view = self._view(database, base)
        try:
            places = {coded.feature: place for place, coded in enumerate(view.coded)}
            return {
                attribute.node: self._log_likelihood(view, places, Feature(base, (), attribute))
                for attribute in self.schema.entity(base).attributes
            }
        finally:
            view.close()

    def _view(self, database: Database, base: str) -> ClassView:
        own = self.schema.entity(base).attributes
        known = {
            Feature(base, (), each): CodedFeature.of(Feature(base, (), each), has_none=False) for each in own
        }
        parents = {parent.feature: parent for each in own for parent in self.dependencies[each.node].parents}
        view = ClassView(database, list({**known, **parents}), n_intervals=2, known={**known, **parents})
        for place, attribute in enumerate(own):
            refuse_strange_values(database, attribute, view.n_present[place])
        return view

    def _log_likelihood(self, view: ClassView, places: Mapping[Feature, int], own: Feature) -> float:
        dependency = self.dependencies[str(own.source)]
        columns = [places[parent.feature] for parent in dependency.parents]
        [rows] = view.counts(np.array([[*columns, places[own]]]), places[own])
        for parent, codes in zip(dependency.parents, rows.T, strict=False):
            refuse_unseen(str(own.source), parent, codes)
        *parents, values, n = rows.T
        return float(dependency.cpd.log_probability(values, parents) @ n) if len(rows) else 0.0


def _refuse_other_names(graph: Graph, schema: Schema, dependencies: Mapping[str, Dependency]) -> None:
    """Refuse what is not about the attributes of the schema."""
    lacking = [node for node in schema.nodes if node not in dependencies]
    if lacking:
        raise DataError(f"ProbabilisticRelationalModel: {listed(lacking)} has no distribution.")
    strange = [node for node in schema.nodes if node not in graph]
    if strange:
        raise DataError(f"ProbabilisticRelationalModel: {listed(strange)} is no node of the graph.")
    for attribute in schema.attributes:
        parents, cpd = dependencies[attribute.node].parents, dependencies[attribute.node].cpd
        names = tuple(parent.name for parent in parents)
        if tuple(cpd.parents) != names or cpd.labels != attribute.labels:
            raise DataError(
                f"ProbabilisticRelationalModel: the distribution of {attribute.node!r} has other parents or "
                "states than the attribute."
            )
        facts = graph.facts.get(attribute.node, {})
        said = facts.get("parents", dict.fromkeys(names, attribute.node))
        if (
            facts.get("group", attribute.owner) != attribute.owner
            or tuple(said) != names
            or not all(source in graph for source in said.values())
        ):
            raise DataError(
                f"ProbabilisticRelationalModel: the graph has another class or other parents of "
                f"{attribute.node!r} among its facts."
            )
