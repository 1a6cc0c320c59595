"""Which conjunctions of states a log-linear model may have as features."""

import numpy as np
from numpy.typing import NDArray

from structlearn.errors import OptionError
from structlearn.numerics.log_linear.indicators import Features, Indicators

MOST_CANDIDATES = 2_000_000  # the slopes of all are taken at every step
MOST_NUMBERS = 2**62  # a feature's number is an int64


class Conjunctions:
    """States of two columns or more that may occur together in a feature.

    Parameters
    ----------
    indicators : Indicators
        The states.
    forbidden : matrix of bool
        The pairs of columns that may not be joined: no feature has both.
    max_order : int
        The most columns of a feature; all features are filled up to this width.
    """

    def __init__(self, indicators: Indicators, forbidden: NDArray[np.bool_], *, max_order: int) -> None:
        self._indicators = indicators
        self._constant = indicators.constant
        self._max_order = max_order
        if (self._constant + 1) ** max_order > MOST_NUMBERS:
            raise OptionError(
                f"LogLinearMRF(max_order={max_order}): features of so many of {self._constant} states are "
                "too many to number. Use a smaller max_order."
            )
        column = indicators.column[:-1]
        self._may_meet = (column[:, None] != column) & ~forbidden[np.ix_(column, column)]

    def all(self) -> Features:
        """Every conjunction, of two columns first: also a triple of which no pair is a feature."""
        found = []
        grown = np.arange(self._constant, dtype=np.int64)[:, None]
        for _ in range(2, self._max_order + 1):
            grown = self._with_a_later_one(grown)
            found.append(self._filled_up(grown))
        return np.concatenate([self._filled_up(np.zeros((0, 1), np.int64)), *found])

    def around(self, features: Features) -> Features:
        """Every pair, and every feature given with one more state."""
        singles = np.arange(self._constant, dtype=np.int64)[:, None]
        found = [self._filled_up(self._with_a_later_one(singles))] if self._max_order > 1 else []
        n_members = (features < self._constant).sum(axis=1)
        found += [
            self._filled_up(self._with_any_other(features[n_members == order, :order]))
            for order in range(2, self._max_order)
        ]
        return np.concatenate([self._filled_up(np.zeros((0, 1), np.int64)), *found])

    def _with_a_later_one(self, features: Features) -> Features:
        may_follow = self._may_join(features) & (features[:, -1:] < np.arange(self._constant))
        return self._extended(features, may_follow)

    def _with_any_other(self, features: Features) -> Features:
        extended = np.sort(self._extended(features, self._may_join(features)), axis=1)
        return self._indicators.distinct(extended)[0]

    def _may_join(self, features: Features) -> NDArray[np.bool_]:
        may_join: NDArray[np.bool_] = self._may_meet[features].all(axis=1)
        return may_join

    def _extended(self, features: Features, may_join: NDArray[np.bool_]) -> Features:
        n_found = int(may_join.sum())
        if n_found > MOST_CANDIDATES:
            raise OptionError(
                f"LogLinearMRF(max_order={self._max_order}): that makes {n_found:,} features of "
                f"{features.shape[1] + 1} columns, more than {MOST_CANDIDATES:,}. Use a smaller max_order, "
                "candidates='grown', or fewer columns."
            )
        which, joins = np.nonzero(may_join)
        return np.column_stack([features[which], joins])

    def _filled_up(self, features: Features) -> Features:
        n_empty = self._max_order - features.shape[1]
        return np.pad(features, ((0, 0), (0, n_empty)), constant_values=self._constant)
