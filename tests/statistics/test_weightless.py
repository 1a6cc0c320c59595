"""A row of weight 0 is as if it were not there, whatever it holds and wherever it stands."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.models import TableCPD
from structlearn.statistics import from_dataset

RNG = np.random.default_rng(0)
N = 40
STATE = np.array(["a"] * 3 + ["b", "c"] * 18 + ["b"])
NUMBER = np.round(RNG.normal(size=N), 1)
WEIGHTS = np.where(np.arange(N) < 2, 0.0, 1.0)
WEIGHTS[2] = 5.0  # of the state "a" a single row counts: the number is constant there
MIXED = {"v": NUMBER, "e": STATE}
GRAPH = sl.Graph("ve", directed=["ev"])


def both(table, weights=WEIGHTS):
    """The table with its rows of weight 0, and without them."""
    kept = {name: np.asarray(column)[weights > 0.0] for name, column in table.items()}
    return sl.Dataset(table, weights=weights), sl.Dataset(kept, weights=weights[weights > 0.0])


def test_a_group_that_is_constant_but_for_such_rows_has_no_variance():
    found = [both(mixed_table(seed), odd_weights(seed)) for seed in range(60)]  # rounding shows in some

    for with_them, without in found:
        moments = from_dataset(with_them).grouped_moments([1], np.array([[0]]))
        assert moments.sizes[0, 0] == with_them.weights[2]
        assert moments.products[0, 0].item() == 0.0
        assert sl.test_independence(with_them, "v", "e") == sl.test_independence(without, "v", "e")


def mixed_table(seed):
    rng = np.random.default_rng(seed)
    return {"v": rng.normal(rng.choice([0.0, 10.0, 1e6]), rng.choice([1e-3, 1.0, 1e3]), N), "e": STATE}


def odd_weights(seed):
    return np.where(np.arange(N) < 2, 0.0, np.random.default_rng(seed).uniform(0.5, 3.0, N))


def test_tests_scores_and_methods_do_not_see_them():
    with_them, without = both(MIXED)

    assert sl.test_independence(with_them, "v", "e") == sl.test_independence(without, "v", "e")
    assert sl.score(GRAPH, with_them) == sl.score(GRAPH, without)
    assert sl.PC().fit(with_them).graph_ == sl.PC().fit(without).graph_
    assert sl.HillClimbing().fit(with_them).graph_ == sl.HillClimbing().fit(without).graph_


def test_gaps_in_such_rows_hide_nothing():
    gaps = np.where(np.arange(N) == 0, np.nan, NUMBER)
    with_them, without = both({"v": gaps, "e": STATE})

    for missing in ("drop", "testwise"):
        found = [sl.test_independence(data, "v", "e", missing=missing) for data in (with_them, without)]
        assert found[0] == found[1]


def test_resamples_are_not_drawn_from_them():
    few = np.where(np.arange(N) < 35, 0.0, 20.0)  # most resamples of all rows would have none that counts
    with_them, without = both({name: RNG.normal(size=N) for name in "tuvw"}, few)
    drawn = sl.EdgeConfidence(sl.ChowLiu(), n_resamples=20, random_state=0)

    assert drawn.fit(with_them).confidence_ == drawn.fit(without).confidence_


def test_models_still_say_something_of_each_row():
    numbers = {"v": NUMBER, "u": RNG.normal(size=N)}
    with_them, without = both(numbers)
    model = sl.GaussianGraphicalModel(sl.Graph("vu", undirected=["uv"])).fit(with_them)

    assert model.log_likelihood_rows(with_them).shape == (N,)
    assert model.log_likelihood(with_them) == pytest.approx(model.log_likelihood(without))


def with_a_state_of_its_own():
    """A table of states with a row of weight 0 that has states of its own, and the table without that row."""
    rng = np.random.default_rng(7)
    a = rng.integers(0, 2, 200)
    flipped = [np.where(rng.random(200) < share, 1 - a, a) for share in (0.1, 0.2, 0.3)]
    rows = {name: np.array([*"xy"])[codes] for name, codes in zip("abcd", (a, *flipped), strict=True)}
    weights = rng.integers(1, 3, 200).astype(float)
    more = {name: np.r_[["only here"], values] for name, values in rows.items()}
    return sl.Dataset(more, weights=np.r_[0.0, weights]), sl.Dataset(rows, weights=weights)


CHAIN = sl.Graph("abcd", directed=["ab", "ac", "ad"])


def test_a_state_of_such_rows_alone_is_none():
    with_it, without = with_a_state_of_its_own()

    assert from_dataset(with_it).labels == from_dataset(without).labels
    assert sl.score(CHAIN, with_it) == sl.score(CHAIN, without)
    assert sl.BOSS().fit(with_it).graph_ == sl.BOSS().fit(without).graph_
    found, expected = (sl.latent_classes(data, random_state=0) for data in (with_it, without))
    assert (found.tried, found.n_classes) == (expected.tried, expected.n_classes)
    network = sl.BayesianNetwork(CHAIN)
    cpds = [network.fit(data, smoothing=1.0).cpds for data in (with_it, without)]
    assert cpds[0] == cpds[1]
    assert network.log_likelihood(with_it) == network.log_likelihood(without)


def test_a_state_that_was_declared_stays():
    with_it, without = with_a_state_of_its_own()
    states = ("only here", "x", "y")
    table = TableCPD([0.2, 0.4, 0.4], labels=states)
    networks = [
        sl.BayesianNetwork(sl.Graph("a"), {"a": table}).fit(data.select("a")) for data in (with_it, without)
    ]

    assert networks[0].labels == networks[1].labels == {"a": states}
    declared = without.align({"a": ("x", "nowhere", "y")})
    idle = sl.Dataset(declared, weights=np.r_[0.0, without.weights[1:]])
    assert from_dataset(idle).labels[0] == ("x", "nowhere", "y")


def test_folds_have_the_states_of_rows_that_count():
    with_it, without = with_a_state_of_its_own()
    found, expected = (sl.cross_validate([CHAIN], data, cv=3, random_state=0) for data in (with_it, without))

    assert [fold.tolist() for fold in found.folds] == [(fold + 1).tolist() for fold in expected.folds]
    for name, measures in expected.measures.items():
        for measure, values in measures.items():
            assert found.measures[name][measure].tolist() == values.tolist()


def test_targets_of_such_rows_are_none():
    with_it, without = with_a_state_of_its_own()
    targets = [None, *["b"] * 50, *[None] * 150]
    found = sl.HillClimbing(targets=["a", *targets[1:]]).fit(with_it)

    assert found.graph_ == sl.HillClimbing(targets=targets[1:]).fit(without).graph_


def test_gaps_in_such_rows_are_not_refused():
    with_it, without = with_a_state_of_its_own()
    gap = {name: [None, *values] for name, values in without.to_dict().items()}
    gapped = sl.Dataset(gap, weights=with_it.weights)

    assert sl.HillClimbing().fit(gapped).graph_ == sl.HillClimbing().fit(without).graph_
    assert sl.HillClimbing(missing="em").fit(gapped).graph_ == sl.HillClimbing().fit(without).graph_
    assert sl.BayesianNetwork(CHAIN).fit(gapped).cpds == sl.BayesianNetwork(CHAIN).fit(without).cpds
