"""Pairs alone by a limit of the correlation give what a test of each pair gives, and keep nothing of it."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.constraint.skeletons import by_correlation
from structlearn.learners.constraint.skeletons.by_correlation import ByCorrelation

pytestmark = pytest.mark.filterwarnings("ignore:.*has a single value")


def rows_of(seed, n_rows=80, n_columns=9):
    """Columns that follow others before them, one that is constant and one that nearly repeats another."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_rows, n_columns))
    for j in range(1, n_columns):
        rows[:, j] += rows[:, :j] @ (rng.random(j) < 0.3) * rng.choice([-0.7, 0.4])
    rows[:, seed % n_columns] = 2.5
    rows[:, (seed + 4) % n_columns] = 3.0 * rows[:, (seed + 5) % n_columns] + 1e-3 * rng.normal(size=n_rows)
    return rows


def both(monkeypatch, rows, **options):
    """What PC finds with a test of each pair, and by the limit."""
    found = []
    for fewest in (10**6, 0):
        monkeypatch.setattr(by_correlation, "FEWEST_COLUMNS", fewest)
        found.append(sl.PC(**options).fit(rows))
    return found


KNOWLEDGE = sl.Knowledge(required=[("x1", "x2"), ("x7", "x3")], forbidden=[("x4", "x5"), ("x5", "x4")])


@pytest.mark.parametrize(
    "options", [{}, {"alpha": 0.3}, {"alpha": 0.0}, {"alpha": 1.0}, {"knowledge": KNOWLEDGE}]
)
@pytest.mark.parametrize("seed", range(4))
def test_the_graph_the_sets_the_p_values_and_the_counts_are_those_of_tests(seed, options, monkeypatch):
    by_tests, by_limit = both(monkeypatch, rows_of(seed), **options)

    assert by_limit.graph_ == by_tests.graph_
    assert list(by_limit.separating_sets_.items()) == list(by_tests.separating_sets_.items())
    assert len(by_limit.separating_sets_) == len(by_tests.separating_sets_)
    assert by_limit.evidence_ == by_tests.evidence_
    assert by_limit.n_tests_ == by_tests.n_tests_
    assert {name: column.tolist() for name, column in by_limit.trace_.items()} == {
        name: column.tolist() for name, column in by_tests.trace_.items()
    }


@pytest.mark.parametrize("seed", range(3))
def test_threads_share_the_pairs_of_a_level_and_find_the_same(seed, monkeypatch):
    monkeypatch.setattr(by_correlation, "FEWEST_COLUMNS", 0)
    alone = sl.PC(alpha=0.2).fit(rows_of(seed, n_columns=14))
    monkeypatch.setattr("structlearn.statistics.blocks.COST_OF_A_THREAD", 0.0)
    shared = sl.PC(alpha=0.2, n_jobs=3).fit(rows_of(seed, n_columns=14))

    assert shared.graph_ == alone.graph_
    assert shared.n_tests_ == alone.n_tests_
    assert shared.evidence_ == alone.evidence_
    assert list(shared.separating_sets_.items()) == list(alone.separating_sets_.items())


@pytest.mark.parametrize("rule", ["conservative", "majority", "max-p"])
def test_votes_on_colliders_know_the_pairs_that_are_independent_alone(rule, monkeypatch):
    by_tests, by_limit = both(monkeypatch, rows_of(11), collider_rule=rule)

    assert by_limit.graph_ == by_tests.graph_
    assert by_limit.conflicts_ == by_tests.conflicts_


def test_without_conditions_the_first_level_is_all(monkeypatch):
    by_tests, by_limit = both(monkeypatch, rows_of(2), max_conditioning=0)

    assert by_limit.graph_ == by_tests.graph_
    assert by_limit.trace_["conditions"].tolist() == [0]


@pytest.mark.parametrize("options", [{"test": "t"}, {"missing": "testwise"}, {"stable": False}])
def test_other_tests_gaps_and_the_original_order_are_asked_pair_by_pair(options, monkeypatch):
    rows = rows_of(3)
    rows[0, 0] = np.nan if "missing" in options else rows[0, 0]
    monkeypatch.setattr(by_correlation, "FEWEST_COLUMNS", 0)
    monkeypatch.setattr(ByCorrelation, "dependent", None)  # cannot be called

    assert sl.PC(**options).fit(rows).n_tests_ > 0
