"""Features: what an object sees at the end of a chain, which can be a parent of its attributes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, Self, get_args

from structlearn.data.columns import Label
from structlearn.data.relational.chains import Chain, chain_text, chains_from, is_single
from structlearn.data.relational.schema import MARKS, Attribute, Schema, quoted_where

Aggregate = Literal["mode", "count", "mean", "min", "max", "median", "exists"]
AGGREGATES: tuple[Aggregate, ...] = get_args(Aggregate)
NONE = "none"
OF_AN_ORDER: frozenset[Aggregate] = frozenset({"mean", "min", "max", "median"})


@dataclass(frozen=True)
class Feature:
    """An attribute at the end of a chain from objects of class `base`.

    Where the chain leads to several objects, an aggregate makes one value of theirs: each way there counts,
    and objects without a value do not. "count" needs no attribute; "exists" asks for one `value`.
    """

    base: str
    chain: Chain = ()
    attribute: Attribute | None = None
    aggregate: Aggregate | None = None
    value: Label | None = None

    @property
    def source(self) -> str | None:
        """The node that it is a value of; None for a count, which no attribute decides."""
        return None if self.attribute is None else self.attribute.node

    @property
    def is_number(self) -> bool:
        """Whether its values are numbers that have to be cut into states first."""
        return self.aggregate in {"mean", "count"}

    def __str__(self) -> str:
        end = "" if self.attribute is None else quoted_where(self.attribute.name, MARKS)
        path = ".".join(filter(None, (chain_text(self.chain), end)))
        if self.aggregate == "exists":
            return f"exists({path} = {self.value})"
        return path if self.aggregate is None else f"{self.aggregate}({path})"


def features_of(
    schema: Schema,
    base: str,
    *,
    max_length: int,
    aggregates: Iterable[Aggregate] = AGGREGATES,
) -> list[Feature]:
    """All features of a class by chains of up to so many links, those of shorter chains first."""
    wanted = tuple(aggregates)
    chains = chains_from(schema, base, max_length)
    return [feature for chain in chains for feature in features_along(schema, base, chain, wanted)]


def features_along(
    schema: Schema, base: str, chain: Chain, aggregates: tuple[Aggregate, ...]
) -> Iterator[Feature]:
    """The features at the end of one chain; attributes with a single state say nothing and have none."""
    end = schema.entity(chain[-1].target if chain else base)
    telling = [attribute for attribute in end.attributes if len(attribute.labels) > 1]
    if is_single(chain):
        yield from (Feature(base, chain, attribute) for attribute in telling)
        return
    if "count" in aggregates:
        yield Feature(base, chain, None, "count")
    for attribute in telling:
        for aggregate in aggregates:
            if aggregate == "exists":
                yield from (Feature(base, chain, attribute, "exists", label) for label in attribute.labels)
            elif aggregate != "count" and (attribute.is_ordered or aggregate not in OF_AN_ORDER):
                yield Feature(base, chain, attribute, aggregate)


@dataclass(frozen=True)
class CodedFeature:
    """A feature with its states; numbers are cut into intervals.

    The last of `labels` is that of objects that see nothing where `has_none`: no object at the end of the
    chain, or none with a value.
    """

    feature: Feature
    labels: tuple[Label, ...]
    cuts: tuple[float, ...] = ()
    has_none: bool = False

    @property
    def name(self) -> str:
        """The feature as people read it."""
        return str(self.feature)

    @classmethod
    def of(
        cls,
        feature: Feature,
        *,
        has_none: bool,
        intervals: tuple[tuple[float, ...], tuple[Label, ...]] = ((), ()),
    ) -> Self:
        """The feature with the states that its attribute or its aggregate has, or these intervals."""
        cuts, labels = intervals
        if feature.aggregate == "exists":
            labels = ("no", "yes")
        elif not feature.is_number and feature.attribute is not None:
            labels = feature.attribute.labels
        none = ((NONE if NONE not in labels else f"({NONE})"),) if has_none else ()
        return cls(feature, (*labels, *none), cuts, has_none)

    @property
    def n_values(self) -> int:
        """The number of states without that for none, whose code comes next."""
        return len(self.labels) - self.has_none
