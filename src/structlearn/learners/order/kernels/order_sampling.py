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

NEGLIGIBLE = 1e-12  # the share of a sum that may be left out
UNDERFLOW = 1e-200  # of weights below, those that still count may have become 0
SWAP, FLIP = 0, 1  # places in the shares of the moves; what is left are cuts
KIND, FIRST, SECOND, ACCEPT = 0, 1, 2, 3  # what the numbers drawn for a step are for

slack = kernel(rounding.slack)


class Chain(NamedTuple):
    """Where a chain is, its workspaces, and what it has seen.

    `before` has a bit per node that precedes the one at hand.
    `arc_sums[child, parent]` adds up the probability of the arc in each order recorded; `best_rows` is
    the best DAG of all of them.
    """

    order: NDArray[np.int64]
    terms: NDArray[np.float64]
    proposed: NDArray[np.int64]
    proposed_terms: NDArray[np.float64]
    before: NDArray[np.uint64]
    found: NDArray[np.int64]
    weights: NDArray[np.float64]
    arc_sums: NDArray[np.float64]
    first_rows: NDArray[np.int64]
    best_rows: NDArray[np.int64]
    best_score: NDArray[np.float64]


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
def weigh(rows, child, chain):
    """Find the sets of a child among the nodes before, and their weights beside the best: how many."""
    first, end = rows.starts[child], rows.starts[child + 1]
    least = -np.inf
    n_found = 0
    for row in range(first, end):
        if rows.scores[row] < least:
            break
        if is_within(rows.masks, row, chain.before):
            if n_found == 0:
                first = row
                least = rows.scores[row] + math.log(NEGLIGIBLE / (end - row))
            chain.found[n_found] = row
            chain.weights[n_found] = weight_beside(rows, row, first)
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
def log_sum(rows, child, chain):
    """The log of the summed weights of all sets of a child among the nodes before."""
    n_found = weigh(rows, child, chain)
    if n_found == 0:
        return -np.inf
    return rows.scores[chain.found[0]] + math.log(sum_of(chain.weights, n_found))


@kernel
def weigh_places(rows, chain, order, terms, low, high):
    """Find the terms of the nodes from one place of an order to another."""
    for word in range(chain.before.size):
        chain.before[word] = 0
    for place in range(low):
        let_precede(chain.before, order[place])
    for place in range(low, high + 1):
        terms[order[place]] = log_sum(rows, order[place], chain)
        let_precede(chain.before, order[place])


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
def step(rows, chain, shares, draws):
    """Go to a neighbour, or stay (Metropolis); only nodes whose predecessors change are weighed anew."""
    low, high = propose(chain.order, chain.proposed, shares, draws)
    weigh_places(rows, chain, chain.proposed, chain.proposed_terms, low, high)
    change = 0.0
    for place in range(low, high + 1):
        node = chain.order[place]
        change += chain.proposed_terms[node] - chain.terms[node]
    if math.log(1.0 - draws[ACCEPT]) < change:
        for place in range(low, high + 1):
            node = chain.proposed[place]
            chain.order[place] = node
            chain.terms[node] = chain.proposed_terms[node]


@kernel
def draw_family(rows, chain, node, draw):
    """Add the probabilities of the arcs to a node, and draw one of its sets by its weight: its row."""
    n_found = weigh(rows, node, chain)
    total = sum_of(chain.weights, n_found)
    drawn = NONE
    below = 0.0
    for k in range(n_found):
        row = chain.found[k]
        below += chain.weights[k]
        if drawn == NONE and (below > draw * total or k == n_found - 1):
            drawn = row
        for i in range(rows.members.shape[1]):
            member = rows.members[row, i]
            if member < 0:
                break
            chain.arc_sums[node, member] += chain.weights[k] / total
    return drawn


@kernel
def record(rows, chain, draws, sampled):
    """Take note of the present order, and draw a DAG from it; the log weight of the order."""
    log_weight, best = 0.0, 0.0
    for word in range(chain.before.size):
        chain.before[word] = 0
    for place in range(chain.order.size):
        node = chain.order[place]
        sampled[node] = draw_family(rows, chain, node, draws[node])
        let_precede(chain.before, node)
        chain.first_rows[node] = chain.found[0]
        best += rows.scores[chain.found[0]]
        log_weight += chain.terms[node]
    if best > chain.best_score[0] + slack(chain.best_score[0]):
        chain.best_score[0] = best
        for node in range(chain.order.size):
            chain.best_rows[node] = chain.first_rows[node]
    return log_weight


@kernel
def sample(rows, chain, shares, step_draws, family_draws, sampled, log_weights):
    """Record an order after every `step_draws.shape[1]` steps, as often as there is room."""
    for i in range(step_draws.shape[0]):
        for j in range(step_draws.shape[1]):
            step(rows, chain, shares, step_draws[i, j])
        log_weights[i] = record(rows, chain, family_draws[i], sampled[i])
