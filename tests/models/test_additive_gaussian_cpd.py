"""A mean that adds up over measurements and states."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models import AdditiveGaussianCPD, LinearGaussianCPD, TableCPD

CPD = AdditiveGaussianCPD(1.0, {"x": 0.5}, shifts={"s": [1.0, 3.0], "t": [0.0, -1.0, 2.0]}, variance=4.0)


def test_shifts_are_relative_to_the_first_state():
    assert CPD.intercept == 2.0
    assert CPD.shifts == {"s": (0.0, 2.0), "t": (0.0, -1.0, 2.0)}
    assert CPD.parents == ("s", "t", "x")
    assert CPD.parent_levels == {"s": 2, "t": 3, "x": 0}
    assert CPD.n_parameters == 2 + 1 + 1 + 2


def test_means_add_up():
    mean, variance = CPD.normals([np.array([0, 1]), np.array([2, 1]), np.array([4.0, -2.0])], 2)

    assert mean.tolist() == [2.0 + 0.0 + 2.0 + 2.0, 2.0 + 2.0 - 1.0 - 1.0]
    assert variance.tolist() == [4.0, 4.0]


def test_exact_questions_see_its_states_as_regimes():
    graph = sl.Graph("sxy", directed=["sy", "xy"])
    cpds = {
        "s": TableCPD([0.25, 0.75], labels=["lo", "hi"]),
        "x": LinearGaussianCPD(3.0, {}, variance=1.0),
        "y": AdditiveGaussianCPD(1.0, {"x": 2.0}, shifts={"s": [0.0, 4.0]}, variance=0.5),
    }
    model = sl.BayesianNetwork(graph, cpds)

    answer = model.query("y")

    assert answer.mean[0] == pytest.approx(1 + 2 * 3 + 0.75 * 4)
    assert answer.covariance[0, 0] == pytest.approx(4 * 1.0 + 0.5 + 16 * 0.25 * 0.75)
    assert model.query("y", {"s": "lo", "x": 1.0}).mean[0] == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: AdditiveGaussianCPD(1.0, {"a": 1}, shifts={"a": [0, 1]}, variance=1), "no coefficient"),
        (lambda: AdditiveGaussianCPD(1.0, {}, shifts={"a": []}, variance=1), "a shift for each state"),
        (lambda: AdditiveGaussianCPD(1.0, {}, shifts={}, variance=0), "larger than 0"),
        (lambda: AdditiveGaussianCPD(np.nan, {}, shifts={}, variance=1), "finite number"),
        (lambda: AdditiveGaussianCPD(1.0, [1], shifts={}, variance=1), "mapping"),
    ],
)
def test_what_is_no_such_distribution_is_refused(make, said):
    with pytest.raises(sl.DataError, match=said):
        make()


def test_a_constant_column_is_refused_by_name():
    graph = sl.Graph("sy", directed=["sy"])
    rows = {"s": ["u", "v"] * 5, "y": [1.5] * 10}

    with pytest.raises(sl.DataError, match="'y' is constant"):
        sl.BayesianNetwork(graph, {"y": "additive-gaussian"}).fit(sl.Dataset(rows, kinds={"y": "continuous"}))
