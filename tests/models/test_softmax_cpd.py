"""Softmax regressions agree with hand calculations, with scikit-learn and with their own derivatives."""

import itertools
import json
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

import structlearn as sl
from structlearn.data import Dataset, DiscreteColumn
from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.models import TableCPD
from structlearn.models.cpds import observed_cells
from structlearn.models.cpds.softmax import SoftmaxCPD
from structlearn.numerics import softmax_newton
from structlearn.numerics.softmax_newton import SoftmaxRegression
from tests.oracles.cpds import family_of, is_separated

pytestmark = pytest.mark.kernels

# One binary parent, three states: saturated, so that log odds are those of the shares.
COUNTS = {"0": (10, 20, 30), "1": (25, 15, 20)}


@pytest.fixture
def rows():
    cells = [(x, str(k), n) for x, row in COUNTS.items() for k, n in enumerate(row)]
    return {"x": [x for x, _, n in cells for _ in range(n)], "y": [y for _, y, n in cells for _ in range(n)]}


@pytest.fixture
def mixed():
    rng = np.random.default_rng(0)
    n = 400
    a, b = rng.integers(0, 3, n), rng.normal(50, 10, n)
    scores = np.column_stack([np.zeros(n), 0.5 * a - 0.02 * b, np.where(a == 2, 1.0, -0.5) + 0.01 * b])
    y = (scores + rng.gumbel(size=(n, 3))).argmax(axis=1)
    return {"a": np.array(["p", "q", "r"])[a], "b": b, "y": np.array(["u", "v", "w"])[y]}


def fitted(data, weights=None, **options):
    dataset = Dataset(data, weights=weights)
    return SoftmaxCPD.fit(family_of(dataset, "y", [name for name in dataset.names if name != "y"]), **options)


def numbers(cpd):
    return np.concatenate([cpd.intercepts, *(values.ravel() for values in cpd.weights.values())])


def test_without_a_penalty_the_worked_example_has_the_log_odds_of_its_shares(rows):
    cpd = fitted(rows, penalty=0.0)

    assert cpd.intercepts == pytest.approx([0, math.log(2), math.log(3)], abs=1e-8)
    expected = [0, math.log(15 / 25) - math.log(2), math.log(20 / 25) - math.log(3)]
    assert cpd.weights["x"][0] == pytest.approx(expected, abs=1e-8)
    codes = [np.array([int(value) for value in rows[name]]) for name in "yx"]
    assert cpd.log_probability(codes[0], codes[1:]).sum() == pytest.approx(-125.3376355064, abs=1e-9)
    assert cpd.n_parameters == 4
    assert not cpd.separated


def test_with_one_parent_it_is_the_table(rows):
    dataset = Dataset(rows)

    table = TableCPD.fit(family_of(dataset, "y", ["x"]))

    np.testing.assert_allclose(fitted(rows, penalty=0.0).as_table(), table.probabilities, rtol=1e-8)
    np.testing.assert_allclose(fitted(rows).as_table(), table.probabilities, rtol=1e-4)


@pytest.mark.parametrize("penalty", [0.1, 1.0, 20.0])
def test_two_states_are_the_logistic_regression_of_scikit_learn(mixed, penalty):
    mixed["y"] = np.where(mixed["y"] == "u", "u", "v")
    cpd = fitted(mixed, penalty=penalty)

    standardised = (mixed["b"] - mixed["b"].mean()) / mixed["b"].std()
    design = np.column_stack([mixed["a"] == "q", mixed["a"] == "r", standardised])
    peer = LogisticRegression(C=1 / penalty, tol=1e-10, max_iter=1000).fit(design, mixed["y"])

    slopes = [*cpd.weights["a"][:, 1], cpd.weights["b"][1] * mixed["b"].std()]
    assert slopes == pytest.approx(peer.coef_[0].tolist(), abs=1e-6)
    at_the_mean = cpd.intercepts[1] + cpd.weights["b"][1] * mixed["b"].mean()
    assert at_the_mean == pytest.approx(peer.intercept_[0], abs=1e-6)


def test_three_states_are_the_multinomial_regression_of_scikit_learn(mixed):
    cpd = fitted(mixed, penalty=0.0)

    standardised = (mixed["b"] - mixed["b"].mean()) / mixed["b"].std()
    design = np.column_stack([mixed["a"] == "q", mixed["a"] == "r", standardised])
    peer = LogisticRegression(C=1e9, tol=1e-10, max_iter=5000).fit(design, mixed["y"])

    codes = [np.searchsorted(["p", "q", "r"], mixed["a"]), mixed["b"]]
    for state in range(3):
        found = np.exp(cpd.log_probability(np.full(400, state), codes))
        np.testing.assert_allclose(found, peer.predict_proba(design)[:, state], atol=1e-5)


@pytest.fixture
def regression():
    rng = np.random.default_rng(4)
    design = np.column_stack([np.ones(12), rng.normal(size=(12, 2))])
    return SoftmaxRegression(design, rng.integers(0, 9, (12, 4)).astype(float), np.array([0.0, 0.3, 2.0]))


def test_derivatives_are_limits_of_differences(regression):
    rng = np.random.default_rng(5)
    weights, step = rng.normal(size=(3, 3)), 1e-5
    at = regression.derivatives(weights)

    for position in np.ndindex(3, 3):
        nudge = np.zeros((3, 3))
        nudge[position] = step
        ahead, behind = regression.derivatives(weights + nudge), regression.derivatives(weights - nudge)
        difference = (ahead.objective - behind.objective) / (2 * step)
        assert at.slope[position] == pytest.approx(difference, abs=1e-6)
        bends = (ahead.slope - behind.slope).ravel() / (2 * step)
        np.testing.assert_allclose(at.curvature[np.ravel_multi_index(position, (3, 3))], bends, atol=1e-6)


def test_the_loss_is_the_sum_of_counts_times_log_shares(regression):
    weights = np.random.default_rng(6).normal(size=(3, 3))

    total = 0.0
    for row, counts in zip(regression.design, regression.counts, strict=True):
        powers = [1.0, *(math.exp(level @ row) for level in weights)]
        total -= sum(n * math.log(power / sum(powers)) for n, power in zip(counts, powers, strict=True))

    assert regression.loss(weights) == pytest.approx(total, rel=1e-12)


def test_products_of_matrices_give_the_same_derivatives(regression, monkeypatch):
    weights = np.random.default_rng(7).normal(size=(3, 3))
    by_kernel = regression.derivatives(weights)
    monkeypatch.setattr(softmax_newton, "MOST_KERNEL_COLUMNS", 0)

    by_matrices = regression.derivatives(weights)

    assert by_matrices.objective == pytest.approx(by_kernel.objective, rel=1e-12)
    np.testing.assert_allclose(by_matrices.slope, by_kernel.slope, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(by_matrices.curvature, by_kernel.curvature, rtol=1e-10, atol=1e-10)


def test_newton_and_quasi_newton_find_the_same(regression, monkeypatch):
    newton = regression.fit()
    monkeypatch.setattr(softmax_newton, "MOST_NEWTON_PARAMETERS", 0)

    np.testing.assert_allclose(regression.fit(), newton, atol=1e-6)
    assert np.abs(regression.derivatives(newton).slope).max() < 1e-7


def test_large_families_are_fitted_from_rows_with_the_same_result(monkeypatch):
    rng = np.random.default_rng(1)
    data = {name: rng.choice(["0", "1", "2"], 300) for name in "aby"}
    from_counts = fitted(data)
    monkeypatch.setattr(observed_cells, "MOST_COUNTED_CELLS", 0)

    np.testing.assert_allclose(numbers(fitted(data)), numbers(from_counts), atol=1e-8)


def test_a_weight_of_two_is_a_row_twice(mixed):
    weights = np.where(np.arange(400) < 100, 2.0, 1.0)
    doubled = {name: np.concatenate([values, values[:100]]) for name, values in mixed.items()}

    np.testing.assert_allclose(numbers(fitted(mixed, weights=weights)), numbers(fitted(doubled)), atol=1e-6)


def test_the_unit_of_a_parent_does_not_matter(mixed):
    cpd, other = fitted(mixed), fitted({**mixed, "b": 1e6 * mixed["b"]})

    np.testing.assert_allclose(cpd.weights["b"], 1e6 * other.weights["b"], rtol=1e-6)
    np.testing.assert_allclose(cpd.intercepts, other.intercepts, rtol=1e-6)


def test_linearly_dependent_parents_share_their_weight(mixed):
    cpd, plain = fitted({**mixed, "c": mixed["b"] + 3}), fitted(mixed)

    assert cpd.weights["b"] == pytest.approx(plain.weights["b"] / 2, rel=1e-3)
    assert cpd.weights["c"] == pytest.approx(cpd.weights["b"], rel=1e-3)


@pytest.mark.filterwarnings("ignore:.*constant")
def test_a_constant_parent_has_no_weight(mixed):
    cpd, plain = fitted({**mixed, "c": np.full(400, 0.1)}), fitted(mixed)

    assert cpd.weights["c"] == pytest.approx(0, abs=1e-9)
    assert cpd.intercepts == pytest.approx(plain.intercepts, abs=1e-6)


@pytest.mark.parametrize("penalty", [None, 0.0])
def test_separated_states_are_warned_of_and_keep_finite_weights(penalty):
    b = np.linspace(-1, 1, 60)
    with pytest.warns(DataWarning, match="leave no doubt about some of its states"):
        cpd = fitted({"b": b, "y": np.where(b > 0.01, "on", "off")}, penalty=penalty)

    assert cpd.separated
    assert np.isfinite(numbers(cpd)).all()
    assert np.exp(cpd.log_probability((b > 0.01).astype(int), [b])).min() > 0.8


def test_one_empty_cell_separates(rows):
    rows = {"x": [*rows["x"], *["2"] * 8], "y": [*rows["y"], *["1"] * 8]}
    with pytest.warns(DataWarning, match="leave no doubt"):
        cpd = fitted(rows)

    assert cpd.separated
    assert cpd.as_table()[2, 1] > 0.999


@pytest.mark.parametrize("seed", range(40))
def test_separation_is_found_where_a_linear_programme_finds_it(seed):
    rng = np.random.default_rng(seed)
    cells = np.array(list(itertools.product(range(2), range(3))))
    counts = rng.poisson(rng.choice([0.5, 2.0, 8.0]), (6, 3)) * (rng.random((6, 3)) < 0.8)
    counts[0] += counts.sum(axis=0) == 0
    rows = np.repeat([(a, b, y) for a, b in cells for y in range(3)], counts.ravel(), axis=0)
    columns = [
        DiscreteColumn(name, codes, tuple("012"[:levels]))
        for name, codes, levels in zip("aby", rows.T, (2, 3, 3), strict=True)
    ]
    design = np.column_stack([np.ones(6), cells[:, 0], cells[:, 1] == 1, cells[:, 1] == 2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        cpd = SoftmaxCPD.fit(family_of(Dataset.from_columns(columns), "y", ["a", "b"]))

    assert cpd.separated == is_separated(design, counts)


def test_strong_effects_that_leave_some_doubt_are_not_separated():
    x = np.repeat(["0", "1"], 1000)
    y = np.where(x == "1", "on", "off")
    y[[0, 1500]] = ["on", "off"]

    cpd = fitted({"x": x, "y": y})

    assert not cpd.separated
    assert cpd.weights["x"][0, 1] == pytest.approx(2 * math.log(999), rel=1e-2)


def test_a_state_that_never_occurs_is_warned_of_and_smoothing_keeps_it_possible():
    columns = [
        DiscreteColumn("x", np.array([0, 0, 1, 1, 0, 1]), ("n", "y")),
        DiscreteColumn("y", np.array([0, 2, 0, 2, 2, 2]), ("a", "b", "c")),
    ]
    family = family_of(Dataset.from_columns(columns), "y", ["x"])
    with pytest.warns(DataWarning, match="'y' is never 'b'"):
        cpd = SoftmaxCPD.fit(family)

    assert cpd.separated
    assert cpd.as_table()[:, 1].max() < 1e-6
    smoothed = SoftmaxCPD.fit(family, smoothing=3)
    assert not smoothed.separated
    # Three pseudo-rows, half of them in each cell as the rows are: half a row of each state there.
    np.testing.assert_allclose(smoothed.as_table()[:, 1], 0.5 / 4.5, rtol=1e-4)


def test_without_parents_smoothing_is_that_of_a_table():
    data = {"y": ["a"] * 3 + ["b"] * 7}

    family = family_of(Dataset(data), "y", [])

    smoothed = SoftmaxCPD.fit(family, smoothing=4)
    np.testing.assert_allclose(smoothed.as_table(), TableCPD.fit(family, smoothing=4).as_table(), rtol=1e-8)


def test_very_large_sums_still_give_probabilities():
    cpd = SoftmaxCPD([0.0, 1e4, -1e4], {"x": [0.0, 1.0, 2e4]}, labels=["a", "b", "c"])

    total = sum(np.exp(cpd.log_probability(np.full(3, k), [np.array([0.0, 1.0, -1.0])])) for k in range(3))

    np.testing.assert_allclose(total, 1, rtol=1e-12)


@given(shift=st.floats(-50, 50), state=st.integers(0, 2), value=st.floats(-3, 3))
def test_only_differences_between_states_matter(shift, state, value):
    plain = SoftmaxCPD([0.0, 1.0, -2.0], {"x": [0.0, 0.5, 1.5]}, labels=["a", "b", "c"])
    shifted = SoftmaxCPD([shift, 1 + shift, shift - 2], {"x": [1.0, 1.5, 2.5]}, labels=["a", "b", "c"])

    one, two = (cpd.log_probability(np.array([state]), [np.array([value])]) for cpd in (plain, shifted))

    assert shifted.intercepts[0] == 0
    np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def test_a_network_takes_it_by_name_and_writes_it_to_a_file(mixed, tmp_path):
    graph = sl.Graph(["a", "b", "y"], directed=[("a", "y"), ("b", "y")])
    model = sl.BayesianNetwork(graph, {"y": "softmax"}).fit(mixed)

    model.save(tmp_path / "model.json")

    np.testing.assert_array_equal(numbers(model.cpds["y"]), numbers(fitted(mixed)))
    assert sl.load(tmp_path / "model.json") == model


def test_a_parent_with_one_state_has_no_weights_and_survives_json():
    cpd = SoftmaxCPD([0.0, 1.0], {"c": np.zeros((0, 2)), "x": [[0.0, 2.0]]}, labels=["a", "b"])

    assert cpd.parent_levels == {"c": 1, "x": 2}
    assert cpd.as_table().shape == (1, 2, 2)
    assert SoftmaxCPD.from_dict(json.loads(json.dumps(cpd.to_dict()))) == cpd


@pytest.mark.parametrize(
    ("intercepts", "weights", "labels", "reason"),
    [
        ([0.0, 1.0], {}, ["a"], "intercepts need a number for each of the 1 states"),
        ([0.0, math.nan], {}, ["a", "b"], "intercepts must be finite"),
        ([0.0, 1.0], {"x": [0.0]}, ["a", "b"], "weights of 'x' need a number for each of the 2 states"),
        ([0.0, 1.0], {"x": 3.0}, ["a", "b"], "weights of 'x'"),
        ([0.0, 1.0], {"x": [[0.0], [1.0, 2.0]]}, ["a", "b"], "rectangular"),
        ([0.0, 1.0], ["x"], ["a", "b"], "mapping from the name of each parent"),
        ([0.0, 1.0], {}, ["a", "a"], "labels are one or more different"),
    ],
)
def test_numbers_that_are_no_softmax_are_refused(intercepts, weights, labels, reason):
    with pytest.raises(DataError, match=reason):
        SoftmaxCPD(intercepts, weights, labels=labels)


def test_parents_that_do_not_fit_the_weights_are_refused():
    cpd = SoftmaxCPD([0.0, 1.0], {"x": [[0.0, 2.0]], "z": [0.0, 1.0]}, labels=["a", "b"])

    with pytest.raises(DataError, match="takes 'x' as a node of 2 states, and it is a node of 3 states"):
        cpd.check("y", {"x": 3, "z": 0})
    with pytest.raises(DataError, match="takes 'z' as a continuous node, and it is a node of 2 states"):
        cpd.check("y", {"x": 2, "z": 2})


def test_a_negative_penalty_is_refused(rows):
    with pytest.raises(OptionError, match=r"SoftmaxCPD.fit\(penalty=-1\)"):
        fitted(rows, penalty=-1)


def test_numbers_cannot_be_changed_from_outside():
    cpd = SoftmaxCPD([0.0, 1.0], {"x": [0.0, 1.0]}, labels=["a", "b"])

    with pytest.raises(ValueError, match="read-only"):
        cpd.intercepts[0] = 3
    assert cpd != "a softmax"
    assert cpd != SoftmaxCPD([0.0, 1.0], {"x": [[0.0, 1.0]]}, labels=["a", "b"])


def test_no_warning_where_all_is_well(mixed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not fitted(mixed).separated
