"""Adding features to a log-linear model one after the other until no other one would help."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from structlearn.numerics.log_linear.indicators import Features, Indicators
from structlearn.numerics.sparse_optimum import (
    Floats,
    Likelihood,
    LikelihoodOf,
    residual,
    sparse_optimum,
)
from structlearn.run import Run


class DoubtfulSlopesError(ArithmeticError):
    """The approximation is too rough to say which features come in."""


Induction = Literal["grafting", "gain", "none"]
TOLERANCE = 1e-7  # of a slope, per row
ROUGHLY, FINELY = 1e-7, 1e-9  # the slopes at which weights are good enough, on the way and at the end
LEAST_RISE = 1e-12  # of the objective per row, below which it is rounding


@dataclass(frozen=True, eq=False)
class Model:
    """Features with their best weights; `value` is the penalised log-likelihood per row."""

    features: Features
    weights: Floats
    penalties: Floats
    value: float
    likelihood: Likelihood

    def residual(self) -> float:
        """How far the conditions of an optimum are from true, over its features."""
        return residual(self.weights, self.likelihood.at(self.weights)[1], self.penalties)


@dataclass(frozen=True, eq=False)
class Step:
    """A feature that came in: its slope, and what it gained by itself, per row, before it did."""

    feature: Features
    slope: float
    gain: float
    value: float
    n_features: int


@dataclass(eq=False)
class FeatureInduction:
    """Maximises the penalised log-likelihood over all candidate features.

    Parameters
    ----------
    indicators : Indicators
        The rows.
    likelihood_of : callable
        Makes the likelihood of the weights of some features.
    candidates : callable
        Names the features that may come in, given those that are there.
    width : int
        The most members of a feature.
    penalty : float
        What a unit of weight costs, per row; features of one column cost nothing.
    at_once : int
        How many features come in at a time.
    run : Run
        Says when to stop.
    """

    indicators: Indicators
    likelihood_of: LikelihoodOf
    candidates: Callable[[Features], Features]
    width: int
    penalty: float
    at_once: int
    run: Run
    steps: list[Step] = field(default_factory=list)

    def independent(self) -> Model:
        """The model of independent columns: the weights of their states in closed form."""
        indicators = self.indicators
        singletons = indicators.singletons(self.width)
        # A part of the rows may lack a state that the others have.
        shares = np.maximum(indicators.means(singletons), 0.5 / indicators.size)
        columns = indicators.column[singletons[:, 0]]
        firsts = 1.0 - np.bincount(columns, shares, minlength=len(indicators.levels))
        weights = np.log(shares / np.maximum(firsts, 0.5 / indicators.size)[columns])
        likelihood = self.likelihood_of(indicators, singletons)
        return Model(singletons, weights, np.zeros(len(weights)), likelihood.at(weights)[0], likelihood)

    def improved(self, model: Model, by: Induction) -> Model:
        """The best model: with all candidates at once, or adding the best of them in turn."""
        model = self._with(model, self._absent(model) if by == "none" else model.features[:0])
        if by == "none":
            self._refuse_doubt(model)
            return model
        while not self.run.must_stop():
            grown = self._grown(model, by)
            if self.run.must_stop():
                return grown
            # What was good enough while features came in may not be at the end.
            finished = self._with(grown, model.features[:0])
            if finished.value <= model.value + LEAST_RISE:
                break
            model = finished
        return model

    def adapted(self, model: Model) -> Model:
        """The best model with these features where each is penalised by the inverse of its weight."""
        penalties = model.penalties / np.maximum(np.abs(model.weights), np.finfo(float).tiny)
        adapted = self._refitted(model.features, model.weights, penalties)
        self._refuse_doubt(adapted)
        return adapted

    def residual(self, model: Model) -> float:
        """How far the conditions of an optimum are from true, over the features and all candidates."""
        slopes = model.likelihood.slopes(model.weights, self._absent(model))
        return max(model.residual(), float(np.max(np.abs(slopes) - self.penalty, initial=0.0)))

    def _grown(self, model: Model, by: Induction) -> Model:
        """Add the features of steepest slope, or of largest gain, until none helps."""
        while not self.run.must_stop():
            candidates = self._absent(model)
            slopes = model.likelihood.slopes(model.weights, candidates)
            excess = np.abs(slopes) - self.penalty
            if np.max(excess, initial=-np.inf) <= TOLERANCE or self.run.must_stop():
                break
            merits = excess if by == "grafting" else self._gains(model, candidates)
            chosen = self._best(merits, excess)
            gains = self._gains(model, candidates[chosen])
            refitted = self._with(model, candidates[chosen], tolerance=ROUGHLY)
            if refitted.value <= model.value + LEAST_RISE:
                break
            model = refitted
            self._refuse_doubt(model)
            self._note(model, candidates[chosen], slopes[chosen], gains)
        return model

    def _refuse_doubt(self, model: Model) -> None:
        """Raise where slopes are less sure than the penalty that they are compared with."""
        if model.likelihood.doubt(model.weights) > self.penalty:
            raise DoubtfulSlopesError

    def _gains(self, model: Model, candidates: Features) -> Floats:
        return model.likelihood.gains(model.weights, candidates, self.penalty)

    def _best(self, merits: Floats, excess: Floats) -> Features:
        """The best of those that help; ties, up to rounding, go to the first names."""
        order = np.argsort(-np.round(merits, 12), kind="stable")
        return order[excess[order] > TOLERANCE][: self.at_once]

    def _with(self, model: Model, added: Features, *, tolerance: float = FINELY) -> Model:
        features = np.concatenate([model.features, added])
        is_single = (features < self.indicators.constant).sum(axis=1) == 1
        start = np.concatenate([model.weights, np.zeros(len(added))])
        penalties = np.where(is_single, 0.0, self.penalty)
        return self._refitted(features, start, penalties, tolerance=tolerance)

    def _refitted(
        self, features: Features, start: Floats, penalties: Floats, *, tolerance: float = FINELY
    ) -> Model:
        """The best weights of these features; what ends at 0 is gone."""
        likelihood = self.likelihood_of(self.indicators, features)
        weights = sparse_optimum(
            likelihood, start, penalties, tolerance=tolerance, must_stop=self.run.must_stop
        )
        value = likelihood.at(weights)[0] - float(penalties @ np.abs(weights))
        kept = (weights != 0.0) | (penalties == 0.0)
        if not kept.all():
            likelihood = self.likelihood_of(self.indicators, features[kept])
        return Model(features[kept], weights[kept], penalties[kept], value, likelihood)

    def _absent(self, model: Model) -> Features:
        candidates = self.candidates(model.features)
        number = self.indicators.numbers
        return candidates[~np.isin(number(candidates), number(model.features))]

    def _note(self, model: Model, added: Features, slopes: Floats, gains: Floats) -> None:
        self.run.show(f"{len(model.features)} features", len(model.features))
        for feature, slope, gain in zip(added, slopes.tolist(), gains.tolist(), strict=True):
            self.steps.append(Step(feature, slope, gain, model.value, len(model.features)))
