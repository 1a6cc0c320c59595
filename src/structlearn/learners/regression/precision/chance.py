"""What chance brings two columns of a table that have nothing to do with each other."""

import numpy as np

from structlearn.later import special
from structlearn.learners.regression.precision.covariances import Values, scaled
from structlearn.numerics.extended_bic import price_for_few_rows
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics
from structlearn.statistics.selection import selected
from structlearn.statistics.varying import names_that_vary

SHUFFLED_PAIRS, MOST_SHUFFLED = 1_000_000, 10  # in as many tables as these take
FEWEST_DEVIATIONS = 3.0  # beyond what normal columns have
ALMOST_ONE = 1.0 - 1e-12  # a squared correlation beyond it is that of equal columns, and has no logarithm


def price_by_chance(statistics: Statistics, price: float) -> float:
    """What the likelihood of two columns gains by chance as often as a χ² of one degree exceeds `price`.

    That of normal columns; of these when they are shuffled, where more of them gain it: a row far out in
    both of two columns with heavy tails makes a correlation that no two normal columns have.
    """
    usual = price_for_few_rows(price, statistics.size)
    statistics = selected(statistics, names_that_vary(statistics))
    n_pairs = len(statistics.names) * (len(statistics.names) - 1) // 2
    if n_pairs == 0 or usual == np.inf:
        return usual
    n_tables = min(max(SHUFFLED_PAIRS // n_pairs, 1), MOST_SHUFFLED)
    n_usual = n_tables * n_pairs * float(special.chdtrc(1.0, price))
    gains = np.concatenate([_gains_beyond(usual, statistics, seed) for seed in range(n_tables)])
    if len(gains) <= n_usual + FEWEST_DEVIATIONS * np.sqrt(n_usual):
        return usual
    return float(np.sort(gains)[-max(round(n_usual), 1)])


def _gains_beyond(least: float, statistics: Statistics, seed: int) -> Values:
    """What pairs of shuffled columns gain, where it is more than this."""
    table = shuffled(statistics, np.random.default_rng(seed))
    shared = np.triu(scaled(table.moments().covariance, standardise=True), k=1) ** 2
    strong = shared[shared > -np.expm1(-least / statistics.size)]
    gains: Values = -statistics.size * np.log1p(-np.minimum(strong, ALMOST_ONE))
    return gains
