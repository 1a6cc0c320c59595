"""What columns with long tails gain by chance, as tests of trees and in regressions."""

import numpy as np
from numpy.typing import NDArray

from structlearn.data import Knowledge
from structlearn.learners.network.dependency.local import Columns
from structlearn.learners.network.dependency.options import GrowsTrees
from structlearn.learners.network.dependency.trees import TreeGrower
from structlearn.numerics.extended_bic import price_of_one
from structlearn.run import Run
from structlearn.scores import is_wide
from structlearn.search.chance_price import LONG_TAILS, price_of_tails
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics
from structlearn.statistics.varying import n_varying

N_TABLES = 3
GAMMA = 0.25  # of the extended BIC, as for Ising models (van Borkulo et al., 2014)
FEWEST_DEVIATIONS = 5.0  # of the fourth moment, beyond what normal columns have


def gamma_by_tails(columns: Columns, statistics: Statistics, run: Run) -> float:
    """The γ of regressions; where tails are long, that at which a parent costs what chance brings, or 1."""
    n_candidates = n_varying(statistics) - 1
    if columns.levels.any() or n_candidates < 2 or not _has_long_tails(columns, statistics):
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
    a much smaller variance, so that tests gain much where no correlation does.
    """
    nothing = np.zeros(len(columns.names))
    tails = _tails(columns)
    if options.kappa is not None or not _has_long_tails(columns, statistics):
        return nothing
    gains = sorted(
        gain for seed in range(N_TABLES) for gain in _gains_of_chance(statistics, seed, options, run)
    )
    if run.must_stop() or len(gains) <= N_TABLES:
        return nothing
    run.note(LONG_TAILS)
    return np.where(tails > 0.0, gains[-N_TABLES], 0.0)


def _gains_of_chance(statistics: Statistics, seed: int, options: GrowsTrees, run: Run) -> list[float]:
    """What a free parameter at the root of each tree of a shuffled table gains, where tails are long."""
    if run.must_stop():
        return []
    table = shuffled(statistics, np.random.default_rng(seed))
    columns = Columns.of("DependencyNetwork", table, Knowledge())
    grower = TreeGrower(columns, options, np.zeros(len(columns.names)))
    children = np.flatnonzero(_tails(columns) > 0.0).tolist()
    return [
        gain / 2
        for child in children
        if not run.must_stop()
        for gain in grower.local(child, max_depth=1).gains.values()
    ]


def _has_long_tails(columns: Columns, statistics: Statistics) -> bool:
    """Whether rows are few, and a column has longer tails than luck gives normal ones."""
    return is_wide(statistics) and bool((_tails(columns) > FEWEST_DEVIATIONS).any())


def _tails(columns: Columns) -> NDArray[np.float64]:
    """By how many deviations the fourth moment of each column of numbers exceeds that of normal ones."""
    share = columns.weights / columns.size
    sizes = np.abs(columns.values).max(axis=1, initial=0.0)
    numbers = columns.values / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    squares = (numbers - (numbers @ share)[:, None]) ** 2
    usual = 3.0 * (squares @ share) ** 2
    excess = np.divide(squares**2 @ share, usual, out=np.zeros_like(usual), where=usual > 0.0) - 1.0
    found: NDArray[np.float64] = (
        np.where(columns.levels == 0, excess, -1.0) * 3.0 / np.sqrt(24.0 / columns.size)
    )
    return found
