"""What objects see along slot chains, by following references one by one, and counts of it in plain Python.

A database is a dict from tables to lists of rows, each a dict; `features` are those of the library.
"""

from collections import Counter
from statistics import fmean, median_low

NOTHING = None


def objects_at(tables, row, chain):
    """Every object at the end of a chain, once for each way there."""
    here = [row]
    for link in chain:
        others = tables[link.target]
        here = [
            other
            for each in here
            for other in others
            if all(
                each[own] is not None and each[own] == other[theirs]
                for own, theirs in zip(link.from_columns, link.to_columns, strict=True)
            )
        ]
    return here


def value(tables, row, feature):
    """What an object sees: a label, a number for means and counts, or nothing."""
    first = next((i for i, link in enumerate(feature.chain) if link.is_inverse), len(feature.chain))
    beginning = objects_at(tables, row, feature.chain[:first])
    if not beginning:
        return NOTHING
    ends = objects_at(tables, row, feature.chain)
    if feature.aggregate == "count":
        return len(ends)
    seen = [end[feature.attribute.name] for end in ends if end[feature.attribute.name] is not None]
    if not seen:
        return NOTHING
    return seen[0] if feature.aggregate is None else aggregate(feature, seen)


def aggregate(feature, seen):
    """One value of several, by the definition of each aggregate."""
    if feature.aggregate == "exists":
        return "yes" if feature.value in seen else "no"
    attribute = feature.attribute
    if feature.aggregate == "mean":
        number_of = dict(zip(attribute.labels, attribute.numbers, strict=True)) if attribute.numbers else {}
        return fmean(number_of.get(each, each) for each in seen)
    places = [attribute.labels.index(each) for each in seen]
    if feature.aggregate == "mode":
        often = Counter(places)
        return attribute.labels[min(often, key=lambda place: (-often[place], place))]
    chosen = {"min": min, "max": max, "median": median_low}[feature.aggregate](places)
    return attribute.labels[chosen]


def counts(tables, base, features):
    """How often each joint value of features occurs among the objects of a class."""
    return Counter(tuple(value(tables, row, feature) for feature in features) for row in tables[base])
