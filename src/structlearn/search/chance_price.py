"""What chance brings two columns of a table that have nothing to do with each other."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import ContinuousColumn, Dataset
from structlearn.later import special
from structlearn.numerics.extended_bic import price_for_few_rows
from structlearn.run import Run
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import MemoryStatistics, Statistics
from structlearn.statistics.selection import selected
from structlearn.statistics.varying import names_that_vary

SHUFFLED_PAIRS, MOST_SHUFFLED = 1_000_000, 10  # in as many tables as these take
MOST_COLUMNS = 2_000  # a matrix of 32 MB
FEWEST_DEVIATIONS = 3.0  # of one table, beyond what normal columns have
LONG_TAILS = (
    "Long tails look like dependence here, and edges cost more for it; ranks in place of numbers, or "
    "`sl.discretize`, may let the method find more."
)
ALMOST_ONE = 1.0 - 1e-12  # a squared correlation beyond it is that of equal columns, and has no logarithm


def price_by_chance(statistics: Statistics, price: float) -> float:
    """What the likelihood of two columns gains by chance as often as a χ² of one degree exceeds `price`.

    That of normal columns or, where it is more, of these when they are shuffled.
    """
    return max(price_for_few_rows(price, statistics.size), _price_of_shuffled(statistics, price))


def price_of_tails(statistics: Statistics, price: float, run: Run) -> float:
    """What a parameter costs; where long tails look like dependence it is more, and the run says so."""
    found = price if run.must_stop() else _price_of_shuffled(statistics, price)
    if found > price:
        run.note(LONG_TAILS)
    return found


def price_of_rows(rows: NDArray[np.float64], price: float, run: Run) -> float:
    """What a parameter costs, by the columns of an array; of many, by some."""
    some = rows.T[:: -(-rows.shape[1] // MOST_COLUMNS)]
    columns = [ContinuousColumn(str(j), column) for j, column in enumerate(some)]
    return price_of_tails(MemoryStatistics(Dataset.from_columns(columns)), price, run)


def _price_of_shuffled(statistics: Statistics, price: float) -> float:
    """What shuffled columns gain as often as a χ² of one degree exceeds `price`, or once a table.

    Where luck explains what they gain, it is the price: then they are much like normal ones. A row far out in
    both of two columns with heavy tails makes a correlation that no two normal columns have.
    """
    usual = price_for_few_rows(price, statistics.size)
    statistics = selected(statistics, names_that_vary(statistics))
    n_pairs = len(statistics.names) * (len(statistics.names) - 1) // 2
    if n_pairs == 0 or usual == np.inf:
        return price
    n_tables = min(max(SHUFFLED_PAIRS // n_pairs, 1), MOST_SHUFFLED)
    n_usual = max(n_pairs * float(special.chdtrc(1.0, price)), 1.0)
    gains = _gains_beyond(usual, statistics, 0)
    if len(gains) <= n_usual + np.sqrt(n_usual):  # of most tables a single shuffled one shows it
        return price
    further = [_gains_beyond(usual, statistics, seed) for seed in range(1, n_tables)]
    gains = np.concatenate([gains, *further])
    if len(gains) <= n_tables * (n_usual + FEWEST_DEVIATIONS * np.sqrt(n_usual)):
        return price
    return float(np.sort(gains)[-round(n_tables * n_usual)])


def _gains_beyond(least: float, statistics: Statistics, seed: int) -> NDArray[np.float64]:
    """What pairs of shuffled columns gain, where it is more than this."""
    table = shuffled(statistics, np.random.default_rng(seed))
    shared = np.triu(table.moments().correlation, k=1) ** 2
    strong = shared[shared > -np.expm1(-least / statistics.size)]
    gains: NDArray[np.float64] = -statistics.size * np.log1p(-np.minimum(strong, ALMOST_ONE))
    return gains
