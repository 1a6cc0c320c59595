"""A query with a row for each object of a class, and the features of it that were asked for."""

from collections.abc import Mapping, Sequence

from structlearn.data.relational.chains import Chain, Link
from structlearn.data.relational.features import Feature
from structlearn.data.relational.schema import Attribute
from structlearn.data.relational.sql import code_of, equal
from structlearn.data.sql_words import quoted
from structlearn.statistics.relational.tallies import aggregated, key_names

Beginning = tuple[Chain, Link]
Tallied = tuple[Chain, Attribute | None, bool]


class ViewQuery:
    """Chains with the same beginning share its joins; all aggregates of those who refer to an object one."""

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
        values = [f"{self._value(i, feature)} AS f{i}" for i, feature in enumerate(self.features)]
        values += [f"{expression} AS {name}" for name, expression in (others or {}).items()]
        aliases = self._group_joins()
        joins = " ".join([*self._joins, *aliases])
        return f"SELECT {', '.join(values)} FROM {quoted(self.base)} AS o {joins}"

    def _grouped(self) -> dict[Beginning, dict[Tallied, dict[str, Feature]]]:
        """The features to aggregate, by where their objects are referred to, then by what is tallied."""
        groups: dict[Beginning, dict[Tallied, dict[str, Feature]]] = {}
        for place, feature in enumerate(self.features):
            if feature.aggregate is not None:
                before, rest = _parts(feature.chain)
                is_sum = feature.aggregate == "mean" and bool(feature.attribute and feature.attribute.cuts)
                tallied = groups.setdefault((before, rest[0]), {}).setdefault(
                    (rest, feature.attribute, is_sum), {}
                )
                tallied[f"v{place}"] = feature
        return groups

    def _value(self, place: int, feature: Feature) -> str:
        if feature.aggregate is None:
            assert feature.attribute is not None  # noqa: S101, only counts have none
            return code_of(self._object(feature.chain), feature.attribute)
        before, rest = _parts(feature.chain)
        value = f"g{list(self._groups).index((before, rest[0]))}.v{place}"
        if feature.aggregate != "count":
            return value
        counted = f"COALESCE({value}, 0)"
        if not before:
            return counted
        key = quoted(self._object(before), before[-1].to_columns[0])
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
        for number, ((before, link), tallies) in enumerate(self._groups.items()):
            alias, columns = f"g{number}", link.from_columns
            on = equal(self._object(before), columns, alias, key_names(len(columns)))
            joins.append(f"LEFT JOIN ({_together(tallies, len(columns))}) AS {alias} ON {on}")
        return joins


def _together(tallies: Mapping[Tallied, Mapping[str, Feature]], n_keys: int) -> str:
    """What several tallies with the same key give, a row for each key: one join, however many they are."""
    names = [name for features in tallies.values() for name in features]
    members = [
        aggregated(rest, attribute, {name: features.get(name) for name in names}, sums=sums)
        for (rest, attribute, sums), features in tallies.items()
    ]
    if len(members) == 1:
        return members[0]
    keys = ", ".join(key_names(n_keys))
    values = ", ".join(f"MAX({name}) AS {name}" for name in names)
    return f"SELECT {keys}, {values} FROM ({' UNION ALL '.join(members)}) AS tallies GROUP BY {keys}"


def _parts(chain: Chain) -> tuple[Chain, Chain]:
    """A chain up to its first step against a slot, and from there on."""
    first = next(place for place, link in enumerate(chain) if link.is_inverse)
    return chain[:first], chain[first:]
