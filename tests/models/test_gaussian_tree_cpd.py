"""Trees with normal leaves find the regimes that were there."""

import json

import numpy as np
import pytest
from scipy.stats import norm

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.models import Split
from structlearn.models.cpds.tree_gaussian import GaussianTreeCPD
from tests.models.test_tree_cpd import family_of

TREE = Split("age", [(20.0, 4.0), Split("smoker", [(25.0, 4.0), (31.0, 9.0)])], at=60.0)
PARENTS = {"age": [], "smoker": ["no", "yes"]}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    age, job = rng.uniform(20, 80, 3_000), rng.integers(0, 3, 3_000)
    mean = np.where(age < 50, 1.0, np.where(job == 1, 4.0, 2.0))
    y = mean + np.where(age < 50, 0.5, 1.0) * rng.standard_normal(3_000)
    return sl.Dataset({"age": age, "job": np.array(["full", "half", "none"])[job], "y": 1e6 + y})


def test_the_regimes_of_the_data_are_found(data):
    cpd = GaussianTreeCPD.fit(family_of(data, "y", ("age", "job")), splits="one-value")

    assert cpd.tree.at == pytest.approx(50, abs=0.5)
    assert cpd.n_leaves == 3
    assert cpd.n_parameters == 6
    assert cpd.means - 1e6 == pytest.approx([1, 4, 2], abs=0.15)
    assert cpd.variances == pytest.approx([0.25, 1, 1], abs=0.2)


def test_leaves_have_the_mean_and_variance_of_their_rows(data):
    cpd = GaussianTreeCPD.fit(family_of(data, "y", ("age", "job")), max_depth=1)
    age, y = np.array(data.to_dict()["age"]), np.array(data.to_dict()["y"])

    young = age <= cpd.tree.at
    assert cpd.means == pytest.approx([y[young].mean(), y[~young].mean()], rel=1e-12)
    assert cpd.variances == pytest.approx([y[young].var(), y[~young].var()], rel=1e-6)


def test_noise_is_one_leaf():
    rng = np.random.default_rng(2)
    noise = sl.Dataset({"u": rng.normal(size=500), "D": rng.integers(0, 4, 500), "y": rng.normal(size=500)})

    for lookahead in (False, True):
        cpd = GaussianTreeCPD.fit(family_of(noise, "y", ("u", "D")), lookahead=lookahead)
        assert (cpd.n_leaves, cpd.tested_parents) == (1, ())


def test_parents_that_work_only_together_need_a_look_ahead():
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, 800), rng.integers(0, 2, 800)
    kinds = {"a": "discrete", "b": "discrete"}
    both = sl.Dataset({"a": a, "b": b, "y": 3.0 * (a ^ b) + rng.normal(size=800)}, kinds=kinds)

    family = family_of(both, "y", ("a", "b"))

    assert GaussianTreeCPD.fit(family).n_leaves == 1
    assert GaussianTreeCPD.fit(family, lookahead=True).n_leaves == 4


def test_densities_and_samples_are_normal_in_each_leaf():
    cpd = GaussianTreeCPD(TREE, parents=PARENTS)
    age, smoker = np.array([60.0, 61, 61]), np.array([1, 0, 1])

    found = cpd.log_probability(np.array([21.0, 24, 30]), [age, smoker])
    drawn = cpd.sample([np.full(20_000, 70.0), np.ones(20_000)], 20_000, np.random.default_rng(0))

    assert found == pytest.approx(norm.logpdf([21, 24, 30], [20, 25, 31], [2, 2, 3]))
    assert drawn.mean() == pytest.approx(31, abs=5 * 3 / np.sqrt(20_000))
    assert drawn.var() == pytest.approx(9, abs=0.5)


def test_a_value_that_piles_up_makes_no_leaf_without_variance():
    rng = np.random.default_rng(4)
    day = rng.integers(0, 2, 200)
    rain = sl.Dataset(
        {"day": day, "rain": np.where(day == 0, 0.0, rng.normal(3, 1, 200))},
        kinds={"day": "discrete", "rain": "continuous"},
    )

    assert GaussianTreeCPD.fit(family_of(rain, "rain", ("day",))).n_leaves == 1
    constant = sl.Dataset({"day": day, "rain": np.full(200, 0.1)}, kinds=rain.kinds)
    with pytest.raises(DataError, match="'rain' is constant"):
        GaussianTreeCPD.fit(family_of(constant, "rain", ("day",)))


def test_a_network_takes_it_by_name_and_saves_it(data, tmp_path):
    graph = sl.Graph(["age", "job", "y"], directed=[("age", "y"), ("job", "y")])

    model = sl.BayesianNetwork(graph, {"y": "gaussian-tree"}).fit(data)
    model.save(tmp_path / "net.json")

    assert sl.load(tmp_path / "net.json") == model


def test_a_tree_comes_back_from_a_file():
    cpd = GaussianTreeCPD(TREE, parents=PARENTS)

    back = GaussianTreeCPD.from_dict(json.loads(json.dumps(cpd.to_dict())))

    assert back == cpd
    assert hash(back) == hash(cpd)
    assert back != GaussianTreeCPD((1.0, 2.0), parents=PARENTS)
    assert repr(back) == "<GaussianTreeCPD: 3 leaves given age, smoker, 6 parameters>"


def test_what_makes_no_sense_is_refused(data):
    with pytest.raises(DataError, match="a variance larger than 0"):
        GaussianTreeCPD((1.0, 0.0))
    with pytest.raises(DataError, match="takes 'age' as a continuous node"):
        GaussianTreeCPD(TREE, parents=PARENTS).check("y", {"age": 2, "smoker": 2})
    with pytest.raises(OptionError, match="min_rows"):
        GaussianTreeCPD.fit(family_of(data, "y", ("age",)), min_rows=0)


def test_a_normal_tree_says_on_whom_the_node_depends_in_a_context():
    cpd = GaussianTreeCPD(TREE, parents=PARENTS)

    assert cpd.is_independent_of("smoker", {"age": 59.0})
    assert not cpd.is_independent_of("smoker", {"age": 61.0})
    with pytest.raises(DataError, match="'pets' has to be a parent without a value"):
        cpd.is_independent_of("pets")
