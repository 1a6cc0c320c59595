"""The tail of a sample and the power laws that fit it from each k_min on, all at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.later import special

Numbers = NDArray[np.float64]

LEAST, MOST = 1.01, 10.0  # where exponents are looked for
N_TABLED = 10_000


@dataclass(frozen=True)
class Fits:
    """A fit for each k_min: arrays of equal length."""

    k_min: Numbers
    exponent: Numbers
    standard_error: Numbers
    log_likelihood: Numbers
    ks: Numbers
    n_tail: NDArray[np.int64]


class Tail:
    """Positive values as distinct ones with counts, and sums from each of them to the end."""

    def __init__(self, values: Numbers, *, is_discrete: bool) -> None:
        self.is_discrete = is_discrete
        self.distinct, self.counts = np.unique(values, return_counts=True)
        self.n_tail: NDArray[np.int64] = np.cumsum(self.counts[::-1])[::-1]
        self.sum_log = np.cumsum((self.counts * np.log(self.distinct))[::-1])[::-1]

    def fits(self, starts: NDArray[np.int64], *, k_min: float | None = None) -> Fits:
        """Fit from each of these places among the distinct values on; or one law from `k_min` on."""
        least = self.distinct[starts] if k_min is None else np.array([k_min])
        n_tail, sum_log = self.n_tail[starts], self.sum_log[starts]
        if self.is_discrete:
            exponent = exponents(least, sum_log / n_tail)
            spread = log_zeta_slopes(exponent, least)[1]
            standard_error = 1 / np.sqrt(n_tail * spread)
            log_likelihood = -n_tail * np.log(special.zeta(exponent, least)) - exponent * sum_log
        else:
            exponent = 1 + n_tail / (sum_log - n_tail * np.log(least))
            standard_error = (exponent - 1) / np.sqrt(n_tail)
            log_likelihood = n_tail * np.log((exponent - 1) / least) - exponent * (
                sum_log - n_tail * np.log(least)
            )
        ks = [self._ks(*which) for which in zip(starts, least, exponent, strict=True)]
        return Fits(least, exponent, standard_error, log_likelihood, np.array(ks), n_tail)

    def _ks(self, start: int, k_min: float, exponent: float) -> float:
        """Give the largest distance of the distribution functions over all k ≥ k_min."""
        values = self.distinct[start:]
        at = np.cumsum(self.counts[start:]) / self.n_tail[start]
        before = np.concatenate([[0.0], at[:-1]])
        if self.is_discrete:
            # The law climbs at every whole number, so it is farthest just before the next value.
            whole = special.zeta(exponent, k_min)
            law_at = 1 - special.zeta(exponent, values + 1) / whole
            law_before = 1 - special.zeta(exponent, values) / whole
        else:
            law_at = law_before = 1 - (values / k_min) ** (1 - exponent)
        return float(max(np.abs(at - law_at).max(), np.abs(before - law_before).max()))


def exponents(k_min: Numbers, mean_log: Numbers) -> Numbers:
    """Maximise the likelihood for each k_min by Newton's method.

    (ln ζ)' = -mean of ln k; the left side grows ever more slowly, so that from below Newton's
    steps never pass the solution.
    """
    found = np.full(len(k_min), LEAST)
    for _ in range(60):
        slope, curvature = log_zeta_slopes(found, k_min)
        better = np.clip(found - (slope + mean_log) / curvature, LEAST, MOST)
        if np.abs(better - found).max(initial=0.0) < 1e-11:
            return better
        found = better
    return found


def log_zeta_slopes(exponent: Numbers, k_min: Numbers) -> tuple[Numbers, Numbers]:
    """The first and second derivative of ln ζ(exponent, k_min) in the exponent.

    Differences of fourth order; the step shrinks with the distance to the pole at 1.
    """
    step = 1e-2 * (exponent - 1)
    far_left, left, here, right, far_right = (
        np.log(special.zeta(exponent + times * step, k_min)) for times in (-2, -1, 0, 1, 2)
    )
    slope = (far_left - 8 * left + 8 * right - far_right) / (12 * step)
    curvature = (-far_left + 16 * left - 30 * here + 16 * right - far_right) / (12 * step**2)
    return slope, curvature


def draw_tail(
    exponent: float, k_min: float, n: int, generator: np.random.Generator, *, is_discrete: bool
) -> Numbers:
    """Draw from the law by inverting its distribution function."""
    above = 1 - generator.random(n)  # P(K ≥ k), never 0
    if not is_discrete:
        return np.asarray(k_min * above ** (1 / (1 - exponent)), dtype=np.float64)
    whole = special.zeta(exponent, k_min)
    tabled = special.zeta(exponent, k_min + np.arange(N_TABLED + 1)) / whole
    drawn = np.searchsorted(-tabled, -above, side="right").astype(np.float64) + (k_min - 1)
    far = above <= tabled[-1]
    drawn[far] = _inverted(exponent, k_min + N_TABLED, above[far] * whole)
    return drawn


def _inverted(exponent: float, low: float, mass: Numbers) -> Numbers:
    """The last whole k from `low` on with ζ(exponent, k) ≥ mass, by doubling and halving."""
    below, step = np.full(len(mass), low), 1.0
    while len(mass) and (special.zeta(exponent, below + step) >= mass).any():
        step *= 2
        if step > 2.0**60:
            break
    while step >= 1:
        fits = special.zeta(exponent, below + step) >= mass
        below = np.where(fits, below + step, below)
        step /= 2
    return below
