"""Tests of rows with something set, on few columns and on many, beside the rows picked out by hand."""

from itertools import pairwise

import numpy as np
import pytest

from structlearn.data import Dataset
from structlearn.independence import FisherZ
from structlearn.independence.interventional import FEW, Interventional
from structlearn.statistics import statistics_of

N_ROWS = 80


def set_in(n_columns):
    """A table of which the first three columns were set in some rows, and these rows."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=N_ROWS)
    table = {f"x{j:03d}": rng.normal(size=N_ROWS) + 0.5 * common for j in range(n_columns)}
    which = rng.integers(0, 6, size=N_ROWS)
    return table, {f"x{j:03d}": which == j for j in range(3)}


@pytest.mark.parametrize("n_columns", [8, FEW + 44])
@pytest.mark.parametrize("n_conditions", [0, 2])
def test_each_question_is_answered_by_the_rows_in_which_neither_end_was_set(n_columns, n_conditions):
    table, rows_set = set_in(n_columns)
    names, rng = sorted(table), np.random.default_rng(1)
    statistics = statistics_of(Dataset(table), names, owner="test", rows_set=rows_set)
    ends = [(a, b) for a in range(4) for b in range(a + 1, n_columns)]
    questions = np.array(
        [
            [*pair, *rng.choice(sorted({*range(n_columns)} - {*pair}), n_conditions, replace=False)]
            for pair in ends
        ]
    )

    found = Interventional(FisherZ(), statistics.experiments).many(statistics, questions)

    nobody = np.zeros(N_ROWS, dtype=bool)
    for place in rng.permutation(len(questions))[:25]:
        asked = [names[column] for column in questions[place]]
        is_left = ~(rows_set.get(asked[0], nobody) | rows_set.get(asked[1], nobody))
        alone = Dataset({name: table[name][is_left] for name in asked})
        by_hand = FisherZ().many(
            statistics_of(alone, asked, owner="test"), np.arange(len(asked)).reshape(1, -1)
        )
        assert found.p_value[place] == pytest.approx(by_hand.p_value[0], abs=1e-12)


def test_without_questions_there_are_no_answers():
    table, rows_set = set_in(8)
    statistics = statistics_of(Dataset(table), sorted(table), owner="test", rows_set=rows_set)

    found = Interventional(FisherZ(), statistics.experiments).many(statistics, np.empty((0, 2), np.int64))

    assert found.p_value.shape == (0,)


def test_pairs_that_the_same_rows_answer_follow_each_other():
    table, rows_set = set_in(8)
    statistics = statistics_of(Dataset(table), sorted(table), owner="test", rows_set=rows_set)
    pairs = np.random.default_rng(1).permutation(np.column_stack(np.triu_indices(8, k=1)))

    order = Interventional(FisherZ(), statistics.experiments).order(pairs)

    ends_set = [tuple(sorted({0, 1, 2} & {*pair})) for pair in pairs[order].tolist()]
    n_changes = sum(before != after for before, after in pairwise(ends_set))
    assert sorted(order) == [*range(len(pairs))]
    assert n_changes == len({*ends_set}) - 1 == 6
