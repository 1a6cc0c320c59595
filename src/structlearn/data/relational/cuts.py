"""Numbers cut into a few intervals with as many objects each as ties allow, found inside the database."""

from itertools import pairwise

from structlearn.data.columns import Label
from structlearn.data.relational.databases import Database
from structlearn.data.sql_words import literal


def intervals(
    database: Database, numbers: str, n_intervals: int
) -> tuple[tuple[float, ...], tuple[Label, ...]]:
    """The cuts between intervals of the column `v` of a query, which misses nothing, and their names.

    So few different numbers that each can be an interval are kept apart. Otherwise cuts are at quantiles.
    They are halfway between two values, so that no rounding can move one across.
    """
    few = database.rows(f"SELECT DISTINCT v FROM ({numbers}) AS numbers LIMIT {n_intervals + 1}")
    if len(few) <= n_intervals:
        values = sorted(float(value) for (value,) in few)
        cuts = tuple((low + high) / 2 for low, high in pairwise(values))
        return cuts, tuple(int(value) if value.is_integer() else value for value in values)
    cuts = _quantiles(database, numbers, n_intervals)
    return cuts, _called(cuts)


def _quantiles(database: Database, numbers: str, n_intervals: int) -> tuple[float, ...]:
    [(n,)] = database.rows(f"SELECT COUNT(*) FROM ({numbers}) AS numbers")
    places = {-(-int(n) * i // n_intervals) for i in range(1, n_intervals)}
    listed = ", ".join(str(place) for place in sorted(places))
    ranked = f"SELECT v, ROW_NUMBER() OVER (ORDER BY v) AS place FROM ({numbers}) AS numbers"
    found = database.rows(f"SELECT DISTINCT v FROM ({ranked}) AS ranked WHERE place IN ({listed}) ORDER BY v")
    cuts = []
    for (low,) in found:
        above = f"SELECT MIN(v) FROM ({numbers}) AS numbers WHERE v > {literal(float(low))}"
        [(high,)] = database.rows(above)
        if high is not None:
            cuts.append((float(low) + float(high)) / 2)
    return tuple(cuts) or _below_the_largest(database, numbers)


def _below_the_largest(database: Database, numbers: str) -> tuple[float, ...]:
    """The one cut where nearly all numbers are the largest, so that it is at every quantile."""
    [(high,)] = database.rows(f"SELECT MAX(v) FROM ({numbers}) AS numbers")
    below = f"SELECT MAX(v) FROM ({numbers}) AS numbers WHERE v < {literal(float(high))}"
    [(low,)] = database.rows(below)
    return ((float(low) + float(high)) / 2,)


def _called(cuts: tuple[float, ...]) -> tuple[str, ...]:
    words = [f"{cut:.4g}" for cut in cuts]
    if len(set(words)) < len(words):
        words = [repr(cut) for cut in cuts]
    between = [f"{low} to {high}" for low, high in pairwise(words)]
    return (f"≤ {words[0]}", *between, f"> {words[-1]}")
