"""A query with a row for each object of a class, and the features of it that were asked for."""

from collections.abc import Mapping, Sequence

from structlearn.data.relational.chains import Chain
from structlearn.data.relational.features import Feature
from structlearn.data.relational.schema import Attribute
from structlearn.data.relational.sql import code_of, equal, quoted
from structlearn.statistics.relational.tallies import aggregated, key_names

Group = tuple[Chain, Chain, Attribute | None, bool]


class ViewQuery:
    """Chains with the same beginning share its joins, aggregates of one chain their tally."""

    def __init__(self, base: str, features: Sequence[Feature]) -> None:
        self.base = base
        self.features = tuple(features)
        self._objects: dict[Chain, str] = {(): "o"}
        self._joins: list[str] = []
        self._groups = self._grouped()

    def sql(self, others: Mapping[str, str] | None = None) -> str:
        """The features as `f0`, `f1`, …, NULL where an object sees nothing; `others` stand beside them.

        Attributes and what aggregates make of states are codes; means and counts are numbers. The object
        itself is `o`.
        """
        values = [f"{self._value(feature)} AS f{i}" for i, feature in enumerate(self.features)]
        values += [f"{expression} AS {name}" for name, expression in (others or {}).items()]
        aliases = self._group_joins()
        joins = " ".join([*self._joins, *aliases])
        return f"SELECT {', '.join(values)} FROM {quoted(self.base)} AS o {joins}"

    def _grouped(self) -> dict[Group, list[Feature]]:
        groups: dict[Group, list[Feature]] = {}
        for feature in self.features:
            if feature.aggregate is not None:
                groups.setdefault(_group_of(feature), []).append(feature)
        return groups

    def _value(self, feature: Feature) -> str:
        if feature.aggregate is None:
            assert feature.attribute is not None  # noqa: S101, only counts have none
            return code_of(self._object(feature.chain), feature.attribute)
        group = _group_of(feature)
        alias = f"g{list(self._groups).index(group)}"
        value = f"{alias}.f{self._groups[group].index(feature)}"
        beginning = group[0]
        if feature.aggregate != "count":
            return value
        counted = f"COALESCE({value}, 0)"
        if not beginning:
            return counted
        key = quoted(self._object(beginning), beginning[-1].to_columns[0])
        return f"CASE WHEN {key} IS NOT NULL THEN {counted} END"

    def _object(self, chain: Chain) -> str:
        """The alias of the one object at the end of a chain along slots, joined where it was not yet."""
        if chain not in self._objects:
            before, link, alias = self._object(chain[:-1]), chain[-1], f"o{len(self._objects)}"
            on = equal(before, link.from_columns, alias, link.to_columns)
            self._joins.append(f"LEFT JOIN {quoted(link.target)} AS {alias} ON {on}")
            self._objects[chain] = alias
        return self._objects[chain]

    def _group_joins(self) -> list[str]:
        joins = []
        for number, ((beginning, rest, attribute, sums), features) in enumerate(self._groups.items()):
            alias, columns = f"g{number}", rest[0].from_columns
            on = equal(self._object(beginning), columns, alias, key_names(len(columns)))
            joins.append(f"LEFT JOIN ({aggregated(rest, attribute, features, sums=sums)}) AS {alias} ON {on}")
        return joins


def _group_of(feature: Feature) -> Group:
    """What features must share to be made of one tally: the chain, the attribute, and whether it sums."""
    first = next(place for place, link in enumerate(feature.chain) if link.is_inverse)
    is_sum = feature.aggregate == "mean" and feature.attribute is not None and bool(feature.attribute.cuts)
    return feature.chain[:first], feature.chain[first:], feature.attribute, is_sum
