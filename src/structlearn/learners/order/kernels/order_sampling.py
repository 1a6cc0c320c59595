"""Steps of a Markov chain over orders, and what is drawn from an order.

The weight of an order is the product over its nodes of the sum, over all parent sets among the nodes
before, of exp(score); `terms` has the logs of these sums.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from structlearn import rounding
from structlearn.compile import kernel
from structlearn.learners.order.kernels.fitting_rows import NONE
from structlearn.learners.order.kernels.sampling_of_lists import (
    ACCEPT,
    FIRST,
    FLIP,
    KIND,
    NEGLIGIBLE,
    SECOND,
    SWAP,
    UNDERFLOW,
    sample_of_lists,
)

slack = kernel(rounding.slack)


class Chain(NamedTuple):
    """Where a chain is, and what it has seen.

    `arc_sums[child, parent]` adds up the probability of the arc in each order recorded; `best_rows` is
    the best DAG of all of them.
    """

    order: NDArray[np.int64]
    terms: NDArray[np.float64]
    arc_sums: NDArray[np.float64]
    best_rows: NDArray[np.int64]
    best_score: NDArray[np.float64]


class Room(NamedTuple):
    """Where a chain works; `before` has a bit per node that precedes the one at hand."""

    proposed: NDArray[np.int64]
    proposed_terms: NDArray[np.float64]
    before: NDArray[np.uint64]
    found: NDArray[np.int64]
    weights: NDArray[np.float64]
    first_rows: NDArray[np.int64]


@kernel
def let_precede(before, node):
    """Add a node to the set of those before."""
    before[node >> 6] |= np.uint64(1) << np.uint64(node & 63)


@kernel
def is_within(masks, row, before):
    """Whether all members of a set are before."""
    for word in range(masks.shape[1]):
        if masks[row, word] & ~before[word] != 0:
            return False
    return True


@kernel
def weigh(rows, child, out):
    """Find the sets of a child among the nodes before, and their weights beside the best: how many."""
    first, end = rows.starts[child], rows.starts[child + 1]
    least = -np.inf
    n_found = 0
    for row in range(first, end):
        if rows.scores[row] < least:
            break
        if is_within(rows.masks, row, out.before):
            if n_found == 0:
                first = row
                least = rows.scores[row] + math.log(NEGLIGIBLE / (end - row))
            out.found[n_found] = row
            out.weights[n_found] = weight_beside(rows, row, first)
            n_found += 1
    return n_found


@kernel
def weight_beside(rows, row, first):
    """The weight of a set beside that of a better one."""
    if rows.weights[first] > UNDERFLOW:
        return rows.weights[row] / rows.weights[first]
    return math.exp(rows.scores[row] - rows.scores[first])


@kernel
def sum_of(weights, n):
    """The sum of the first weights."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    return total


@kernel
def log_sum(rows, child, room):
    """The log of the summed weights of all sets of a child among the nodes before."""
    n_found = weigh(rows, child, room)
    if n_found == 0:
        return -np.inf
    return rows.scores[room.found[0]] + math.log(sum_of(room.weights, n_found))


@kernel
def weigh_places(rows, room, order, terms, low, high):
    """Find the terms of the nodes from one place of an order to another."""
    for word in range(room.before.size):
        room.before[word] = 0
    for place in range(low):
        let_precede(room.before, order[place])
    for place in range(low, high + 1):
        terms[order[place]] = log_sum(rows, order[place], room)
        let_precede(room.before, order[place])


@kernel
def propose(order, proposed, shares, draws):
    """Write a neighbour of an order, of two nodes or more: the first and the last place that changed."""
    n = order.size
    if draws[KIND] >= shares[SWAP] + shares[FLIP]:
        cut = 1 + int(draws[FIRST] * (n - 1))
        for i in range(n):
            proposed[i] = order[(i + cut) % n]
        return 0, n - 1
    if draws[KIND] < shares[SWAP]:
        i = int(draws[FIRST] * (n - 1))
        j = i + 1
    else:
        i = int(draws[FIRST] * n)
        j = int(draws[SECOND] * (n - 1))
        j += j >= i
    for k in range(n):
        proposed[k] = order[k]
    proposed[i], proposed[j] = order[j], order[i]
    return min(i, j), max(i, j)


@kernel
def step(rows, chain, room, shares, draws):
    """Go to a neighbour, or stay (Metropolis); only nodes whose predecessors change are weighed anew."""
    low, high = propose(chain.order, room.proposed, shares, draws)
    weigh_places(rows, room, room.proposed, room.proposed_terms, low, high)
    change = 0.0
    for place in range(low, high + 1):
        node = chain.order[place]
        change += room.proposed_terms[node] - chain.terms[node]
    if math.log(1.0 - draws[ACCEPT]) < change:
        for place in range(low, high + 1):
            node = room.proposed[place]
            chain.order[place] = node
            chain.terms[node] = room.proposed_terms[node]


@kernel
def draw_family(rows, chain, room, node, draw):
    """Add the probabilities of the arcs to a node, and draw one of its sets by its weight: its row."""
    n_found = weigh(rows, node, room)
    total = sum_of(room.weights, n_found)
    drawn = NONE
    below = 0.0
    for k in range(n_found):
        row = room.found[k]
        below += room.weights[k]
        if drawn == NONE and (below > draw * total or k == n_found - 1):
            drawn = row
        for i in range(rows.members.shape[1]):
            member = rows.members[row, i]
            if member < 0:
                break
            chain.arc_sums[node, member] += room.weights[k] / total
    return drawn


@kernel
def record(rows, chain, room, draws, sampled):
    """Take note of the present order, and draw a DAG from it; the log weight of the order."""
    log_weight, best = 0.0, 0.0
    for word in range(room.before.size):
        room.before[word] = 0
    for place in range(chain.order.size):
        node = chain.order[place]
        sampled[node] = draw_family(rows, chain, room, node, draws[node])
        let_precede(room.before, node)
        room.first_rows[node] = room.found[0]
        best += rows.scores[room.found[0]]
        log_weight += chain.terms[node]
    if best > chain.best_score[0] + slack(chain.best_score[0]):
        chain.best_score[0] = best
        for node in range(chain.order.size):
            chain.best_rows[node] = room.first_rows[node]
    return log_weight


@kernel(instead=sample_of_lists)
def sample(rows, chain, room, shares, step_draws, family_draws, sampled, log_weights):
    """Record an order after every `step_draws.shape[1]` steps, as often as there is room."""
    for i in range(step_draws.shape[0]):
        for j in range(step_draws.shape[1]):
            step(rows, chain, room, shares, step_draws[i, j])
        if i < log_weights.size:
            log_weights[i] = record(rows, chain, room, family_draws[i], sampled[i])
