"""The hint that the level of a series changes."""

import re
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


def test_all_changes_of_the_level_are_told():
    rows = autoregressive([0.3 * np.eye(2)], 300, np.random.default_rng(0))
    rows[:, 0] += np.repeat([0.0, 5.0, 10.0], 100)

    (words,) = said(sl.SparseVAR(), named(rows))

    assert re.search(r"the level of 'v0' changes, after (9|10)\d and (19|20)\d of 300 steps", words)


def test_columns_that_change_a_little_all_at_once_are_told_together():
    heard = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = autoregressive([0.5 * np.eye(10)], 300, rng)
        rows[150:] += 0.6 * rows.std(axis=0) * rng.choice([-1.0, 1.0], 10)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            sl.SparseVAR().fit(named(rows))
        heard += [str(each.message) for each in found]

    assert any("levels of many columns change a little together, after 1" in words for words in heard)
