"""What `order_sampling.sample` does, by numbers of Python's own: the sets before a node are weighed once."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, takewhile
from typing import NamedTuple

import numpy as np

from structlearn.rounding import slack

NEGLIGIBLE = 1e-12  # the share of a sum that may be left out
UNDERFLOW = 1e-200  # of weights below, those that still count may have become 0
SWAP, FLIP = 0, 1  # places in the shares of the moves; what is left are cuts
KIND, FIRST, SECOND, ACCEPT = 0, 1, 2, 3  # what the numbers drawn for a step are for
WORD = 2**64 - 1


class Sets(NamedTuple):
    """The sets of a child that fit, the best first: rows, weights beside the best, and sums of these."""

    log_sum: float = -math.inf
    best: float = -math.inf
    rows: Sequence[int] = ()
    weights: Sequence[float] = ()
    sums: Sequence[float] = ()


class SetsOfChild(dict[int, Sets]):
    """The sets of a child by the nodes before it, a bit for each; found when they are first asked for."""

    def __init__(self, rows, child):
        self.rows = rows
        self.first, end = rows.starts[child : child + 2].tolist()
        self.masks = list(rows.masks[self.first : end].T)
        # Single numbers come out of these three times as quickly as out of arrays.
        self.scores = memoryview(rows.scores[self.first : end])
        self.weights = memoryview(rows.weights[self.first : end])
        self.arcs = {}

    def __missing__(self, before):
        missing = self.masks[0] & np.uint64(~before & WORD)
        for i, masks in enumerate(self.masks[1:], start=1):
            missing |= masks & np.uint64(~before >> 64 * i & WORD)
        fitting = (missing == 0).nonzero()[0].tolist()
        self[before] = self._weighed(fitting) if fitting else Sets()
        return self[before]

    def _weighed(self, fitting):
        scores, weights, first = self.scores, self.weights, fitting[0]
        least = scores[first] + math.log(NEGLIGIBLE / (len(scores) - first))
        places = list(takewhile(lambda k: scores[k] >= least, fitting))
        if weights[first] > UNDERFLOW:
            beside = [weights[k] / weights[first] for k in places]
        else:
            beside = [math.exp(scores[k] - scores[first]) for k in places]
        sums = list(accumulate(beside))  # from the left, as loops add
        rows = [self.first + k for k in places]
        return Sets(scores[first] + math.log(sums[-1]), scores[first], rows, beside, sums)

    def arcs_before(self, before):
        """The members of every set, each with the share of its set in all weights."""
        if before not in self.arcs:
            sets = self[before]
            members = self.rows.members[sets.rows].tolist()
            shares = [weight / sets.sums[-1] for weight in sets.weights]
            self.arcs[before] = [
                (m, share) for own, share in zip(members, shares, strict=True) for m in own if m >= 0
            ]
        return self.arcs[before]


def neighbor(order, shares, draw):
    """A neighbour of an order, and the first and the last place that changed."""
    n = len(order)
    if draw[KIND] >= shares[SWAP] + shares[FLIP]:
        cut = 1 + int(draw[FIRST] * (n - 1))
        return order[cut:] + order[:cut], 0, n - 1
    if draw[KIND] < shares[SWAP]:
        i = int(draw[FIRST] * (n - 1))
        j = i + 1
    else:
        i = int(draw[FIRST] * n)
        j = int(draw[SECOND] * (n - 1))
        j += j >= i
    proposed = order.copy()
    proposed[i], proposed[j] = order[j], order[i]
    return (proposed, i, j) if i < j else (proposed, j, i)


def order_after(order, terms, sets, shares, draw):
    """The order after a step; `terms` are brought up to date."""
    proposed, low, high = neighbor(order, shares, draw)
    before = 0
    for node in proposed[:low]:
        before |= 1 << node
    new = {}
    for node in proposed[low : high + 1]:
        new[node] = sets[node][before].log_sum
        before |= 1 << node
    change = 0.0
    for node in order[low : high + 1]:
        change += new[node] - terms[node]
    if not math.log(1.0 - draw[ACCEPT]) < change:
        return order
    for node, term in new.items():
        terms[node] = term
    return proposed


def families_in(order, sets, draws, arc_sums):
    """The row drawn for each node of an order, its best row, and their score; adds probabilities of arcs."""
    drawn, first = [0] * len(order), [0] * len(order)
    before, best = 0, 0.0
    for node in order:
        found, sums = sets[node][before], arc_sums[node]
        place = bisect_right(found.sums, draws[node] * found.sums[-1])
        drawn[node] = found.rows[min(place, len(found.rows) - 1)]
        first[node] = found.rows[0]
        best += found.best
        for member, share in sets[node].arcs_before(before):
            sums[member] += share
        before |= 1 << node
    return drawn, first, best


def sample_of_lists(rows, chain, _, shares, step_draws, family_draws, sampled, log_weights):
    """Record an order after every `step_draws.shape[1]` steps, as often as there is room."""
    order, terms, arc_sums = chain.order.tolist(), chain.terms.tolist(), chain.arc_sums.tolist()
    sets = [SetsOfChild(rows, child) for child in range(len(order))]
    shares = shares.tolist()
    for i, steps in enumerate(step_draws.tolist()):
        for draw in steps:
            order = order_after(order, terms, sets, shares, draw)
        if i >= len(log_weights):
            continue
        sampled[i], first, best = families_in(order, sets, family_draws[i].tolist(), arc_sums)
        log_weight = 0.0
        for node in order:
            log_weight += terms[node]
        log_weights[i] = log_weight
        if best > chain.best_score[0] + slack(chain.best_score[0]):
            chain.best_score[0] = best
            chain.best_rows[:] = first
    chain.order[:], chain.terms[:], chain.arc_sums[:] = order, terms, arc_sums
