"""Strengths and activities from several starts, and how sure they are."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special
from structlearn.learners.network.components.options import Analysed
from structlearn.numerics.factorization.known_patterns import (
    Components,
    Limits,
    alternated,
    normalised,
    random_strengths,
    scales_of,
)
from structlearn.numerics.factorization.penalised_patterns import Signs, descended
from structlearn.run import Run

Floats = NDArray[np.float64]
Pattern = NDArray[np.bool_]

ENOUGH_FOR_ERRORS = 1e-5  # the change of a residual in a sweep; what is left is far below the noise
SURE = 1e-6  # a standard error so small, per strength, is rounding: data without noise


class Solver(Protocol):
    """What finds strengths and activities from strengths to begin with."""

    def __call__(self, expression: Floats, pattern: Pattern, start: Floats, limits: Limits) -> Components:
        """Strengths, activities and the costs on the way."""


class Analysis(NamedTuple):
    """Normalised strengths (genes, regulators), activities (regulators, samples), and standard errors."""

    strengths: Floats
    activities: Floats
    errors: Floats
    costs: list[float]
    share_left: float
    has_ridge: bool

    def p_values(self) -> Floats:
        """That a strength is as far from 0 by chance, by its standard error; 0 where it has none."""
        has_error = self.errors > SURE * np.abs(self.strengths)
        ratio = np.divide(
            np.abs(self.strengths), self.errors, out=np.zeros_like(self.errors), where=has_error
        )
        return np.where(has_error, 2.0 * special.ndtr(-ratio), 0.0)

    def in_units(self, exponents: NDArray[np.int64], pattern: Pattern) -> "Analysis":
        """The same for genes that were divided by these powers of two, normalised anew."""
        largest = int(exponents.max())
        by_gene = np.ldexp(1.0, exponents - largest)[:, None]
        strengths = self.strengths * by_gene
        scales = scales_of(strengths, pattern)
        return self._replace(
            strengths=strengths / scales,
            errors=self.errors * by_gene / np.abs(scales),
            activities=np.ldexp(self.activities * scales[:, None], largest),
        )


def solver_of(options: Analysed, is_certain: Pattern) -> Solver:
    """Least squares in turn, or one entry after the other where signs or a penalty are asked for."""
    if options.nonnegative is None and options.penalty == 0.0:
        return lambda expression, pattern, start, limits: alternated(
            expression, pattern, start, ridge=options.ridge, limits=limits
        )
    signs = Signs(
        strengths=options.nonnegative in {"strengths", "both"},
        activities=options.nonnegative in {"activities", "both"},
    )
    penalties = np.where(is_certain, 0.0, options.penalty)
    return lambda expression, pattern, start, limits: descended(
        expression, pattern, start, signs=signs, penalties=penalties, limits=limits
    )


def analysed(
    expression: Floats,
    pattern: Pattern,
    is_certain: Pattern,
    options: Analysed,
    rng: np.random.Generator,
    run: Run,
) -> Analysis:
    """The best of several starts, with standard errors from resampled samples."""
    solver, runs = solver_of(options, is_certain), list[Components]()
    for _ in range(options.restarts):
        start = random_strengths(pattern, rng)
        runs.append(solver(expression, pattern, start, Limits(stop=run.must_stop)))
        run.show("starts", len(runs), options.restarts)
        if run.must_stop():
            break
    best = min(runs, key=lambda found: found.costs[-1])
    strengths, activities = normalised(best.strengths, best.activities, pattern)
    errors = _errors(expression, pattern, strengths, solver, options.n_resamples, rng, run)
    left = ((expression - strengths @ activities) ** 2).sum() / (expression**2).sum()
    return Analysis(strengths, activities, errors, best.costs, float(left), best.has_ridge)


def _errors(
    expression: Floats,
    pattern: Pattern,
    strengths: Floats,
    solver: Solver,
    n_resamples: int,
    rng: np.random.Generator,
    run: Run,
) -> Floats:
    """The standard deviation of each strength over resamples; each begins from what all samples gave."""
    n_samples, found = expression.shape[1], []
    for _ in range(n_resamples):
        if run.must_stop():
            break
        chosen = _enough_samples(n_samples, pattern.shape[1], rng)
        again = solver(
            expression[:, chosen], pattern, strengths.copy(), Limits(ENOUGH_FOR_ERRORS, run.must_stop)
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
