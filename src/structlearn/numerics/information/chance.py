"""How much information columns have by chance, from permuted ones, and beyond what permutations can show."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.information.columns import Columns, Matrix

ENOUGH_VALUES = 100_000  # of permuted pairs: the tail beyond the 0.95 quantile then has 5,000
MOST_COLUMNS = 450  # whose pairs are about as many
TAIL = 0.95  # the quantile beyond which an exponential is fitted, as in Margolin et al. (2006)


@dataclass(frozen=True, eq=False)
class Chance:
    """Information by chance: a sample of it, and an exponential for the tail beyond `start`.

    Parameters
    ----------
    values : array
        The sample, in increasing order.
    start : float
        The 0.95 quantile.
    share : float
        How much of the sample is larger; 0.05 but for ties.
    excess : float
        By how much on average.
    """

    values: NDArray[np.float64]
    start: float
    share: float
    excess: float

    def p_value(self, information: NDArray[np.float64]) -> NDArray[np.float64]:
        """How probable as much information is by chance."""
        n_values = max(len(self.values), 1)
        n_below = np.searchsorted(self.values, information, side="left")
        if self.share == 0.0:
            return np.asarray(np.maximum(1.0 - n_below / n_values, 1.0 / n_values))
        beyond = np.maximum(information - self.start, 0.0) / self.excess
        return np.where(information > self.start, self.share * np.exp(-beyond), 1.0 - n_below / n_values)

    def threshold(self, p_value: float) -> float:
        """The information that chance exceeds with this probability; infinite where nothing tells."""
        if p_value >= self.share and p_value * len(self.values) >= 1.0:
            return float(np.quantile(self.values, 1.0 - p_value, method="inverted_cdf"))
        if self.share == 0.0 or p_value == 0.0:
            return math.inf
        return self.start + self.excess * math.log(self.share / p_value)


def chance_of(sample: NDArray[np.float64]) -> Chance:
    """Fit the tail of a sample."""
    values = np.sort(sample)
    if not len(values):
        return Chance(values, 0.0, 0.0, 0.0)
    start = float(np.quantile(values, TAIL))
    beyond = values[values > start]
    return Chance(
        values, start, len(beyond) / len(values), float((beyond - start).mean()) if len(beyond) else 0.0
    )


def permuted_sample(
    columns: Columns, estimate: Callable[[Columns], Matrix], rng: np.random.Generator
) -> NDArray[np.float64]:
    """The information of pairs of columns that are permuted, each by itself, at least 100,000 of them.

    Few columns are permuted several times over, and of many some are drawn. The columns are put in order
    first, so that the order of the rows has no say.
    """
    places = np.flatnonzero((columns.values != columns.values[:, :1]).any(axis=1))
    if len(places) < 2:
        return np.zeros(0)
    if len(places) > MOST_COLUMNS:
        places = np.sort(rng.choice(places, MOST_COLUMNS, replace=False))
    n_pairs = len(places) * (len(places) - 1) / 2
    origins = np.repeat(places, max(math.ceil(math.sqrt(ENOUGH_VALUES / n_pairs)), 1))
    permuted = rng.permuted(np.sort(columns.values[origins], axis=1), axis=1)
    found = estimate(replace(columns, values=permuted, levels=columns.levels[origins]))
    is_of_two = np.triu(origins[:, None] != origins, k=1)
    return np.asarray(found[is_of_two])
