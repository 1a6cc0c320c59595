"""Edges that come back in more resamples of the rows than chance would bring them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from structlearn.later import stats
from structlearn.learners.network.information.estimates import Estimates
from structlearn.learners.network.information.pruning import Pruning


@dataclass(frozen=True)
class Support:
    """How often each pair was joined, among how many resamples, and how probable that is by chance."""

    counts: NDArray[np.int64]
    n_resamples: int
    p_value: NDArray[np.float64]


def resampled_support(
    estimates: Estimates, pruning: Pruning, n_resamples: int, rng: np.random.Generator
) -> Support:
    """Count the edges of networks of rows drawn with replacement, at the threshold of the whole table.

    By chance the edges of a network fall on any pair, so that the count of a pair is binomial; with many
    pairs it is the Poisson of the papers, which few pairs would make too cautious.
    """
    run, n_rows = estimates.run, estimates.statistics.n_rows
    counts = np.zeros(estimates.information.shape, dtype=np.int64)
    n_done = 0
    while n_done < n_resamples and not run.must_stop():
        run.show(f"resample {n_done + 1} of {n_resamples}", n_done, n_resamples)
        # Which of the rows come is a question of their places: the order of rows has a say here.
        counts += pruning.edges(estimates.resampled(rng.integers(n_rows, size=n_rows)))
        n_done += 1
    n_pairs = len(counts) * (len(counts) - 1) / 2
    if pruning.is_regulator is not None:
        n_others = np.count_nonzero(~pruning.is_regulator)
        n_pairs -= n_others * (n_others - 1) / 2
    share = min(counts.sum() / max(n_pairs * n_done, 1.0), 1.0)
    p_value = np.where(counts > 0, stats.binom.sf(counts - 1, n_done, share), 1.0)
    return Support(counts, n_done, p_value)
