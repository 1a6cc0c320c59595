"""What lone arcs gain is the difference of the two scores of their targets."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score.trees.pair_gains import ROWS_AT_ONCE, pair_gains
from structlearn.run import Run
from structlearn.scores import BIC, K2
from structlearn.statistics import MemoryStatistics


@pytest.mark.parametrize("score", [BIC(), K2()])
@pytest.mark.parametrize("n_columns", [1, 2, ROWS_AT_ONCE + 3])
def test_each_arc_gains_what_its_target_scores_more(score, n_columns):
    codes = np.random.default_rng(0).integers(0, 3, (30, n_columns))
    names = [f"c{j:02}" for j in range(n_columns)]
    table = {name: [f"s{code}" for code in column] for name, column in zip(names, codes.T, strict=True)}
    statistics = MemoryStatistics(sl.Dataset(table))
    arcs = np.argwhere(~np.eye(n_columns, dtype=bool))

    with Run("gains", time_limit_s=None, progress=False) as run:
        found = pair_gains(score, statistics, run)

    assert (np.diag(found) == 0.0).all()
    alone = score.local(statistics, np.arange(n_columns)[:, None])
    for source, target in arcs[:: max(len(arcs) // 200, 1)].tolist():
        (joined,) = score.local(statistics, np.array([[target, source]]))
        assert found[source, target] == pytest.approx(joined - alone[target], abs=1e-9)
