"""What tests say of each two columns, alone and given one other."""

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker

Matrix = NDArray[np.float64]


def pairwise_log_p(asker: Asker, n_columns: int) -> Matrix:
    """The log p-value of every pair, symmetric; 0 where time did not allow for the test."""
    log_p = np.zeros((n_columns, n_columns))
    for first in range(n_columns - 1):
        if asker.must_stop():
            break
        others = np.arange(first + 1, n_columns)
        log_p[first, others] = asker.ask(np.column_stack([np.full(len(others), first), others])).log_p
    return np.minimum(log_p, log_p.T)


def inseparable(asker: Asker, log_p: Matrix) -> Matrix:
    """1 for each dependent pair that no one node separates, 0 elsewhere."""
    joined = np.zeros_like(log_p)
    for a, b in np.argwhere(np.triu(np.exp(log_p) <= asker.alpha, k=1)).tolist():
        if asker.must_stop():
            break
        others = np.delete(np.arange(len(log_p)), [a, b])
        questions = np.column_stack([np.full((len(others), 2), (a, b)), others])
        if not (asker.ask(questions).p_value > asker.alpha).any():
            joined[a, b] = joined[b, a] = 1.0
    return joined
