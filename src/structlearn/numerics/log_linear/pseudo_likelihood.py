"""The pseudo-likelihood of a log-linear model: each column given all others (Besag, 1975)."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.log_linear.indicators import Features, Indicators

Floats = NDArray[np.float64]


class PseudoLikelihood:
    """The log-pseudo-likelihood per row as a function of the weights of some features.

    A feature adds its weight to the logit of each of its members in the rows that have all others:
    so logits are a table of which rows have what, times a table of weights.

    Parameters
    ----------
    indicators : Indicators
        The rows.
    features : Features
        What has a weight.
    """

    def __init__(self, indicators: Indicators, features: Features) -> None:
        self._indicators = indicators
        self._roles = _Roles(indicators, features)
        self._given = indicators.together(self._roles.others)
        column = indicators.column[:-1]
        self._first = np.flatnonzero(np.diff(column, prepend=-1))
        self._owner = np.repeat(np.arange(len(self._first)), np.diff([*self._first, len(column)]))
        # Of two states the first has no indicator, and a logit of 0.
        self._unsaid = np.where(indicators.levels[column[self._first]] == 2, 0.0, -np.inf)

    def at(self, weights: Floats) -> tuple[float, Floats]:
        """The log-pseudo-likelihood per row and its gradient."""
        logits, log_sums = self._logits(weights)
        indicators = self._indicators
        chosen = (logits * indicators.rows[:, :-1]).sum(axis=1) - log_sums.sum(axis=1)
        surprises = self._weighted(indicators.rows[:, :-1] - self._probabilities(logits, log_sums))
        return float(indicators.shares @ chosen), self._roles.collected(self._given.T @ surprises)

    def slopes(self, weights: Floats, candidates: Features) -> Floats:
        """The derivative by the weight, now 0, of each of other features."""
        surprises = self._indicators.rows[:, :-1] - self._probabilities(*self._logits(weights))
        return self._summed(self._weighted(surprises), candidates)

    def gains(self, weights: Floats, candidates: Features, penalty: float) -> Floats:
        """How much each of other features improves the penalised objective by itself.

        That is of its quadratic approximation, one Newton step away.
        """
        probabilities = self._probabilities(*self._logits(weights))
        slopes = self._summed(self._weighted(self._indicators.rows[:, :-1] - probabilities), candidates)
        curvatures = self._summed(self._weighted(probabilities * (1.0 - probabilities)), candidates)
        excess = np.maximum(np.abs(slopes) - penalty, 0.0)
        return 0.5 * excess**2 / np.maximum(curvatures, np.finfo(float).tiny)

    def doubt(self, weights: Floats) -> float:  # noqa: ARG002, approximations use them
        """How far a slope of its own features may be from true: it is exact."""
        return 0.0

    def _logits(self, weights: Floats) -> tuple[Floats, Floats]:
        """The logit of each state, and the logarithm of the sum over a column's states."""
        logits = self._given @ self._roles.spread(weights)
        highest = np.maximum(np.maximum.reduceat(logits, self._first, axis=1), self._unsaid)
        risen = np.exp(logits - highest[:, self._owner])
        sums = np.add.reduceat(risen, self._first, axis=1) + np.exp(self._unsaid - highest)
        return logits, highest + np.log(sums)

    def _probabilities(self, logits: Floats, log_sums: Floats) -> Floats:
        return np.exp(logits - log_sums[:, self._owner])

    def _weighted(self, table: Floats) -> Floats:
        return table * self._indicators.shares[:, None]

    def _summed(self, table: Floats, features: Features) -> Floats:
        """For each feature and each member of it, the sum of its column over rows with all others."""
        summed = np.empty(len(features))
        for block, _, _ in self._indicators.prefixes(features, n_cells=len(table)):
            roles = _Roles(self._indicators, features[block])
            summed[block] = roles.collected(self._indicators.together(roles.others).T @ table)
        return summed


class _Roles:
    """Who is a member of which feature, and beside which others: tables [others, member]."""

    def __init__(self, indicators: Indicators, features: Features) -> None:
        self._n_members = indicators.constant
        feature, place = np.nonzero(features < indicators.constant)
        rest = features[feature]
        rest[np.arange(len(rest)), place] = indicators.constant
        self.others, where = indicators.distinct(np.sort(rest, axis=1))
        self._feature, self._n_features = feature, len(features)
        self._cell = where * self._n_members + features[feature, place]

    def spread(self, weights: Floats) -> Floats:
        """The weight of each feature in each of its roles."""
        table = np.zeros(len(self.others) * self._n_members)
        table[self._cell] = weights[self._feature]
        return table.reshape(len(self.others), self._n_members)

    def collected(self, table: Floats) -> Floats:
        """The sum of each feature's roles."""
        roles = table.ravel()[self._cell]
        return np.bincount(self._feature, roles, minlength=self._n_features).astype(np.float64)
