"""Power laws fitted by maximum likelihood, as Clauset, Shalizi and Newman (2009) do.

P(k) ∝ k^-γ for k ≥ k_min. Regression on log counts, the common alternative, is biased.
"""

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from structlearn.errors import DataError, DataWarning, OptionError, warn
from structlearn.graphs.tail_laws import ALTERNATIVES, Rival, Sample, compared
from structlearn.graphs.zeta_law import Numbers, Tail, draw_tail
from structlearn.options import Above, Flag, OrNone, Rules, Whole, check_options
from structlearn.options.seeds import generator_of

RULES: Rules = {
    "k_min": OrNone(Above(0, "the smallest value that follows the law"), "the best by the KS distance"),
    "is_discrete": Flag("whether values are whole numbers"),
    "min_tail": Whole(2, "how many values a fit needs"),
    "n_bootstrap": Whole(0, "how many samples of the fitted law to compare the fit with"),
}


@dataclass(frozen=True)
class PowerLawFit:
    """A power law P(k) ∝ k^-exponent, k ≥ k_min, and how well it fits.

    Attributes
    ----------
    exponent, standard_error : float
        The exponent and its asymptotic standard error. Infinite where all values are equal, NaN where
        there are too few.
    k_min : float
        The smallest value that follows the law.
    log_likelihood : float
        Of the values from `k_min` on.
    ks : float
        The largest distance between the distribution of these values and the fitted one.
    n_tail, n : int
        The values from `k_min` on, and all positive ones.
    p_value : float or None
        The share of samples of the fitted law that fit worse; below 0.1 the law is implausible. None
        where no samples were drawn.
    rivals : dict of str to Rival
        Other laws compared with this one on the same values.
    """

    exponent: float
    k_min: float
    standard_error: float
    log_likelihood: float
    ks: float
    n_tail: int
    n: int
    p_value: float | None = None
    rivals: dict[str, Rival] = field(default_factory=dict)

    def __str__(self) -> str:
        judged = "" if self.p_value is None else f", goodness of fit p = {self.p_value:.3f}"
        head = (
            f"Power law with exponent {self.exponent:.4g} ± {self.standard_error:.2g} from {self.k_min:g} "
            f"on: {self.n_tail} of {self.n} values, KS {self.ks:.4f}{judged}"
        )
        return "\n".join([head, *(f"  {rival}" for rival in self.rivals.values())])


def fit_power_law(
    values: ArrayLike,
    *,
    k_min: float | None = None,
    is_discrete: bool = True,
    min_tail: int = 10,
    n_bootstrap: int = 0,
    alternatives: Sequence[str] = (),
    random_state: int | np.random.Generator | None = None,
) -> PowerLawFit:
    """Fit a power law to degrees or other positive values, and judge the fit.

    Parameters
    ----------
    values : array-like
        Degrees, for example `topology(graph).degrees`; zeros are left out.
    k_min : float or None, default None
        The smallest value that follows the law; without it, the one whose fit has the smallest
        Kolmogorov-Smirnov distance.
    is_discrete : bool, default True
        Whether values are whole numbers; otherwise any positive ones.
    min_tail : int, default 10
        How many values a fit needs; with fewer everything is NaN, with a warning.
    n_bootstrap : int, default 0
        How many samples to draw and fit anew for `p_value`; 2,500 make it right to 0.01.
    alternatives : sequence of str, default ()
        Laws to compare with: "exponential", "log-normal", "truncated-power-law".
    random_state : int, numpy Generator or None, default None
        Reproduces the samples.

    References
    ----------
    .. [1] Clauset, Shalizi and Newman (2009), Power-law distributions in empirical data, SIAM
       Review 51.

    Examples
    --------
    >>> fit = fit_power_law([1] * 10 + [2] * 4 + [3, 3, 4, 5, 8], k_min=1)
    >>> round(fit.exponent, 4)
    2.0492
    """
    options = {"k_min": k_min, "is_discrete": is_discrete, "min_tail": min_tail, "n_bootstrap": n_bootstrap}
    check_options("fit_power_law", RULES, options)
    _refuse_unknown(alternatives)
    positive = _positive(values, is_discrete=is_discrete)
    law = _Law(is_discrete=is_discrete, k_min=k_min, min_tail=min_tail)
    fit = law.fit(positive)
    if not math.isfinite(fit.exponent):
        return fit
    generator = generator_of("fit_power_law", random_state)
    sample = Sample(positive[positive >= fit.k_min], fit.k_min, is_discrete)
    return replace(
        fit,
        p_value=law.goodness(positive, fit, n_bootstrap, generator) if n_bootstrap else None,
        rivals=compared(alternatives, sample, fit.exponent),
    )


@dataclass(frozen=True)
class _Law:
    """How to fit: what the options say."""

    is_discrete: bool
    k_min: float | None
    min_tail: int

    def fit(self, positive: Numbers) -> PowerLawFit:
        tail = Tail(positive, is_discrete=self.is_discrete)
        starts = self._starts(tail)
        if starts.size == 0:
            return self._without_fit(positive)
        fits = tail.fits(starts, k_min=self.k_min)
        best = int(np.argmin(fits.ks))
        return PowerLawFit(
            exponent=float(fits.exponent[best]),
            k_min=float(fits.k_min[best]),
            standard_error=float(fits.standard_error[best]),
            log_likelihood=float(fits.log_likelihood[best]),
            ks=float(fits.ks[best]),
            n_tail=int(fits.n_tail[best]),
            n=len(positive),
        )

    def goodness(
        self, positive: Numbers, fit: PowerLawFit, n_bootstrap: int, generator: np.random.Generator
    ) -> float:
        """Draw samples, below k_min from the values and above from the law; compare their fits."""
        below = positive[positive < fit.k_min]
        n_worse = 0
        for _ in range(n_bootstrap):
            n_tail = generator.binomial(fit.n, fit.n_tail / fit.n)
            body = generator.choice(below, fit.n - n_tail) if below.size else below
            drawn = draw_tail(fit.exponent, fit.k_min, n_tail, generator, is_discrete=self.is_discrete)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DataWarning)
                again = self.fit(np.concatenate([body, drawn]))
            n_worse += again.ks >= fit.ks
        return n_worse / n_bootstrap

    def _starts(self, tail: Tail) -> NDArray[np.int64]:
        """Where in the distinct values the law may begin."""
        candidates = np.arange(len(tail.distinct))
        if self.k_min is not None:
            candidates = np.flatnonzero(tail.distinct >= self.k_min)[:1]
        large_enough = tail.n_tail[candidates] >= self.min_tail
        varied = candidates < len(tail.distinct) - 1
        return candidates[large_enough & varied]

    def _without_fit(self, positive: Numbers) -> PowerLawFit:
        least = self.k_min if self.k_min is not None else float(positive.min(initial=math.inf))
        tail = positive[positive >= least]
        nothing = math.nan
        if len(tail) >= self.min_tail and (tail == tail[0]).all() and tail[0] == least:
            return PowerLawFit(math.inf, least, nothing, 0.0, 0.0, len(tail), len(positive))
        warn(
            f"fit_power_law: {len(tail)} values are too few (min_tail = {self.min_tail}), or too much alike, "
            "to fit a power law."
        )
        return PowerLawFit(nothing, nothing, nothing, nothing, nothing, len(tail), len(positive))


def _positive(values: ArrayLike, *, is_discrete: bool) -> Numbers:
    try:
        numbers = np.asarray(values, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        raise DataError(
            "fit_power_law: values are numbers; of a graph give topology(graph).degrees."
        ) from None
    if not np.isfinite(numbers).all() or (numbers < 0).any():
        raise DataError("fit_power_law: values are finite and not negative; drop the others.")
    if is_discrete and (numbers != np.round(numbers)).any():
        raise DataError("fit_power_law: degrees are whole numbers; pass is_discrete=False for others.")
    return numbers[numbers > 0]


def _refuse_unknown(alternatives: Sequence[str]) -> None:
    for name in alternatives:
        if name not in ALTERNATIVES:
            known = ", ".join(map(repr, ALTERNATIVES))
            raise OptionError(f"fit_power_law: there is no alternative {name!r}; choose from {known}.")
