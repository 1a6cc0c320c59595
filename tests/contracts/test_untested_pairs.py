"""A method of tests that is stopped joins no two columns that it had no time to test.

An edge of theirs is a pair that nothing separates, not even nothing at all: whatever the tests given other
columns say, or would have said, the two are dependent. What knowledge requires is there all the same.
"""

import itertools

import numpy as np
import pytest
from scipy.stats import pearsonr

import structlearn as sl
from structlearn.learners.option_groups import Informed

A_LOOK = 0.001  # seconds that pass at each look at the clock, and none between them
REQUIRED = ("x3", "x7")

pytestmark = [
    pytest.mark.methods_that(lambda method: method.family in ("constraint", "hybrid")),
    pytest.mark.methods_that(lambda method: {"test", "time_limit"} <= set(method.load().options)),
    pytest.mark.filterwarnings("ignore::structlearn.DataWarning"),
]


def stopped_fits(learner, rows, monkeypatch):
    """The learner, stopped ever later, until it comes to its end."""
    for n_looks in 4 * np.sqrt(2) ** np.arange(26):
        looks = itertools.count()
        monkeypatch.setattr("structlearn.run._clock", lambda looks=looks: A_LOOK * next(looks))
        yield learner.set_params(time_limit=A_LOOK * n_looks).fit(rows)
        if learner.status_.startswith("The method ran to its end."):
            break


def test_columns_that_nobody_had_time_for_have_no_edges(learner, monkeypatch):
    rows = np.random.default_rng(0).normal(size=(30, 25))
    p_value = {
        frozenset((f"x{i}", f"x{j}")): pearsonr(rows[:, i], rows[:, j]).pvalue
        for i, j in itertools.combinations(range(25), 2)
    }
    learner.set_params(test="t")
    for stopped in stopped_fits(learner, rows, monkeypatch):
        edges = [frozenset((edge.source, edge.target)) for edge in stopped.graph_.edges]

        assert [edge for edge in edges if p_value[edge] > learner.alpha] == []


@pytest.mark.methods_that(lambda method: issubclass(method.load(), Informed))
def test_what_knowledge_requires_is_there_however_little_time_there_is(learner, monkeypatch):
    rows = np.random.default_rng(0).normal(size=(30, 25))
    learner.set_params(knowledge=sl.Knowledge(required=[REQUIRED]))
    for stopped in stopped_fits(learner, rows, monkeypatch):
        edges = [frozenset((edge.source, edge.target)) for edge in stopped.graph_.edges]

        assert frozenset(REQUIRED) in edges
