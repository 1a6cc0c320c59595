"""Parts of the rows have the sizes that they should, and folds share no row."""

import numpy as np
import pytest

from structlearn.learners.regression.penalties.row_parts import folds, subsamples


@pytest.mark.parametrize(("n_rows", "expected"), [(100, 80), (144, 115), (400, 200), (10_000, 1000)])
def test_subsamples_have_the_size_of_the_paper(n_rows, expected):
    drawn = subsamples(np.arange(n_rows), np.random.default_rng(0))

    assert [len(set(rows.tolist())) for rows in drawn] == [expected] * 20
    assert (drawn[0] != drawn[1]).any()


def test_folds_hold_each_row_out_once():
    parts = folds(np.arange(23), np.random.default_rng(0), n_folds=5)

    assert sorted(np.concatenate(parts).tolist()) == list(range(23))
    assert {len(part) for part in parts} == {4, 5}


def test_no_fold_is_empty():
    assert [len(part) for part in folds(np.arange(3), np.random.default_rng(0))] == [1, 1, 1]
