"""Blankets of continuous columns that grow by correlations are those of one test after another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.independence import FisherZ
from structlearn.independence.asking import Asker
from structlearn.learners.constraint.blankets import by_correlation
from structlearn.learners.constraint.blankets.blankets import BlanketSearch
from structlearn.learners.constraint.blankets.by_correlation import ByCorrelation
from structlearn.statistics import from_dataset


@pytest.fixture(autouse=True)
def _any_table_is_wide(monkeypatch):
    monkeypatch.setattr(by_correlation, "FEWEST_COLUMNS", 0)


def table(rng, n_columns, n_rows, alike=0.0):
    """Columns that depend on some before; `alike` is how little is added to a second copy of the first."""
    rows = rng.normal(size=(n_rows, n_columns))
    for j in range(1, n_columns):
        rows[:, j] += rows[:, :j] @ (rng.normal(size=j) * (rng.random(j) < 0.4))
    rows[:, -1] = rows[:, 0] + alike * rows[:, -1] if alike else rows[:, -1]
    return sl.Dataset({f"v{j:02}": column for j, column in enumerate(rows.T)})


def both(data, alpha, target, always=(), most=None):
    """The blanket by correlations, and the one by tests."""
    found = []
    for is_by_tests in (False, True):
        search = BlanketSearch(
            Asker(FisherZ(), from_dataset(data), alpha=alpha),
            len(data.names),
            method="grow-shrink",
            max_conditioning=most,
        )
        assert search._by_correlation is not None
        search._by_correlation = None if is_by_tests else search._by_correlation
        found.append(search.blanket(target, always))
    return found


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 9),
    st.sampled_from([4, 12, 40, 300]),
    st.sampled_from([0.0, 0.01, 0.05, 0.3, 1.0]),
    st.sampled_from([None, 0, 1, 3]),
    st.data(),
)
def test_they_are_those_of_single_tests(seed, n_columns, n_rows, alpha, most, data):
    drawn = table(np.random.default_rng(seed), n_columns, n_rows)
    target = data.draw(st.integers(0, n_columns - 1))
    others = [v for v in range(n_columns) if v != target]
    always = data.draw(st.sets(st.sampled_from(others), max_size=2))

    by_limits, by_tests = both(drawn, alpha, target, always, most)

    assert by_limits == by_tests


@pytest.mark.parametrize("alike", [1e-12, 1e-8, 1e-4, 1e-2])
@pytest.mark.parametrize("target", [0, 2, 5])
def test_nearly_equal_columns_are_left_to_the_tests(alike, target):
    data = table(np.random.default_rng(7), 6, 200, alike)

    by_limits, by_tests = both(data, 0.05, target, always=[v for v in (0, 5) if v != target])

    assert by_limits == by_tests


def test_more_members_than_there_was_room_for(monkeypatch):
    monkeypatch.setattr(by_correlation, "FIRST_ROOM", 1)
    by_limits, by_tests = both(table(np.random.default_rng(1), 8, 500), 0.3, 3)
    assert by_limits == by_tests
    assert len(by_limits) > 2


def test_what_has_another_test_gaps_or_few_columns_is_tested_as_ever(monkeypatch):
    data = table(np.random.default_rng(0), 5, 50)
    statistics = from_dataset(data)
    holes = data.to_dict()
    holes["v02"] = np.where(np.arange(50) == 3, np.nan, holes["v02"])
    gaps = from_dataset(sl.Dataset(holes), missing="testwise")

    def is_there(test, statistics):
        return ByCorrelation.of(Asker(test, statistics, alpha=0.05)) is not None

    assert is_there(FisherZ(), statistics)
    assert not is_there(sl.independence.ExactT(), statistics)
    assert not is_there(FisherZ(), gaps)
    assert not is_there(FisherZ(), None)
    monkeypatch.setattr(by_correlation, "FEWEST_COLUMNS", 6)
    assert not is_there(FisherZ(), statistics)
