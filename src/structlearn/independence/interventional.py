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

from structlearn.independence.protocol import Answers, IndependenceTest, Questions
from structlearn.statistics import Statistics
from structlearn.statistics.experiments import Experiments, experiments_of


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
        for chosen, rows in self._parts(statistics, questions):
            found = self.test.many(rows, questions[chosen])
            statistic[chosen], dof[chosen], p_value[chosen] = found.statistic, found.dof, found.p_value
            log_p[chosen], reliable[chosen] = found.log_p, found.is_reliable
        return Answers(statistic, dof, p_value, log_tail=lambda: log_p, reliable=reliable)

    def _parts(
        self, statistics: Statistics, questions: Questions
    ) -> Iterator[tuple[NDArray[np.bool_], Statistics]]:
        """The questions that have the same rows, and these rows."""
        is_set = np.isin(questions[:, :2], list(self.experiments.is_set))
        ends = np.sort(np.where(is_set, questions[:, :2], -1), axis=1)
        for touched in np.unique(ends, axis=0):
            columns = touched[touched >= 0].tolist()
            rows = self.experiments.without(*columns) if columns else statistics
            if rows is not None:
                yield (ends == touched).all(axis=1), rows


def with_experiments(test: IndependenceTest, statistics: Statistics) -> IndependenceTest:
    """The test, by which rows say nothing of dependence on what was set in them."""
    experiments = experiments_of(statistics)
    return test if experiments is None else Interventional(test, experiments)
