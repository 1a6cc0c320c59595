"""What columns with long tails gain by chance, as tests of trees and in regressions."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.learners.network.dependency.local import Columns
from structlearn.learners.network.dependency.options import GrowsTrees
from structlearn.learners.network.dependency.trees import TreeGrower
from structlearn.numerics.extended_bic import price_of_one
from structlearn.numerics.fourth_moments import FEWEST_DEVIATIONS, tails_of
from structlearn.run import Run
from structlearn.search.chance_price import LONG_TAILS, price_of_tails
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

N_TABLES = 6
GAMMA = 0.25  # of the extended BIC, as for Ising models (van Borkulo et al., 2014)


def gamma_by_tails(columns: Columns, statistics: Statistics, run: Run) -> float:
    """The γ of regressions; where tails are long, that at which a parent costs what chance brings, or 1."""
    n_candidates = n_varying(statistics) - 1
    if columns.levels.any() or n_candidates < 2 or not _has_long_tails(columns):
        return GAMMA
    price = price_of_tails(statistics, price_of_one(statistics.size, n_candidates, 1.0), run)
    if LONG_TAILS not in run.notes:
        run.note(LONG_TAILS)
    return float((price - np.log(statistics.size)) / (2.0 * np.log(n_candidates)))


def prices_by_tails(
    columns: Columns, statistics: Statistics, options: GrowsTrees, run: Run
) -> NDArray[np.float64]:
    """What a free parameter costs more, so that the roots of a shuffled table's trees have a test at most.

    Nothing for columns with short tails, whose trees have hardly a test. A leaf without the rows far out has
    a much smaller variance, so that tests gain much where no correlation does: the longer the tail of a
    column the more, so that prices are in proportion to what tests of it gain on average.
    """
    nothing = np.zeros(len(columns.names))
    tails = _tails(columns)
    if options.kappa is not None or not _has_long_tails(columns):
        return nothing
    found = [each for seed in range(N_TABLES) for each in _gains_of_chance(statistics, seed, options, run)]
    if run.must_stop() or len(found) <= N_TABLES:
        return nothing
    children, gains = np.array([child for child, _ in found]), np.array([gain for _, gain in found])
    typical = np.zeros(len(tails))
    np.add.at(typical, children, gains / N_TABLES)
    run.note(LONG_TAILS)
    return np.where(tails > 0.0, typical * np.sort(gains / typical[children])[-N_TABLES], 0.0)


def _gains_of_chance(
    statistics: Statistics, seed: int, options: GrowsTrees, run: Run
) -> list[tuple[int, float]]:
    """What a free parameter at the root of the tree of each column, shuffled, gains where tails are long."""
    if run.must_stop():
        return []
    table = shuffled(statistics, np.random.default_rng(seed))
    columns = Columns.of("DependencyNetwork", table, Knowledge())
    grower = TreeGrower(columns, options, np.zeros(len(columns.names)))
    children = np.flatnonzero(_tails(columns) > 0.0).tolist()
    return [
        (int(columns.names[child]), gain / 2)
        for child in children
        if not run.must_stop()
        for gain in grower.local(child, max_depth=1).gains.values()
    ]


def _has_long_tails(columns: Columns) -> bool:
    """Whether a column has longer tails than luck gives normal ones."""
    return bool((_tails(columns) > FEWEST_DEVIATIONS).any())


def _tails(columns: Columns) -> NDArray[np.float64]:
    """How long the tails of the columns of numbers are, in deviations."""
    return np.where(columns.levels == 0, tails_of(columns.values, columns.weights), -1.0)
