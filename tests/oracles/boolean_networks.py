"""Boolean networks with known rules, and slow ways to find them: dictionaries of patterns."""

import math
from collections import Counter, defaultdict
from itertools import combinations, product

import numpy as np


def counts_by_pattern(before, after, inputs, target):
    """How often each state of the target follows each pattern of the inputs."""
    found = defaultdict(Counter)
    for now, then in zip(before.tolist(), after.tolist(), strict=True):
        found[tuple(now[j] for j in inputs)][then[target]] += 1
    return found


def n_errors(before, after, inputs, target):
    """The pairs that the commonest state of each pattern does not explain."""
    table = counts_by_pattern(before, after, inputs, target)
    return sum(sum(states.values()) - max(states.values()) for states in table.values())


def entropy(counts):
    """In bits, of a column of counts."""
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n)


def open_information(before, after, inputs, target):
    """H(output | inputs) in bits."""
    table = counts_by_pattern(before, after, inputs, target).values()
    return sum(sum(states.values()) / len(before) * entropy(states.values()) for states in table)


def smallest_solutions(before, after, target, most):
    """All sets of the smallest size that leave no error."""
    for size in range(most + 1):
        sets = combinations(range(before.shape[1]), size)
        found = [each for each in sets if n_errors(before, after, each, target) == 0]
        if found:
            return found
    return []


def random_network(rng, p, k):
    """For each node k inputs and a random truth table, less the inputs that make no difference."""
    rules = []
    for _ in range(p):
        inputs = tuple(sorted(rng.choice(p, k, replace=False).tolist()))
        table = dict(zip(product((0, 1), repeat=k), rng.integers(0, 2, 2**k).tolist(), strict=True))
        rules.append(without_idle_inputs(inputs, table))
    return rules


def without_idle_inputs(inputs, table):
    """A rule with the inputs that make a difference."""
    real = [
        i
        for i in range(len(inputs))
        if any(table[at] != table[(*at[:i], 1 - at[i], *at[i + 1 :])] for at in table)
    ]
    return tuple(inputs[i] for i in real), {tuple(at[i] for i in real): value for at, value in table.items()}


def followers(rules, before):
    """The states that follow."""
    return np.array(
        [[table[tuple(state[j] for j in inputs)] for inputs, table in rules] for state in before.tolist()]
    )


def random_pairs(rng, rules, n, noise=0.0):
    """Random states with their followers, of which a share is flipped."""
    before = rng.integers(0, 2, (n, len(rules)))
    return before, followers(rules, before) ^ (rng.random((n, len(rules))) < noise)
