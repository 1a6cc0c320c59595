"""Tests of rows in which some columns were set from outside.

A row in which x was set says nothing of what makes x depend on y: the tests of the two leave it out. Given
its parents, a column depends neither on the columns before it nor on what was set among these, so that
the rows that are left separate whatever the DAG separates by parents.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from structlearn.independence.checked import checked_answers
from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.statistics import Statistics
from structlearn.statistics.experiments import Experiments, experiments_of

FEW = 256  # columns: their products take a moment, those of thousands a second for each column that was set


@dataclass(frozen=True)
class Interventional:
    """A test whose questions each have rows of their own, those in which neither of the two was set."""

    test: IndependenceTest
    experiments: Experiments

    def many(self, statistics: Any, questions: Questions) -> Answers:
        """Answer many questions with the same number of conditions; without rows, by a p-value of 1."""
        size = len(questions)
        statistic, dof, p_value = np.zeros(size), np.zeros(size), np.ones(size)
        log_p, reliable = np.zeros(size), np.zeros(size, dtype=np.bool_)
        for chosen, asked, rows in self._parts(statistics, questions):
            found = checked_answers(self.test, rows, asked)
            statistic[chosen], dof[chosen], p_value[chosen] = found.statistic, found.dof, found.p_value
            log_p[chosen], reliable[chosen] = found.log_p, found.is_reliable
        return Answers(statistic, dof, p_value, log_tail=lambda: log_p, reliable=reliable)

    def order(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """An order in which those that the same rows answer follow each other: a table serves many of them.

        Those that all rows answer, and soonest, are the last: how many to ask at once is learned from others.
        """
        return np.lexsort(-self._ends_set(pairs))

    def _ends_set(self, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ends of each pair that were set, the lower in the first row; -1 where none was."""
        is_set = np.isin(pairs, list(self.experiments.is_set))
        found: NDArray[np.int64] = np.sort(np.where(is_set, pairs, -1), axis=1).T
        return found

    def _parts(
        self, statistics: Statistics, questions: Questions
    ) -> Iterator[tuple[NDArray[np.int64], Questions, Statistics]]:
        """The places of questions that have the same rows, these questions, and the rows that answer them."""
        ends, order = self._ends_set(questions[:, :2]), self.order(questions[:, :2])
        is_next = (np.diff(ends[:, order], axis=1) != 0).any(axis=0)
        for chosen in np.split(order, np.flatnonzero(is_next) + 1) if len(order) else []:
            touched = set(ends[:, chosen[0]].tolist()) - {-1}
            if not touched:
                yield chosen, questions[chosen], statistics
            elif len(touched) == 1 and _are_many(questions[chosen], len(statistics.names)):
                if (rows := self.experiments.without(*touched)) is not None:
                    yield chosen, questions[chosen], rows
            else:
                yield from self._pieces(questions, chosen, touched)

    def _pieces(
        self, questions: Questions, chosen: NDArray[np.int64], touched: set[int]
    ) -> Iterator[tuple[NDArray[np.int64], Questions, Statistics]]:
        """Some questions at a time, answered by a table of the columns that they name alone."""
        for begin in range(0, len(chosen), FEW):
            piece = chosen[begin : begin + FEW]
            columns, places = np.unique(questions[piece], return_inverse=True)
            rows = self.experiments.without_among(columns.tolist(), touched)
            if rows is not None:
                yield piece, places.reshape(len(piece), -1), rows


def _are_many(questions: Questions, n_columns: int) -> bool:
    """Whether questions need so many columns that products of all are sooner made, and kept."""
    return n_columns <= FEW or (questions.shape[1] > 2 and len(questions) > FEW)


def with_experiments(test: IndependenceTest, statistics: Statistics) -> IndependenceTest:
    """The test, by which rows say nothing of dependence on what was set in them."""
    experiments = experiments_of(statistics)
    return test if experiments is None else Interventional(test, experiments)
