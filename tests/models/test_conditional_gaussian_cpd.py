"""Conditional Gaussians agree with a regression in each regime, and with hand calculations."""

import functools
import json
import math

import numpy as np
import pytest
from scipy.stats import norm

import structlearn as sl
from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.cpds import Family
from structlearn.models.cpds.conditional_gaussian import ConditionalGaussianCPD
from structlearn.statistics import from_dataset

# From docs/references/models.md#conditional-gaussians: two regimes with four and three rows.
HAND = {"D": [0] * 4 + [1] * 3, "u": [1.0, 2, 3, 4, 0, 1, 2], "x": [1.1, 1.9, 3.2, 3.8, 5, 4.2, 2.9]}


def family_of(data, child="x", **options):
    kinds = {name: "discrete" if name[0].isupper() else "continuous" for name in data}
    dataset = sl.Dataset(data, kinds=kinds, **options)
    parents = tuple(j for j, name in enumerate(dataset.names) if name != child)
    return Family(from_dataset(dataset), dataset.names.index(child), parents)


def log_likelihood(cpd, data):
    parents = [np.array(data[name]) for name in cpd.parents]
    return float(cpd.log_probability(np.array(data["x"]), parents).sum())


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(7)
    n = 600
    d, e, u, v = rng.integers(0, 3, n), rng.integers(0, 2, n), rng.normal(3, 2, n), rng.normal(0, 1, n)
    x = d - 2 * e + (1 + d) * u - e * v + rng.normal(0, 0.5 + e, n)
    return {"u": u, "D": d, "v": v, "E": e, "x": x}


def test_the_worked_example_comes_out():
    cpd = ConditionalGaussianCPD.fit(family_of(HAND))

    assert cpd.intercepts == pytest.approx([0.15, 5.0833333333])
    assert cpd.coefficients["u"] == pytest.approx([0.94, -1.05])
    assert cpd.variances == pytest.approx([0.0205, 0.0138888889])
    assert log_likelihood(cpd, HAND) == pytest.approx(2.0989066529 + 2.1581835789, abs=1e-8)
    assert cpd.n_parameters == 6
    assert not cpd.is_pooled.any()


def test_the_worked_example_with_one_variance_comes_out():
    cpd = ConditionalGaussianCPD.fit(family_of(HAND), pooled_variance=True)

    assert cpd.variances == pytest.approx([0.0176666667] * 2)
    assert log_likelihood(cpd, HAND) == pytest.approx(4.1936950569, abs=1e-8)
    assert cpd.n_parameters == 5


def test_a_mixture_of_two_normals_has_its_moments_and_densities():
    graph = sl.Graph(["D", "x"], directed=[("D", "x")])
    model = sl.BayesianNetwork(
        graph,
        {
            "D": TableCPD([0.7, 0.3], labels=["a", "b"]),
            "x": ConditionalGaussianCPD([0, 3], {}, variances=[1, 4], regimes=["D"]),
        },
    )

    rows = model.log_likelihood_rows(
        sl.Dataset({"D": ["a", "b"], "x": [2.0, 2.0]}, kinds={"x": "continuous"})
    )
    drawn = np.array(model.sample(100_000, random_state=0).to_dict()["x"])

    # From docs/references/models.md#conditional-gaussians.
    assert math.log(np.exp(rows).sum()) == pytest.approx(-2.4012627049)
    assert np.exp(rows[1]) / np.exp(rows).sum() == pytest.approx(0.5828672540)
    assert drawn.mean() == pytest.approx(0.9, abs=5 * math.sqrt(3.79 / 1e5))
    assert drawn.var() == pytest.approx(3.79, abs=0.12)


def test_each_regime_is_least_squares_on_its_rows(mixed):
    cpd = ConditionalGaussianCPD.fit(family_of(mixed))

    assert cpd.parents == ("D", "E", "u", "v")
    for d, e in np.ndindex(3, 2):
        inside = (mixed["D"] == d) & (mixed["E"] == e)
        design = np.column_stack([np.ones(inside.sum()), mixed["u"][inside], mixed["v"][inside]])
        solution, residual, _, _ = np.linalg.lstsq(design, mixed["x"][inside])
        found = [cpd.intercepts[d, e], cpd.coefficients["u"][d, e], cpd.coefficients["v"][d, e]]
        assert found == pytest.approx(solution, rel=1e-6)
        assert cpd.variances[d, e] == pytest.approx(residual[0] / inside.sum())
    assert cpd.n_parameters == 6 * 4


def test_one_variance_is_that_of_all_rows_around_their_lines(mixed):
    cpd = ConditionalGaussianCPD.fit(family_of(mixed), pooled_variance=True)
    free = ConditionalGaussianCPD.fit(family_of(mixed))
    sizes = np.array([[np.sum((mixed["D"] == d) & (mixed["E"] == e)) for e in range(2)] for d in range(3)])

    assert cpd.intercepts == pytest.approx(free.intercepts)
    assert cpd.variances == pytest.approx(np.full((3, 2), (free.variances * sizes).sum() / 600))


def test_the_density_is_the_normal_one_of_each_regime(mixed):
    cpd = ConditionalGaussianCPD.fit(family_of(mixed))
    d, e = mixed["D"], mixed["E"]

    mean = cpd.intercepts[d, e] + sum(cpd.coefficients[name][d, e] * mixed[name] for name in "uv")
    expected = norm.logpdf(mixed["x"], mean, np.sqrt(cpd.variances[d, e]))

    assert cpd.log_probability(mixed["x"], [d, e, mixed["u"], mixed["v"]]) == pytest.approx(expected)


def test_regimes_with_too_few_rows_take_the_regression_on_all_rows():
    data = {
        "D": [0] * 4 + [1] * 2 + [3],
        "u": [1.0, 2, 3, 4, 0, 1, 5],
        "x": [1.1, 1.9, 3.2, 3.8, 5, 4.2, 2.9],
    }
    levels = {**data, "D": [str(code) for code in data["D"]]}
    columns = sl.Dataset(levels, kinds={"u": "continuous", "x": "continuous"}).align(
        {"D": ("0", "1", "2", "3")}
    )

    cpd = ConditionalGaussianCPD.fit(Family(from_dataset(columns), 2, (0, 1)))
    pooled = LinearGaussianCPD.fit(family_of({"u": data["u"], "x": data["x"]}))

    assert cpd.is_pooled.tolist() == [False, True, True, True]  # two rows, none, one
    assert cpd.intercepts[1:] == pytest.approx([pooled.intercept] * 3)
    assert cpd.coefficients["u"][1:] == pytest.approx([pooled.coefficients["u"]] * 3)
    assert cpd.variances[1:] == pytest.approx([pooled.variance] * 3)
    assert cpd.variances[0] == pytest.approx(0.0205)


def test_without_discrete_parents_it_is_the_linear_gaussian():
    data = {name: HAND[name] for name in ("u", "x")}

    cpd, linear = ConditionalGaussianCPD.fit(family_of(data)), LinearGaussianCPD.fit(family_of(data))

    assert float(cpd.intercepts) == pytest.approx(linear.intercept)
    assert float(cpd.coefficients["u"]) == pytest.approx(linear.coefficients["u"])
    assert float(cpd.variances) == pytest.approx(linear.variance)
    assert cpd.n_parameters == linear.n_parameters


def test_a_weight_of_two_is_a_row_twice(mixed):
    weights = np.where(np.arange(600) < 200, 2.0, 1.0)
    doubled = {name: np.concatenate([values, values[:200]]) for name, values in mixed.items()}

    weighted = ConditionalGaussianCPD.fit(family_of(mixed, weights=weights))
    twice = ConditionalGaussianCPD.fit(family_of(doubled))

    assert weighted.intercepts == pytest.approx(twice.intercepts)
    assert weighted.variances == pytest.approx(twice.variances)


def test_a_regime_that_its_parents_determine_keeps_some_variance():
    data = {"D": [0] * 5 + [1] * 5, "u": [1.0, 2, 3, 4, 5] * 2, "x": [2.0, 4, 6, 8, 10, 1, 5, 2, 8, 3]}

    with pytest.warns(DataWarning, match="'x' is a linear function of its parents in 1 of 2"):
        cpd = ConditionalGaussianCPD.fit(family_of(data))

    assert cpd.variances[0] == pytest.approx(1e-10 * np.var(data["x"]))
    assert cpd.coefficients["u"][0] == pytest.approx(2)


def test_a_constant_regime_keeps_some_variance_and_a_constant_column_is_refused():
    data = {"D": [0] * 5 + [1] * 5, "x": [3.0] * 5 + [1.0, 5, 2, 8, 3]}

    with pytest.warns(DataWarning, match="1 of 2"):
        cpd = ConditionalGaussianCPD.fit(family_of(data))
    with pytest.raises(DataError, match="'x' is constant"):
        ConditionalGaussianCPD.fit(family_of({"D": [0, 1] * 5, "x": [0.1] * 10}))

    assert cpd.intercepts[0] == pytest.approx(3.0)
    assert cpd.variances.min() > 0


def test_parents_that_repeat_each_other_leave_the_fit_as_it_is(mixed):
    once = ConditionalGaussianCPD.fit(family_of({name: mixed[name] for name in ("u", "D", "x")}))
    data = {"u": mixed["u"], "D": mixed["D"], "w": 1 - 3 * mixed["u"], "x": mixed["x"]}

    twice = ConditionalGaussianCPD.fit(family_of(data))

    assert log_likelihood(twice, data) == pytest.approx(log_likelihood(once, data))


def test_a_network_of_both_kinds_takes_it_by_default():
    data = sl.Dataset({**HAND, "D": list("aaaabbb")}, kinds={"u": "continuous", "x": "continuous"})
    graph = sl.Graph(["D", "u", "x"], directed=[("D", "x"), ("u", "x")])

    usual = sl.BayesianNetwork(graph).fit(data).cpds["x"]
    pooled = functools.partial(ConditionalGaussianCPD.fit, pooled_variance=True)

    assert isinstance(usual, ConditionalGaussianCPD)
    assert sl.BayesianNetwork(graph, {"x": pooled}).fit(data).cpds["x"].pooled_variance


@pytest.mark.parametrize(
    "cpd",
    [
        ConditionalGaussianCPD(
            [1, 2], {"u": [0.5, 1]}, variances=[1, 2], regimes=["D"], is_pooled=[False, True]
        ),
        ConditionalGaussianCPD(1.5, {"u": 0.5}, variances=2, regimes=[]),
        ConditionalGaussianCPD(
            [[1, 2], [3, 4]], {}, variances=np.ones((2, 2)), regimes=["D", "E"], pooled_variance=True
        ),
    ],
    ids=repr,
)
def test_it_comes_back_from_a_file(cpd):
    back = ConditionalGaussianCPD.from_dict(json.loads(json.dumps(cpd.to_dict())))

    assert back == cpd
    assert hash(back) == hash(cpd)
    assert (str(back), repr(back), back.n_parameters) == (str(cpd), repr(cpd), cpd.n_parameters)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variances": [1, 0]}, "every variance must be larger than 0"),
        ({"variances": [1]}, "the variances have the shape"),
        ({"variances": [1, 2], "pooled_variance": True}, "the same in all regimes"),
        ({"regimes": ["D", "E"]}, "2 discrete parents need an array"),
        ({"regimes": "D" * 2}, "different names"),
        ({"regimes": ["u"]}, "not both"),
        ({"regimes": {"D": ["no"]}}, "'D' needs 2 states"),
        ({"regimes": {"D": ["no", "no"]}}, "'D' needs 2 states"),
        ({"regimes": {"D": 2}}, "'D' needs 2 states"),
        ({"coefficients": [1, 2]}, "coefficients are a mapping"),
        ({"coefficients": {"u": [1, math.nan]}}, "finite numbers"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(change, message):
    known = {"intercepts": [1, 2], "coefficients": {"u": [0.5, 1]}, "variances": [1, 2], "regimes": ["D"]}
    known |= change

    with pytest.raises(DataError, match=message):
        ConditionalGaussianCPD(known.pop("intercepts"), known.pop("coefficients"), **known)


def test_a_wrong_option_and_wrong_parents_are_refused():
    cpd = ConditionalGaussianCPD([1, 2], {"u": [0.5, 1]}, variances=[1, 2], regimes=["D"])

    with pytest.raises(OptionError, match="pooled_variance"):
        ConditionalGaussianCPD.fit(family_of(HAND), pooled_variance="yes")
    with pytest.raises(DataError, match="takes 'u' as a continuous node"):
        cpd.check("x", {"D": 2, "u": 3})


def test_regimes_are_shown_by_their_labels():
    graph = sl.Graph(["drug", "x"], directed=[("drug", "x")])
    data = {"drug": ["no", "no", "no", "yes", "yes", "yes"], "x": [0.5, 1.0, 1.5, 5.5, 6.0, 6.5]}

    lines = str(sl.BayesianNetwork(graph).fit(data).cpds["x"]).splitlines()

    assert [line.partition(",")[0] for line in lines] == ["drug = no: N(1", "drug = yes: N(6"]
