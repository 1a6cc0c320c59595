"""Filtering, smoothing and forecasts beside closed forms and the list of all hidden paths."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.dynamic_model import DynamicModel


def network(graph, cpds):
    """A network in time, whose nodes of the past have any distribution: it does not count."""
    alone = TableCPD([0.5, 0.5], labels=[0, 1])
    if isinstance(next(iter(cpds.values())), LinearGaussianCPD):
        alone = LinearGaussianCPD(0.0, {}, variance=1.0)
    return sl.BayesianNetwork(graph, {node: cpds.get(node, alone) for node in graph.nodes})


def hidden_chain(start, moves, shows):
    facts = lag_facts("so", (0, 1))
    graph = sl.Graph(facts, directed=[("s[t-1]", "s[t]"), ("s[t]", "o[t]")], facts=facts)
    later = {
        "s[t]": TableCPD(moves, labels=[0, 1], parents=["s[t-1]"]),
        "o[t]": TableCPD(shows, labels=[0, 1], parents=["s[t]"]),
    }
    first = sl.Graph(["s[0]", "o[0]"], directed=[("s[0]", "o[0]")])
    begin = {
        "s[0]": TableCPD(start, labels=[0, 1]),
        "o[0]": TableCPD(shows, labels=[0, 1], parents=["s[0]"]),
    }
    return DynamicModel(network(graph, later), network(first, begin))


def weights_of_paths(start, moves, shows, seen):
    """The probability of each hidden path together with what was seen."""
    found = {}
    for path in product((0, 1), repeat=len(seen)):
        weight = start[path[0]] * np.prod([moves[a][b] for a, b in pairwise(path)])
        found[path] = weight * np.prod(
            [shows[s][o] for s, o in zip(path, seen, strict=True) if o is not None]
        )
    return found


@given(seed=st.integers(0, 1000), seen=st.lists(st.sampled_from([0, 1, None]), min_size=1, max_size=6))
@settings(max_examples=20, deadline=None)
def test_a_hidden_state_is_what_the_list_of_all_paths_says(seed, seen):
    rng = np.random.default_rng(seed)
    parts = rng.dirichlet([1, 1]), rng.dirichlet([1, 1], size=2), rng.dirichlet([1, 1], size=2)
    model, n = hidden_chain(*parts), len(seen)
    course, smooth, later = (
        model.filter({"o": seen}),
        model.smooth({"o": seen}),
        model.forecast({"o": seen}, 1),
    )

    def share(evidence, at):
        weights = weights_of_paths(*parts, evidence)
        return sum(w for path, w in weights.items() if path[at] == 1) / sum(weights.values())

    total = sum(weights_of_paths(*parts, seen).values())
    assert course.log_likelihood == pytest.approx(np.log(total), abs=1e-12)
    assert course.probabilities["s"][:, 1] == pytest.approx([share(seen[: t + 1], t) for t in range(n)])
    assert smooth.probabilities["s"][:, 1] == pytest.approx([share(seen, t) for t in range(n)])
    assert later.probabilities["s"][0, 1] == pytest.approx(share([*seen, None], n))


def test_of_a_state_that_nothing_was_seen_of_only_the_chain_is_known():
    start, moves = np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]])

    course = hidden_chain(start, moves, [[0.9, 0.1], [0.3, 0.7]]).filter({"o": [None] * 5})

    assert course.log_likelihood == pytest.approx(0.0, abs=1e-12)
    expected = [start @ np.linalg.matrix_power(moves, t) for t in range(5)]
    assert course.probabilities["s"] == pytest.approx(np.array(expected))


def test_a_long_course_does_not_vanish():
    coin = hidden_chain([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]])

    assert coin.filter({"o": [0, 1] * 550}).log_likelihood == pytest.approx(1100 * np.log(0.5))  # 1e-331


A, C, V = 0.8, 1.5, 0.7  # x_t = C + A x_{t-1} + noise of variance V


def autoregression():
    facts = lag_facts("x", (0, 1))
    graph = sl.Graph(facts, directed=[("x[t-1]", "x[t]")], facts=facts)
    first = network(sl.Graph(["x[0]"]), {"x[0]": LinearGaussianCPD(0.0, {}, variance=4.0)})
    return DynamicModel(network(graph, {"x[t]": LinearGaussianCPD(C, {"x[t-1]": A}, variance=V)}), first)


def test_forecasts_of_an_autoregression_go_to_its_mean_and_spread():
    course, h = autoregression().forecast({"x": [1.0, 2.0]}, 30), np.arange(1, 31)

    assert course.means["x"] == pytest.approx(A**h * 2.0 + C * (1 - A**h) / (1 - A))
    assert course.variances["x"] == pytest.approx(V * (1 - A ** (2 * h)) / (1 - A**2))


def test_a_value_between_two_others_is_smoothed_from_both():
    course = autoregression().smooth({"x": [1.0, None, 3.0]})

    # From the left C + A · 1 with variance V, from the right (3 − C) / A with variance V / A².
    weight = 1 / V + A**2 / V
    assert course.variances["x"][1] == pytest.approx(1 / weight)
    assert course.means["x"][1] == pytest.approx(((C + A * 1.0) / V + A * (3.0 - C) / V) / weight)
    assert course.means["x"][[0, 2]].tolist() == [1.0, 3.0]


@pytest.mark.parametrize("seen", ["much", float("inf"), [1.0]])
def test_what_is_no_number_is_no_evidence_of_a_number(seen):
    for ask in (autoregression().filter, autoregression().smooth):
        with pytest.raises(
            sl.DataError, match=r"evidence\['x'\]: at step 1 there is .*, not a finite number"
        ):
            ask({"x": [0.5, seen]})


@pytest.mark.parametrize("n_steps", [0, -2])
def test_a_forecast_is_of_a_step_or_more(n_steps):
    with pytest.raises(sl.OptionError, match=f"n_steps={n_steps}.*a whole number, at least 1"):
        autoregression().forecast({"x": [0.5]}, n_steps)


def test_with_few_series_any_steps_may_be_the_first():
    states = [0, 0, 1, 1, 0, 1, 1, 1, 0, 0]
    numbers = np.random.default_rng(0).normal(size=40)

    discrete = sl.DynamicNetwork().fit({"u": states}).model({"u": states})
    normal = sl.DynamicNetwork().fit({"x": numbers}).model({"x": numbers})

    assert discrete.initial.cpds["u[0]"].probabilities.tolist() == [0.5, 0.5]
    assert normal.initial.cpds["x[0]"].intercept == pytest.approx(numbers.mean())
    assert normal.initial.cpds["x[0]"].variance == pytest.approx(numbers.var(), rel=0.05)


def test_a_gap_at_the_beginning_leaves_the_steps_after_it():
    table = {"t": [0, *range(2, 20)], "x": np.random.default_rng(1).normal(size=19)}
    learner = sl.DynamicNetwork(time="t", lags=2).fit(table)

    first = learner.model(table).initial.cpds

    assert first["x[0]"].intercept == pytest.approx(table["x"][1:-1].mean())  # runs of two, from step 2 on
    assert first["x[1]"].intercept == pytest.approx(table["x"][2:].mean())


def test_with_many_series_only_their_beginnings_are_the_first():
    states = np.array([[1, 0, 0, 1]] * 15 + [[0, 1, 0, 0]] * 10)
    table = {"id": np.repeat(np.arange(25), 4), "u": states.ravel()}
    learner = sl.DynamicNetwork(series="id").fit(table)

    assert learner.model(table).initial.cpds["u[0]"].probabilities == pytest.approx([0.4, 0.6])
    smoothed = learner.model(table, smoothing=5.0).initial.cpds["u[0]"].probabilities
    assert smoothed.sum() == pytest.approx(1.0)
    assert 0.4 < smoothed[0] < 0.5
