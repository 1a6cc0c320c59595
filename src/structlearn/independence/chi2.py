"""Pearson's X², the oldest test of contingency tables."""

from structlearn.independence.contingency import ContingencyTest


class Chi2(ContingencyTest):
    """Pearson's test of a contingency table [1]_; see `ContingencyTest` for the options.

    The statistic is Σ (n - expected)² / expected, χ² under independence.

    References
    ----------
    .. [1] Pearson (1900), On the criterion that a given system of deviations … is such that it can
       be reasonably supposed to have arisen from random sampling, Philosophical Magazine 50.
    """

    is_pearson = True
