"""Columns with a single value, which say nothing about any other."""

from dataclasses import replace

from structlearn.search.limits import Limits
from structlearn.statistics import Statistics
from structlearn.statistics.varying import are_constant


def without_constants(limits: Limits, statistics: Statistics) -> Limits:
    """The limits, with every arc at a constant column forbidden that is not required.

    The evidence neither gains nor loses by such an arc, so that it would get its prior probability.
    """
    is_constant = are_constant(statistics)
    return replace(limits, closed=(limits.closed | is_constant | is_constant[:, None]) & ~limits.frozen)
