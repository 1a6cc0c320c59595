"""How many false edges stability selection may be expected to keep, at most."""

import math

from structlearn.errors import OptionError


def worst_case_bound(n_chosen: float, n_pairs: int, threshold: float) -> float:
    """Meinshausen and Bühlmann's bound q² / ((2π − 1) p) on the expected number of false edges.

    `n_chosen` is q, the mean number of edges of a subsample, and `n_pairs` is p, how many there
    could be. Shah and Samworth prove it of complementary pairs without assumptions, for the edges
    that a subsample has with a probability of at most q / p.
    """
    if not n_chosen:
        return 0.0
    return n_chosen**2 / ((2 * threshold - 1) * n_pairs) if threshold > 0.5 else math.inf


def unimodal_bound(n_chosen: float, n_pairs: int, threshold: float, n_draws: int) -> float:
    """Shah and Samworth's bound (theorem 2) for complementary pairs of subsamples, `n_draws` of them.

    It holds where the share of pairs that both have a false edge is distributed with one mode. It is
    infinite where the theorem says nothing: too many edges in a subsample, or a threshold near one half.
    """
    if not n_chosen:
        return 0.0
    if not n_draws:
        return math.inf
    share = n_chosen / n_pairs
    least = 0.5 + min(share**2, 1 / (2 * n_draws) + 0.75 * share**2)
    if share > 1 / math.sqrt(3) or threshold <= least or threshold < 0.5 + 1 / n_draws:
        return math.inf
    if threshold <= 0.75:
        return n_chosen * share / (2 * (2 * threshold - 1 - 1 / (2 * n_draws)))
    return n_chosen * share * 4 * (1 - threshold + 1 / (2 * n_draws)) / (1 + 1 / n_draws)


def least_threshold(n_chosen: float, n_pairs: int, max_false: float) -> float:
    """The threshold at which the worst-case bound is `max_false`; an OptionError where none is."""
    least = worst_case_bound(n_chosen, n_pairs, 1.0)
    if least > max_false:
        raise OptionError(
            f"StabilitySelection(max_false={max_false}): a subsample has {n_chosen:.4g} of {n_pairs:,} edges "
            f"on average, so even those in every subsample may include {least:.4g} false ones. Allow "
            "that many, or make the learner choose fewer edges."
        )
    return 0.5 + least / (2 * max_false)
