"""G², the likelihood-ratio test of contingency tables."""

from structlearn.independence.contingency import ContingencyTest


class G2(ContingencyTest):
    """Likelihood-ratio test of a contingency table [1]_; see `ContingencyTest` for the options.

    The statistic is 2 Σ n ln(n / expected), χ² under independence.

    References
    ----------
    .. [1] Wilks (1938), The large-sample distribution of the likelihood ratio for testing
       composite hypotheses, Annals of Mathematical Statistics 9.
    """
