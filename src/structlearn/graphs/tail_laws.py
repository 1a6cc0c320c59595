"""Other laws that the tail of a sample may follow, and Vuong's test between them and a power law."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from structlearn.graphs.zeta_law import Numbers
from structlearn.later import special

N_SUMMED = 2_000
N_STRIPS = 800
REACH = 60.0  # how far, in ln k, the rest of a sum is integrated
LARGEST_EXPONENT = 700.0  # that a float64 can hold
Densities = Callable[[Numbers], Numbers]


@dataclass(frozen=True)
class Sample:
    """Values from `k_min` on, whole numbers or not."""

    values: Numbers
    k_min: float
    is_discrete: bool


@dataclass(frozen=True)
class Rival:
    """Another law fitted to the same values.

    Attributes
    ----------
    name : str
        Which law.
    ratio : float
        The log-likelihood of the power law less that of the rival: negative where the rival fits better.
    p_value : float
        How likely so large a ratio is if both fit equally well: Vuong's (1989) test, or the
        likelihood-ratio test where the power law is a special case of the rival.
    """

    name: str
    ratio: float
    p_value: float

    def __str__(self) -> str:
        better = "the power law" if self.ratio > 0 else f"the {self.name}"
        return f"{self.name}: {better} fits better by {abs(self.ratio):.3g} log units, p = {self.p_value:.3g}"


def compared(names: Sequence[str], sample: Sample, exponent: float) -> dict[str, Rival]:
    """Fit each law to the sample and compare it with the power law of that exponent."""
    own = power_law(sample, exponent)
    return {name: _rival(name, own, ALTERNATIVES[name](sample, exponent)) for name in names}


def power_law(sample: Sample, exponent: float) -> Numbers:
    """Give the log probability (density) of each value under a power law."""
    if sample.is_discrete:
        log_mass = math.log(special.zeta(exponent, sample.k_min))
    else:
        log_mass = (1 - exponent) * math.log(sample.k_min) - math.log(exponent - 1)
    return -exponent * np.log(sample.values) - log_mass


def exponential(sample: Sample, _exponent: float) -> Numbers:
    """∝ exp(-λ k): the rate has a closed form."""
    excess = sample.values - sample.k_min
    rate = math.log1p(1 / float(excess.mean())) if sample.is_discrete else 1 / float(excess.mean())
    log_mass = -math.log(-math.expm1(-rate)) if sample.is_discrete else -math.log(rate)
    return -rate * excess - log_mass


def log_normal(sample: Sample, _exponent: float) -> Numbers:
    """The normal distribution of ln k, cut off below; of whole numbers, rounded."""
    half = 0.5 if sample.is_discrete else 0.0
    logs, low, high = np.log(sample.values), np.log(sample.values - half), np.log(sample.values + half)
    least = math.log(sample.k_min - half)

    def densities(options: Numbers) -> Numbers:
        centre, deviation = float(options[0]), math.exp(options[1])
        log_mass = float(special.log_ndtr((centre - least) / deviation))
        if sample.is_discrete:
            above_low, above_high = (
                special.log_ndtr((centre - low) / deviation),
                special.log_ndtr((centre - high) / deviation),
            )
            return _log_difference(above_low, above_high) - log_mass
        z = (logs - centre) / deviation
        return -0.5 * z**2 - logs - math.log(deviation * math.sqrt(2 * math.pi)) - log_mass

    spread = max(float(logs.std()), 0.1)
    return _fitted(densities, [float(logs.mean()), math.log(spread)])


def truncated_power_law(sample: Sample, exponent: float) -> Numbers:
    """∝ k^-γ exp(-λ k), with the power law as λ goes to 0."""
    logs = np.log(sample.values)

    def densities(options: Numbers) -> Numbers:
        power, rate = float(options[0]), math.exp(options[1])
        return -power * logs - rate * sample.values - _log_mass(sample, power, rate)

    return _fitted(densities, [exponent, -math.log(10 * float(sample.values.max()))])


ALTERNATIVES: Mapping[str, Callable[[Sample, float], Numbers]] = {
    "exponential": exponential,
    "log-normal": log_normal,
    "truncated-power-law": truncated_power_law,
}


def _rival(name: str, own: Numbers, other: Numbers) -> Rival:
    difference = own - other
    ratio = float(difference.sum())
    if name == "truncated-power-law":
        return Rival(name, min(ratio, 0.0), float(special.chdtrc(1, 2 * max(-ratio, 0.0))))
    deviation = float(difference.std())
    if deviation == 0:
        return Rival(name, ratio, 1.0)
    return Rival(name, ratio, float(special.erfc(abs(ratio) / (deviation * math.sqrt(2 * len(own))))))


def _fitted(densities: Densities, start: Sequence[float]) -> Numbers:
    """The log densities under the options with the largest likelihood."""
    from scipy.optimize import minimize  # noqa: PLC0415, slow to load and only for these laws

    def loss(options: Numbers) -> float:
        total = float(densities(options).sum())
        return -total if math.isfinite(total) else math.inf

    best = minimize(
        loss, start, method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-9, "maxiter": 2000}
    )
    return densities(best.x)


def _log_mass(sample: Sample, power: float, rate: float) -> float:
    """Sum or integrate k^-power exp(-rate k) from k_min on; give the logarithm."""
    start, summed = sample.k_min, 0.0
    shift = -power * math.log(start) - rate * start
    if sample.is_discrete:
        k = start + np.arange(N_SUMMED)
        summed = float(np.exp(-power * np.log(k) - rate * k - shift).sum())
        start += N_SUMMED - 0.5
    # The rest in strips of equal width in t = ln k, by Simpson's rule.
    t = np.linspace(math.log(start), math.log(start) + REACH, 2 * N_STRIPS + 1)
    heights = np.exp(np.minimum((1 - power) * t - rate * np.exp(t) - shift, LARGEST_EXPONENT))
    weights = np.full(len(t), 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    return shift + math.log(summed + float(weights @ heights) * float(t[1] - t[0]) / 3)


def _log_difference(larger: Numbers, smaller: Numbers) -> Numbers:
    """Give ln(exp(larger) - exp(smaller)), a tiny number in place of nothing."""
    return larger + np.log(np.maximum(-np.expm1(smaller - larger), 1e-300))
