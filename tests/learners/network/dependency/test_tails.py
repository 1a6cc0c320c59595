"""Outliers of independent columns are no parents, and what is planted in normal columns stays found."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.learners.network.dependency.trees import TreeGrower
from structlearn.search.chance_price import LONG_TAILS

DRAWS = {
    "cauchy": lambda rng, shape: rng.standard_cauchy(shape),
    "t": lambda rng, shape: rng.standard_t(2, shape),
    "lognormal": lambda rng, shape: rng.lognormal(size=shape),
}
MOST = {"tree": 2.0, "l1": 5.0}  # regressions that find each other are two arcs


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize("learner", MOST)
def test_outliers_are_no_parents(learner, draw):
    tables = [DRAWS[draw](np.random.default_rng(seed), (60, 20)) for seed in range(5)]

    found = [sl.DependencyNetwork(learner=learner).fit(rows) for rows in tables]

    assert np.mean([len(each.graph_.edges) for each in found]) <= MOST[learner]
    assert all(LONG_TAILS in each.status_ for each in found)


@pytest.mark.parametrize("draw", DRAWS)
def test_outliers_are_no_parents_where_rows_are_ample(draw):
    rows = DRAWS[draw](np.random.default_rng(0), (200, 20))

    assert len(sl.DependencyNetwork().fit(rows).graph_.edges) <= 4


def test_a_column_pays_for_its_own_tail_and_effects_beside_longer_ones_are_found():
    rng = np.random.default_rng(0)
    rows = np.hstack([rng.standard_t(3, (200, 10)), rng.standard_cauchy((200, 10))])
    rows[:, 1] += rows[:, 0]

    found = sl.DependencyNetwork().fit({f"c{j}": column for j, column in enumerate(rows.T)}).graph_

    assert {"c0", "c1"} in [{edge.source, edge.target} for edge in found.edges]


@pytest.mark.parametrize("learner", MOST)
def test_normal_columns_are_judged_as_ever(learner):
    rows = np.random.default_rng(0).normal(size=(60, 8))
    rows[:, 1::2] += 2.0 * rows[:, ::2]

    found = sl.DependencyNetwork(learner=learner).fit(rows)

    arcs = {(edge.source, edge.target) for edge in found.graph_.edges}
    assert {(f"x{j}", f"x{j + 1}") for j in range(0, 8, 2)} <= arcs
    assert LONG_TAILS not in found.status_


def test_a_price_that_is_named_is_kept_where_no_correlation_shows_the_tails():
    rows = DRAWS["lognormal"](np.random.default_rng(0), (60, 20))

    usual, named = (sl.DependencyNetwork(kappa=kappa).fit(rows) for kappa in (None, 0.01))

    assert len(named.graph_.edges) > len(usual.graph_.edges) + 5
    assert LONG_TAILS not in named.status_


def test_chance_is_not_looked_for_when_time_is_over(monkeypatch):
    """Of two thousand columns that takes a minute."""
    seconds = iter(range(10**9))
    monkeypatch.setattr("structlearn.run._clock", lambda: float(next(seconds)))  # each look takes a second
    grown = []
    local = TreeGrower.local

    def counted(grower, child, *, max_depth):
        grown.append(max_depth)
        return local(grower, child, max_depth=max_depth)

    monkeypatch.setattr(TreeGrower, "local", counted)
    rows = np.random.default_rng(0).standard_cauchy((60, 40))
    sl.DependencyNetwork(time_limit=5).fit(rows)

    assert grown.count(1) <= 5
