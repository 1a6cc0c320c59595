"""Tables, kinds and knowledge by their definitions, slowly."""

import math
import re
from itertools import permutations


def is_missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def kind(values):
    """The stated rule, value by value."""
    present = [value for value in values if not is_missing(value)]
    if any(isinstance(value, str | bool) for value in present):
        return "discrete"
    if any(value != int(value) for value in present):
        return "continuous"
    different = set(present)
    average = len(present) / len(different)
    few = len(different) <= 2 or (len(different) <= 20 and average >= 2)
    return "discrete" if few else "continuous"


def labels(values):
    return tuple(sorted({value for value in values if not is_missing(value)}))


def forbidden(source, target, *, pairs, tiers):
    if (source, target) in pairs:
        return True
    places = [
        (i, j)
        for i, tier in enumerate(tiers)
        for j in range(len(tiers))
        if source in tier and target in tiers[j]
    ]
    return any(i > j for i, j in places)


def is_honoured(arrows, lines, *, required, pairs, tiers):
    """Whether a graph has all that is required and nothing that is forbidden, in either reading of a line."""
    both_ways = {*arrows, *lines, *((b, a) for a, b in lines)}
    if any(pair not in arrows for pair in required):
        return False
    return not any(forbidden(a, b, pairs=pairs, tiers=tiers) for a, b in both_ways)


def is_consistent(names, *, required, pairs, tiers):
    """Whether some order of all names, and with it some DAG, honours the knowledge."""
    if any(forbidden(a, b, pairs=pairs, tiers=tiers) for a, b in required):
        return False
    return any(all(order.index(a) < order.index(b) for a, b in required) for order in permutations(names))


def bif_numbers(text):
    """(child, {parent: state}, ...) → probability of each state, read loosely from a BIF file."""
    states = {
        name: [state.strip() for state in found.split(",")]
        for name, found in re.findall(r"variable\s+(\w+)\s*\{[^{]*\{([^}]*)\}", text)
    }
    numbers = {}
    for head, body in re.findall(r"probability\s*\(([^)]*)\)\s*\{([^}]*)\}", text):
        child, _, parents = (part.strip() for part in head.partition("|"))
        parents = [name.strip() for name in parents.split(",") if name.strip()]
        for given, row in re.findall(r"(?:\(([^)]*)\)|table)\s*([^;]*);", body):
            configuration = zip(parents, (state.strip() for state in given.split(",")), strict=False)
            values = [float(number) for number in row.split(",")]
            numbers[child, frozenset(configuration)] = dict(zip(states[child], values, strict=True))
    return states, numbers
