"""How likely a correlation is to be more than chance, from all correlations together.

Most of many correlations are chance, so they themselves show how chance looks: Efron's local false
discovery rate in the form of Strimmer (2008), A unified approach to false discovery rate
estimation, BMC Bioinformatics 9.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.later import optimize, special
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.multiplicity import adjusted

Vector = NDArray[np.float64]
SMALLEST_P = 2.2e-16
MOST_FALSE = (
    0.05  # of the discoveries that chance has no share in, in a table of pure chance with this probability
)
FREEDOM = (3.0, 1e9)


@dataclass(frozen=True, slots=True)
class NullModel:
    """How correlations that are chance are distributed, and what share of all they are.

    With `freedom` κ their density is proportional to (1 - ρ²)^((κ - 3) / 2).
    """

    freedom: float
    share: float
    cutoff: float


@dataclass(frozen=True, slots=True)
class Discoveries:
    """For each correlation: its p-value, its tail false discovery rate, its local one."""

    p_value: Vector
    q_value: Vector
    local_fdr: Vector


def share_below(size: Vector | float, freedom: float) -> Vector:
    """The probability that a chance correlation is at most this large."""
    share: Vector = special.betainc(0.5, 0.5 * (freedom - 1.0), np.square(size))
    return share


def chance_p_values(rho: Vector, freedom: float) -> Vector:
    """The probability that a chance correlation is at least this large."""
    squares = np.square(rho)
    with np.errstate(divide="ignore"):  # of a perfect correlation
        ratio = (freedom - 1.0) * squares / (1.0 - squares)
    # By F of 1 and κ - 1 degrees: betaincc, which says the same of squares, takes a hundred times as long.
    p_value: Vector = np.clip(special.fdtrc(1.0, freedom - 1.0, ratio), SMALLEST_P, 1.0)
    return p_value


def log_density(rho: Vector, freedom: float) -> Vector:
    """The log density of chance correlations."""
    log_beta = special.betaln(0.5, 0.5 * (freedom - 1.0))
    density: Vector = 0.5 * (freedom - 3.0) * np.log1p(-np.square(rho)) - log_beta
    return density


def fit_null(rho: Vector) -> NullModel:
    """Fit the null model to the small correlations, which are almost all chance.

    A first guess from the interquartile range gives a cutoff below which few true ones are
    expected; the correlations below it then give the freedom by maximum likelihood.
    """
    size = np.abs(rho)
    guess = _freedom_of_quartiles(rho)
    share = _share_of_chance(chance_p_values(rho, guess))
    cutoff = _cutoff(size, guess, share)
    inside = size[size <= cutoff]

    def loss(log_freedom: float) -> float:
        freedom = float(np.exp(log_freedom))
        censored = len(inside) * np.log(share_below(cutoff, freedom))
        return float(censored - log_density(inside, freedom).sum())

    best = optimize.minimize_scalar(loss, bounds=np.log(FREEDOM), method="bounded", options={"xatol": 1e-10})
    freedom = float(np.exp(best.x))
    share = len(inside) / len(rho) / float(share_below(cutoff, freedom))
    return NullModel(freedom, min(share, _largest_share(chance_p_values(rho, freedom))), cutoff)


def fit_mixture(rho: Vector) -> tuple[NullModel, Vector]:
    """The null model beside a uniform one, by maximum likelihood, and each one's local rate.

    Schäfer and Strimmer (2005), An empirical Bayes approach to inferring large-scale gene association
    networks, Bioinformatics 21.
    """

    def parts(theta: Vector) -> tuple[Vector, float]:
        share = 1.0 / (1.0 + np.exp(-theta[0]))
        return share * np.exp(log_density(rho, float(np.exp(theta[1])))), (1.0 - share) / 2.0

    def loss(theta: Vector) -> float:
        chance, other = parts(theta)
        return -float(np.log(chance + other).sum())

    start = np.array([2.0, np.log(_freedom_of_quartiles(rho))])
    bounds = [(-15.0, 15.0), tuple(np.log(FREEDOM))]
    with threads_for(len(start)):
        theta = optimize.minimize(loss, start, bounds=bounds, method="L-BFGS-B").x
    chance, other = parts(theta)
    model = NullModel(float(np.exp(theta[1])), float(1.0 / (1.0 + np.exp(-theta[0]))), 1.0)
    return model, chance / (chance + other)


def discoveries(rho: Vector, null: NullModel) -> Discoveries:
    """Compare the p-values with their own distribution, smoothed to have a falling density."""
    p_value = chance_p_values(rho, null.freedom)
    knots, heights = _bounded_distribution(p_value, null.share)
    knots, heights = _concave(knots, heights)
    slopes = np.diff(heights) / np.diff(knots)
    # The density at a knot is the slope that ends there: what lies at the knot, perhaps many, made it.
    density = slopes[np.searchsorted(knots, p_value, side="left") - 1]
    below = np.interp(p_value, knots, heights)
    return Discoveries(
        p_value,
        np.minimum(null.share * p_value / below, 1.0),
        np.minimum(null.share / np.maximum(density, null.share), 1.0),
    )


def _freedom_of_quartiles(rho: Vector) -> float:
    """The freedom with which half of the chance correlations are as small as half of these are."""
    half_range = float(np.diff(np.quantile(rho, [0.25, 0.75]))[0]) / 2.0
    low, high = FREEDOM
    if share_below(half_range, low) >= 0.5:
        return low
    if share_below(half_range, high) <= 0.5:
        return high
    logs = np.log(low), np.log(high)
    return float(np.exp(optimize.brentq(lambda x: share_below(half_range, float(np.exp(x))) - 0.5, *logs)))


def _share_of_chance(p_value: Vector) -> float:
    """A cautious guess: the smaller of the shares that the large p-values suggest."""
    levels = np.arange(0.0, 0.95, 0.05)
    shares = [min(1.0, float(np.mean(p_value >= level)) / (1.0 - level)) for level in levels]
    return max(float(np.quantile(shares, 0.1)), 1.0 / len(p_value))


def _largest_share(p_value: Vector) -> float:
    """All but those too small for chance among so many: a share of 1 would explain even them.

    Benjamini and Hochberg's discoveries, less the share of them that may be false.
    """
    return 1.0 - (1.0 - MOST_FALSE) * float(np.mean(adjusted(p_value, "bh") <= MOST_FALSE))


def _cutoff(size: Vector, freedom: float, share: float) -> float:
    """Go down from a high quantile for as long as fewer true correlations lie below."""

    def missed(cutoff: float) -> float:
        below = float(np.mean(size <= cutoff))
        return max(0.0, (below - share * float(share_below(cutoff, freedom))) / below) if below else np.inf

    cutoff = float(np.quantile(size, min(0.99, share)))
    while missed(0.9 * cutoff) < missed(cutoff):
        cutoff *= 0.9
    return cutoff


def _bounded_distribution(p_value: Vector, share: float) -> tuple[Vector, Vector]:
    """The empirical distribution of p-values, within what a share of chance allows."""
    values, counts = np.unique(p_value, return_counts=True)
    heights = np.cumsum(counts) / len(p_value)
    heights = np.clip(heights, share * values, 1.0 - share * (1.0 - values))
    heights[-1] = 1.0 - share * (1.0 - values[-1])
    knots = np.concatenate([[0.0], values, [1.0]]) if values[-1] < 1.0 else np.concatenate([[0.0], values])
    ends = [1.0] if values[-1] < 1.0 else []
    return knots, np.concatenate([[0.0], heights, ends])


def _concave(knots: Vector, heights: Vector) -> tuple[Vector, Vector]:
    """The least concave curve above the points (Grenander, 1956)."""
    x, y, kept = knots.tolist(), heights.tolist(), list[int]()
    slopes: list[float] = []  # of the lines that end at what is kept
    for i in range(len(x)):
        slope = np.inf
        while kept:
            slope = (y[i] - y[kept[-1]]) / (x[i] - x[kept[-1]])
            if slope < slopes[-1]:
                break
            kept.pop()
            slopes.pop()
        kept.append(i)
        slopes.append(slope)
    return knots[kept], heights[kept]
