"""From the neighbours that each node chose to the edges of a graph."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from structlearn.learners.entries import entries_of

Floats = NDArray[np.float64]
Rule = Literal["and", "or"]


def joined(coefficients: Floats, rule: Rule, *, n_jobs: int = 1) -> NDArray[np.int64]:
    """The pairs that choose each other, or of which one chooses the other.

    Pair a < b of p nodes is the number a·p + b; row a of `coefficients` is the regression of a.
    """
    n = len(coefficients)
    chooser, chosen = entries_of(coefficients, n_jobs=n_jobs)
    is_forward = chooser < chosen
    forward = chooser[is_forward] * n + chosen[is_forward]
    backward = chosen[~is_forward] * n + chooser[~is_forward]
    return np.intersect1d(forward, backward) if rule == "and" else np.union1d(forward, backward)


def mean_weights(coefficients: Floats, pairs: NDArray[np.int64]) -> Floats:
    """The mean of the two coefficients of each pair, of those that are not zero."""
    a, b = np.divmod(pairs, max(len(coefficients), 1))
    both = np.stack([coefficients[a, b], coefficients[b, a]])
    return np.asarray(both.sum(axis=0) / np.count_nonzero(both, axis=0))
