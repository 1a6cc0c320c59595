"""Scores of both kinds of columns: worked examples, regressions state by state, searches."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.scores import (
    BIC,
    BDeu,
    ConditionalGaussianAIC,
    ConditionalGaussianBIC,
    ConditionalGaussianLogLikelihood,
    FamilyScores,
    GaussianBIC,
)
from structlearn.statistics import from_dataset
from tests.data_files import data_file
from tests.oracles import mixed_likelihoods as oracle
from tests.oracles.reference_data import T1, T3

SIX = sl.Dataset(
    {"y": np.array([1.0, 2, 3, 4, 6, 8]), "d": np.array([0, 0, 0, 1, 1, 1])},
    kinds={"y": "continuous", "d": "discrete"},
)


def mixed_rows(seed, n_rows):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 2, n_rows), rng.integers(0, 3, n_rows)
    x = rng.normal(size=n_rows) + a
    y = rng.normal(size=n_rows) * (1 + b) + x * (b - 1)
    return {"a": a, "b": b, "x": x, "y": y}


def mixed_table(seed, n_rows):
    kinds = {"a": "discrete", "b": "discrete", "x": "continuous", "y": "continuous"}
    return sl.Dataset(mixed_rows(seed, n_rows), kinds=kinds)


def test_six_rows_are_the_hand_calculated_ones():
    """From docs/references/scores.md#mixed-scores."""
    likelihoods, bic = (
        FamilyScores(score, from_dataset(SIX))
        for score in (ConditionalGaussianLogLikelihood(), ConditionalGaussianBIC())
    )

    assert likelihoods.local(0, []) == pytest.approx(-13.717434, abs=1e-6)
    assert likelihoods.local(0, [1]) == pytest.approx(-9.376677, abs=1e-6)
    assert bic.local(0, []) == pytest.approx(-15.509194, abs=1e-6)
    assert bic.local(0, [1]) == pytest.approx(-12.960196, abs=1e-6)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**31), parents=st.sets(st.sampled_from("abx")))
def test_a_continuous_family_is_a_regression_in_each_state(seed, parents):
    columns = mixed_rows(seed, 300)
    discrete = [columns[p] for p in sorted(parents & {"a", "b"})]
    predictors = [columns["x"]] if "x" in parents else []
    expected = 0.0
    for rows in oracle.groups(*discrete) if discrete else [np.arange(300)]:
        expected += oracle.gaussian(columns["y"][rows], [column[rows] for column in predictors])
    n_states = math.prod({"a": 2, "b": 3}.get(p, 1) for p in parents)
    n_parameters = n_states * (len(predictors) + 2)
    statistics = from_dataset(mixed_table(seed, 300))
    columns_of_parents = ["abxy".index(p) for p in parents]

    def found(score):
        return FamilyScores(score, statistics).local(3, columns_of_parents)

    assert found(ConditionalGaussianLogLikelihood()) == pytest.approx(expected, abs=1e-8)
    assert found(ConditionalGaussianAIC()) == pytest.approx(expected - n_parameters, abs=1e-8)
    bic = expected - 0.5 * n_parameters * math.log(300)
    assert found(ConditionalGaussianBIC()) == pytest.approx(bic, abs=1e-8)


def test_a_state_with_too_few_rows_takes_the_regression_on_all_rows():
    columns = mixed_rows(0, 60)
    columns["a"] = np.array([1] * 2 + [0] * 58)
    kinds = dict.fromkeys("ab", "discrete") | dict.fromkeys("xy", "continuous")
    families = FamilyScores(
        ConditionalGaussianLogLikelihood(), from_dataset(sl.Dataset(columns, kinds=kinds))
    )
    of_all = oracle.residuals(columns["y"], [columns["x"]])
    variance = np.mean(of_all**2)
    expected = oracle.gaussian(columns["y"][2:], [columns["x"][2:]])
    expected += sum(-0.5 * (math.log(2 * math.pi * variance) + r * r / variance) for r in of_all[:2])

    assert families.local(3, [0, 2]) == pytest.approx(expected, abs=1e-9)


def test_a_discrete_column_cannot_have_a_continuous_parent():
    families = FamilyScores(ConditionalGaussianBIC(), from_dataset(mixed_table(1, 100)))

    assert families.local(0, [2]) == -math.inf
    assert families.local(0, [1, 2]) == -math.inf
    assert math.isfinite(families.local(0, [1]))


def test_a_state_without_variance_scores_minus_infinity():
    columns = {"d": np.array([0] * 10 + [1] * 10), "y": np.array([1.0] * 10 + list(range(10)))}
    data = sl.Dataset(columns, kinds={"d": "discrete", "y": "continuous"})

    assert FamilyScores(ConditionalGaussianBIC(), from_dataset(data)).local(1, [0]) == -math.inf


@pytest.mark.parametrize(
    ("data", "plain"), [(T1, BIC()), (T3, GaussianBIC())], ids=["discrete", "continuous"]
)
def test_columns_of_one_kind_score_as_their_own_bic(data, plain):
    a, b, c = data.names
    graph = sl.Graph(data.names, directed=[(a, b), (c, b)])

    assert sl.score(graph, data, "bic-cg") == sl.score(graph, data, plain)


def test_weights_score_like_repeated_rows():
    columns, weights = mixed_rows(4, 40), np.arange(40) % 3 + 1
    kinds = dict.fromkeys("ab", "discrete") | dict.fromkeys("xy", "continuous")
    weighted = from_dataset(sl.Dataset(columns, kinds=kinds, weights=weights.astype(float)))
    repeated = {name: np.repeat(column, weights) for name, column in columns.items()}
    plain = from_dataset(sl.Dataset(repeated, kinds=kinds))

    expected = FamilyScores(ConditionalGaussianBIC(), plain).local(3, [0, 2])

    assert FamilyScores(ConditionalGaussianBIC(), weighted).local(3, [0, 2]) == pytest.approx(
        expected, abs=1e-8
    )


def test_bic_of_a_mixed_table_leads_a_search_to_its_arcs():
    data = mixed_table(7, 2000)

    found = sl.HillClimbing(score="bic").fit(data)

    arcs = {(edge.source, edge.target) for edge in found.graph_.edges}
    assert arcs == {("a", "x"), ("b", "y"), ("x", "y")}
    assert found.score_ == pytest.approx(sl.score(found.graph_, data, "bic"), abs=1e-9)


def test_scores_of_one_kind_refuse_a_mixed_table_by_name():
    graph = sl.Graph("abxy")
    with pytest.raises(sl.DataError, match=r"'bdeu' has no form for columns of two kinds, discrete \(a, b\)"):
        sl.score(graph, mixed_table(0, 50), "bdeu")
    with pytest.raises(sl.DataError, match="takes discrete columns"):
        sl.score(graph, mixed_table(0, 50), BDeu())
    with pytest.raises(sl.DataError, match="takes continuous columns, and this table has discrete columns"):
        sl.score(sl.Graph("ABC"), T1, GaussianBIC())


def test_the_published_mixed_table_scores_as_in_the_references():
    data = sl.Dataset(data_file("tables/clgaussian.test.csv"))
    families = {"D": "AH", "F": "BC", "E": "BD", "G": "ADEF"}
    graph = sl.Graph("ABCDEFGH", directed=[(u, v) for v, parents in families.items() for u in parents])

    assert sl.score(graph, data, "loglik") == pytest.approx(-20074.107879, abs=1e-5)
    assert sl.score(graph, data, "bic") == pytest.approx(-20291.296305, abs=1e-5)


@pytest.mark.parametrize("unit", [1e-10, 1e8, 1e10])
def test_units_of_a_column_do_not_matter_where_a_stratum_is_sparse(unit):
    rng = np.random.default_rng(0)
    n = 200
    g = np.array(["a", "b"] * 99 + ["a", "rare"])
    x = rng.normal(size=n)
    y = x + np.where(g == "b", 3.0, 0.0) + 0.3 * rng.normal(size=n)
    graph = sl.Graph("gxy", directed=["gy", "xy"])

    plain, other = sl.score(graph, {"g": g, "x": x, "y": y}), sl.score(graph, {"g": g, "x": unit * x, "y": y})

    assert other == pytest.approx(plain - n * math.log(unit), rel=1e-9)


def test_a_sparse_stratum_has_no_likelihood_where_all_rows_are_collinear():
    rng = np.random.default_rng(0)
    x = 1e8 * rng.normal(size=21)
    columns = {"d": [0, 1] * 10 + [2], "x": x, "u": rng.normal(size=21), "y": x / 1e8}
    statistics = from_dataset(sl.Dataset(columns, kinds={"d": "discrete"}))
    score = FamilyScores(ConditionalGaussianLogLikelihood(), statistics)

    assert score.local(3, [0, 1]) == -math.inf
    assert score.local(3, [0, 1, 2]) == -math.inf
    assert math.isfinite(score.local(3, [0, 2]))
