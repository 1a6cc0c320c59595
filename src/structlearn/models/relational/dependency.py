"""On what an attribute depends, and how."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from structlearn.data.relational import CodedFeature, Feature, Schema
from structlearn.data.relational.chains import chain_from_text, chain_text
from structlearn.errors import DataError
from structlearn.models.cpds import CPD, CPDS


@dataclass(frozen=True)
class Dependency:
    """The parents of an attribute, named in its CPD as they are read, and the CPD that all objects share."""

    parents: tuple[CodedFeature, ...]
    cpd: CPD

    def to_dict(self) -> dict[str, Any]:
        """Give it as JSON takes it."""
        return {
            "parents": [_parent_to_dict(parent) for parent in self.parents],
            "cpd": {"form": self.cpd.form, **self.cpd.to_dict()},
        }

    @classmethod
    def from_dict(cls, schema: Schema, base: str, known: Mapping[str, Any]) -> Self:
        """Make what `to_dict` gave of an attribute of class `base`."""
        parents = [_parent_from_dict(schema, base, each) for each in known["parents"]]
        return cls(tuple(parents), CPDS[known["cpd"]["form"]].from_dict(known["cpd"]))


def _parent_to_dict(parent: CodedFeature) -> dict[str, Any]:
    feature = parent.feature
    return {
        "chain": chain_text(feature.chain),
        "attribute": feature.source,
        "aggregate": feature.aggregate,
        "value": feature.value,
        "labels": list(parent.labels),
        "cuts": list(parent.cuts),
        "has_none": parent.has_none,
    }


def _parent_from_dict(schema: Schema, base: str, known: Mapping[str, Any]) -> CodedFeature:
    chain, source = chain_from_text(schema, base, known["chain"]), known["attribute"]
    end = chain[-1].target if chain else base
    attributes = {each.node: each for each in schema.entity(end).attributes}
    if source is not None and source not in attributes:
        raise DataError(f"{source!r} is no attribute of {end!r}, where {known['chain']!r} leads.")
    attribute = None if source is None else attributes[source]
    feature = Feature(base, chain, attribute, known["aggregate"], known["value"])
    return CodedFeature(feature, tuple(known["labels"]), tuple(known["cuts"]), known["has_none"])
