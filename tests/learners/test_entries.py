"""What is not zero is found in order, whatever the block and whoever looks."""

import numpy as np
import pytest

from structlearn.graphs import Graph
from structlearn.learners import entries
from structlearn.learners.entries import entries_of
from structlearn.learners.table_order import in_table_order
from structlearn.outcome import Outcome
from structlearn.statistics import blocks

NAMES = [f"x{j:02}" for j in range(23)]
SPARSE = np.where(np.random.default_rng(0).random((23, 23)) < 0.05, 1.5, 0.0)
SPARSE[1, 2] = np.nan


@pytest.mark.parametrize("at_once", [1, 50, 10**6])
@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("matrix", [SPARSE, SPARSE.T, SPARSE[:0], SPARSE[:, :0], SPARSE[:, 3:7] > 0])
def test_entries_are_those_that_numpy_finds(monkeypatch, matrix, at_once, n_jobs):
    monkeypatch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
    monkeypatch.setattr(entries, "VALUES_AT_ONCE", at_once)
    wanted = np.nonzero(matrix)

    np.testing.assert_array_equal(entries_of(matrix, n_jobs=n_jobs), wanted)
    np.testing.assert_array_equal(entries_of(matrix, most=len(wanted[0]), n_jobs=n_jobs), wanted)
    if len(wanted[0]):
        assert len(entries_of(matrix, most=len(wanted[0]) - 1, n_jobs=n_jobs)[0]) == len(wanted[0])
    assert min(len(wanted[0]), 4) <= len(entries_of(matrix, most=3, n_jobs=n_jobs)[0]) <= len(wanted[0])


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("matrix", [SPARSE, SPARSE + 1.0])
def test_sparse_and_dense_matrices_by_pair_follow_the_columns(monkeypatch, matrix, n_jobs):
    monkeypatch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
    order = np.random.default_rng(1).permutation(len(NAMES))
    outcome = Outcome(Graph(NAMES), by_pair={"m": matrix})

    found = in_table_order(outcome, [NAMES[j] for j in order], n_jobs=n_jobs)

    np.testing.assert_array_equal(found.by_pair["m"], matrix[np.ix_(order, order)])
