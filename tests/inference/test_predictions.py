"""Predictions and filled gaps of many rows are those of the joint distribution, row by row."""

import math
import time

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chisquare

import structlearn as sl
from structlearn.data import DiscreteColumn
from structlearn.errors import DataError, OptionError
from structlearn.inference.predictions import doors, tables, tree_rows
from structlearn.models import (
    AdditiveGaussianCPD,
    ConditionalGaussianCPD,
    DependencyModel,
    GaussianTreeCPD,
    LinearGaussianCPD,
    SoftmaxCPD,
    Split,
    TableCPD,
)
from tests.contracts.test_every_model import UNDIRECTED
from tests.data_files import data_file
from tests.oracles import predictions as oracle
from tests.oracles.inference import random_network
from tests.oracles.models import asia, network

SEEDS = range(8)
SURPRISE = 1e-4


def random_rows(seed, n=12):
    model = random_network(seed, most_nodes=6, most_levels=3)
    return model, oracle.with_gaps(model.sample(n, random_state=seed), 0.3, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_probabilities_are_those_of_the_joint_table(seed):
    model, data = random_rows(seed)

    found = model.predict_proba(data)

    assert list(found) == list(model.nodes)
    for name, shares in found.items():
        np.testing.assert_allclose(shares, oracle.shares(model, data, name), atol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_tree_for_rows_with_many_kinds_of_gaps_says_the_same(seed, monkeypatch):
    model, data = random_rows(seed)
    monkeypatch.setattr(doors, "MANY_PATTERNS", 0)
    monkeypatch.setattr(tree_rows, "BATCH_CELLS", 1)

    for name, shares in model.predict_proba(data).items():
        np.testing.assert_allclose(shares, oracle.shares(model, data, name), atol=1e-12)


def test_batches_of_any_size_say_the_same(monkeypatch):
    model, data = random_rows(3, n=40)
    whole, drawn = model.predict_proba(data), model.impute(data)

    monkeypatch.setattr(tables, "BATCH_CELLS", 1)

    for name, shares in model.predict_proba(data).items():
        np.testing.assert_array_equal(shares, whole[name])
    assert model.impute(data) == drawn


@pytest.mark.parametrize("model", UNDIRECTED.values(), ids=UNDIRECTED.keys())
def test_undirected_models_predict_as_their_joint_table(model):
    data = oracle.with_gaps(model.sample(15, random_state=0), 0.3, 1)

    for name, shares in model.predict_proba(data).items():
        np.testing.assert_allclose(shares, oracle.shares(model, data, name), atol=1e-12)
    for row, filled in zip(oracle.known(data), oracle.known(model.impute(data)), strict=True):
        assert oracle.probability(model, filled) == pytest.approx(oracle.highest_probability(model, row))


def test_a_prediction_is_the_most_probable_state_and_ties_go_to_the_first():
    model = network(
        {
            "a": TableCPD([0.5, 0.5], labels=["x", "y"]),
            "b": TableCPD([[0.1, 0.9], [0.8, 0.2]], labels=[1, 2], parents=["a"]),
        }
    )

    assert model.predict({"a": ["x", "y", None]}, "b")["b"].tolist() == [2, 1, 2]
    assert model.predict({"b": [None, 1]}, "a")["a"].tolist() == ["x", "y"]


def test_what_a_row_says_of_the_node_itself_is_not_used():
    model, row = asia(), {"smoke": ["yes"], "xray": ["no"]}

    with_own = model.predict_proba({**row, "lung": ["yes"]}, ["lung"])["lung"]

    np.testing.assert_array_equal(with_own, model.predict_proba(row, "lung")["lung"])


STRANGE = [["zzz", "?"], [math.inf, 1.0], ["", "inf"], [None, None], [3, "x"]]


@pytest.mark.parametrize("own", STRANGE, ids=str)
@pytest.mark.parametrize("target", ["mood", "size"])
def test_the_column_of_a_node_may_hold_anything_where_it_alone_is_predicted(target, own, tmp_path):
    graph = sl.Graph(["x", "mood", "size"], directed=[("x", "mood"), ("x", "size")])
    cpds = {
        "x": TableCPD([0.5, 0.5], labels=["a", "b"]),
        "mood": TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=["good", "bad"], parents=["x"]),
        "size": ConditionalGaussianCPD([1.0, 5.0], {}, variances=[1.0, 1.0], regimes={"x": ["a", "b"]}),
    }
    expected = {"mood": ["good", "bad"], "size": [1.0, 5.0]}[target]
    file = tmp_path / "rows.csv"
    file.write_text(f"x,{target}\na,{own[0] or ''}\nb,{own[1] or ''}\n")
    rows = {"x": ["a", "b"], target: own}

    for model in (sl.BayesianNetwork(graph, cpds), DependencyModel(graph, cpds)):
        for data in (rows, pd.DataFrame(rows), file):
            assert model.predict(data, target)[target].tolist() == expected
    alone = {target: own}
    assert len(sl.BayesianNetwork(graph, cpds).predict(alone, [target])[target]) == 2


def test_of_several_nodes_each_column_says_something_of_the_others():
    with pytest.raises(DataError, match="'zzz' in row 0"):
        asia().predict({"lung": ["zzz"], "smoke": ["yes"]}, ["lung", "smoke"])


@pytest.mark.parametrize("seed", SEEDS)
def test_gaps_are_filled_by_the_most_probable_joint_state(seed):
    model, data = random_rows(seed)

    filled = model.impute(data)

    assert not filled.missing
    for row, whole in zip(oracle.known(data), oracle.known(filled), strict=True):
        assert row.items() <= whole.items()
        assert oracle.probability(model, whole) == pytest.approx(oracle.highest_probability(model, row))


def test_drawn_gaps_follow_their_joint_distribution():
    model = asia()
    given = {"smoke": "yes", "xray": "yes", "dysp": "no", "asia": "no", "tub": "no"}
    n, gaps = 4000, ["lung", "bronc", "either"]
    data = sl.Dataset({name: [state] * n for name, state in given.items()}).align(
        {name: model.labels[name] for name in given}
    )

    filled = model.impute(data, how="drawn", random_state=0).to_dict()

    answer = model.query(gaps, given).to_dict()
    seen = dict.fromkeys(answer, 0)
    for states in zip(*(filled[name] for name in gaps), strict=True):
        seen[states] += 1
    possible = [states for states, p in answer.items() if p > 0]
    assert sum(seen[states] for states in possible) == n
    expected = [n * answer[states] for states in possible]
    assert chisquare([seen[states] for states in possible], expected).pvalue > SURPRISE


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_the_most_probable_pair_need_not_be_made_of_the_most_probable_states(order):
    """P(a=0, b=0) = 0.4, and 0.2 for a=1 with each of three states: a=1 alone has 0.6."""
    tables = {
        "a": TableCPD([0.4, 0.6], labels=[0, 1]),
        "b": TableCPD([[1, 0, 0], [1 / 3, 1 / 3, 1 / 3]], labels=[0, 1, 2], parents=["a"]),
    }
    graph = sl.Graph(order, directed=["ab"])
    model, n = sl.BayesianNetwork(graph, tables), 3000
    nothing = sl.Dataset.from_columns(
        [DiscreteColumn("a", np.zeros(n, np.uint8), (0, 1), np.ones(n, np.bool_))]
    )

    best, drawn = (
        model.impute(nothing, how=how, random_state=0).to_dict() for how in ("most probable", "drawn")
    )

    assert model.predict(nothing, "a")["a"][0] == 1
    assert (best["a"][0], best["b"][0]) == (0, 0)
    pairs = [int(np.sum((drawn["a"] == a) & (drawn["b"] == b))) for a, b in ((0, 0), (1, 0), (1, 1), (1, 2))]
    assert sum(pairs) == n
    assert chisquare(pairs, [0.4 * n, 0.2 * n, 0.2 * n, 0.2 * n]).pvalue > SURPRISE


def test_the_same_seed_draws_the_same_gaps():
    model, data = random_rows(5)
    one, two, other = (model.impute(data, how="drawn", random_state=seed) for seed in (1, 1, 2))

    assert one == two
    assert one != other


def gaussian_network():
    return network(
        {
            "a": LinearGaussianCPD(1.0, {}, variance=2.0),
            "b": LinearGaussianCPD(0.5, {"a": 0.8}, variance=0.5),
            "c": LinearGaussianCPD(-1.0, {"a": -1.2, "b": 0.6}, variance=1.5),
            "d": LinearGaussianCPD(0.0, {"c": 0.7}, variance=0.3),
        }
    )


def moments(model):
    """Mean and covariance from a large draw's definition: (I − B)⁻¹."""
    nodes = list(model.nodes)
    slopes, noise, base = np.zeros((4, 4)), np.zeros(4), np.zeros(4)
    for i, cpd in enumerate(model.cpds.values()):
        noise[i], base[i] = cpd.variance, cpd.intercept
        for parent, slope in cpd.coefficients.items():
            slopes[i, nodes.index(parent)] = slope
    inverse = np.linalg.inv(np.eye(4) - slopes)
    return inverse @ base, inverse @ np.diag(noise) @ inverse.T


@pytest.mark.parametrize(
    "make", [lambda m: m, sl.GaussianGraphicalModel.from_bayesian], ids=["network", "field"]
)
def test_means_of_normal_nodes_are_those_of_the_textbook(make):
    model, (mean, covariance) = make(gaussian_network()), moments(gaussian_network())
    data = oracle.with_gaps(gaussian_network().sample(20, random_state=0), 0.3, 1)

    found, filled = model.predict(data), oracle.known(model.impute(data))

    for i, row in enumerate(oracle.known(data)):
        places = {"abcd".index(name): value for name, value in row.items()}
        for k, name in enumerate("abcd"):
            others = {place: value for place, value in places.items() if place != k}
            expected, _ = oracle.conditional_normal(mean, covariance, others, [k])
            assert found[name][i] == pytest.approx(expected[0], rel=1e-9)
        gaps = [k for k in range(4) if k not in places]
        expected, _ = oracle.conditional_normal(mean, covariance, places, gaps)
        assert [filled[i]["abcd"[k]] for k in gaps] == pytest.approx(expected.tolist(), rel=1e-9)


def test_drawn_numbers_have_the_covariance_that_is_left():
    model, (mean, covariance) = gaussian_network(), moments(gaussian_network())
    n = 20_000

    drawn = model.impute({"b": [2.0] * n, "d": [-1.0] * n}, how="drawn", random_state=0)

    numbers = np.array([drawn.to_dict()[name] for name in "ac"])
    expected, left = oracle.conditional_normal(mean, covariance, {1: 2.0, 3: -1.0}, [0, 2])
    np.testing.assert_allclose(numbers.mean(axis=1), expected, atol=5 * np.sqrt(left.max() / n))
    np.testing.assert_allclose(np.cov(numbers), left, atol=0.05)


def countries(order):
    """Dollars, heads and shares, with deviations from 1e12 to 0.01."""
    cpds = {
        "gdp": LinearGaussianCPD(2e12, {}, variance=1e24),
        "population": LinearGaussianCPD(1e7, {"gdp": 5e-5}, variance=1e15),
        "growth": LinearGaussianCPD(0.03, {"gdp": 5e-15, "population": 1e-10}, variance=1e-4),
        "unemployed": LinearGaussianCPD(0.1, {"growth": -1.0, "population": 1e-10}, variance=1e-4),
    }
    cpds |= {"bloc": TableCPD([0.5, 0.5], labels=["e", "w"])} if "bloc" in order else {}
    edges = [(parent, node) for node, cpd in cpds.items() for parent in cpd.parents]
    return sl.BayesianNetwork(sl.Graph(order, directed=edges), cpds)


@pytest.mark.parametrize(
    ("order", "n"),
    [
        (["gdp", "population", "growth", "unemployed"], 4000),
        (["unemployed", "growth", "population", "gdp"], 4000),
        (["gdp", "population", "growth", "unemployed", "bloc"], 1000),
        (["unemployed", "bloc", "growth", "population", "gdp"], 1000),
    ],
    ids=["causes first", "effects first", "mixed", "mixed, effects first"],
)
def test_drawn_numbers_have_their_own_units(order, n):
    drawn = countries(order).impute({"gdp": [None] * n + [2e12]}, how="drawn", random_state=0).to_dict()

    # A deviation of gdp moves the population by 5e7, and growth by 0.005 itself and by 0.005 through that.
    growth = np.sqrt(0.01**2 + 1e15 * 1e-20 + 1e-4)
    unemployed = np.sqrt((-0.01 + 0.005) ** 2 + 1e-4 + 1e-4)
    expected = {"gdp": 1e12, "population": np.sqrt(5e7**2 + 1e15), "growth": growth, "unemployed": unemployed}
    for name, deviation in expected.items():
        assert np.std(drawn[name][:n]) == pytest.approx(deviation, rel=4 / np.sqrt(2 * n)), name
    left = drawn["unemployed"] + drawn["growth"] - 1e-10 * drawn["population"]
    assert np.std(left[:n]) == pytest.approx(0.01, rel=4 / np.sqrt(2 * n))


@pytest.mark.parametrize(
    "make", [lambda m: m, sl.GaussianGraphicalModel.from_bayesian], ids=["network", "field"]
)
def test_a_difference_of_large_numbers_is_predicted_from_its_small_residual(make):
    """z is twice the 70 s between start and end, of which the prior knows 60, give or take 4."""
    model = make(
        network(
            {
                "start": LinearGaussianCPD(1.7e9, {}, variance=1e14),
                "end": LinearGaussianCPD(60.0, {"start": 1.0}, variance=16.0),
                "z": LinearGaussianCPD(0.0, {"start": -2.0, "end": 2.0}, variance=1.0),
            }
        )
    )
    known = {"start": 1.701e9, "end": 1.701e9 + 70.0}

    found = model.predict({name: [value] for name, value in known.items()}, "z")["z"]

    assert found[0] == pytest.approx(140.0, rel=1e-8)
    assert model.query("z", known).mean[0] == pytest.approx(140.0, rel=1e-8)


def mixed_network():
    regimes = {"g": ["f", "m"]}
    return network(
        {
            "g": TableCPD([0.4, 0.6], labels=["f", "m"]),
            "x": ConditionalGaussianCPD([0.0, 2.0], {}, variances=[1.0, 0.5], regimes=regimes),
            "y": ConditionalGaussianCPD(
                [1.0, -1.0], {"x": [0.5, 1.5]}, variances=[0.5, 1.0], regimes=regimes
            ),
            "h": TableCPD([[0.7, 0.3], [0.2, 0.8]], labels=[0, 1], parents=["g"]),
        }
    )


def test_mixed_networks_predict_as_they_answer():
    model = mixed_network()
    data = oracle.with_gaps(model.sample(25, random_state=0), 0.25, 3)

    means, shares = model.predict(data), model.predict_proba(data)

    for i, row in enumerate(oracle.known(data)):
        for name in "xy":
            answer = model.query(name, {other: value for other, value in row.items() if other != name})
            assert means[name][i] == pytest.approx(answer.mean[0], rel=1e-9)
        for name in "gh":
            answer = model.query(name, {other: value for other, value in row.items() if other != name})
            np.testing.assert_allclose(shares[name][i], answer.probabilities, atol=1e-12)


@pytest.mark.parametrize("unit", [1e-15, 1.0, 1e12, 1e15])
@pytest.mark.parametrize("form", [ConditionalGaussianCPD, AdditiveGaussianCPD])
def test_a_slope_in_any_units_counts_beside_a_large_intercept(unit, form):
    """x has the deviation 1 unit, y = 37 + x and noise of 0.1: y = 38 leaves 1 / 1.01 of a unit."""
    if form is ConditionalGaussianCPD:
        cpd = form([37.0, 40.0], {"x": [1 / unit, 2 / unit]}, variances=[0.01, 0.02], regimes=["k"])
    else:
        cpd = form(37.0, {"x": 1 / unit}, shifts={"k": [0.0, 3.0]}, variance=0.01)
    x = LinearGaussianCPD(0.0, {}, variance=unit**2)
    model = network({"k": TableCPD([0.5, 0.5], labels=["u", "v"]), "x": x, "y": cpd})

    found = model.predict({"k": ["u"], "y": [38.0]}, "x")["x"]

    assert found[0] / unit == pytest.approx(1 / 1.01, rel=1e-12)
    assert model.query("x", {"k": "u", "y": 38.0}).mean[0] / unit == pytest.approx(1 / 1.01, rel=1e-12)


def test_a_mixed_row_gets_its_most_probable_states_and_their_means():
    model = mixed_network()

    filled = oracle.known(model.impute({"y": [4.0]}))[0]

    answer = model.query(["g", "h"], {"y": 4.0})
    best = max(answer.to_dict(), key=answer.to_dict().get)
    assert (filled["g"], filled["h"]) == best
    assert filled["x"] == pytest.approx(model.query("x", {"y": 4.0, "g": best[0]}).mean[0])


def test_drawn_mixed_rows_follow_their_distribution():
    model, n = mixed_network(), 1500

    drawn = model.impute({"y": [0.5] * n, "h": [1] * n}, how="drawn", random_state=0).to_dict()

    answer, numbers = model.query("g", {"y": 0.5, "h": 1}), model.query("x", {"y": 0.5, "h": 1})
    assert np.mean(drawn["g"] == "f") == pytest.approx(answer["f"], abs=0.05)
    assert np.mean(drawn["x"]) == pytest.approx(numbers.mean[0], abs=0.12)


def test_a_discrete_child_of_a_number_is_predicted_from_its_blanket():
    shares = softmax_network().predict_proba({"x": [0.0, 2.0]}, "y")["y"]

    np.testing.assert_allclose(shares[:, 1], 1 / (1 + np.exp([-1.0, 3.0])))


def softmax_network():
    cpd = SoftmaxCPD([0, 1.0], {"x": [0, -2.0]}, labels=["n", "p"])
    return network({"x": LinearGaussianCPD(0.0, {}, variance=1.0), "y": cpd})


def by_quadrature(weight):
    """The mean of x under N(0, 1) times a weight, and the integral of the weight."""
    points = np.linspace(-8, 8, 20_001)
    density = np.exp(-0.5 * points**2) / np.sqrt(2 * np.pi) * weight(points)
    total = np.trapezoid(density, points)
    return np.trapezoid(points * density, points) / total, total


def test_where_there_is_no_exact_answer_weighted_rows_have_one():
    model = softmax_network()
    mean, _ = by_quadrature(lambda x: 1 / (1 + np.exp(1 - 2 * x)))
    _, share = by_quadrature(lambda x: 1 / (1 + np.exp(2 * x - 1)))

    assert model.predict({"y": ["n"]}, "x")["x"][0] == pytest.approx(mean, abs=0.04)
    assert model.predict_proba({"x": [None, 0.0]}, "y")["y"][0, 1] == pytest.approx(share, abs=0.02)
    assert model.impute({"y": ["n", None], "x": [None, 0.5]}).to_dict()["x"][0] == pytest.approx(
        mean, abs=0.04
    )
    drawn = model.impute({"y": ["n"] * 500, "x": [None] * 499 + [0.0]}, how="drawn", random_state=0)
    assert drawn.to_dict()["x"].mean() == pytest.approx(mean, abs=0.15)


def test_a_tree_over_a_number_is_no_regression_on_it():
    tree = GaussianTreeCPD(Split("x", [(0.0, 1.0), (5.0, 1.0)], at=0.5), parents={"x": []})
    model = network({"x": LinearGaussianCPD(0.0, {}, variance=1.0), "y": tree})
    mean, _ = by_quadrature(lambda x: np.exp(-0.5 * (1.0 - np.where(x <= 0.5, 0.0, 5.0)) ** 2))

    assert model.predict({"x": [0.0, 1.0]}, "y")["y"].tolist() == [0.0, 5.0]
    assert model.predict({"y": [1.0]}, "x")["x"][0] == pytest.approx(mean, abs=0.04)


def consistent_dependencies():
    """The conditionals of one joint table: P(a = b = 0) = P(a = b = 1) = 0.4."""
    graph = sl.Graph("ab", directed=["ab", "ba"], kind="cyclic")
    tables = {
        "a": TableCPD([[0.8, 0.2], [0.2, 0.8]], labels=["n", "p"], parents=["b"]),
        "b": TableCPD([[0.8, 0.2], [0.2, 0.8]], labels=["n", "p"], parents=["a"]),
    }
    return DependencyModel(graph, tables)


def test_a_dependency_network_fills_gaps_by_its_sampler():
    model = consistent_dependencies()
    data = {"a": ["n"] * 400 + ["p"] * 400, "b": [None] * 399 + ["p", *[None] * 400]}

    best, drawn = (
        model.impute(data, how=how, random_state=0).to_dict()["b"] for how in ("most probable", "drawn")
    )

    assert best[:399].tolist() == ["n"] * 399
    assert best[399:].tolist() == ["p"] * 401
    assert drawn[399] == "p"
    assert np.mean(drawn[:399] == "n") == pytest.approx(0.8, abs=0.08)


def test_columns_that_are_no_nodes_stay_and_nodes_without_a_column_get_one():
    data = sl.Dataset(
        {"id": [7, 8, 9], "smoke": ["yes", None, "no"]}, weights=[1.0, 2.0, 1.0], kinds={"id": "continuous"}
    )

    filled = asia().impute(data)

    assert filled.names[:2] == ("id", "smoke")
    assert set(filled.names) == {"id", *asia().nodes}
    assert filled.column("id") == data.column("id")
    assert filled.weights.tolist() == [1.0, 2.0, 1.0]


def test_rows_that_cannot_be_are_refused_by_number():
    rows = {"lung": ["no", "yes", "yes"], "either": ["no", "no", "no"], "xray": ["no"] * 3}

    with pytest.raises(DataError, match=r"predict: what is known in row 1, .* and 1 more rows .* smoothing"):
        asia().predict(rows, "tub")
    with pytest.raises(DataError, match=r"impute: what is known in row 1"):
        asia().impute(rows)


def test_what_cannot_be_predicted_is_refused_in_words():
    model = mixed_network()

    with pytest.raises(DataError, match=r"predict: there is no node 'z'"):
        model.predict({"g": ["f"]}, "z")
    with pytest.raises(DataError, match=r"'x' is continuous; predict gives its mean"):
        model.predict_proba({"g": ["f"]}, "x")
    with pytest.raises(DataError, match=r"value 'q' in row 0"):
        model.predict({"g": ["q", "f"]}, "h")
    with pytest.raises(OptionError, match="drawn"):
        model.impute({"g": ["f"]}, how="mean")


def test_data_without_any_node_are_refused_and_nearly_right_names_warned_of():
    with pytest.raises(DataError, match=r"predict: no column is a node of the model; its nodes are 'asia'"):
        asia().predict({"z": [1, 2]}, "lung")
    with pytest.warns(
        sl.DataWarning, match=r"column 'xrya' is no node of the model \(did you mean 'xray'\?\)"
    ):
        asia().predict({"smoke": ["yes"], "xrya": ["yes"]}, "lung")


def test_a_large_tree_is_left_for_sums_over_what_bears_on_the_answer(monkeypatch):
    model, data = random_rows(7)
    monkeypatch.setattr(doors, "MANY_PATTERNS", 0)
    monkeypatch.setattr(tree_rows, "FEW_CELLS", 0)

    for name, shares in model.predict_proba(data).items():
        np.testing.assert_allclose(shares, oracle.shares(model, data, name), atol=1e-12)


def test_numbers_beside_gaps_are_the_whole_numbers_of_the_model():
    model = network(
        {"a": TableCPD([0.5, 0.5], labels=[0, 1]), "b": TableCPD(np.eye(2), labels=[0, 1], parents=["a"])}
    )

    assert model.predict({"a": [1.0, np.nan, 0.0]}, "b")["b"].tolist() == [1, 0, 0]
    assert model.predict({"a": ["1", "0"]}, "b")["b"].tolist() == [1, 0]


@pytest.mark.slow
def test_a_hundred_thousand_rows_of_alarm_take_less_than_two_seconds():
    model = sl.load(data_file("networks/alarm.bif"))
    rows = model.sample(100_000, random_state=0)
    model.predict(rows.take(range(10)), "CATECHOL")

    begin = time.perf_counter()
    model.predict(rows, "CATECHOL")

    assert time.perf_counter() - begin < 2.0


def test_gaps_that_hang_together_are_filled_at_once_whatever_else_a_row_lacks(monkeypatch):
    model, rng = asia(), np.random.default_rng(0)
    drawn = model.sample(60, random_state=0).to_dict()
    data = {name: [None if rng.random() < 0.2 else x for x in column] for name, column in drawn.items()}
    asked = []
    batches = tables._batches
    monkeypatch.setattr(tables, "_batches", lambda *given: asked.append(given[2]) or batches(*given))

    filled = model.impute(data).to_dict()

    for row in range(60):
        known = {name: column[row] for name, column in data.items() if column[row] is not None}
        best = model.map(evidence=known) if len(known) < len(data) else None
        states = {name: column[row] for name, column in filled.items()}
        assert states == known | (best.states if best else {})
    n_patterns = len({tuple(x is None for x in row) for row in zip(*data.values(), strict=True)})
    assert len(asked) == len({tuple(pattern.tolist()) for pattern in asked}) < n_patterns


@pytest.mark.parametrize("labels", [(1, "one"), (False, "no"), (False, True), (2, 1)], ids=str)
@pytest.mark.parametrize("kind", [sl.BayesianNetwork, DependencyModel])
def test_states_come_back_with_their_types(kind, labels):
    cpds = {
        "a": TableCPD([0.5, 0.5], labels=labels),
        "b": TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=labels, parents=["a"]),
    }
    model = kind(sl.Graph("ab", directed=["ab"]), cpds)
    said = {"a": np.array([labels[1], labels[0]], dtype=object)}

    predicted = model.predict(said, "b")["b"].tolist()
    drawn = model.sample(50, random_state=0).to_dict()["a"].tolist()

    assert [(type(value), value) for value in predicted] == [(type(value), value) for value in said["a"]]
    assert {(type(value), value) for value in drawn} == {(type(value), value) for value in labels}
