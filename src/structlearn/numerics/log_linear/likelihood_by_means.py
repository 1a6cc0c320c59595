"""What likelihoods share whose slopes are differences of means, in the data and in the model."""

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.log_linear.indicator_gains import indicator_gains
from structlearn.numerics.log_linear.indicators import Features, Indicators

Floats = NDArray[np.float64]


class LikelihoodByMeans:
    """A log-likelihood per row as a function of the weights of some features.

    A subclass gives the `means` of any features in the model, and its value and gradient in `at`.
    """

    def __init__(self, indicators: Indicators, features: Features) -> None:
        self._indicators = indicators
        self._data_means = indicators.means(features)

    def means(self, weights: Floats, features: Features) -> Floats:
        """The probability of any features in the model."""
        raise NotImplementedError

    def slopes(self, weights: Floats, candidates: Features) -> Floats:
        """The derivative by the weight, now 0, of each of other features."""
        return self._indicators.means(candidates) - self.means(weights, candidates)

    def gains(self, weights: Floats, candidates: Features, penalty: float) -> Floats:
        """How much each of other features improves the penalised log-likelihood per row by itself."""
        return indicator_gains(self._indicators.means(candidates), self.means(weights, candidates), penalty)

    def doubt(self, weights: Floats) -> float:  # noqa: ARG002, approximations use them
        """How far a slope of its own features may be from true."""
        return 0.0
