"""What a leaf of a tree is worth, from the sums of its rows.

A tally is additive: the count of each state of a discrete child, or the number of rows of a
continuous one with the sums of its values and of their squares.
"""

import math
from typing import NamedTuple

from structlearn.compile import kernel, log_gamma
from structlearn.scores.kernels.rising import MANY, rise_from_many

LIKELIHOOD = 0
SPREAD_PRIOR = 1
CELL_PRIOR = 2
NORMAL = 3


class Rule(NamedTuple):
    """What makes a tree good, and how far it may grow.

    `form` says what a leaf is worth: the likelihood of its states, their evidence under a prior of
    `prior` rows spread over the tree or of `prior` rows in every cell, or the likelihood of a normal
    distribution with a variance above `prior`. `price` is per free parameter. With `is_coded` the
    tree itself is written down too. `by_value` sets one value of a parent apart from the others.
    """

    form: int
    prior: float
    price: float
    is_coded: bool
    by_value: bool
    looks_ahead: bool
    min_rows: float
    max_depth: int


@kernel
def worth(tally, share, rule):
    """What a leaf adds to the score; `share` is its part of the parents' joint states."""
    code = math.log(2.0) if rule.is_coded else 0.0
    if rule.form == NORMAL:
        return normal_likelihood(tally, rule.prior) - 2.0 * rule.price - code
    price = rule.price * (tally.size - 1)
    if rule.form == LIKELIHOOD:
        return likelihood(tally) - price - code
    if rule.form == SPREAD_PRIOR:
        return evidence(tally, rule.prior * share / tally.size) - price - code
    return evidence(tally, rule.prior) - price - code


@kernel
def likelihood(tally):
    """The maximised log-likelihood of counts."""
    total, size = 0.0, 0.0
    for count in tally:
        if count > 0.0:
            size += count
            total += count * math.log(count)
    return total - size * math.log(size) if size > 0.0 else 0.0


@kernel
def evidence(tally, cell):
    """The log marginal likelihood of counts with a prior of `cell` rows for each state."""
    total, size = 0.0, 0.0
    for count in tally:
        if count > 0.0:
            size += count
            if cell >= MANY:
                total += rise_from_many(cell, count)
            else:
                total += log_gamma(cell + count) - log_gamma(cell)
    prior = cell * tally.size
    if size > 0.0 and prior >= MANY:
        return total - rise_from_many(prior, size)
    return total + log_gamma(prior) - log_gamma(prior + size) if size > 0.0 else 0.0


@kernel
def normal_likelihood(tally, least):
    """The maximised log-likelihood of a normal distribution; -inf where its variance is not above `least`."""
    variance = (tally[2] - tally[1] * tally[1] / tally[0]) / tally[0]
    if not variance > least:
        return -math.inf
    return -0.5 * tally[0] * (math.log(2.0 * math.pi * variance) + 1.0)


@kernel
def rows_in(tally, rule):
    """The number of rows, or the sum of their weights."""
    if rule.form == NORMAL:
        return tally[0]
    size = 0.0
    for count in tally:
        size += count
    return size


@kernel
def is_enough(tally, rule):
    """Whether a leaf may have so few rows; an empty one may never be."""
    size = rows_in(tally, rule)
    return size > 0.0 and size >= rule.min_rows
