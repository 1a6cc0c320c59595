"""Regressions on the columns that were chosen, beside scikit-learn."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.learners.network.dependency.local import Columns
from structlearn.learners.network.dependency.refits import Refitter
from structlearn.learners.network.dependency.regressions import strongest
from structlearn.models.cpds import CPDS
from structlearn.statistics import from_dataset

N = 600


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    s = rng.integers(0, 3, N)
    x = 50 + 4 * rng.normal(size=N)
    z = np.array([0.0, 2.0, -1.0])[s] + 0.3 * x + rng.normal(size=N)
    t = (rng.random(N) < 1 / (1 + np.exp(-(0.4 * (x - 50) + np.array([0.0, 1.0, -1.0])[s])))).astype(int)
    return {"s": s, "t": t, "x": x, "z": z}


def columns_of(table, knowledge=None, weights=None):
    dataset = sl.Dataset(table, weights=weights)
    return Columns.of("test", from_dataset(dataset), knowledge or Knowledge())


def cpd_of(local):
    return CPDS[local.conditional["form"]].from_dict(local.conditional)


def indicators(rows):
    return np.column_stack([rows["s"] == 1, rows["s"] == 2, rows["x"]]).astype(float)


def test_a_measurement_on_states_and_measurements_is_least_squares(rows):
    local = Refitter(columns_of(rows)).local(3, [0, 2])
    line = LinearRegression().fit(indicators(rows), rows["z"])
    left = rows["z"] - line.predict(indicators(rows))

    cpd = cpd_of(local)

    assert cpd.form == "additive-gaussian"
    assert cpd.shifts["s"] == pytest.approx((0.0, *line.coef_[:2]))
    assert cpd.coefficients == pytest.approx({"x": line.coef_[2]})
    assert cpd.intercept == pytest.approx(line.intercept_)
    assert cpd.variance == pytest.approx(left.var())
    assert local.score == pytest.approx(cpd.log_probability(rows["z"], [rows["s"], rows["x"]]).sum())


def test_a_parent_is_worth_what_the_likelihood_loses_without_it(rows):
    local = Refitter(columns_of(rows)).local(3, [0, 2])

    for parent, others in ((0, [[2]]), (2, [[0, 1]])):
        design = indicators(rows)[:, others[0]]
        left = rows["z"] - LinearRegression().fit(design, rows["z"]).predict(design)
        without = -0.5 * N * (np.log(2 * np.pi * left.var()) + 1)
        assert local.gains[parent] == pytest.approx(local.score - without)


def test_a_binary_column_is_a_logistic_regression_but_for_a_row(rows):
    cpd = cpd_of(Refitter(columns_of(rows)).local(1, [0, 2]))
    logit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000)
    design = indicators(rows) - [0, 0, 50]
    logit.fit(design, rows["t"])

    shares = np.exp(cpd.log_probability(np.ones(N, dtype=int), [rows["s"], rows["x"]]))

    np.testing.assert_allclose(shares, logit.predict_proba(design)[:, 1], atol=0.02)
    assert cpd.form == "softmax"


def test_a_column_of_three_states_has_weights_for_each(rows):
    cpd = cpd_of(Refitter(columns_of(rows)).local(0, [3]))
    design = ((rows["z"] - rows["z"].mean()) / rows["z"].std())[:, None]
    logit = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(design, rows["s"])

    shares = np.exp([cpd.log_probability(np.full(N, k), [rows["z"]]) for k in range(3)]).T

    np.testing.assert_allclose(shares, logit.predict_proba(design), atol=0.02)


def test_without_parents_the_shares_of_the_states_are_left(rows):
    local = Refitter(columns_of(rows)).local(0, [])

    counts = np.bincount(rows["s"]) + 1 / 3
    shares = np.exp(cpd_of(local).log_probability(np.arange(3), []))
    np.testing.assert_allclose(shares, counts / counts.sum(), rtol=1e-6)
    assert local.gains == {}


def test_a_state_that_never_occurs_keeps_a_little_probability():
    column = sl.data.DiscreteColumn("a", np.array([0, 1] * 10, dtype=np.uint8), ("no", "yes", "maybe"))
    columns = Columns.of("test", from_dataset(sl.Dataset.from_columns([column])), Knowledge())

    cpd = cpd_of(Refitter(columns).local(0, []))

    assert np.exp(cpd.log_probability(np.array([2]), []))[0] == pytest.approx(1 / 3 / 21, rel=1e-4)


def test_a_column_that_others_determine_keeps_some_variance():
    x = np.arange(20.0) + 0.5
    local = Refitter(columns_of({"x": x, "y": 2 * x + 1 + np.repeat([0.0, 1e-9], 10)})).local(1, [0])

    assert 0 < cpd_of(local).variance < 1e-6 * np.var(2 * x)


def test_a_constant_is_a_point():
    local = Refitter(columns_of({"x": [0.5, 1.5, 0.25], "k": [2.5, 2.5, 2.5]})).local(1, [])

    assert local.conditional == {"form": "point", "value": 2.5}
    assert (local.gains, local.score) == ({}, 0.0)


def test_rows_without_weight_are_not_there():
    table = {"x": [0.5, 1.5, 99.0], "y": [1.5, 2.5, -7.5]}
    columns = columns_of(table, weights=[2.0, 3.0, 0.0])

    assert columns.values.tolist() == [[0.5, 1.5], [1.5, 2.5]]
    assert columns.size == 5.0
    mean, variance = columns.mean_and_variance(0)
    assert mean == pytest.approx((2 * 0.5 + 3 * 1.5) / 5)
    assert variance == pytest.approx((2 * (0.5 - mean) ** 2 + 3 * (1.5 - mean) ** 2) / 5)


@pytest.mark.parametrize(("child", "parents"), [(3, [0, 2]), (1, [0, 2]), (0, [3]), (2, [])])
def test_a_row_of_weight_two_is_two_rows(rows, child, parents):
    few = {name: column[:60] for name, column in rows.items()}
    n_times = 1 + np.arange(60) % 3
    weighted = Refitter(columns_of(few, weights=n_times)).local(child, parents)

    repeated = {name: np.repeat(column, n_times) for name, column in few.items()}
    expected = Refitter(columns_of(repeated)).local(child, parents)

    assert weighted.score == pytest.approx(expected.score, rel=1e-6)
    assert weighted.gains == pytest.approx(expected.gains, rel=1e-4)
    values = [few[name] for name in np.array(list(few))[parents]]
    own = few["stxz"[child]]
    one, other = (cpd_of(local).log_probability(own, values) for local in (weighted, expected))
    assert one == pytest.approx(other, abs=1e-4)


def test_knowledge_says_who_may_and_must_explain_whom():
    knowledge = Knowledge(required=[("x", "y")], forbidden=[("y", "x")])

    columns = columns_of({"k": [1, 1, 1], "x": [0, 1, 0], "y": [1, 1, 0]}, knowledge)

    assert columns.is_allowed.tolist() == [[False, True, True], [False, False, False], [False, True, False]]
    assert columns.is_required.tolist() == [[False] * 3, [False] * 3, [False, True, False]]


def test_of_too_many_parents_the_largest_coefficients_stay_and_what_is_required():
    knowledge = Knowledge(required=[("a", "d")])
    rng = np.random.default_rng(0)
    columns = columns_of(dict(zip("abcd", rng.normal(size=(4, 9)), strict=True)), knowledge)
    coefficients = np.zeros((4, 4))
    coefficients[3] = [0.0, 0.2, -0.9, 0.0]

    assert strongest(coefficients, columns, None)[3].tolist() == [True, True, True, False]
    assert strongest(coefficients, columns, 2)[3].tolist() == [True, False, True, False]
    assert strongest(coefficients, columns, 0)[3].tolist() == [True, False, False, False]
