"""Rows that follow each other: told by Ljung and Box's test, rarely told of rows in no order.

Numbers: docs/references/time.md#rows-that-follow-each-other.
"""

import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.independence.effective_z import EffectiveZ, effective_size
from structlearn.independence.fisher_z import FisherZ
from structlearn.learners import rows_in_order
from structlearn.learners.rows_in_order import columns_in_order, ljung_box, runs_test
from structlearn.statistics import from_dataset
from tests.learners.time.series import W, autoregressive

SAID = "rows look as if they followed each other in time, or were sorted"
ONE_BLOCK = np.zeros(12, dtype=np.int64)


def in_order(table):
    return [name for name, *_ in columns_in_order(from_dataset(sl.Dataset(table)))]


def test_the_statistic_of_a_small_series_is_what_is_worked_out():
    series, steps = W["x"][:, None], np.diff(W["x"])[:, None]

    p_value, strongest, lag = ljung_box(series, ONE_BLOCK, 3)
    assert (p_value[0], strongest[0], lag[0]) == pytest.approx((0.0054470, 0.6836339, 1), abs=1e-6)
    p_value, strongest, lag = ljung_box(steps, ONE_BLOCK[1:], 3)
    assert (p_value[0], strongest[0], lag[0]) == pytest.approx((0.1570452, -0.5561497, 1), abs=1e-6)


def test_the_runs_of_a_small_series_about_its_median_are_what_is_worked_out():
    above = (W["x"] > np.median(W["x"])).astype(np.int64)[:, None]

    p_value, stays = runs_test(above, ONE_BLOCK)

    assert p_value[0] == pytest.approx(0.0692799, abs=1e-6)
    assert stays[0] == pytest.approx((7 - 4) / (7 - 1))


def switching(n_rows, stay, rng, n_states=2):
    """States that stay with a probability, and else are drawn anew."""
    states = rng.integers(0, n_states, n_rows)
    for t in range(1, n_rows):
        if rng.random() < stay:
            states[t] = states[t - 1]
    return np.array([f"state {code}" for code in states])


@pytest.mark.parametrize("n_states", [2, 4])
def test_states_that_stay_are_told_and_states_in_no_order_are_not(n_states):
    rng = np.random.default_rng(0)
    tables = [
        {name: switching(200, stay, rng, n_states) for name in "abc"} for stay in [0.5] * 20 + [0.0] * 60
    ]

    found = [in_order(table) for table in tables]

    assert np.mean([len(names) for names in found[:20]]) >= 2.8
    assert sum(map(bool, found[20:])) <= 1
    table = sl.Dataset({"a": switching(2000, 0.5, rng)})
    assert columns_in_order(from_dataset(table))[0][1] == pytest.approx(0.5, abs=0.05)


def test_tables_of_counts_and_of_designs_are_sorted_and_mean_no_order_in_time():
    a, b = np.repeat(["no", "yes"], 40), np.tile(np.repeat(["low", "high"], 20), 2)
    times = np.tile(["before", "after"], 40)

    assert in_order({"a": a, "b": b}) == []
    assert in_order({"a": a, "b": b, "x": np.random.default_rng(0).normal(size=80)}) == []
    assert in_order({"a": a, "b": b, "c": times}) == []


def test_two_hundred_rows_that_follow_each_other_count_as_twenty_one():
    assert effective_size(200, 0.9, 0.9) == pytest.approx(20.9945, abs=1e-4)


@pytest.mark.parametrize(("a", "rejected"), [(0.0, 0.065), (0.5, 0.118), (0.9, 0.525)])
def test_plain_correlation_rejects_independence_the_more_the_longer_columns_remember(a, rejected):
    columns = np.random.default_rng(0).normal(size=(300, 800))
    for t in range(1, 300):
        columns[t] += a * columns[t - 1]
    statistics = from_dataset(sl.Dataset({f"v{j:03}": column for j, column in enumerate(columns[100:].T)}))

    plain, effective = (
        np.mean(test.many(statistics, np.arange(800).reshape(400, 2)).p_value < 0.05)
        for test in (FisherZ(), EffectiveZ())
    )

    assert plain == pytest.approx(rejected, abs=0.07)  # two shares of 400, .035 apart at most by chance
    assert 0.02 <= effective <= 0.09  # .05 asked for


def heard(learner, table):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        learner.fit(table)
    return [str(warning.message) for warning in found if SAID in str(warning.message)]


@pytest.mark.parametrize("learner", [sl.PC(), sl.HillClimbing(), sl.GraphicalLasso(), sl.ARACNE()], ids=str)
def test_two_random_walks_are_warned_of_once_by_any_method_for_samples(learner):
    a, b = np.cumsum(np.random.default_rng(0).normal(size=(2, 100)), axis=1)

    said = heard(learner, {"a": a, "b": b})

    assert len(said) == 1
    assert "columns such as 'a', 'b' are like themselves" in said[0]
    assert "100 such rows say as much as some" in said[0]


def test_all_of_thirty_pairs_of_random_walks_are_told_and_most_would_have_an_edge():
    walks = np.cumsum(np.random.default_rng(1).normal(size=(30, 2, 100)), axis=2)

    assert all(in_order({"a": a, "b": b}) for a, b in walks)
    assert sum(len(sl.PC().fit({"a": a, "b": b}).graph_.edges) for a, b in walks) >= 20


def test_shuffled_rows_and_methods_in_time_hear_nothing():
    walks = np.cumsum(np.random.default_rng(0).normal(size=(2, 100)), axis=1)
    shuffled = np.random.default_rng(1).permutation(walks.T).T

    assert heard(sl.PC(), dict(zip("ab", shuffled, strict=True))) == []
    assert heard(sl.PCMCI(), dict(zip("ab", walks, strict=True))) == []
    assert heard(sl.PC(), sl.Dataset(dict(zip("ab", walks, strict=True)), rows="independent")) == []
    assert (
        heard(sl.PC(), sl.Dataset(dict(zip("ab", walks, strict=True)), rows="independent").select("ba")) == []
    )


def test_tables_in_no_order_are_rarely_told():
    rng = np.random.default_rng(0)

    found = [
        in_order({f"c{j}": column for j, column in enumerate(rng.normal(size=(10, 200)))}) for _ in range(200)
    ]

    assert sum(map(bool, found)) <= 6  # one in a hundred at most; six are two standard deviations more


def test_columns_that_follow_themselves_are_told_among_others():
    tables = [autoregressive([0.5 * np.eye(10)], 200, np.random.default_rng(seed)) for seed in range(20)]

    found = [len(in_order(dict(zip("abcdefghij", rows.T, strict=True)))) for rows in tables]

    assert np.mean(found) >= 9.5


def test_rows_sorted_by_class_are_looked_at_within_classes():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], 60)
    sorted_rows = {"x": 5.0 * groups + rng.normal(size=180), "y": rng.normal(size=180)}
    walk = np.concatenate([np.cumsum(rng.normal(size=60)) for _ in range(3)])
    named = {"class": np.array(["p", "q", "r"])[groups]}

    assert in_order(sorted_rows) == ["x"]
    assert in_order(sorted_rows | named) == []
    assert in_order(sorted_rows | named | {"w": walk}) == ["w"]


def test_rows_of_experiments_in_turn_are_compared_with_their_own():
    rng = np.random.default_rng(0)
    targets = np.tile(["", "a", "b"], 100)
    a = rng.normal(size=300) + 5.0 * (targets == "a")
    table = {"a": a, "b": a + rng.normal(size=300) - 9.0 * (targets == "b"), "set": targets}
    walk = table | {"b": np.cumsum(rng.normal(size=300)) + 9.0 * (targets == "b")}

    assert heard(sl.HillClimbing(), {name: table[name] for name in "ab"})
    assert heard(sl.HillClimbing(targets="set"), table) == []
    assert len(heard(sl.HillClimbing(targets="set"), walk)) == 1


def test_few_rows_constants_weights_and_sorted_states_are_not_looked_at():
    walk = np.cumsum(np.random.default_rng(0).normal(size=100))

    assert in_order({"a": walk[:19]}) == []
    assert in_order({"a": walk, "b": np.full(100, 0.5)}) == ["a"]
    assert in_order({"a": np.repeat(["no", "yes"], 50)}) == []
    assert columns_in_order(from_dataset(sl.Dataset({"a": walk}, weights=np.full(100, 2.0)))) == []


def test_heavy_tails_do_not_matter():
    rows = np.random.default_rng(0).standard_cauchy(size=(40, 5, 100))

    assert sum(bool(in_order(dict(zip("abcde", table, strict=True)))) for table in rows) <= 2


def test_a_wide_table_is_looked_at_in_part():
    walks = np.cumsum(np.random.default_rng(0).normal(size=(60, 120)), axis=0)

    found = in_order({f"c{j}": walks[:, j] for j in range(120)})

    assert 40 <= len(found) <= 50
    assert {"c0", "c119"} & set(found)


def test_a_wrong_word_for_rows_is_refused():
    with pytest.raises(sl.OptionError, match=r"rows='any'\).*what the order of the rows means"):
        sl.Dataset({"a": [1.5, 2.5]}, rows="any")


def test_columns_of_many_states_are_looked_at_a_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(4)
    codes, blocks = rng.integers(0, (2, 5, 3, 9, 4), (60, 5)), np.repeat([0, 1, 2], 20)
    at_once = runs_test(codes, blocks)
    monkeypatch.setattr(rows_in_order, "MOST_CELLS", 20)

    np.testing.assert_array_equal(runs_test(codes, blocks), at_once)
    np.testing.assert_array_equal(at_once[0][:1], runs_test(codes[:, :1], blocks)[0])


def test_a_table_is_looked_at_once_however_many_methods_learn_from_it(monkeypatch):
    looks, look = [], rows_in_order.runs_test
    monkeypatch.setattr(rows_in_order, "runs_test", lambda *rows: looks.append(len(rows[0])) or look(*rows))
    table = sl.Dataset({"b": ["u", "u", "v", "v"] * 15, "a": ["x", "y", "y"] * 20})

    sl.BOSS().fit(table)
    sl.HillClimbing().fit(table)
    sl.PC().fit(table)
    sl.BOSS(knowledge=sl.Knowledge(forbidden=[("a", "b")])).fit(sl.Dataset(table, rows=None))

    assert looks == [60, 60]  # the last one is another table


def test_rows_in_order_are_told_by_each_fit():
    table = sl.Dataset({"b": ["u"] * 30 + ["v"] * 30 + ["u"] * 30, "a": ["x", "y", "y"] * 30})

    for _ in range(2):
        with pytest.warns(UserWarning, match=SAID):
            sl.BOSS().fit(table)
