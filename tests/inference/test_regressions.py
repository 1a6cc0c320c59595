"""The regression of a node in each regime is what its distribution says of these states."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.inference.regressions import regression_of
from structlearn.models import ConditionalGaussianCPD, LinearGaussianCPD, PointCPD, TableCPD


def test_a_fixed_number_has_no_slopes_and_no_variance():
    found = regression_of("x", PointCPD(1.5), {}, {}, 2)

    assert (found.intercepts.tolist(), found.slopes, found.variances.tolist()) == ([1.5, 1.5], {}, [0.0, 0.0])


def test_a_linear_node_has_one_regression_in_all_regimes():
    found = regression_of("x", LinearGaussianCPD(1.0, {"y": -2.0}, variance=4.0), {}, {}, 3)

    assert found.intercepts.tolist() == [1.0] * 3
    assert {name: slopes.tolist() for name, slopes in found.slopes.items()} == {"y": [-2.0] * 3}
    assert found.variances.tolist() == [4.0] * 3


def test_a_conditional_node_has_that_of_the_state_of_its_discrete_parent():
    cpd = ConditionalGaussianCPD([1.0, 2.0], {"y": [5.0, 6.0]}, variances=[0.1, 0.2], regimes=["g"])

    found = regression_of("x", cpd, {"g": np.array([1, 0, 1])}, {}, 3)

    assert found.intercepts.tolist() == [2.0, 1.0, 2.0]
    assert found.slopes["y"].tolist() == [6.0, 5.0, 6.0]
    assert found.variances.tolist() == [0.2, 0.1, 0.2]


def test_what_is_no_regression_is_refused_with_a_way_out():
    with pytest.raises(sl.DataError, match=r"'x' has a table distribution.*weighting"):
        regression_of("x", TableCPD([0.5, 0.5], labels=["no", "yes"]), {}, {}, 1)
