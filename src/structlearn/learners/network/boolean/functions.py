"""Boolean functions of a few inputs, and which of them have a property.

A function of k inputs is its column of 2^k outputs, patterns in the order of numbers: the first input is the
highest digit.
"""

from functools import cache
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Functions = Literal["any", "canalising", "threshold", "monotone"]
Tables = NDArray[np.bool_]
MOST_INPUTS = 4  # of 65,536 functions; of five inputs there are four thousand million


@cache
def functions_of(kind: Functions, n_inputs: int) -> Tables:
    """All functions of so many inputs that have a property, one in each row, in the order of numbers."""
    patterns = _patterns(n_inputs)
    if kind == "threshold":
        found = _threshold_functions(patterns)
    else:
        every = _patterns(len(patterns))
        keeps = _is_canalising if kind == "canalising" else _is_monotone
        found = every[keeps(every, patterns)]
    found.setflags(write=False)
    return found


def _patterns(n_digits: int) -> Tables:
    """All numbers of so many binary digits, one in each row."""
    return (np.arange(2**n_digits)[:, None] >> np.arange(n_digits)[::-1] & 1).astype(np.bool_)


def _is_canalising(tables: Tables, patterns: Tables) -> Tables:
    """Whether some state of some input decides alone; a function without inputs has nothing to decide."""
    found = np.full(len(tables), patterns.shape[1] == 0)
    for column in patterns.T:
        for half in (tables[:, column], tables[:, ~column]):
            found |= half.all(axis=1) | ~half.any(axis=1)
    return found


def _is_monotone(tables: Tables, patterns: Tables) -> Tables:
    """Whether each input only ever turns the output on, or only ever off."""
    found = np.ones(len(tables), dtype=np.bool_)
    for column in patterns.T:
        off, on = tables[:, ~column], tables[:, column]
        found &= (on >= off).all(axis=1) | (on <= off).all(axis=1)
    return found


def _threshold_functions(patterns: Tables) -> Tables:
    """Whether a weighted sum is above a limit; of up to four inputs weights of up to three make them all."""
    weights = np.array(list(product(range(-3, 4), repeat=patterns.shape[1])), dtype=np.int64)
    sums = weights @ patterns.T.astype(np.int64)
    limits = np.arange(sums.min() - 1, sums.max() + 1)
    found: Tables = np.unique((sums[:, None] > limits[:, None]).reshape(-1, len(patterns)), axis=0)
    return found
