"""Scores from the best down, where what differs by rounding only is a tie."""

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import slack


def first_best(scores: NDArray[np.float64]) -> int:
    """The position of the best score, the first of those that tie."""
    best = float(scores.max())
    return int(np.argmax(scores >= best - slack(best)))


def ranked(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The positions of finite scores from the best to the worst; those that tie keep their order."""
    if not len(scores):
        return np.empty(0, dtype=np.intp)
    order = np.argsort(-scores, kind="stable")
    falls = -np.diff(scores[order], prepend=scores[order[0]])
    level = np.cumsum(falls > slack(float(np.abs(scores).max())))
    return order[np.lexsort((order, level))]
