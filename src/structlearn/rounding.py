"""What counts as equal: the one policy for ties and rounding.

Numbers that are equal on paper come out a little apart when their terms are added in another order. A search
that took this for a gain would depend on the order of rows and columns, or go round in circles. So a
difference counts only beyond what rounding can explain:

- a change of one family gains if it is above `ENOUGH`, in natural logarithms;
- of two gains or statistics the larger is better beyond `tie(value)`, of two scores of whole graphs beyond
  `slack(score)`; where they tie, a rank that the caller states decides, such as the order of names.

The score of a graph is the sum over its families, counted anew and never the sum of the gains on the way to
it. Where columns are nearly dependent a family's score has few right digits, and gains that are added on a
lap through equivalent graphs make no zero; but a graph has one sum, and a search whose sums rise by more than
`slack` comes to an end.

A double has 16 digits: a family's score of 100,000 that is summed from a hundred terms is off by up to
7e-10. So 1e-9 is above rounding, and far below what a table can tell: graphs this near are equally probable
to nine digits. Larger numbers are off in proportion to their size, hence the shares.
"""

import math
from collections.abc import Callable, Iterable
from typing import TypeVar

Scored = TypeVar("Scored")

ENOUGH = 1e-9
"""A gain up to this is rounding."""

TIE = 1e-9
"""The share of a gain or a statistic, if above 1, by which two that tie may differ."""

SHARE_OF_A_TOTAL = 1e-12
"""The share of the score of a whole graph that another order of its terms may change."""

LARGEST_WHOLE = 2.0**53
"""Beyond it a float cannot tell neighbouring whole numbers apart."""

DECIMALS_OF_WEIGHTS = 9
"""Weights of edges (natural logarithms per table) that agree so far are a tie: `ENOUGH` in decimals."""

DECIMALS_OF_PROMISES = 12
"""Promises of parents that agree so far are a tie; they are per row, so much smaller than scores."""

# Where a double ends.

TINY = 1e-290
"""A positive number below may have lost digits: doubles have all of theirs down to 2e-308, less some room."""

ALMOST_ONE = 1.0 - 1e-15
"""In place of a correlation of 1, whose statistic would be infinite: nine steps of a double below it."""

# Shares of a variance that are nothing: what is left of one is off by about 1e-16 of the whole.

CONSTANT = 1e-13
"""A deviation of no more than this share of the mean is that of a constant: the mean is off by as much."""

COLLINEAR = 1e-12
"""A regression that leaves no more explains all: few digits of what is left are right."""

DETERMINED = 1e-10
"""Tests take no more for nothing: they divide by it, and six of its digits are right here."""


def tie(value: float) -> float:
    """By how much two gains or statistics of this size may differ and still be a tie."""
    return TIE * max(1.0, abs(value)) if math.isfinite(value) else 0.0


def slack(score: float) -> float:
    """By how much two scores of whole graphs of this size may differ and still be a tie."""
    return max(ENOUGH, SHARE_OF_A_TOTAL * abs(score)) if math.isfinite(score) else 0.0


def is_better(score: float, other: float) -> bool:
    """Whether a score of a whole graph is above another by more than rounding."""
    return score > other and score > other + slack(other)  # most scores are below, and few need the slack


def first_best(found: Iterable[Scored], score: Callable[[Scored], float]) -> Scored:
    """The first that none is better than: the last digits of scores depend on how they were counted."""
    best, *others = found
    for other in others:
        best = other if is_better(score(other), score(best)) else best
    return best
