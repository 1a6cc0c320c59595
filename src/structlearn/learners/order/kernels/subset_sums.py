"""Sums over all orders of the nodes, by subsets; every number is a logarithm.

A subset is a whole number with a bit per node. Tables of one node leave out its own bit.
"""

import math

import numpy as np

from structlearn.compile import kernel
from structlearn.learners.order.kernels.subsets import without_bit

NEGLIGIBLE = 40.0  # e^−40 times a number is lost in its rounding


@kernel
def log_add(a, b):
    """The logarithm of e^a + e^b."""
    larger, smaller = (a, b) if a > b else (b, a)
    if smaller > larger - NEGLIGIBLE:  # false for two minus infinities, whose difference is no number
        larger += math.log1p(math.exp(smaller - larger))
    return larger


@kernel
def add_subsets(table, half):
    """Add to each entry with a bit, of value `half`, the one without: for all bits, the zeta transform."""
    for start in range(0, table.size, 2 * half):
        for i in range(start, start + half):
            table[i + half] = log_add(table[i + half], table[i])


@kernel
def add_supersets(table, half):
    """Add to each entry without a bit, of value `half`, the one with it."""
    for start in range(0, table.size, 2 * half):
        for i in range(start, start + half):
            table[i] = log_add(table[i], table[i + half])


@kernel
def sum_orders_within(families, begin, end, sums):
    """For the subsets from `begin` to `end`: sum over all orders of the nodes in it.

    An order weighs the product of its nodes' sums over families within the nodes before; `families`
    has these sums, a row per node. Smaller subsets are known.
    """
    n_nodes = families.shape[0]
    terms = np.empty(n_nodes)
    for subset in range(max(begin, 1), end):
        n_terms = 0
        for last in range(n_nodes):
            bit = 1 << last
            if subset & bit:
                terms[n_terms] = families[last, without_bit(subset, bit)] + sums[subset - bit]
                n_terms += 1
        sums[subset] = log_sum(terms, n_terms)


@kernel
def sum_orders_after(families, begin, end, sums):
    """For the subsets from `end` down to `begin`: sum over all orders of the nodes that are not in it.

    Larger subsets are known.
    """
    n_nodes = families.shape[0]
    terms = np.empty(n_nodes)
    for subset in range(min(end, sums.size - 1) - 1, begin - 1, -1):
        n_terms = 0
        for first in range(n_nodes):
            bit = 1 << first
            if not subset & bit:
                terms[n_terms] = families[first, without_bit(subset, bit)] + sums[subset + bit]
                n_terms += 1
        sums[subset] = log_sum(terms, n_terms)


@kernel
def log_sum(terms, n_terms):
    """The logarithm of the sum of the first terms."""
    largest = -np.inf
    for i in range(n_terms):
        largest = max(largest, terms[i])
    if largest == -np.inf:
        return largest
    total = 0.0
    for i in range(n_terms):
        total += math.exp(terms[i] - largest)
    return largest + math.log(total)


@kernel
def sum_around(node, sums_within, sums_after, table):
    """Fill `table` with what each set of nodes before `node` weighs, but for the node's own family."""
    bit = 1 << node
    for others in range(table.size):
        subset = (others & (bit - 1)) | ((others & -bit) << 1)
        table[others] = sums_within[subset] + sums_after[subset + bit]
