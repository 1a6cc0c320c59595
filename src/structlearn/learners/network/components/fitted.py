"""Strengths and activities from several starts, and how sure they are."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from structlearn.numerics.factorization.known_patterns import (
    Components,
    alternated,
    normalised,
    random_strengths,
)
from structlearn.run import Run

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]

ENOUGH_FOR_ERRORS = 1e-5  # the change of a residual in a sweep; what is left is far below the noise
SURE = 1e-6  # a standard error so small, per strength, is rounding: data without noise


class Analysis(NamedTuple):
    """Normalised strengths (genes, regulators), activities (regulators, samples), and standard errors."""

    strengths: Floats
    activities: Floats
    errors: Floats
    residuals: list[float]
    share_left: float
    has_ridge: bool

    def p_values(self) -> Floats:
        """That a strength is as far from 0 by chance, by its standard error; 0 where it has none."""
        has_error = self.errors > SURE * np.abs(self.strengths)
        ratio = np.divide(
            np.abs(self.strengths), self.errors, out=np.zeros_like(self.errors), where=has_error
        )
        return np.where(has_error, 2.0 * ndtr(-ratio), 0.0)


def analysed(
    expression: Floats,
    pattern: Pattern,
    run: Run,
    rng: np.random.Generator,
    *,
    ridge: float | None,
    restarts: int,
    n_resamples: int,
) -> Analysis:
    """The best of several starts, with standard errors from resampled samples."""
    runs: list[Components] = []
    for _ in range(restarts):
        start = random_strengths(pattern, rng)
        runs.append(alternated(expression, pattern, start, ridge=ridge, stop=run.must_stop))
        run.show("starts", len(runs), restarts)
        if run.must_stop():
            break
    best = min(runs, key=lambda found: found.residuals[-1])
    strengths, activities = normalised(best.strengths, best.activities, pattern)
    errors = _errors(expression, pattern, strengths, run, rng, ridge=ridge, n_resamples=n_resamples)
    share_left = best.residuals[-1] / float((expression**2).sum())
    return Analysis(strengths, activities, errors, best.residuals, share_left, best.has_ridge)


def _errors(
    expression: Floats,
    pattern: Pattern,
    strengths: Floats,
    run: Run,
    rng: np.random.Generator,
    *,
    ridge: float | None,
    n_resamples: int,
) -> Floats:
    """The standard deviation of each strength over resamples; each begins from what all samples gave."""
    n_samples, found = expression.shape[1], []
    for _ in range(n_resamples):
        if run.must_stop():
            break
        chosen = _enough_samples(n_samples, pattern.shape[1], rng)
        again = alternated(
            expression[:, chosen],
            pattern,
            strengths.copy(),
            ridge=ridge,
            tolerance=ENOUGH_FOR_ERRORS,
            stop=run.must_stop,
        )
        scaled, _ = normalised(again.strengths, again.activities, pattern)
        signs = np.where((scaled * strengths).sum(axis=0) < 0.0, -1.0, 1.0)
        found.append(scaled * signs)
        run.show("resamples", len(found), n_resamples)
    return np.std(found, axis=0) if len(found) > 1 else np.zeros(strengths.shape)


def _enough_samples(n_samples: int, n_regulators: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Samples with replacement, as many different ones as there are regulators at least."""
    while True:
        chosen = rng.integers(n_samples, size=n_samples)
        if len(np.unique(chosen)) >= min(n_regulators, n_samples // 2 + 1):
            return chosen
