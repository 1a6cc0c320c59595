"""A node that is set to a number has that number and nothing else."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.errors import DataError
from structlearn.models import LinearGaussianCPD
from structlearn.models.cpds.point import PointCPD
from tests.oracles.models import network


def test_only_one_number_is_possible():
    cpd = PointCPD(2.5)

    assert cpd.log_probability(np.array([2.5, 2.4]), []).tolist() == [0.0, -math.inf]
    assert cpd.sample([], 3, np.random.default_rng(0)).tolist() == [2.5, 2.5, 2.5]
    assert (cpd.n_parameters, cpd.parents, cpd.labels) == (0, (), ())


def test_points_are_the_same_where_their_numbers_are():
    assert PointCPD(1) == PointCPD(1.0) == PointCPD.from_dict(PointCPD(1.0).to_dict())
    assert len({PointCPD(1), PointCPD(1.0), PointCPD(2)}) == 2


@pytest.mark.parametrize("value", [math.nan, math.inf, "tall"])
def test_a_point_is_a_finite_number(value):
    with pytest.raises(DataError, match="PointCPD"):
        PointCPD(value)


def test_a_network_keeps_its_points_in_files_and_when_it_is_fitted(tmp_path):
    dose = LinearGaussianCPD(1.0, {}, variance=4.0)
    effect = LinearGaussianCPD(0.0, {"dose": 2.0}, variance=1.0)
    acted = network({"dose": dose, "effect": effect}).do({"dose": 3.0})

    acted.save(tmp_path / "acted.json")

    assert sl.load(tmp_path / "acted.json") == acted
    rows = network({"dose": dose, "effect": effect}).sample(50, random_state=0)
    assert sl.BayesianNetwork(acted.graph, acted.cpds).fit(rows).cpds["dose"] == PointCPD(3.0)
