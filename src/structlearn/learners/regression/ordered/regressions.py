"""Regressions of each column on those before it in an order, under a prior that sets its penalty.

In an order of p columns, column k (from 0) is `Σ_{j<k} β_j x_j + e` with e ~ N(0, ψ). A priori
β_j | ψ has the Laplace density `½ √(λ/ψ) exp(-√(λ/ψ) |β_j|)` and 1/ψ the Gamma distribution of shape
(δ + k)/2 and rate 1/(2 θ₀): what a Wishart distribution of the precision matrix implies, with
exponential variances of the coefficients in place of one.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.numerics.descent import lasso

Floats = NDArray[np.float64]

MOST_ROUNDS = 500  # each shrinks the distance by a share; far more than settle
SETTLED = 1e-11  # the change of a variance, as a share of it
NEGLIGIBLE = 1e-8  # a coefficient on its way to 0, which it reaches only in the limit
SMALLEST = 1e-15  # a coefficient drawn smaller would have an infinite mean in the next draw


@dataclass(frozen=True, slots=True)
class NodeData:
    """Sums of products of n rows: of other columns (`gram`), of these with the node, of the node.

    `is_allowed` says which of the columns may enter.
    """

    gram: Floats
    target: Floats
    total: float
    n_rows: float
    is_allowed: NDArray[np.bool_]

    def restricted(self) -> "NodeData":
        """The columns that may enter, and no others."""
        kept = self.is_allowed
        return NodeData(self.gram[np.ix_(kept, kept)], self.target[kept], self.total, self.n_rows, kept[kept])

    def spread_out(self, coefficients: Floats) -> Floats:
        """Coefficients of the columns that may enter, with zeros for the others."""
        everywhere = np.zeros(len(self.is_allowed))
        everywhere[self.is_allowed] = coefficients
        return everywhere

    def residual(self, coefficients: Floats) -> float:
        """The sum of squared residuals."""
        there = np.flatnonzero(coefficients)
        effects, gram = coefficients[there], self.gram[np.ix_(there, there)]
        explained = 2.0 * self.target[there] @ effects - effects @ gram @ effects
        return max(self.total - float(explained), 0.0)


@dataclass(frozen=True, slots=True)
class VariancePrior:
    """The prior of a node: λ, and the shape and rate of the Gamma distribution of 1/ψ."""

    penalty: float
    shape: float
    rate: float

    @classmethod
    def of_place(cls, place: int, *, penalty: float, degrees: float, scale: float) -> "VariancePrior":
        """That of the column at this place of an order."""
        return cls(penalty, 0.5 * (degrees + place), 0.5 / scale)


@dataclass(frozen=True, slots=True)
class NodeFit:
    """The coefficients and the variance of one regression."""

    coefficients: Floats
    variance: float


def most_probable(data: NodeData, prior: VariancePrior, start: Floats | None = None) -> NodeFit:
    """The mode of the posterior: a lasso and a variance in turn; the problem is convex in their ratio."""
    coefficients = np.zeros(len(data.target)) if start is None else start
    variance = variance_mode(data, prior, coefficients)
    for _ in range(MOST_ROUNDS):
        coefficients = coefficients_mode(data, prior, variance, coefficients)
        before, variance = variance, variance_mode(data, prior, coefficients)
        if abs(variance - before) <= SETTLED * before:
            break
    return NodeFit(coefficients, variance)


def coefficients_mode(data: NodeData, prior: VariancePrior, variance: float, start: Floats) -> Floats:
    """The most probable coefficients at a variance: ½ SSE + √(λψ) Σ|β| at its least."""
    return lasso(
        data.gram,
        data.target,
        penalty=math.sqrt(prior.penalty * variance),
        weights=np.where(data.is_allowed, 1.0, np.inf),
        start=start,
        tolerance=1e-12,
        total=data.total,
    ).coefficients


def variance_mode(data: NodeData, prior: VariancePrior, coefficients: Floats) -> float:
    """The most probable variance at given coefficients: s = ψ^-½ solves 2c s² + d s - 2k = 0."""
    c = 0.5 * data.residual(coefficients) + prior.rate
    d = math.sqrt(prior.penalty) * float(np.abs(coefficients).sum())
    k = 0.5 * (data.n_rows + np.count_nonzero(data.is_allowed)) + prior.shape + 1.0
    return (4.0 * c / (math.sqrt(d * d + 16.0 * c * k) - d)) ** 2


def adaptive(data: NodeData, variance: float | None = None) -> NodeFit:
    """The mode under Jeffreys' prior of each coefficient's variance, which has no penalty.

    The noise has the `variance` given, or its most likely one. Figueiredo (2003), Adaptive sparseness
    for supervised learning, IEEE Transactions on Pattern Analysis and Machine Intelligence 25.
    """
    inner = data.restricted()
    found = _reweighted_ridge(inner, np.ones(len(inner.target)), 1.0)
    for _ in range(MOST_ROUNDS):
        noise = _likely_variance(inner, found) if variance is None else variance
        before, found = found, _reweighted_ridge(inner, np.abs(found), noise)
        if np.abs(found - before).max(initial=0.0) <= SETTLED:
            break
    found = np.where(np.abs(found) < NEGLIGIBLE, 0.0, found)
    noise = _likely_variance(inner, found) if variance is None else variance
    return NodeFit(data.spread_out(found), noise)


def _likely_variance(data: NodeData, coefficients: Floats) -> float:
    return max(data.residual(coefficients), NEGLIGIBLE * data.total) / data.n_rows


def _reweighted_ridge(data: NodeData, size: Floats, noise: float) -> Floats:
    """The ridge regression whose penalties are the inverse squares of `size`; what is zero stays so."""
    inner = noise * np.eye(len(size)) + size[:, None] * data.gram * size
    found: Floats = size * np.linalg.solve(inner, size * data.target)
    return found


def posterior_draws(
    data: NodeData, prior: VariancePrior, generator: np.random.Generator
) -> Iterator[NodeFit]:
    """Draws from the posterior, each from the one before, without end (Gibbs sampling).

    Coefficients are normal given the variances of their priors, which are inverse Gaussian.
    """
    inner = data.restricted()
    n_allowed = len(inner.target)
    shape = prior.shape + 0.5 * (data.n_rows + n_allowed)
    inverse_spread, variance = np.ones(n_allowed), variance_mode(inner, prior, np.zeros(n_allowed))
    while True:
        factor = np.linalg.cholesky(inner.gram + np.diag(inverse_spread))
        noise = math.sqrt(variance) * generator.standard_normal(n_allowed)
        drawn = np.linalg.solve(factor.T, np.linalg.solve(factor, inner.target) + noise)
        size = np.maximum(np.abs(drawn), SMALLEST)
        inverse_spread = generator.wald(math.sqrt(prior.penalty * variance) / size, prior.penalty)
        squares = inner.residual(drawn) + float(drawn**2 @ inverse_spread)
        variance = (prior.rate + 0.5 * squares) / generator.standard_gamma(shape)
        yield NodeFit(data.spread_out(drawn), variance)


def precision_of(coefficients: Floats, variances: Floats) -> Floats:
    """The precision matrix of all regressions: (I - B)ᵀ Ψ⁻¹ (I - B), row i of B being that of column i."""
    apart = np.eye(len(variances)) - coefficients
    precision: Floats = (apart.T / variances) @ apart
    return precision
