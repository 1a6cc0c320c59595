"""Which of two columns comes first, by what one leaves of the other or by how their tails go together."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.rounding import COLLINEAR

Floats = NDArray[np.float64]

# The approximation of Hyvärinen (1998): the entropy of a Gaussian less what two moments tell of the shape.
OF_GAUSSIAN = (1.0 + math.log(2.0 * math.pi)) / 2.0
WEIGHT_OF_TAILS, TAILS_OF_GAUSSIAN = 79.047, 0.37457  # E ln cosh of a standard Gaussian
WEIGHT_OF_SKEW = 7.4129
IN_A_PRODUCT = 1000  # numbers up to 2: a double goes up to 2^1024
VALUES_AT_ONCE = 2**15  # 256 KiB, so that what is computed on the way stays in the cache


def entropies(columns: Floats, shares: Floats) -> Floats:
    """The approximate entropy of each row of `columns`, which are standardised; cases have these shares."""
    found = np.empty(len(columns))
    is_even = bool((shares == shares[0]).all())
    step = max(VALUES_AT_ONCE // columns.shape[1], 1)
    for start in range(0, len(columns), step):
        part = columns[start : start + step]
        size = np.abs(part)
        tails = size @ shares  # ln cosh u = |u| + ln(1 + exp(−2|u|)) − ln 2
        size *= -2.0
        np.exp(size, out=size)
        size += 1.0
        tails += _sum_of_logs(size) * shares[0] if is_even else np.log(size) @ shares
        np.square(part, out=size)
        size *= -0.5
        np.exp(size, out=size)
        size *= part
        found[start : start + step] = (
            OF_GAUSSIAN
            - WEIGHT_OF_TAILS * np.square(tails - math.log(2.0) - TAILS_OF_GAUSSIAN)
            - WEIGHT_OF_SKEW * np.square(size @ shares)
        )
    return found


def _sum_of_logs(values: Floats) -> Floats:
    """Of numbers from 1 to 2 in each row: products of a thousand of them are in range, and quick."""
    starts = np.arange(0, values.shape[1], IN_A_PRODUCT)
    found: Floats = np.log(np.multiply.reduceat(values, starts, axis=1)).sum(axis=1)
    return found


def precedence(columns: Floats, first: int, others: NDArray[np.int64], own: Floats, shares: Floats) -> Floats:
    """How much more it is the `first` column that comes before each of the others than the other way.

    With x the first and y another, both standardised: R = H(y) + H(x − ρy) − H(x) − H(y − ρx), residuals
    rescaled. It is 0 where one determines the other. `own` has the entropies of the columns.
    """
    x, y = columns[first], columns[others]
    rho = y @ (shares * x)
    left = 1.0 - np.square(rho)
    is_open = left > COLLINEAR
    scale = 1.0 / np.sqrt(np.where(is_open, left, 1.0))[:, None]
    of_x = entropies((x - rho[:, None] * y) * scale, shares)
    of_y = entropies((y - rho[:, None] * x) * scale, shares)
    found: Floats = np.where(is_open, own[others] + of_x - own[first] - of_y, 0.0)
    return found


def precedence_by_tails(columns: Floats, first: int, others: NDArray[np.int64], shares: Floats) -> Floats:
    """The short form ρ E[x tanh y − y tanh x], for heavy tails; 0 where one determines the other."""
    x, y = columns[first], columns[others]
    rho = y @ (shares * x)
    found: Floats = rho * (np.tanh(y) @ (shares * x) - y @ (shares * np.tanh(x)))
    return np.where(1.0 - np.square(rho) > COLLINEAR, found, 0.0)
