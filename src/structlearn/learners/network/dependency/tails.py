"""What tests of columns with long tails gain by chance."""

import numpy as np

from structlearn.data import Knowledge
from structlearn.learners.network.dependency.local import Columns
from structlearn.learners.network.dependency.options import GrowsTrees
from structlearn.learners.network.dependency.trees import TreeGrower
from structlearn.run import Run
from structlearn.search.chance_price import has_long_tails
from structlearn.search.shuffled_columns import shuffled
from structlearn.statistics import Statistics

N_TABLES = 3


def price_by_tails(statistics: Statistics, options: GrowsTrees, run: Run) -> float:
    """What a free parameter costs more, so that the roots of a shuffled table's trees have a test at most.

    Nothing where tails are short: there trees find hardly a test.
    """
    if options.kappa is not None or not has_long_tails(statistics, run):
        return 0.0
    gains = [
        gain / (columns.levels[child] - 1 if columns.levels[child] else 2)
        for columns in (_of_chance(statistics, seed) for seed in range(N_TABLES))
        for child in range(len(columns.names))
        for gain in TreeGrower(columns, options).local(child, max_depth=1).gains.values()
    ]
    return float(sorted(gains)[-N_TABLES]) if len(gains) > N_TABLES else 0.0


def _of_chance(statistics: Statistics, seed: int) -> Columns:
    return Columns.of("DependencyNetwork", shuffled(statistics, np.random.default_rng(seed)), Knowledge())
