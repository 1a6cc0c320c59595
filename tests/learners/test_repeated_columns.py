"""Columns that repeat others are found in wide tables without the correlations of all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.learners import free_memory, repeated_columns
from structlearn.learners.preconditions import SAME, check_columns
from structlearn.run import Run
from structlearn.statistics import blocks, from_dataset, varying
from structlearn.statistics.memory import MemoryStatistics
from structlearn.statistics.varying import FEW_COLUMNS


def first_that_it_repeats(rows):
    """The definition: of each column the first before it with a correlation of one."""
    size = np.abs(np.corrcoef(rows.T))
    return {j: i for j in range(len(size)) for i in np.flatnonzero(size[j, :j] > SAME)[:1].tolist()}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(3, 12), n_distinct=st.integers(1, 5))
def test_columns_that_repeat_others_but_for_scale_are_found_whatever_the_block(seed, n_rows, n_distinct):
    rng = np.random.default_rng(seed)
    origins = rng.integers(n_distinct, size=9)
    rows = rng.normal(size=(n_rows, n_distinct))[:, origins] * rng.choice([-3.0, 0.5, 1e6], 9) + rng.normal()
    statistics = from_dataset(sl.Dataset(rows), n_jobs=int(rng.integers(1, 4)))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "COST_OF_A_THREAD", 0.0)
        patch.setattr(varying, "VALUES_AT_ONCE", int(rng.integers(1, 60)))
        found = repeated_columns.repeated_columns(statistics, range(9), SAME)

    assert found == first_that_it_repeats(rows)
    assert list(found.values()) == sorted(found.values())


def test_a_thousand_copies_of_one_column_are_found_at_once():
    rows = np.random.default_rng(0).normal(size=(20, 1)) * np.arange(1.0, 1001.0)

    found = repeated_columns.repeated_columns(from_dataset(sl.Dataset(rows)), range(1000), SAME)

    assert found == dict.fromkeys(range(1, 1000), 0)


@pytest.mark.parametrize("needs_full_rank", [True, False])
def test_wide_tables_are_checked_without_a_matrix_of_all_pairs(monkeypatch, needs_full_rank):
    monkeypatch.setattr(MemoryStatistics, "moments", lambda _: pytest.fail("a matrix of all pairs"))
    rows = np.random.default_rng(0).normal(size=(20, FEW_COLUMNS + 1))
    rows[:, 7] = 4.0
    run = Run("PC")
    check_columns(from_dataset(sl.Dataset(rows)), run, needs_full_rank=needs_full_rank)
    rows[:, 99] = 3.0 - rows[:, 31]

    with pytest.warns(sl.DataWarning, match="column 'x7' has a single value"):
        run.say_warnings()
    with pytest.raises(sl.DataError, match="'x31', 'x99' are the same but for scale"):
        check_columns(from_dataset(sl.Dataset(rows)), Run("PC"), needs_full_rank=needs_full_rank)


@pytest.mark.parametrize("learner", [sl.ARACNE(), sl.SimilarityNetwork(threshold="density")])
def test_matrices_beyond_memory_are_refused_with_what_they_need_before_it_is_taken(monkeypatch, learner):
    monkeypatch.setattr(free_memory, "free_bytes", lambda: 2**20)
    table = np.random.default_rng(0).normal(size=(4, 1000))

    with pytest.raises(sl.OptionError, match=r"1,000 columns need about 0\.0 GiB of memory.*vary most"):
        learner.fit(table)


@pytest.mark.parametrize(("n_rows", "n_columns"), [(8, 30), (60, 40)])
def test_far_from_zero_only_columns_that_repeat_another_are_refused(n_rows, n_columns):
    values = 1e6 + np.random.default_rng(0).normal(size=(n_rows, n_columns))
    learner = sl.GraphicalLasso(penalty=0.5)

    assert len(learner.fit(values).graph_.nodes) == n_columns
    with pytest.raises(sl.DataError, match="the same but for scale"):
        learner.fit(np.column_stack([values, 2.0 * values[:, 0]]))
