"""The hint that the level of a series changes."""

import warnings

import numpy as np
import pytest

import structlearn as sl
from tests.learners.time.series import autoregressive, named

LEARNERS = [sl.SparseVAR(), sl.PCMCI(), sl.DynamicNetwork()]


def said(learner, table):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        learner.fit(table)
    return [str(each.message) for each in heard if "the level of" in str(each.message)]


def with_change(n_rows=160, at=100):
    rows = autoregressive([0.4 * np.eye(3)], n_rows, np.random.default_rng(0))
    rows[at:, 1] += 4.0
    return named(rows)


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_a_level_that_changes_is_told_with_its_column_and_step(learner):
    (words,) = said(learner, with_change())

    assert "the level of 'v1' changes, after 100 of 160 steps" in words
    assert said(learner, named(autoregressive([0.4 * np.eye(3)], 160, np.random.default_rng(0)))) == []


def test_only_the_longest_series_is_looked_at_and_not_what_is_short_context_or_a_state():
    table = with_change()

    apart = table | {"id": np.repeat(["a", "b"], [100, 60])}
    assert said(sl.SparseVAR(series="id"), apart) == []
    assert said(sl.SparseVAR(), {name: column[58:] for name, column in table.items()}) != []
    assert said(sl.SparseVAR(), {name: column[70:] for name, column in table.items()}) == []
    states = {name: np.where(column > np.median(column), "high", "low") for name, column in table.items()}
    assert said(sl.DynamicNetwork(), states) == []
