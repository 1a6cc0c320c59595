"""What lone arcs gain is the difference of the two scores of their targets."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.score import trees
from structlearn.learners.score.trees.pair_gains import ROWS_AT_ONCE, pair_gains
from structlearn.run import Run
from structlearn.scores import BIC, K2, LogLikelihood
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


@pytest.mark.parametrize("score", [LogLikelihood(), BIC()])
@pytest.mark.parametrize("n_rows", [1, 5, 64, 150])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_the_kernel_of_pairs_gains_the_same_to_the_bit(score, n_rows, n_jobs, monkeypatch):
    rng, n_levels = np.random.default_rng(n_rows), [1, 2, 3, 8, 16, 2, 3, 5, 1, 4, 16, 2]
    codes = [rng.integers(0, n, n_rows) for n in n_levels]
    table = {f"c{j:02}": [f"s{code}" for code in column] for j, column in enumerate(codes)}
    statistics = MemoryStatistics(sl.Dataset(table), n_jobs=n_jobs)
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    with Run("gains", time_limit_s=None, progress=False) as run:
        found = [pair_gains(score, MemoryStatistics(sl.Dataset(table)), run)]
    monkeypatch.setattr(trees.pair_gains, "ROWS_AT_ONCE", 5)
    for fewest in (10**6, 0):
        monkeypatch.setattr(trees.pair_gains, "FEWEST_COLUMNS", fewest)
        with Run("gains", time_limit_s=None, progress=False) as run:
            found.append(pair_gains(score, statistics, run))

    np.testing.assert_array_equal(found[1], found[0])
    np.testing.assert_array_equal(found[2], found[0])


@pytest.mark.parametrize("n_levels", [17, 300])
def test_columns_of_many_levels_take_the_general_way(n_levels, monkeypatch):
    codes = np.random.default_rng(0).integers(0, n_levels, (3000, 4))
    table = {f"c{j}": [f"s{code}" for code in column] for j, column in enumerate(codes.T)}
    statistics = MemoryStatistics(sl.Dataset(table))
    monkeypatch.setattr(trees.pair_gains, "FEWEST_COLUMNS", 0)
    monkeypatch.setattr(trees.pair_gains, "pair_table_gains", None)  # cannot be called

    with Run("gains", time_limit_s=None, progress=False) as run:
        assert np.isfinite(pair_gains(BIC(), statistics, run)).all()
