"""Particles beside exact answers, and beside a hidden state that shows in a number, worked out by hand."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.inference.particles import courses_of_particles
from structlearn.inference.states_in_time import Observed
from structlearn.models import ConditionalGaussianCPD, LinearGaussianCPD, TableCPD
from structlearn.models.dynamic_model import DynamicModel

START, MOVES, LEVELS = (0.6, 0.4), ((0.7, 0.3), (0.2, 0.8)), (-1.0, 1.5)
SEEN = [-0.8, 1.1, None, 0.2, 1.9]
NEAR = 0.02  # of 10,000 courses: two standard errors of a share at most


def mixed_chain(moves=MOVES):
    """A hidden state s that stays or moves, and a number x around the level of the state."""
    facts = lag_facts("sx", (0, 1))
    graph = sl.Graph(facts, directed=[("s[t-1]", "s[t]"), ("s[t]", "x[t]")], facts=facts)
    first = sl.Graph(["s[0]", "x[0]"], directed=[("s[0]", "x[0]")])

    def shows(parent):
        regimes = {parent: ["low", "high"]}
        return ConditionalGaussianCPD(LEVELS, {}, variances=[1.0, 1.0], regimes=regimes)

    cpds = {
        "s[t-1]": TableCPD([0.5, 0.5], labels=["low", "high"]),
        "x[t-1]": LinearGaussianCPD(0.0, {}, variance=1.0),
        "s[t]": TableCPD(moves, labels=["low", "high"], parents=["s[t-1]"]),
        "x[t]": shows("s[t]"),
    }
    begin = {"s[0]": TableCPD(START, labels=["low", "high"]), "x[0]": shows("s[0]")}
    return DynamicModel(sl.BayesianNetwork(graph, cpds), sl.BayesianNetwork(first, begin))


def density(x, level):
    return math.exp(-0.5 * (x - level) ** 2) / math.sqrt(2 * math.pi)


def by_hand(seen):
    """The filtered and the smoothed probability of the high state, and the log-likelihood."""
    shown = [[1.0, 1.0] if x is None else [density(x, level) for level in LEVELS] for x in seen]
    forward, likelihood, message = [], 0.0, np.array(START)
    for step, weights in enumerate(shown):
        message = (message if step == 0 else message @ np.array(MOVES)) * weights
        likelihood += math.log(message.sum())
        message = message / message.sum()
        forward.append(message)
    backward = [np.ones(2)]
    for weights in reversed(shown[1:]):
        backward.insert(0, np.array(MOVES) @ (weights * backward[0]))
    both = [a * b for a, b in zip(forward, backward, strict=True)]
    return [f[1] for f in forward], [b[1] / b.sum() for b in both], likelihood


def test_a_state_that_shows_in_a_number_is_filtered_smoothed_and_forecast():
    model, (filtered, smoothed, likelihood) = mixed_chain(), by_hand(SEEN)

    course, smooth, later = (
        model.filter({"x": SEEN}),
        model.smooth({"x": SEEN}),
        model.forecast({"x": SEEN}, 2),
    )

    assert course.probabilities["s"][:, 1] == pytest.approx(filtered, abs=NEAR)
    assert smooth.probabilities["s"][:, 1] == pytest.approx(smoothed, abs=NEAR)
    assert course.log_likelihood == pytest.approx(likelihood, abs=NEAR)
    assert course.labels == {"s": ("low", "high")}
    high = np.array([1 - filtered[-1], filtered[-1]]) @ np.array(MOVES)
    assert later.probabilities["s"][0] == pytest.approx(high, abs=NEAR)
    assert later.means["x"][0] == pytest.approx(high @ LEVELS, abs=3 * NEAR)
    assert (course.means["x"][0], course.variances["x"][0]) == pytest.approx((-0.8, 0.0))


def test_the_same_evidence_has_the_same_answer_and_a_state_may_be_seen():
    model = mixed_chain()
    once, again = (model.filter({"x": SEEN, "s": [None, "high", None, None, None]}) for _ in range(2))

    assert once.probabilities["s"].tolist() == again.probabilities["s"].tolist()
    assert once.probabilities["s"][1] == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("smooth", [False, True])
def test_they_come_near_to_exact_answers(smooth):
    facts = lag_facts("so", (0, 1))
    graph = sl.Graph(facts, directed=[("s[t-1]", "s[t]"), ("s[t]", "o[t]")], facts=facts)
    half = TableCPD([0.5, 0.5], labels=[0, 1])
    shows = [[0.9, 0.1], [0.3, 0.7]]
    cpds = {
        "s[t-1]": half,
        "o[t-1]": half,
        "s[t]": TableCPD(MOVES, labels=[0, 1], parents=["s[t-1]"]),
        "o[t]": TableCPD(shows, labels=[0, 1], parents=["s[t]"]),
    }
    first = sl.Graph(["s[0]", "o[0]"], directed=[("s[0]", "o[0]")])
    begin = {
        "s[0]": TableCPD(START, labels=[0, 1]),
        "o[0]": TableCPD(shows, labels=[0, 1], parents=["s[0]"]),
    }
    model = DynamicModel(sl.BayesianNetwork(graph, cpds), sl.BayesianNetwork(first, begin))
    evidence = {"o": [0, 1, 1, 0]}
    exact = model.smooth(evidence) if smooth else model.filter(evidence)

    likelihood, shares, _ = courses_of_particles(model, Observed.of(model, evidence), smooth=smooth)

    assert likelihood == pytest.approx(-2.9828263, abs=NEAR)  # docs/references/time.md: a hidden chain
    assert shares["s"] == pytest.approx(exact.probabilities["s"], abs=NEAR)


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ({"s": ["low", "middle"]}, "at step 1 there is 'middle', and 's' is one of"),
        ({"x": [0.0, "high"]}, "number"),
    ],
)
def test_what_cannot_have_been_seen_is_refused(evidence, said):
    with pytest.raises(sl.DataError, match=said):
        mixed_chain().filter(evidence)
    with pytest.raises(sl.DataError, match=r"seen at step 2 cannot follow .* in any of 10,000 courses"):
        mixed_chain(moves=np.eye(2)).filter({"s": ["low", None, "high"]})


def test_a_network_of_both_kinds_is_learned_fitted_and_forecasts():
    rng = np.random.default_rng(0)
    heating = rng.integers(0, 2, 400)
    warmth = np.zeros(400)
    for t in range(1, 400):
        warmth[t] = 0.5 * warmth[t - 1] + 3.0 * heating[t - 1] + rng.normal()
    table = {"heating": np.where(heating, "on", "off"), "warmth": warmth}

    model = sl.DynamicNetwork().fit(table).model(table)
    later = model.forecast({"heating": ["on"], "warmth": [2.0]}, 1)

    assert later.means["warmth"][0] == pytest.approx(0.5 * 2.0 + 3.0, abs=0.3)
    assert later.probabilities["heating"][0] == pytest.approx([0.5, 0.5], abs=0.1)
    with pytest.raises(sl.DataError, match="filter, smooth and forecast take others too"):
        model.unrolled(3)
