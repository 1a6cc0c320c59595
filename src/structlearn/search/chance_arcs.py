"""How many wrong arcs a search does well to risk where columns are many for the rows."""

import math

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.asking import Asker
from structlearn.independence.registry import test_for
from structlearn.run import MustStop, Run
from structlearn.statistics import Statistics

# A test at level 5 % rejects in up to 7 % where nothing is to be found.
MOST_TRUE_LEVEL = 1.4
# So many standard deviations beyond chance: in 500 tables of noise, more than one arc was risked in two.
FEWEST_DEVIATIONS = 3.0
MOST_OF_THE_TIME = 0.5  # of a limit: the other half is for the search


def arcs_to_risk(statistics: Statistics, run: Run) -> float:
    """How many arcs chance may make for the graph to be nearest to the truth, 1 at least.

    Where more pairs than chance explains depend on each other, but few of them strongly, a graph without any
    mistake has hardly an arc. The price that lets `risk` mistakes in finds the pairs with p-values up to
    `risk` / pairs. As many as there are beyond chance are right, though not more than one arc for each
    column, as pairs depend on each other also through a third; among the arcs so found, F1 is largest.
    """
    n_columns = len(statistics.names)
    n_pairs = math.comb(n_columns, 2)
    if n_pairs == 0:
        return 1.0
    asker = Asker(test_for(run.owner, None, statistics), statistics, alpha=n_columns / n_pairs)
    p_values = _small_p_values(asker, n_columns, run.part(MOST_OF_THE_TIME))
    risk = n_pairs * p_values
    n_found = np.arange(1.0, len(risk) + 1.0)
    n_right = n_found - MOST_TRUE_LEVEL * risk - FEWEST_DEVIATIONS * np.sqrt(risk)
    n_right = np.clip(n_right, 0.0, n_columns)
    f1 = 2.0 * n_right / (n_right + risk + n_columns)
    return float(max(risk[np.argmax(f1)], 1.0)) if f1.any() else 1.0


def _small_p_values(asker: Asker, n_columns: int, must_stop: MustStop) -> NDArray[np.float64]:
    """The p-values of all pairs that are not above alpha, sorted; of those there was time for."""
    pairs = np.column_stack(np.triu_indices(n_columns, k=1)).astype(np.int64)
    found = [np.zeros(0)]
    while len(pairs) and not must_stop():
        asked, pairs = np.split(pairs, [asker.pace.n_at_once])
        p_value = asker.ask(asked).p_value
        found.append(p_value[p_value <= asker.alpha])
    return np.sort(np.concatenate(found))
