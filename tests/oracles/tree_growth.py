"""Growing trees by the definition, with rows as tuples (parents…, child) and no arrays."""

import itertools
import math
from collections import Counter
from dataclasses import dataclass

TIE = 1e-9


def bic(n, n_states):
    """What a leaf is worth by BIC: its log-likelihood less half a log-size for each free parameter."""
    return lambda counts, _: likelihood(counts) - 0.5 * (n_states - 1) * math.log(n)


def mdl(n, n_states):
    """As BIC, with a bit for the leaf."""
    return lambda counts, share: bic(n, n_states)(counts, share) - math.log(2)


def bdeu(ess, n_states):
    """The evidence of a leaf by prediction of row after row, with its share of the prior rows."""
    return lambda counts, share: urn(counts, ess * share / n_states, n_states)


def uniform(n_states, kappa=1.0):
    """The evidence with one prior row in each cell, and a prior of the structure."""
    return lambda counts, _: urn(counts, 1.0, n_states) + (n_states - 1) * math.log(kappa)


def likelihood(counts):
    size = sum(counts.values())
    return sum(n * math.log(n / size) for n in counts.values())


def urn(counts, cell, n_states):
    total, seen = 0.0, 0
    for n in counts.values():
        for before in range(n):
            total += math.log((cell + before) / (cell * n_states + seen))
            seen += 1
    return total


@dataclass(frozen=True)
class Rule:
    """How a tree grows: `worth(counts, share)` of a leaf, and what `grow` of the library is asked for."""

    worth: object
    levels: tuple
    coded: bool = False
    by_value: bool = False
    lookahead: bool = False


@dataclass(frozen=True)
class Leaf:
    rows: tuple
    left: tuple
    share: float = 1.0

    def counts(self):
        return Counter(row[-1] for row in self.rows)


def root(rows, rule):
    return Leaf(tuple(map(tuple, rows)), rule.levels)


def splits(leaf, rule):
    """Every split that leaves no branch empty: (parent, at, branches), in the order of ties."""
    for parent, n_states in enumerate(rule.levels):
        values = sorted({row[parent] for row in leaf.rows})
        if n_states == 0:
            tests = [
                ((a + b) / 2, [lambda v, a=a: v <= a, lambda v, a=a: v > a])
                for a, b in itertools.pairwise(values)
            ]
            parts = [0.5, 0.5]
        elif leaf.left[parent] < 2:
            continue
        elif rule.by_value:
            n_left = leaf.left[parent]
            tests = [(s, [lambda v, s=s: v == s, lambda v, s=s: v != s]) for s in range(n_states)]
            parts = [1 / n_left, 1 - 1 / n_left]
        else:
            tests = [(0, [lambda v, s=s: v == s for s in range(n_states)])]
            parts = [1 / n_states] * n_states
        for at, branches in tests:
            below = [
                Leaf(
                    tuple(row for row in leaf.rows if goes(row[parent])),
                    _left_below(leaf.left, parent, branch, n_states, rule),
                    leaf.share * part,
                )
                for branch, (goes, part) in enumerate(zip(branches, parts, strict=True))
            ]
            if all(branch.rows for branch in below):
                yield parent, at, below


def _left_below(left, parent, branch, n_states, rule):
    if n_states == 0:
        return left
    n_left = left[parent] - 1 if rule.by_value and branch == 1 else 1
    return (*left[:parent], n_left, *left[parent + 1 :])


def code(leaf, parent, rule):
    """The nats of a test: that it is one, which parent, and which of its tests."""
    n_tests = 1
    if rule.levels[parent] == 0:
        n_tests = len({row[parent] for row in leaf.rows}) - 1
    elif rule.coded and rule.by_value and leaf.left[parent] > 2:
        n_tests = leaf.left[parent]
    which = math.log(n_tests)
    if not rule.coded:
        return which
    n_testable = sum(n != 1 for n in leaf.left)
    return math.log(2) + math.log(n_testable) + which


def leaf_worth(leaf, rule):
    return rule.worth(leaf.counts(), leaf.share)


def gain(leaf, parent, below, rule):
    after = sum(leaf_worth(branch, rule) for branch in below)
    return after - code(leaf, parent, rule) - leaf_worth(leaf, rule)


def best_gain(leaf, rule):
    return max([0.0, *(gain(leaf, parent, below, rule) for parent, _, below in splits(leaf, rule))])


def grow(leaf, rule):
    """The tree and its score: a leaf's counts, or (parent, at, branches)."""
    best, chosen = 0.0, None
    for parent, at, below in splits(leaf, rule):
        found = gain(leaf, parent, below, rule)
        if rule.lookahead:
            found += sum(best_gain(branch, rule) for branch in below)
        if found > best + TIE:
            best, chosen = found, (parent, at, below)
    if chosen is None:
        return dict(leaf.counts()), leaf_worth(leaf, rule)
    parent, at, below = chosen
    trees, scores = zip(*(grow(branch, rule) for branch in below), strict=True)
    return (parent, at, list(trees)), sum(scores) - code(leaf, parent, rule)


def best_score(leaf, rule):
    """The best score of all trees, however they grow."""
    found = leaf_worth(leaf, rule)
    for parent, _, below in splits(leaf, rule):
        found = max(found, sum(best_score(b, rule) for b in below) - code(leaf, parent, rule))
    return found
