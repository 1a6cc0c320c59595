"""How many wrong arcs a search does well to risk where columns are many for the rows."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.independence.registry import test_for
from structlearn.run import MustStop, Run
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics
from structlearn.statistics.column_sorts import sort_of
from structlearn.statistics.selection import selected
from structlearn.statistics.varying import names_that_vary

# A test at level 5 % rejects in up to 7 % where nothing is to be found.
MOST_TRUE_LEVEL = 1.4
# So many standard deviations beyond chance: in 500 tables of noise, more than one arc was risked in two.
FEWEST_DEVIATIONS = 3.0
SHUFFLED_PAIRS, FEWEST_SHUFFLED, MOST_SHUFFLED = 1_000_000, 3, 10  # in as many tables as these take
EQUAL = 1e-9
SMALLEST_RISK = 1e-300  # a p-value may be 0, and no price is infinite
MOST_OF_THE_TIME = 0.5  # of a limit: the other half is for the search


def arcs_to_risk(statistics: Statistics, run: Run) -> float:
    """How many arcs chance may make, by the p-values of tests, for the graph to be nearest to the truth.

    Where more pairs than chance explains depend on each other, but few of them strongly, a graph without any
    mistake has hardly an arc. The price that lets `risk` mistakes in finds the pairs with p-values up to
    `risk` / pairs. As many as there are beyond chance are right, though not more than one arc for each
    column, as pairs depend on each other also through a third; where these are most, F1 is largest.
    What chance explains is what p-values say or, where it is more, what is found among shuffled columns: of
    rare states and heavy tails p-values as small as these are far too many. Then less than 1 is risked: what
    lets one arc of shuffled columns in. It is 1 at least where p-values are what they say.
    """
    statistics = selected(statistics, names_that_vary(statistics))
    n_columns = len(statistics.names)
    n_pairs = math.comb(n_columns, 2)
    if n_pairs == 0:
        return 1.0
    must_stop = run.part(MOST_OF_THE_TIME)

    def of_chance(seed: int) -> NDArray[np.float64]:
        return _small_p_values(shuffled(statistics, np.random.default_rng(seed)), run.owner, must_stop)

    p_values = _small_p_values(statistics, run.owner, must_stop)
    risk = n_pairs * p_values
    best = _best_risk(risk, np.zeros((1, len(risk))), n_columns)
    if must_stop():
        return 1.0
    # Of most tables a single shuffled one shows that p-values are what they say.
    if best == 1.0 and (_is_chance(risk, 1) or _is_chance(n_pairs * of_chance(0), 1)):
        return best
    n_tables = min(max(SHUFFLED_PAIRS // n_pairs, FEWEST_SHUFFLED), MOST_SHUFFLED)
    by_table = [of_chance(seed) for seed in range(n_tables) if not must_stop()]
    if must_stop():
        return 1.0
    same = p_values * (1.0 + EQUAL)  # p-values of equal tables, as far as rounding goes
    by_chance = np.array([np.searchsorted(found, same, side="right") for found in by_table], dtype=float)
    least = _least_risk(n_pairs * np.sort(np.concatenate(by_table)), n_tables)
    return _best_risk(risk, by_chance, n_columns, least)


def _least_risk(risk: NDArray[np.float64], n_tables: int) -> float:
    """What lets one arc of each table without any in: 1, or less where tests find far more than they say."""
    return 1.0 if _is_chance(risk, n_tables) else max(float(risk[n_tables - 1]), SMALLEST_RISK)


def _is_chance(risk: NDArray[np.float64], n_tables: int) -> bool:
    """Whether so many tables have no more arcs at a risk of 1 than true levels and luck explain."""
    most = MOST_TRUE_LEVEL * n_tables + FEWEST_DEVIATIONS * math.sqrt(n_tables)
    return int(np.searchsorted(risk, 1.0, side="right")) <= most


def _best_risk(
    risk: NDArray[np.float64], by_chance: NDArray[np.float64], n_columns: int, least: float = 1.0
) -> float:
    """Of what could be risked, in order, and what shuffled tables, one in a row, have then, the best."""
    n_wrong = np.maximum(risk, by_chance.mean(axis=0))
    deviation = np.sqrt(np.maximum(n_wrong, by_chance.var(axis=0)))
    n_found = np.arange(1.0, len(risk) + 1.0)
    n_right = n_found - np.maximum(MOST_TRUE_LEVEL * risk, n_wrong) - FEWEST_DEVIATIONS * deviation
    n_right = np.clip(n_right, 0.0, n_columns)
    f1 = 2.0 * n_right / (n_right + n_wrong + n_columns)
    f1[n_found < 2.0 * n_wrong] = 0.0
    return max(float(risk[np.argmax(f1)]), least) if f1.any() else least


def _small_p_values(statistics: Statistics, owner: str, must_stop: MustStop) -> NDArray[np.float64]:
    """The p-values of all pairs that are at most 1 / columns or so, sorted; of those there was time for."""
    n_columns = len(statistics.names)
    # The tail of Fisher's z is too thin: of 20 rows, six times as many pairs of noise are beyond its 1e-6.
    test = test_for(owner, "t" if sort_of(statistics) == "continuous" else None, statistics)
    asker = Asker(test, statistics, alpha=n_columns / math.comb(n_columns, 2))
    # Pairs of both kinds with the same discrete column are answered together.
    order = np.argsort(statistics.levels == 0, kind="stable")
    pairs = order[np.column_stack(np.triu_indices(n_columns, k=1))]
    found = [np.zeros(0)]
    while len(pairs) and not must_stop():
        asked, pairs = np.split(pairs, [asker.pace.n_at_once])
        p_value = asker.ask(asked).p_value
        found.append(p_value[p_value <= asker.alpha])
    return np.sort(np.concatenate(found))
