"""What families cost is what regressions leave, whatever the units."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import structlearn as sl
from structlearn.learners.hybrid.l1.group_paths import GroupPaths
from structlearn.statistics import from_dataset

RNG = np.random.default_rng(0)
N = 200
X = RNG.normal(size=N)
Y = X + RNG.normal(size=N)
STATE = (RNG.random(N) < 1.0 / (1.0 + np.exp(-X - Y))).astype(int)


@pytest.mark.parametrize(("unit", "origin"), [(1.0, 0.0), (1e-8, 0.0), (1e-17, 0.0), (1e20, 0.0), (1.0, 1e6)])
def test_costs_are_those_of_regressions_in_any_unit(unit, origin):
    table = {"x": unit * X + origin, "y": Y, "s": np.array(["no", "yes"])[STATE]}
    paths = GroupPaths(from_dataset(sl.Dataset(table)), SimpleNamespace(price=0.0))

    left = np.var(Y - np.polyval(np.polyfit(X, Y, 1), X))
    both = np.column_stack([X, Y])
    logit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(both, STATE)
    probability = logit.predict_proba(both)[np.arange(N), STATE]
    assert paths.cost(1, (0,)) == pytest.approx(0.5 * N * (math.log(2.0 * math.pi * left) + 1.0))
    assert paths.cost(2, (0, 1)) == pytest.approx(-np.log(probability).sum(), rel=1e-6)
