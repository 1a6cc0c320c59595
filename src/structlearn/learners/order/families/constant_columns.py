"""Columns with a single value, which say nothing about any other."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from structlearn.search.limits import Limits
from structlearn.statistics import Statistics


def without_constants(limits: Limits, statistics: Statistics) -> Limits:
    """The limits, with every arc at a constant column forbidden that is not required.

    The evidence neither gains nor loses by such an arc, so that it would get its prior probability.
    """
    is_constant = _is_constant(statistics)
    return replace(limits, closed=(limits.closed | is_constant | is_constant[:, None]) & ~limits.frozen)


def _is_constant(statistics: Statistics) -> NDArray[np.bool_]:
    kinds = statistics.kinds
    variances = np.diag(statistics.moments().covariance) if "continuous" in kinds else np.zeros(len(kinds))
    return np.array(
        [
            variances[j] == 0.0 if kind == "continuous" else np.count_nonzero(statistics.counts([j])) == 1
            for j, kind in enumerate(kinds)
        ]
    )
