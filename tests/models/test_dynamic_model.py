"""Dynamic models: filtering, smoothing and forecasts beside the unrolled network."""

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.dynamic_model import DynamicModel


def hidden_chain():
    """A hidden state and what is seen of it; docs/references/time.md#a-hidden-chain."""
    facts = lag_facts("so", (0, 1))
    graph = sl.Graph(facts, directed=[("s[t-1]", "s[t]"), ("s[t]", "o[t]")], facts=facts)
    alone = TableCPD([0.5, 0.5], labels=[0, 1])
    emission = [[0.9, 0.1], [0.3, 0.7]]
    transition = sl.BayesianNetwork(
        graph,
        {
            "s[t-1]": alone,
            "o[t-1]": alone,
            "s[t]": TableCPD([[0.7, 0.3], [0.2, 0.8]], labels=[0, 1], parents=["s[t-1]"]),
            "o[t]": TableCPD(emission, labels=[0, 1], parents=["s[t]"]),
        },
    )
    initial = sl.BayesianNetwork(
        sl.Graph(["s[0]", "o[0]"], directed=[("s[0]", "o[0]")]),
        {
            "s[0]": TableCPD([0.6, 0.4], labels=[0, 1]),
            "o[0]": TableCPD(emission, labels=[0, 1], parents=["s[0]"]),
        },
    )
    return DynamicModel(transition, initial)


SEEN = {"o": [0, 1, 1, 0]}


def test_a_hidden_chain_is_filtered_smoothed_and_forecast_as_worked_out():
    model = hidden_chain()
    course, later = model.filter(SEEN), model.forecast(SEEN, 2)

    assert course.probabilities["s"][:, 0] == pytest.approx(
        [0.8181818, 0.1820652, 0.0553946, 0.4693517], abs=1e-7
    )
    assert course.log_likelihood == pytest.approx(-2.9828263, abs=1e-7)
    assert model.smooth(SEEN).probabilities["s"][:, 0] == pytest.approx(
        [0.6622718, 0.1100055, 0.0913478, 0.4693517], abs=1e-7
    )
    assert later.probabilities["s"][:, 0] == pytest.approx([0.4346759, 0.4173379], abs=1e-7)
    assert later.probabilities["o"][0, 0] == pytest.approx(0.5608055, abs=1e-7)


def known(evidence, up_to):
    return {
        f"{v}[{t}]": seen
        for v, values in evidence.items()
        for t, seen in enumerate(values[:up_to])
        if seen is not None
    }


def second_order(seed=0, *, normal=False):
    """Three variables with arcs of lags 0, 1 and 2, and random distributions."""
    rng = np.random.default_rng(seed)
    facts = lag_facts("abc", (0, 1, 2))
    arcs = [("a[t-1]", "a[t]"), ("a[t-2]", "b[t]"), ("b[t-1]", "b[t]"), ("b[t]", "c[t]"), ("c[t-2]", "a[t]")]
    graph = sl.Graph(facts, directed=arcs, facts=facts)
    first = sl.Graph(
        [f"{v}[{t}]" for t in range(2) for v in "abc"],
        directed=[("a[0]", "a[1]"), ("b[0]", "c[0]"), ("b[1]", "c[1]"), ("a[0]", "b[1]")],
    )

    def cpd(parents):
        if normal:
            weights = {parent: rng.normal() / 2 for parent in parents}
            return LinearGaussianCPD(rng.normal(), weights, variance=rng.uniform(0.5, 2.0))
        return TableCPD(
            rng.dirichlet([1.0, 1.0], size=(2,) * len(parents)), labels=["no", "yes"], parents=parents
        )

    def network(of):
        return sl.BayesianNetwork(of, {node: cpd(of.parents(node)) for node in of.nodes})

    return DynamicModel(network(graph), network(first))


PARTLY = {"c": ["yes", None, "no", "yes", None, "no"], "a": [None, "no", None, None, "yes", None]}
NUMBERS = {"c": [0.5, None, -1.0, 2.0, float("nan"), 0.1], "a": [None, 0.3, None, None, 1.2, None]}


@pytest.mark.parametrize("seed", range(3))
def test_messages_give_what_the_unrolled_network_gives(seed):
    model = second_order(seed)
    whole = model.unrolled(8)
    course, smooth, later = model.filter(PARTLY), model.smooth(PARTLY), model.forecast(PARTLY, 2)

    assert course.log_likelihood == pytest.approx(whole.log_evidence(known(PARTLY, 6)), abs=1e-12)
    assert smooth.log_likelihood == course.log_likelihood
    short = {name: values[:1] for name, values in PARTLY.items()}
    assert model.filter(short).log_likelihood == pytest.approx(
        whole.log_evidence(known(PARTLY, 1)), abs=1e-12
    )
    for variable in "abc":
        for t in range(6):
            seen = known(PARTLY, t + 1)
            here = {name: state for name, state in seen.items() if name != f"{variable}[{t}]"}
            if len(here) == len(seen):
                expected = whole.query(f"{variable}[{t}]", here).probabilities
                assert course.probabilities[variable][t] == pytest.approx(expected, abs=1e-12)
                expected = whole.query(f"{variable}[{t}]", known(PARTLY, 6)).probabilities
                assert smooth.probabilities[variable][t] == pytest.approx(expected, abs=1e-12)
        for t in (6, 7):
            expected = whole.query(f"{variable}[{t}]", known(PARTLY, 6)).probabilities
            assert later.probabilities[variable][t - 6] == pytest.approx(expected, abs=1e-12)


def test_kalmans_filter_gives_what_the_unrolled_network_gives():
    model = second_order(1, normal=True)
    whole = model.unrolled(7)
    seen = NUMBERS | {"c": [0.5, None, -1.0, 2.0, None, 0.1]}  # what is no number was not seen
    course, smooth, later = model.filter(NUMBERS), model.smooth(NUMBERS), model.forecast(NUMBERS, 1)

    assert course.log_likelihood == pytest.approx(whole.log_evidence(known(seen, 6)), abs=1e-9)
    assert smooth.log_likelihood == pytest.approx(course.log_likelihood, abs=1e-9)
    for t in range(6):
        filtered = whole.query(f"b[{t}]", known(seen, t + 1))
        assert course.means["b"][t] == pytest.approx(float(np.ravel(filtered.mean)[0]), abs=1e-9)
        assert course.variances["b"][t] == pytest.approx(float(np.ravel(filtered.covariance)[0]), abs=1e-9)
        smoothed = whole.query(f"b[{t}]", known(seen, 6))
        assert smooth.means["b"][t] == pytest.approx(float(np.ravel(smoothed.mean)[0]), abs=1e-9)
    assert later.means["b"][0] == pytest.approx(
        float(np.ravel(whole.query("b[6]", known(seen, 6)).mean)[0]), abs=1e-9
    )
    assert (course.means["a"][1], course.variances["a"][1]) == (0.3, 0.0)


def test_impossible_evidence_is_refused_with_its_step():
    facts = lag_facts("u", (0, 1))
    graph = sl.Graph(facts, directed=[("u[t-1]", "u[t]")], facts=facts)
    half = TableCPD([0.5, 0.5], labels=[0, 1])
    stays = TableCPD([[1.0, 0.0], [0.0, 1.0]], labels=[0, 1], parents=["u[t-1]"])
    first = sl.BayesianNetwork(sl.Graph(["u[0]"]), {"u[0]": half})
    model = DynamicModel(sl.BayesianNetwork(graph, {"u[t-1]": half, "u[t]": stays}), first)

    assert model.filter({"u": [0, 0, 0]}).log_likelihood == pytest.approx(np.log(0.5))
    with pytest.raises(sl.DataError, match="seen at step 2 cannot follow"):
        model.filter({"u": [0, 0, 1]})
    with pytest.raises(sl.DataError, match="at step 1 there is 'x'"):
        model.filter({"u": [0, "x"]})
    with pytest.raises(sl.DataError, match="no variable 'v'"):
        model.filter({"v": [0]})
    with pytest.raises(sl.DataError, match="as many steps as the others"):
        model.filter({"u": []})


def test_first_steps_with_other_nodes_are_refused():
    model = hidden_chain()

    with pytest.raises(sl.DataError, match=r"first 1 steps of all variables are needed, from 's\[0\]' on"):
        DynamicModel(model.transition, model.transition)


def test_a_learned_network_is_fitted_and_forecasts():
    rng = np.random.default_rng(0)
    rain = np.zeros((30, 12), dtype=int)
    for t in range(1, 12):
        rain[:, t] = rng.random(30) < np.where(rain[:, t - 1], 0.7, 0.2)
    table = {"day": np.tile(np.arange(12), 30), "place": np.repeat(np.arange(30), 12), "rain": rain.ravel()}

    model = sl.DynamicNetwork(time="day", series="place").fit(table).model(table)

    stayed = rain[:, 1:][rain[:, :-1] == 1].mean()
    assert model.forecast({"rain": [0, 1]}, 1).probabilities["rain"][0, 1] == pytest.approx(stayed)
