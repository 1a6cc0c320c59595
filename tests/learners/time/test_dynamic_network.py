"""Dynamic networks: scores by hand, the best of all networks, recovery, unrolling."""

from itertools import product

import numpy as np
import pytest

import structlearn as sl
from structlearn.data import Knowledge
from structlearn.learners.time.learner import KnownInTime
from structlearn.learners.time.slices.best_slices import best_slices
from structlearn.run import Run
from structlearn.search.space import Space
from structlearn.statistics import from_dataset
from structlearn.statistics.lagged import lagged_table
from tests.learners.time.series import D

IN_TIME = {"time": "t", "series": "id"}


def lagged_d():
    return lagged_table("Somebody", from_dataset(sl.Dataset(D, kinds={"t": "continuous"})), [1], **IN_TIME)


@pytest.mark.parametrize(
    ("child", "parents", "bic"),
    [
        ("u", [], -10.880242),
        ("u", ["u[t-1]"], -12.090446),
        ("u", ["v[t-1]"], -9.697759),
        ("u", ["u[t-1]", "v[t-1]"], -11.346540),
        ("v", [], -10.880242),
        ("v", ["u[t-1]"], -2.639057),
        ("v", ["v[t-1]"], -12.199771),
        ("v", ["u[t-1]", "v[t-1]"], -5.278115),
        ("v", ["u[t]"], -12.090446),
        ("v", ["u[t-1]", "u[t]"], -5.278115),
    ],
)
def test_families_of_a_small_table_score_what_is_worked_out(child, parents, bic):
    table = lagged_d().statistics
    space = Space.of("Somebody", table, Knowledge(), Run("Somebody"), score="bic")
    place = table.names.index

    assert space.scores.local(place(f"{child}[t]"), [place(p) for p in parents]) == pytest.approx(
        bic, abs=1e-6
    )


@pytest.mark.parametrize("within", [False, True])
def test_the_best_network_of_a_small_table(within):
    learner = sl.DynamicNetwork(**IN_TIME, contemporaneous=within).fit(D)

    assert set(learner.graph_.directed) == {("u[t-1]", "v[t]"), ("v[t-1]", "u[t]")}
    assert learner.score_ == pytest.approx(-12.336816, abs=1e-6)
    assert learner.is_best_


def test_the_score_may_be_another():
    learner = sl.DynamicNetwork(**IN_TIME, score="bdeu").fit(D)

    assert learner.score_ == pytest.approx(-10.268509 - 2.390354, abs=1e-6)


class RandomScore:
    """A number drawn for each family, whatever the data."""

    takes = ("continuous",)

    def __init__(self, seed):
        self._seed = seed

    def local(self, _statistics, families):
        found = [self._one(int(family[0]), sorted(family[1:].tolist())) for family in families]
        return np.array(found)

    def _one(self, child, parents):
        return np.random.default_rng([self._seed, child, *[p + 1 for p in parents]]).normal()


def dags_of_three():
    pairs = [(0, 1), (0, 2), (1, 2)]
    for states in product([None, 0, 1], repeat=3):
        parents = [[], [], []]
        for (a, b), state in zip(pairs, states, strict=True):
            if state is not None:
                source, target = (a, b) if state else (b, a)
                parents[target].append(source)
        if sorted(map(len, parents)) != [1, 1, 1]:  # a cycle of three
            yield parents


def best_by_brute_force(score):
    """Over all DAGs within a step, and for each variable all sets of the three lagged columns."""
    lagged = [[3 + j for j in range(3) if chosen >> j & 1] for chosen in range(8)]
    return max(
        sum(max(score._one(child, sorted([*now[child], *past])) for past in lagged) for child in range(3))
        for now in dags_of_three()
    )


def best_of_random_scores(seed):
    rows = np.random.default_rng(0).normal(size=(20, 3))
    table = lagged_table("Somebody", from_dataset(sl.Dataset(dict(zip("abc", rows.T, strict=True)))), [1])
    score, run = RandomScore(seed), Run("Somebody")
    known = KnownInTime.of(Knowledge(), table.variables)
    space = Space.of("Somebody", table.statistics, Knowledge(), run, score=score)
    parents = best_slices(space.within(known.limits(table, within_step=True)), 3, run)
    assert parents[3:] == [[], [], []]
    return sum(score._one(child, sorted(parents[child])) for child in range(3))


def test_there_are_twenty_five_dags_of_three_nodes():
    assert len(list(dags_of_three())) == 25


@pytest.mark.parametrize("seed", range(3))
def test_no_network_scores_more_than_the_best(seed):
    assert best_of_random_scores(seed) == pytest.approx(best_by_brute_force(RandomScore(seed)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 200))
def test_no_network_scores_more_than_the_best_of_two_hundred(seed):
    assert best_of_random_scores(seed) == pytest.approx(best_by_brute_force(RandomScore(seed)))


PARENTS = {"a": "bc", "b": "cd", "c": "da", "d": "ab"}


def simulated(n_series, length, seed):
    """Each state is 1 with probability .9 where one of two was 1 a step ago, else .15."""
    rng = np.random.default_rng(seed)
    states = rng.integers(0, 2, (n_series, 1, 4))
    for _ in range(length - 1):
        before = dict(zip("abcd", states[:, -1].T, strict=True))
        is_any = np.column_stack([before[p] | before[q] for p, q in PARENTS.values()])
        states = np.concatenate(
            [states, (rng.random((n_series, 1, 4)) < np.where(is_any, 0.9, 0.15)[:, None])], 1
        )
    table = dict(zip("abcd", states.reshape(-1, 4).T.astype(int), strict=True))
    return table | {"id": np.repeat(np.arange(n_series), length), "t": np.tile(np.arange(length), n_series)}


def is_found(n_series, length, seed):
    graph = sl.DynamicNetwork(**IN_TIME).fit(simulated(n_series, length, seed)).graph_
    return set(graph.directed) == {
        (f"{p}[t-1]", f"{child}[t]") for child, both in PARENTS.items() for p in both
    }


def test_a_network_of_four_is_found_from_fifty_series():
    assert all(is_found(50, 20, seed) for seed in range(5))


@pytest.mark.slow
def test_a_network_of_four_is_found_in_a_hundred_runs():
    assert np.mean([is_found(50, 20, seed) for seed in range(100)]) >= 0.95


@pytest.mark.parametrize("search", ["hill-climbing", "boss", sl.ExactSearch(), sl.GreedyEquivalence])
def test_any_search_by_score_may_look_for_it(search):
    table = simulated(50, 20, 0)
    if search is sl.GreedyEquivalence:
        with pytest.raises(sl.OptionError, match="search is what looks for the best arcs"):
            sl.DynamicNetwork(**IN_TIME, search=search).fit(table)
        return
    learner = sl.DynamicNetwork(**IN_TIME, search=search).fit(table)

    assert learner.graph_ == sl.DynamicNetwork(**IN_TIME).fit(table).graph_
    assert not learner.is_best_


def test_another_word_for_a_search_is_refused():
    with pytest.raises(sl.OptionError, match="no search 'pc'"):
        sl.DynamicNetwork(search="pc").fit({"u": D["u"], "v": D["v"]})


def test_beginnings_are_learned_from_twenty_series():
    few, many = (sl.DynamicNetwork(**IN_TIME).fit(simulated(n, 6, 1)) for n in (19, 40))

    assert (few.initial_is_learned_, many.initial_is_learned_) == (False, True)
    assert few.initial_ == sl.Graph(["a[0]", "b[0]", "c[0]", "d[0]"])


def test_a_network_is_unrolled_step_by_step():
    table = {"id": np.repeat(np.arange(40), 8), "t": np.tile(np.arange(8), 40)}
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 40, 8))
    for t in range(8):
        x[:, t] += 1.5 * x[:, t - 1] * (t > 0)
        y[:, t] += x[:, t] + (t > 0) * y[:, t - 1] + (t > 1) * 2.0 * x[:, t - 2]
    learner = sl.DynamicNetwork(
        **IN_TIME, lags=2, contemporaneous=True, knowledge=sl.Knowledge(tiers=[["x"], ["y"]])
    ).fit(table | {"x": x.ravel(), "y": y.ravel()})
    arcs = {("x[t-1]", "x[t]"), ("y[t-1]", "y[t]"), ("x[t]", "y[t]"), ("x[t-2]", "y[t]")}

    assert set(learner.graph_.directed) == arcs
    graph = learner.unrolled(5)
    assert graph.nodes[:4] == ("x[0]", "y[0]", "x[1]", "y[1]")
    assert len(graph) == 10
    assert len(graph.edges) - len(learner.initial_.edges) == 12  # 3 · (1 + 2 + 1)
    assert graph.edge("x[2]", "y[4]").kind == "directed"
    assert graph.edge("x[0]", "y[2]").kind == "directed"


def test_context_may_be_a_parent_and_has_none():
    rng = np.random.default_rng(0)
    site = np.repeat(rng.integers(0, 2, 30), 10)
    table = {
        "id": np.repeat(np.arange(30), 10),
        "t": np.tile(np.arange(10), 30),
        "site": np.array(["north", "south"])[site],
        "u": (rng.random(300) < np.where(site, 0.9, 0.2)).astype(int),
    }

    learner = sl.DynamicNetwork(**IN_TIME).fit(table)

    assert learner.graph_.directed == (("site[t]", "u[t]"),)
    assert learner.unrolled(3) == sl.Graph(
        ["site[0]", "u[0]", "u[1]", "u[2]"], directed=[("site[0]", f"u[{step}]") for step in range(3)]
    )
    assert learner.unrolled(5) == learner.model(table).unrolled(5).graph


def test_own_past_is_kept_where_asked_for():
    table = {"u": np.random.default_rng(0).integers(0, 2, 100)}

    assert sl.DynamicNetwork().fit(table).graph_.edges == ()
    assert sl.DynamicNetwork(own_past=True).fit(table).graph_.directed == (("u[t-1]", "u[t]"),)


def test_one_row_with_its_lags_is_refused():
    with pytest.raises(sl.DataError, match="2 rows"):
        sl.DynamicNetwork().fit({"u": [0.5, 1.5], "v": [1.0, 0.25]})


def three_steps(n_series=400, seed=0):
    """A state that stays with probability .9 at the first step, and .2 at the second."""
    rng = np.random.default_rng(seed)
    states = rng.integers(0, 2, size=(n_series, 3))
    for t, stays in ((1, 0.9), (2, 0.2)):
        states[:, t] = np.where(rng.random(n_series) < stays, states[:, t - 1], 1 - states[:, t - 1])
    return states, {"id": np.repeat(np.arange(n_series), 3), "s": states.ravel()}


def test_each_step_has_the_shares_of_that_step_and_a_tied_model_those_of_all():
    states, table = three_steps()
    learner = sl.DynamicNetwork(series="id", own_past=True).fit(table)

    by_step, tied = learner.model_by_step(table, 3), learner.model(table)

    assert set(by_step.nodes) == {"s[0]", "s[1]", "s[2]"}
    for t in (1, 2):
        for before in (0, 1):
            share = np.mean(states[states[:, t - 1] == before, t] == before)
            found = by_step.query([f"s[{t}]"], evidence={f"s[{t - 1}]": before})
            assert found.probabilities[before] == pytest.approx(share)
    pooled = np.mean(states[:, 1:][states[:, :-1] == 0] == 0)
    assert tied.forecast({"s": [0]}, 1).probabilities["s"][0, 0] == pytest.approx(pooled)


def test_steps_that_too_few_series_have_are_refused():
    _, table = three_steps(30)
    learner = sl.DynamicNetwork(series="id").fit(table)

    with pytest.raises(sl.DataError, match=r"model_by_step\(n_steps=4\): 0 series have so many steps"):
        learner.model_by_step(table, 4)


def from_nothing(n_series, n_steps=6, seed=0):
    """Series of y that all begin at 0.5 and follow themselves, beside noise and an arm of each series."""
    rng = np.random.default_rng(seed)
    y = np.full((n_series, n_steps), 0.5)
    for t in range(1, n_steps):
        y[:, t] = 0.8 * y[:, t - 1] + rng.normal(size=n_series)
    return y, {
        "id": np.repeat(np.arange(n_series), n_steps),
        "y": y.ravel(),
        "z": rng.normal(size=y.size),
        "arm": np.repeat(np.arange(n_series) % 2, n_steps).astype(str),
    }


@pytest.mark.parametrize("lags", [1, 2])
@pytest.mark.parametrize("aside", [["arm"], []], ids=["numbers", "states too"])
def test_series_may_all_begin_at_one_number(lags, aside):
    y, table = from_nothing(200)
    for name in aside:
        del table[name]
    learner = sl.DynamicNetwork(series="id", lags=lags, own_past=True).fit(table)

    model, by_step = learner.model(table), learner.model_by_step(table, 3)

    course = model.filter({"z": [0.0] * 3})
    assert course.means["y"][0] == pytest.approx(0.5, abs=1e-3)
    assert course.variances["y"][0] < 1e-6
    slope, constant = np.polyfit(y[:, lags - 1 : -1].ravel(), y[:, lags:].ravel(), 1)
    later = model.forecast({"y": [7.0] * lags}, 1)  # in the midst of a series
    assert later.means["y"][0] == pytest.approx(constant + 7.0 * slope, abs=1e-9 if aside else 0.1)
    assert by_step.cpds["y[0]"].intercept == 0.5
    slope, constant = np.polyfit(y[:, 1], y[:, 2], 1)
    if lags == 1:
        assert by_step.cpds["y[2]"].coefficients["y[1]"] == pytest.approx(slope)


def test_a_number_that_is_the_same_at_all_steps_is_named_as_the_column_that_it_is():
    _, table = from_nothing(30)
    table["k"] = np.full(180, 2.5)
    with pytest.warns(sl.DataWarning, match="'k'"):
        learner = sl.DynamicNetwork(series="id").fit(table)

    for fit in (learner.model, lambda rows: learner.model_by_step(rows, 2)):
        with pytest.raises(sl.DataError, match=r"column 'k' is constant.*kinds=\{'k': \"discrete\"\}"):
            fit(table)


def test_a_model_leaves_out_the_rows_that_the_fit_left_out():
    _, table = from_nothing(30)
    table |= {"t": np.tile(np.arange(6), 30)}
    table["z"][[7, 50, 51, 102]] = np.nan
    whole = ~np.isnan(table["z"])
    learner = sl.DynamicNetwork(time="t", series="id", missing="drop", own_past=True).fit(table)

    found, expected = (learner.model(rows) for rows in (table, {n: c[whole] for n, c in table.items()}))

    assert found.transition.cpds == expected.transition.cpds
    assert found.initial.cpds == expected.initial.cpds
    by_step = [
        learner.model_by_step(rows, 2).cpds for rows in (table, {n: c[whole] for n, c in table.items()})
    ]
    assert by_step[0] == by_step[1]
    without_times = sl.DynamicNetwork(series="id", missing="drop").fit(
        {name: column[12:48] for name, column in table.items() if name != "t"}
    )
    with pytest.raises(sl.DataError, match="needs complete data"):  # no row may be skipped unseen
        without_times.model({name: column for name, column in table.items() if name != "t"})
