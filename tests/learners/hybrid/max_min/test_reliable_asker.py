"""A question is asked if it has rows enough for the cells of its table, and only then."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence import Answers
from structlearn.independence.asking import Asker
from structlearn.learners.hybrid.max_min.reliable_asker import ReliableAsker
from structlearn.statistics import from_dataset

# 60 rows: 2·3 cells have 10 rows each, 2·3·2 have 5, and 2·3·2·2 only 2.5.
LEVELS = (2, 3, 2, 2)
ENOUGH = [[0, 1, 2]]
TOO_FEW = [[0, 1, 2, 3]]


class FirstColumn:
    """A test whose statistic is the number of the first column, and the p-value a tenth of it."""

    def __init__(self, reliable=None):
        self.asked = []
        self._reliable = reliable

    def many(self, _statistics, questions):
        self.asked += questions.tolist()
        first = questions[:, 0].astype(float)
        return Answers(-first, first, first / 10, reliable=self._reliable)


def reliable_asker(test, reliability, rows_per_cell=5.0):
    rows = {name: np.arange(60) % n for name, n in zip("abcd", LEVELS, strict=True)}
    data = sl.Dataset(rows, kinds=dict.fromkeys("abcd", "discrete"))
    statistics = from_dataset(data)
    asker = Asker(test, statistics, alpha=0.05)
    return ReliableAsker(asker, reliability=reliability, min_rows_per_cell=rows_per_cell)


@pytest.mark.parametrize("reliability", ["skip", "independent", "none"])
def test_what_has_exactly_rows_enough_is_asked(reliability):
    asker = reliable_asker(test := FirstColumn(), reliability)

    found = asker.ask(np.array(ENOUGH))

    assert test.asked == found.questions.tolist() == ENOUGH
    assert (asker.n_tests, asker.n_skipped) == (1, 0)


@pytest.mark.parametrize(
    ("reliability", "asked", "p_values", "n_skipped"),
    [("skip", [], [], 1), ("independent", [], [1.0], 1), ("none", TOO_FEW, [0.0], 0)],
)
def test_what_has_too_few_is_left_out_taken_for_independence_or_asked(
    reliability, asked, p_values, n_skipped
):
    asker = reliable_asker(test := FirstColumn(), reliability)

    found = asker.ask(np.array(TOO_FEW))

    assert test.asked == asked
    assert found.p_value.tolist() == p_values
    assert (asker.n_tests, asker.n_skipped) == (len(asked), n_skipped)


def test_answers_stay_with_their_questions_where_some_are_not_asked():
    # 60 rows are 7.5 for each of 2·2·2 cells, and 5 for each of 2·3·2.
    questions = np.array([[2, 0, 3], [3, 1, 2], [3, 0, 2]])
    asker = reliable_asker(test := FirstColumn(), "independent", rows_per_cell=7.5)

    found = asker.ask(questions)

    assert test.asked == [[2, 0, 3], [3, 0, 2]]
    assert found.p_value.tolist() == [0.2, 1.0, 0.3]
    assert found.statistic.tolist() == [2.0, 0.0, 3.0]
    assert found.log_p[1] == 0.0


def test_a_test_that_doubts_its_own_answer_is_believed():
    doubts = FirstColumn(reliable=np.array([True, False]))
    asker = reliable_asker(doubts, "skip")

    found = asker.ask(np.array([[1, 0], [2, 0]]))

    assert found.questions.tolist() == [[1, 0]]
    assert asker.n_skipped == 1


def test_the_truth_needs_no_rows():
    asker = ReliableAsker(Asker(FirstColumn(), None, alpha=0.05), reliability="skip", min_rows_per_cell=1e9)

    assert len(asker.ask(np.array(TOO_FEW)).questions) == 1
