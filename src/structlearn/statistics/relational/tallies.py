"""Queries that tally what the objects at the end of a chain have, for each object where it begins."""

from collections.abc import Mapping, Sequence

from structlearn.data.relational.chains import Chain
from structlearn.data.relational.features import Feature
from structlearn.data.relational.schema import Attribute
from structlearn.data.relational.sql import all_present, code_of, equal, steps_of
from structlearn.data.sql_words import literal, quoted


def key_names(n: int) -> list[str]:
    """The names of key columns in tallies."""
    return [f"k{i}" for i in range(n)]


def tally(chain: Chain, attribute: Attribute | None, *, sums: bool) -> str:
    """How often each state occurs at the end of a chain that begins against a slot, by the slot's key.

    The columns are the key, `code` (where there is an attribute) and `n`; with `sums` the sum of the numbers
    in steps, `total`, is in the place of the code. A later step against a slot joins the tally from there on,
    so that no query has more rows than a table times the states.
    """
    table, joins = "a0", [f"FROM {quoted(chain[0].target)} AS a0"]
    code, n = "", "COUNT(*)"
    for place, link in enumerate(chain[1:], start=1):
        alias = f"a{place}"
        if link.is_inverse:
            inner = tally(chain[place:], attribute, sums=sums)
            keys = key_names(len(link.from_columns))
            joins.append(f"JOIN ({inner}) AS {alias} ON {equal(table, link.from_columns, alias, keys)}")
            code, n = ("" if attribute is None else f"{alias}.code"), f"SUM({alias}.n)"
            return _grouped(chain, joins, f"SUM({alias}.total)" if sums else code, n, sums=sums)
        on = equal(table, link.from_columns, alias, link.to_columns)
        joins.append(f"JOIN {quoted(link.target)} AS {alias} ON {on}")
        table = alias
    if attribute is not None and sums:
        steps = steps_of(table, attribute)
        return _grouped(chain, joins, f"SUM({steps})", f"COUNT({steps})", sums=True)
    if attribute is not None:
        code = code_of(table, attribute)
    return _grouped(chain, joins, code, n, sums=False)


def aggregated(
    chain: Chain, attribute: Attribute | None, features: Mapping[str, Feature | None], *, sums: bool
) -> str:
    """A value of each of several features along one chain, under these names and by key; NULL for None."""
    keys = key_names(len(chain[0].to_columns))
    tallied = f"SELECT * FROM ({tally(chain, attribute, sums=sums)}) AS tally"
    if attribute is not None:
        tallied += " WHERE n > 0" if sums else " WHERE code IS NOT NULL"
    if any(feature is not None and feature.aggregate == "median" for feature in features.values()):
        by_key = f"PARTITION BY {', '.join(keys)}"
        tallied = (
            f"SELECT seen.*, SUM(n) OVER ({by_key} ORDER BY code) AS up_to, SUM(n) OVER ({by_key}) AS in_all "
            f"FROM ({tallied}) AS seen"
        )
    values = [
        f"CAST({'NULL' if feature is None else _value(feature, sums=sums)} AS DOUBLE PRECISION) AS {name}"
        for name, feature in features.items()
    ]
    return f"SELECT {', '.join([*keys, *values])} FROM ({tallied}) AS tallied GROUP BY {', '.join(keys)}"


def _grouped(chain: Chain, joins: Sequence[str], value: str, n: str, *, sums: bool) -> str:
    own = chain[0].to_columns
    keys = [f"{quoted('a0', column)} AS k{i}" for i, column in enumerate(own)]
    values = [f"{value} AS {'total' if sums else 'code'}"] if value else []
    columns = ", ".join([*keys, *values, f"CAST({n} AS BIGINT) AS n"])
    n_grouped = len(keys) + (1 if value and not sums else 0)
    places = ", ".join(str(place + 1) for place in range(n_grouped))
    return f"SELECT {columns} {' '.join(joins)} WHERE {all_present('a0', own)} GROUP BY {places}"


def _value(feature: Feature, *, sums: bool) -> str:
    """What an aggregate makes of a tally; the mode is the first of several, the median the lower of two."""
    if feature.aggregate == "count":
        return "SUM(n)"
    attribute = feature.attribute
    assert attribute is not None  # noqa: S101, only counts have none
    if feature.aggregate == "mean":
        return f"{_total(attribute, sums=sums)} / SUM(n) / {literal(attribute.n_steps)}"
    last = len(attribute.labels) - 1
    if feature.aggregate == "exists":
        return f"MAX(CASE code WHEN {attribute.labels.index(feature.value)} THEN 1 ELSE 0 END)"
    return {
        "min": "MIN(code)",
        "max": "MAX(code)",
        "mode": f"{last} - MAX(n * {last + 1} + {last} - code) % {last + 1}",
        "median": "MIN(CASE WHEN 2 * up_to >= in_all THEN code END)",
    }[str(feature.aggregate)]


def _total(attribute: Attribute, *, sums: bool) -> str:
    """The sum of the numbers, in steps."""
    if sums:
        return "SUM(total)"
    steps = [float(round(number * attribute.n_steps)) for number in attribute.numbers or ()]
    whens = " ".join(f"WHEN {code} THEN {literal(step)}" for code, step in enumerate(steps))
    return f"SUM(CASE code {whens} END * n)"
