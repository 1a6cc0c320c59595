"""Module networks by their definitions: likelihoods of lists of values, and every split and move tried."""

import math
from itertools import product

import numpy as np

PRIOR = (0.0, 0.1, 0.1, 0.1)


def normal_gamma(values, prior=PRIOR):
    """The log marginal likelihood of values under a normal-gamma prior, term by term."""
    mean0, strength, shape, rate = prior
    n = len(values)
    if n == 0:
        return 0.0
    mean = sum(values) / n
    shape_n = shape + n / 2
    spread = sum((x - mean) ** 2 for x in values)
    rate_n = rate + spread / 2 + strength * n * (mean - mean0) ** 2 / (2 * (strength + n))
    return (
        -n / 2 * math.log(2 * math.pi)
        + 0.5 * math.log(strength / (strength + n))
        + math.lgamma(shape_n)
        - math.lgamma(shape)
        + shape * math.log(rate)
        - shape_n * math.log(rate_n)
    )


def leaf_score(rows, inside):
    """The likelihood of all values of some rows in some arrays."""
    return normal_gamma([x for row in rows for x, is_in in zip(row, inside, strict=True) if is_in])


def best_split(regulators, rows, inside, least):
    """The best gain of a split between two values of a regulator, with the arrays on its low side."""
    found = (-math.inf, None, None)
    whole = leaf_score(rows, inside)
    for r, values in enumerate(regulators):
        for threshold in sorted(set(values[inside]))[:-1]:
            low, high = inside & (values <= threshold), inside & (values > threshold)
            if low.sum() < least or high.sum() < least:
                continue
            gain = leaf_score(rows, low) + leaf_score(rows, high) - whole
            if gain > found[0]:
                found = gain, r, low
    return found


def score(rows, modules, leaves, n_modules, penalty, long=(), price=0.0):
    """The score of modules with trees, of which `leaves[m]` says to which leaf each array goes.

    A split in a module with one of the `long` columns has a price besides.
    """
    found = -len(rows) * math.log(n_modules)
    for m in range(n_modules):
        members = [row for row, module in zip(rows, modules, strict=True) if module == m]
        numbers = sorted(set(leaves[m]))
        cost = penalty + (price if any(modules[j] == m for j in long) else 0.0)
        found += sum(leaf_score(members, leaves[m] == leaf) for leaf in numbers) - cost * (len(numbers) - 1)
    return found


def moved(rows, modules, leaves, n_modules, order, long, price):
    """Let each row in turn go to the module where the whole score is best."""
    modules = list(modules)
    for j in order:
        options = {}
        for m in range(n_modules):
            options[m] = score(
                rows, [*modules[:j], m, *modules[j + 1 :]], leaves, n_modules, 0.0, long, price
            )
        best = max(options, key=options.get)
        if options[best] > options[modules[j]] + 1e-9:
            modules[j] = best
    return modules


def reachable(links, sources):
    """What can be reached from some modules along links, they themselves too, by powers of a matrix."""
    steps = np.linalg.matrix_power(np.eye(len(links), dtype=int) + (np.asarray(links) > 0), len(links))
    return [any(steps[s, m] > 0 for s in sources) for m in range(len(links))]


def all_links(n):
    """Every graph of n modules, as matrices."""
    places = [(a, b) for a in range(n) for b in range(n) if a != b]
    for bits in product((0, 1), repeat=len(places)):
        links = np.zeros((n, n), dtype=np.int64)
        for (a, b), bit in zip(places, bits, strict=True):
            links[a, b] = bit
        yield links
