"""Weights are frequencies: what cannot be one is refused or warned of where their sum matters."""

import warnings

import numpy as np
import pytest

import structlearn as sl

RNG = np.random.default_rng(0)
A = RNG.integers(0, 2, 200)
TABLE = {"a": A, "b": np.where(RNG.random(200) < 0.8, A, 1 - A)}
GRAPH = sl.Graph("ab", directed=["ab"])

DOORS = {
    "a score": lambda data: sl.score(GRAPH, data),
    "a test": lambda data: sl.test_independence(data, "a", "b"),
    "a method": lambda data: sl.learn(data, method="hill-climbing"),
}


@pytest.fixture(params=DOORS.values(), ids=DOORS)
def door(request):
    return request.param


@pytest.mark.parametrize("total", [0.5, 1.0, 1.99])
def test_less_than_two_rows_are_refused(door, total):
    with pytest.raises(
        sl.DataError, match=rf"sum to {total:g} in 200 rows.*pass weights \* 200 / sum\(weights\)"
    ):
        door(sl.Dataset(TABLE, weights=np.full(200, total / 200)))


def test_fractions_of_rows_are_warned_of(door):
    with pytest.warns(sl.DataWarning, match="the weights sum to 100 in 200 rows, and none is above 1"):
        door(sl.Dataset(TABLE, weights=np.full(200, 0.5)))


@pytest.mark.parametrize(
    "weights",
    [np.arange(200) % 2, np.full(200, 1.0), np.full(200, 1.5), np.r_[np.full(199, 0.1), 1.5]],
    ids=["a mask", "ones", "more", "one above 1"],
)
def test_frequencies_are_taken_without_a_word(door, weights):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        door(sl.Dataset(TABLE, weights=weights))


def test_shares_made_into_frequencies_give_the_graph_of_the_rows():
    shares = np.full(200, 1.0 / 200)

    assert sl.learn(sl.Dataset(TABLE, weights=shares * 200 / shares.sum())) == sl.learn(TABLE)


def test_models_take_shares():
    model = sl.BayesianNetwork(GRAPH).fit(sl.Dataset(TABLE, weights=np.full(200, 1.0 / 200)))

    assert model.query("a").probabilities == pytest.approx([1.0 - A.mean(), A.mean()])
