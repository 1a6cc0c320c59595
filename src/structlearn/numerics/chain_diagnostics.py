"""Whether Markov chains agree, and how many independent draws they are worth."""

import math

import numpy as np
from numpy.typing import NDArray

Chains = NDArray[np.float64]


def split_r_hat(chains: Chains) -> float:
    """The potential scale reduction of half chains (Gelman et al. 2013): near 1 where they agree.

    `chains` has a row per chain. NaN where a half chain has fewer than two draws.
    """
    half = chains.shape[1] // 2
    if half < 2:
        return math.nan
    halves = np.concatenate([chains[:, :half], chains[:, -half:]])
    within, total = _variances(halves)
    if within == 0.0:
        return 1.0 if total == 0.0 else math.inf
    return math.sqrt(total / within)


def effective_sample_size(chains: Chains) -> float:
    """How many independent draws estimate the mean as well as all chains together.

    Autocorrelations are added up in pairs as long as these are positive and fall (Geyer 1992). NaN for
    fewer than four draws per chain.
    """
    n_draws = chains.shape[1]
    if n_draws < 4:
        return math.nan
    within, total = _variances(chains)
    if total == 0.0:
        return float(chains.size)
    covariances = np.mean([_autocovariances(chain) for chain in chains], axis=0)
    correlations = 1.0 - (within - covariances) / total
    correlations[0] = 1.0
    pairs = correlations[: n_draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    n_positive = int(np.argmax(pairs <= 0.0)) if (pairs <= 0.0).any() else len(pairs)
    falling = np.minimum.accumulate(pairs[: max(n_positive, 1)])
    # Where draws alternate, the estimate must not grow without bounds (Vehtari et al. 2021).
    time = max(2.0 * float(falling.sum()) - 1.0, 1.0 / math.log10(chains.size))
    return chains.size / time


def _variances(chains: Chains) -> tuple[float, float]:
    """The mean variance within chains, and the variance with what the means add."""
    n_draws = chains.shape[1]
    within = float(chains.var(axis=1, ddof=1).mean())
    between = float(chains.mean(axis=1).var(ddof=1)) if len(chains) > 1 else 0.0
    return within, within * (n_draws - 1) / n_draws + between


def _autocovariances(chain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each lag, divided by n − 1 whatever the lag, so that lag 0 is the variance."""
    n = len(chain)
    spectrum = np.fft.rfft(chain - chain.mean(), n=2 * n)
    found: NDArray[np.float64] = np.fft.irfft(np.abs(spectrum) ** 2, n=2 * n)[:n] / (n - 1)
    return found
