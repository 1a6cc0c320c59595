"""When a card does the tests of PC, and when it does not."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.gpu import card
from structlearn.learners.constraint.skeletons.correlations import CorrelationsOfMatrix


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(40, 3))


@pytest.mark.parametrize("options", [{"stable": False}, {"test": "t"}, {"missing": "testwise"}])
def test_what_a_card_cannot_test_is_refused_or_left_to_the_processor(options, rows):
    rows[0, 0] = np.nan if "missing" in options else 0.0
    with pytest.raises(sl.OptionError, match="continuous columns without gaps by Fisher's z"):
        sl.PC(device="cuda", **options).fit(rows)
    found = sl.PC(device="auto", **options).fit(rows)
    assert "The processor did the work" in found.status_
    assert found.graph_ == sl.PC(**options).fit(rows).graph_


def test_discrete_columns_and_oracles_are_left_to_the_processor():
    data = sl.example("cancer").sample(200, random_state=0)
    assert "The processor did the work" in sl.PC(device="auto").fit(data).status_
    oracle = sl.Oracle(sl.Graph(["a", "b"], undirected=[("a", "b")]))
    with pytest.raises(sl.OptionError, match="Fisher's z"):
        sl.PC(device="cuda").fit(oracle)


def test_correlations_that_do_not_fit_are_refused_with_the_bytes(monkeypatch, rows):
    monkeypatch.setattr(card, "free_bytes", lambda: 1000)
    with pytest.raises(sl.OptionError, match=r"67,108,990 bytes of the card's memory, and 1,000 are free"):
        sl.PC(device="cuda").fit(rows)


@pytest.mark.parametrize(("alpha", "n_given"), [(0.05, 0), (0.001, 3), (0.9, 1)])
def test_the_limit_is_the_last_correlation_that_the_test_takes_for_independence(alpha, n_given):
    table = CorrelationsOfMatrix(50.0, alpha, np.eye(2))
    limit = table.limit(n_given)
    p_values = table.p_values(np.array([limit, math.nextafter(limit, 1.0)]), n_given)
    assert p_values[0] > alpha >= p_values[1]


def test_the_limits_at_the_ends_of_the_levels():
    assert CorrelationsOfMatrix(50.0, 1.0, np.eye(2)).limit(0) == -1.0
    assert CorrelationsOfMatrix(5.0, 0.0, np.eye(2)).limit(0) == math.inf
    assert CorrelationsOfMatrix(4.0, 0.05, np.eye(2)).limit(1) == math.inf  # no rows are left to test with
