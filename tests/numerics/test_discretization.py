"""Bins are what their definitions say, on any small table, and new rows fall into the same ones."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.numerics.discretization.crossed import crossed
from structlearn.numerics.discretization.scored import ScoredBins
from structlearn.numerics.discretization.single_columns import quantile_cuts, width_cuts
from tests.oracles import discretization as oracle

METHODS = ["quantile", "width", "hartemink", "score"]
NUMBERS = st.lists(st.integers(-20, 20).map(lambda n: n / 4), min_size=2, max_size=40)


def table(seed, n=40):
    """Two measurements with ties, the second by the first, and a word by both."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=n), 1)
    y = np.round(x + rng.normal(size=n), 1)
    return {"x": x, "y": y, "z": np.where(x + y > rng.normal(size=n), "u", "v")}


def columns_of(data):
    return {name: values.tolist() for name, values in sl.Dataset(data).to_dict().items()}


@settings(deadline=None)
@given(values=NUMBERS, n_bins=st.integers(2, 6))
def test_a_quantile_has_its_share_of_rows_at_or_below_it_and_no_smaller_value_has(values, n_bins):
    cuts = quantile_cuts(np.array(values), n_bins).tolist()
    different = sorted(set(values))
    wanted = set()
    for k in range(1, n_bins):
        place = next(v for v in different if sum(w <= v for w in values) * n_bins >= k * len(values))
        above = [v for v in different if v > place]
        wanted |= {(place + above[0]) / 2} if above else set()

    assert cuts == sorted(wanted)


@settings(deadline=None)
@given(values=NUMBERS, n_bins=st.integers(2, 6))
def test_bins_of_equal_width_are(values, n_bins):
    cuts = width_cuts(np.array(values), n_bins)

    if min(values) == max(values):
        assert cuts.size == 0
    else:
        assert np.diff([min(values), *cuts, max(values)]) == pytest.approx(
            (max(values) - min(values)) / n_bins
        )


@pytest.mark.parametrize("pair", [(1.0, np.nextafter(1.0, 2.0)), (-1.7e308, 1.7e308), (0.0, 5e-324)], ids=str)
@pytest.mark.parametrize("cut", [quantile_cuts, width_cuts])
def test_a_cut_lies_between_values_however_near_or_far_they_are(cut, pair):
    [found] = cut(np.array(pair), 2)

    assert pair[0] <= found < pair[1]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("gaps", [False, True])
def test_hartemink_joins_the_bins_that_lose_least_information(seed, gaps):
    data = table(seed)
    if gaps:
        data["x"][[1, 5, 9]] = np.nan
    columns = {n: [None if v != v else v for v in values] for n, values in columns_of(data).items()}  # noqa: PLR0124, NaN
    fine = {name: quantile_cuts(values[~np.isnan(values)], 6) for name, values in data.items() if name != "z"}

    found = sl.discretize(
        data, "hartemink", bins=3, initial_bins=6, kinds={"x": "continuous", "y": "continuous"}
    )

    wanted = oracle.collapsed(columns, {name: cuts.tolist() for name, cuts in fine.items()}, 3)
    assert {name: list(cuts) for name, cuts in found.discretization.cuts.items()} == wanted


@pytest.mark.parametrize("seed", range(6))
def test_scored_bins_can_be_bettered_by_no_other_cuts_of_a_column_and_by_no_other_forest(seed):
    data = table(seed, n=60)
    columns = columns_of(data)
    candidates = {name: quantile_cuts(data[name], 7) for name in "xy"}
    codes = [np.searchsorted(candidates[name], data[name]) for name in "xy"] + [
        (data["z"] == "v").astype(np.int64)
    ]
    levels = [len(candidates["x"]) + 1, len(candidates["y"]) + 1, 2]
    start = [np.array([0, 2]), np.array([0, 3]), np.array([0, 1])]
    climb = ScoredBins(crossed(codes, levels), "xyz", [4, 4, None], start, 60)
    first = climb.score()

    climb.climb()

    n_candidates = {name: len(cuts) for name, cuts in candidates.items()}
    cuts = {name: candidates[name][climb.groups[i][1:] - 1].tolist() for i, name in enumerate("xy")}
    forest = [("xyz"[i], "xyz"[j]) for i, j in climb.forest]
    score = oracle.description_score(columns, cuts, n_candidates, forest)
    assert climb.score() == pytest.approx(score)
    assert score >= first
    assert score == pytest.approx(oracle.best_forest_score(columns, cuts, n_candidates))
    for name in {name for pair in forest for name in pair} & {"x", "y"}:
        lists = {each: found.tolist() for each, found in candidates.items()}
        assert score == pytest.approx(oracle.best_cuts(columns, cuts, lists, forest, name, 4))


def test_a_score_finds_the_steps_of_a_function_and_no_more():
    x = (np.arange(2000) + 0.5) / 2000
    y = np.where(x < 0.2, "low", np.where(x < 0.7, "middle", "high"))

    found = sl.discretize({"x": x, "y": y}, "score", bins=6, initial_bins=40).discretization.cuts["x"]

    assert found == pytest.approx([0.2, 0.7])


@pytest.mark.parametrize("method", METHODS)
def test_new_rows_fall_into_the_same_bins(method):
    data = sl.example("wine")
    cut = sl.discretize(data, method, bins=3, initial_bins=8)

    again = cut.discretization.apply(data.take(np.arange(20)))
    frame = pd.DataFrame(data.take(np.arange(20)).to_dict())

    assert again == cut.take(np.arange(20))
    assert cut.discretization.apply(frame).select(list(cut.discretization.cuts)) == again.select(
        list(cut.discretization.cuts)
    )
    assert pickle.loads(pickle.dumps(cut.discretization)) == cut.discretization  # noqa: S301, our own
    assert set(cut.kinds.values()) == {"discrete"}
    assert cut.select(["hue"]).discretization.cuts.keys() == {"hue"}


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_columns_and_rows_does_not_matter(method):
    data = sl.example("wine")
    backwards = data.select(data.names[::-1]).take(np.arange(data.n_rows)[::-1])

    one, other = (sl.discretize(each, method, initial_bins=8).discretization for each in (data, backwards))

    assert dict(one.cuts) == dict(other.cuts)


def test_values_beyond_all_that_were_seen_are_in_the_end_bins_and_missing_ones_stay_missing():
    cut = sl.discretize({"x": [0.5, 1.5, 2.5, None]}, bins=3).discretization

    found = cut.apply({"x": [-1e9, 1e9, None, 1.0, 2]})

    assert found.to_dict()["x"].tolist() == ["≤ 1", "> 2", None, "≤ 1", "1 to 2"]


def test_some_columns_are_cut_after_others_and_both_are_known():
    data = sl.example("iris")
    first = sl.discretize(data, bins=2, columns=["sepal length (cm)"])

    both = sl.discretize(first, "width", bins=4)

    assert {name: len(cuts) for name, cuts in both.discretization.cuts.items()} == {
        name: 1 if name == "sepal length (cm)" else 3 for name in data.names[:4]
    }
    assert both.discretization.method == "quantile, width"
    assert both.discretization.apply(data) == both


def test_names_of_bins_have_digits_enough_to_differ():
    cut = sl.Discretization({"x": [1.00001, 1.00002, 1.00003]})

    assert cut.labels["x"] == ("≤ 1.00001", "1.00001 to 1.00002", "1.00002 to 1.00003", "> 1.00003")


@pytest.mark.parametrize(
    ("cuts", "labels"),
    [
        ([6454174.5, 9070946.0], ("≤ 6454000", "6454000 to 9071000", "> 9071000")),
        ([0.0, 0.00025], ("≤ 0", "0 to 0.00025", "> 0.00025")),
        ([-1.5e300, 2e-30], ("≤ -1.5e+300", "-1.5e+300 to 2e-30", "> 2e-30")),
        ([1.0, 1.0 + 2**-52], ("≤ 1", "1 to 1.0000000000000002", "> 1.0000000000000002")),
    ],
    ids=str,
)
def test_names_of_bins_read_as_people_write_numbers(cuts, labels):
    assert sl.Discretization({"x": cuts}).labels["x"] == labels


def test_a_model_of_bins_is_saved_and_read_back(tmp_path):
    data = sl.discretize(sl.example("iris"))
    model = sl.BayesianNetwork(sl.learn(data)).fit(data)

    for ending in (".json", ".bif"):
        model.save(tmp_path / f"net{ending}")
        assert sl.load(tmp_path / f"net{ending}").log_likelihood(data) == pytest.approx(
            model.log_likelihood(data)
        )


@pytest.mark.filterwarnings("ignore:'x'. a single value")
def test_a_constant_column_has_one_bin_and_a_warning():
    assert sl.discretize({"x": [0.5, 0.5], "y": [1.5, 2.5]}).labels["x"] == ("all",)
    with pytest.warns(sl.DataWarning, match="'x': a single value"):
        sl.discretize({"x": [0.5, 0.5]})


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ({"x": ["a", "b"]}, {}, "every column is discrete already"),
        ({"x": [0.5, 1.5]}, {"bins": 1}, "bins is how many bins a column has at most, a whole number"),
        ({"x": [0.5, 1.5]}, {"method": "deciles"}, "method is how columns are cut, one of 'quantile'"),
        ({"x": [0.5, 1.5]}, {"columns": ["y"]}, "there is no column 'y'"),
        ({"x": [0.5, 1.5], "y": list("ab")}, {"columns": ["y"]}, "'y' is discrete already"),
        ({"x": [0.5, 1.5]}, {"method": "hartemink"}, "judged by other columns, and there are none"),
        (
            {f"x{j}": np.arange(800) ** 1.5 for j in range(30)},
            {"method": "score", "initial_bins": 600},
            "Lower initial_bins",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_cut_is_refused(data, options, message):
    with pytest.raises(ValueError, match=message):
        sl.discretize(data, **options)


def test_cuts_that_do_not_increase_are_refused():
    for cuts in ([2, 1], [1, 1], [math.nan], [[1]]):
        with pytest.raises(sl.OptionError, match="the cuts of 'x' are numbers that increase"):
            sl.Discretization({"x": cuts})
    with pytest.raises(sl.OptionError, match="there is no column 'x'"):
        sl.Discretization({"x": [1.0]}).apply({"y": [1.0]})


@pytest.mark.parametrize("method", ["quantile", "width", "hartemink", "score"])
def test_more_bins_than_rows_are_refused(method):
    table = {"x": np.linspace(0, 1, 30), "y": np.linspace(1, 5, 30) ** 2}
    with pytest.raises(sl.OptionError, match=r"discretize\(bins=31\): 30 rows cannot fill so many bins"):
        sl.discretize(table, method, bins=31)
    assert sl.discretize(table, "width", bins=30).labels["x"] != ()


@pytest.mark.parametrize("method", METHODS)
def test_rows_count_as_often_as_their_weights_say(method):
    rng = np.random.default_rng(0)
    x, weights = rng.normal(size=60), rng.integers(0, 4, 60)
    table = {"x": x, "y": x + rng.normal(size=60)}

    found = sl.discretize(sl.Dataset(table, weights=weights), method)

    written = {name: np.repeat(column, weights) for name, column in table.items()}
    assert found.discretization.cuts == sl.discretize(written, method).discretization.cuts


def test_of_weights_that_are_no_whole_numbers_a_warning_says_that_rows_are_cut():
    table = sl.Dataset({"x": np.arange(12.0)}, weights=[0.5, 1.5] * 3 + [0] * 6)

    with pytest.warns(sl.DataWarning, match="whatever their weights"):
        found = sl.discretize(table)

    assert found.discretization.cuts == sl.discretize({"x": np.arange(6.0)}).discretization.cuts
