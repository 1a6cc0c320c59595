"""p-values of many tests at once, adjusted for their number."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Correction = Literal["none", "bh", "bonferroni", "holm"]
CORRECTIONS: tuple[Correction, ...] = ("none", "bh", "bonferroni", "holm")


def adjusted(p_value: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """Adjust p-values: an adjusted one below a level is a discovery at that level.

    "bh" holds the false discovery rate (Benjamini and Hochberg, 1995), "bonferroni" and "holm" the
    probability of any false discovery (Holm, 1979).
    """
    n = len(p_value)
    if correction == "none" or n == 0:
        return p_value
    if correction == "bonferroni":
        return np.minimum(p_value * n, 1.0)
    order = np.argsort(p_value)
    rank = np.arange(1, n + 1)
    if correction == "bh":
        steps = np.minimum.accumulate((p_value[order] * n / rank)[::-1])[::-1]
    else:
        steps = np.maximum.accumulate(p_value[order] * (n - rank + 1))
    result = np.empty(n)
    result[order] = np.minimum(steps, 1.0)
    return result
