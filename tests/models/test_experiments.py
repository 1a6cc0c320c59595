"""Rows of experiments follow the network with some nodes set, shifted or given other distributions."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models import LinearGaussianCPD, PointCPD, TableCPD


def gaussian(intercept, variance, **slopes):
    return LinearGaussianCPD(intercept, slopes, variance=variance)


CANCER = sl.example("cancer")
# x → y → z and x → z: y = 1 + 2 x + e, z = 3 y − x + e.
LINE = sl.BayesianNetwork(
    sl.Graph("xyz", directed=["xy", "yz", "xz"]),
    {
        "x": gaussian(0.0, 1.0),
        "y": gaussian(1.0, 1.0, x=2.0),
        "z": gaussian(0.0, 1.0, y=3.0, x=-1.0),
    },
)


def drawn(model, *experiments, **options):
    return sl.sample(model, list(experiments), random_state=0, **options).to_dict()


def test_a_number_of_rows_is_a_sample_of_the_model_as_it_is():
    assert sl.sample(LINE, 50, random_state=3) == LINE.sample(50, random_state=3)
    assert sl.sample(LINE, sl.Experiment(50), random_state=3) == LINE.sample(50, random_state=3)


def test_the_rows_come_in_the_order_of_the_experiments_and_say_what_was_changed():
    together = sl.Experiment(2, do={"x": 1.0}, shift={"z": 2.0})
    data = drawn(LINE, 3, sl.Experiment(1, do={"y": 0.0}), together)

    assert list(data) == ["x", "y", "z", "targets"]
    assert data["targets"].tolist() == [None, None, None, "y", "x, z", "x, z"]
    assert data["y"][3] == 0.0
    assert data["x"][4:].tolist() == [1.0, 1.0]


def test_a_node_that_is_set_cuts_its_parents_off_and_moves_what_follows():
    data = drawn(LINE, sl.Experiment(20_000, do={"y": 2.0}))

    assert set(data["y"]) == {2.0}
    assert np.cov(data["x"], data["z"])[0, 1] == pytest.approx(-1.0, abs=0.05)  # by hand: −1 · var x
    assert data["z"].mean() == pytest.approx(6.0, abs=0.05)


def test_states_that_are_set_have_the_effects_that_the_network_tells():
    data = drawn(CANCER, sl.Experiment(20_000, do={"Cancer": "True"}))
    told = CANCER.query("Xray", do={"Cancer": "True"})["positive"]

    assert set(data["Cancer"]) == {"True"}
    assert np.mean(data["Xray"] == "positive") == pytest.approx(told, abs=0.015)
    assert np.mean(data["Smoker"] == "True") == pytest.approx(0.3, abs=0.015)


def test_a_node_can_be_set_to_a_value_of_its_own_in_every_row():
    values = np.linspace(-1.0, 1.0, 5)
    numbers = drawn(LINE, sl.Experiment(5, do={"x": values}))
    states = drawn(CANCER, sl.Experiment(3, do={"Smoker": ["True", "False", "True"]}))

    assert numbers["x"].tolist() == values.tolist()
    assert states["Smoker"].tolist() == ["True", "False", "True"]


def test_a_shift_comes_on_top_of_what_the_parents_say():
    plain, shifted = drawn(LINE, 500), drawn(LINE, sl.Experiment(500, shift={"y": 4.0}))

    assert shifted["y"] == pytest.approx(plain["y"] + 4.0)
    assert shifted["z"] == pytest.approx(plain["z"] + 12.0)
    assert shifted["x"] == pytest.approx(plain["x"])


def test_a_soft_change_replaces_a_distribution_and_may_replace_the_parents():
    backwards = sl.Experiment(20_000, soft={"x": gaussian(0.0, 9.0), "y": PointCPD(1.5)})
    data = drawn(LINE, backwards)

    assert np.var(data["x"]) == pytest.approx(9.0, abs=0.4)
    assert set(data["y"]) == {1.5}
    other = sl.Experiment(2_000, soft={"z": gaussian(5.0, 0.01), "x": slope_on_z()})
    data = drawn(LINE, other)
    assert data["x"] == pytest.approx(2.0 * data["z"], abs=0.6)


def slope_on_z():
    """x = 2 z + e: an arrow against the order of the model, where z has no parents any more."""
    return gaussian(0.0, 0.01, z=2.0)


def test_targets_feed_the_learners():
    data = sl.sample(LINE, [300, sl.Experiment(300, do={"y": np.random.default_rng(1).normal(size=300)})])
    found = sl.GreedyEquivalence(targets="targets").fit(data)

    assert set(found.graph_.directed) >= {("x", "y"), ("y", "z")}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sl.Experiment(0), "number of rows to draw"),
        (lambda: sl.Experiment(1, do={"x": 1}, shift={"x": 1}), "named twice"),
        (lambda: sl.sample(LINE, []), "experiments are numbers of rows"),
        (lambda: sl.sample(LINE, ["x"]), "experiments are numbers of rows"),
        (lambda: sl.sample(LINE, 5, column="x"), "a node of the model"),
        (lambda: sl.sample(LINE, sl.Experiment(5, do={"w": 1})), "no node 'w'"),
        (lambda: sl.sample(LINE, sl.Experiment(5, do={"x": "high"})), "takes finite numbers"),
        (lambda: sl.sample(LINE, sl.Experiment(5, do={"x": np.inf})), "takes finite numbers"),
        (lambda: sl.sample(LINE, sl.Experiment(5, do={"x": [1.0, 2.0]})), "one for each of 5 rows"),
        (lambda: sl.sample(CANCER, sl.Experiment(5, do={"Smoker": "maybe"})), "no state 'maybe'"),
        (lambda: sl.sample(CANCER, sl.Experiment(5, shift={"Smoker": 1.0})), "only numbers can be shifted"),
        (
            lambda: sl.sample(LINE, sl.Experiment(5, soft={"x": TableCPD([0.5, 0.5], labels=["u", "v"])})),
            "other states",
        ),
        (lambda: sl.sample(LINE, sl.Experiment(5, soft={"x": slope_on_z()})), "make a cycle"),
    ],
)
def test_experiments_that_make_no_sense_are_refused(make, message):
    with pytest.raises((sl.DataError, sl.OptionError), match=message):
        make()


def test_names_with_commas_are_refused_only_where_they_could_be_mistaken():
    model = sl.BayesianNetwork(sl.Graph(["a,b", "c"]), {"a,b": gaussian(0.0, 1.0), "c": gaussian(0.0, 1.0)})
    alone = sl.sample(model, [100, sl.Experiment(50, do={"a,b": 1.0})], random_state=0)

    assert sl.HillClimbing(targets="targets").fit(alone).experiments_ == {(): 100, ("a,b",): 50}
    with pytest.raises(sl.DataError, match="has a comma"):
        sl.sample(model, sl.Experiment(5, do={"a,b": 1.0, "c": 2.0}))


def test_a_node_with_the_name_of_two_that_are_set_together_is_refused():
    names = ["a", "b", "a, b"]
    model = sl.BayesianNetwork(sl.Graph(names), dict.fromkeys(names, gaussian(0.0, 1.0)))

    assert drawn(model, sl.Experiment(2, do={"a": 1.0}))["targets"].tolist() == ["a", "a"]
    with pytest.raises(sl.DataError, match="'a, b' has a comma"):
        sl.sample(model, sl.Experiment(5, do={"a": 1.0, "b": 2.0}))


@pytest.mark.parametrize("n", [np.int64(4), np.uint8(4)])
def test_a_number_of_numpy_is_a_number_of_rows(n):
    assert sl.sample(LINE, n, random_state=0) == sl.sample(LINE, 4, random_state=0)
    assert sl.sample(LINE, [n, 2], random_state=0).n_rows == 6


@pytest.mark.parametrize("experiments", [2.5, None, True, -1, "12", {"x": 1.0}])
def test_what_is_no_number_of_rows_is_refused_by_name(experiments):
    with pytest.raises(sl.OptionError, match=r"sample\(.*numbers of rows|the number of rows to draw"):
        sl.sample(LINE, experiments)


def test_integers_and_shifts_of_nothing_are_numbers():
    plain, same = drawn(LINE, 5), drawn(LINE, sl.Experiment(5, shift={"z": 0}))

    assert drawn(LINE, sl.Experiment(2, do={"x": 3}))["x"].tolist() == [3.0, 3.0]
    assert same["z"].tolist() == plain["z"].tolist()
    assert same["targets"].tolist() == ["z"] * 5


def test_a_network_is_fitted_to_the_rows_in_which_each_node_was_not_set():
    acted = sl.Experiment(300, do={"y": np.random.default_rng(2).normal(size=300)})
    data = sl.sample(LINE, [300, acted], random_state=0)
    columns = data.to_dict()
    cells = columns.pop("targets")
    fitted = sl.BayesianNetwork(LINE.graph).fit(data, targets="targets")
    untouched = sl.BayesianNetwork(LINE.graph).fit({name: values[:300] for name, values in columns.items()})
    everything = sl.BayesianNetwork(LINE.graph).fit(columns)

    assert fitted.cpds["y"].coefficients == untouched.cpds["y"].coefficients
    assert fitted.cpds["z"].coefficients == everything.cpds["z"].coefficients
    assert (
        abs(everything.cpds["y"].coefficients["x"] - 2.0)
        > 0.5
        > abs(fitted.cpds["y"].coefficients["x"] - 2.0)
    )
    again = sl.BayesianNetwork(LINE.graph).fit(columns, targets=cells)
    assert again.cpds["y"].variance == fitted.cpds["y"].variance


def test_states_keep_their_places_in_rows_left_out():
    data = sl.sample(CANCER, [400, sl.Experiment(400, do={"Cancer": "True"})], random_state=0)
    fitted = sl.BayesianNetwork(CANCER.graph).fit(data, targets="targets", smoothing=1.0)
    share = fitted.query("Cancer")["True"]

    assert fitted.cpds["Cancer"].labels == CANCER.cpds["Cancer"].labels
    assert share == pytest.approx(CANCER.query("Cancer")["True"], abs=0.02)


def test_a_node_that_was_always_set_and_estimated_gaps_are_refused():
    data = {"x": [1.0, 2.0, 3.0], "y": [2.0, 1.0, 4.0], "z": [1.0, 1.5, 0.0]}
    with pytest.raises(sl.DataError, match="'x' was set in every row"):
        sl.BayesianNetwork(LINE.graph).fit(data, targets={"x": [0, 1, 2]})
    with pytest.raises(sl.OptionError, match="gaps are not estimated"):
        sl.BayesianNetwork(LINE.graph).fit(data, targets={"x": [0]}, missing="em")
