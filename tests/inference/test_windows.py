"""Kalman's smoother: what the dense joint distribution says, with few nodes at a time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.inference import windows
from structlearn.models import LinearGaussianCPD
from structlearn.models.dynamic_model import DynamicModel

ARCS = [("a[t-1]", "a[t]"), ("a[t-2]", "b[t]"), ("b[t-1]", "b[t]"), ("b[t]", "c[t]"), ("c[t-2]", "a[t]")]
FIRST = [("a[0]", "a[1]"), ("b[0]", "c[0]"), ("b[1]", "c[1]"), ("a[0]", "b[1]")]


def second_order(seed, units=(1.0, 1.0, 1.0)):
    """Three variables with arcs of lags 0, 1 and 2, in some units, with random distributions."""
    rng, unit = np.random.default_rng(seed), dict(zip("abc", units, strict=True))
    facts = lag_facts("abc", (0, 1, 2))

    def network(graph):
        cpds = {}
        for node in graph.nodes:
            own = unit[node[0]]
            weights = {p: own / unit[p[0]] * rng.normal() / 2 for p in graph.parents(node)}
            variance = own**2 * rng.uniform(0.5, 2.0)
            cpds[node] = LinearGaussianCPD(own * rng.normal(), weights, variance=variance)
        return sl.BayesianNetwork(graph, cpds)

    first = sl.Graph([f"{v}[{t}]" for t in range(2) for v in "abc"], directed=FIRST)
    return DynamicModel(network(sl.Graph(facts, directed=ARCS, facts=facts)), network(first))


def dense(model, evidence, n_steps):
    """The log density of the evidence, and of each node the mean and variance given it, by one solve."""
    network = model.unrolled(n_steps)
    order = network.graph.topological_order()
    place = {node: i for i, node in enumerate(order)}
    mean, root = np.zeros(len(order)), np.zeros((len(order), len(order)))
    for node, i in place.items():
        cpd = network.cpds[node]
        parents, weights = [place[p] for p in cpd.coefficients], np.array([*cpd.coefficients.values()])
        mean[i] = cpd.intercept + weights @ mean[parents]
        root[i] = weights @ root[parents]
        root[i, i] = np.sqrt(cpd.variance)
    covariance = root @ root.T
    seen = {place[f"{v}[{t}]"]: x for v, xs in evidence.items() for t, x in enumerate(xs) if x is not None}
    at = list(seen)
    inner, error = covariance[np.ix_(at, at)], np.array(list(seen.values())) - mean[at]
    gain = np.linalg.solve(inner, covariance[at]).T
    density = -0.5 * (error @ np.linalg.solve(inner, error) + np.linalg.slogdet(2 * np.pi * inner)[1])
    means, variances = mean + gain @ error, np.diag(covariance - gain @ covariance[at])
    return density, {node: (means[i], variances[i]) for node, i in place.items()}


@given(
    seed=st.integers(0, 1000),
    pattern=st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=9),
)
@settings(max_examples=40, deadline=None)
def test_a_smoothed_course_is_that_of_the_dense_joint_distribution(seed, pattern):
    model, rng = second_order(seed), np.random.default_rng(seed)
    evidence = {
        v: [float(rng.normal()) if is_seen[j] else None for is_seen in pattern] for j, v in enumerate("abc")
    }

    course = model.smooth(evidence)

    density, nodes = dense(model, evidence, len(pattern))
    assert course.log_likelihood == pytest.approx(density, abs=1e-10)
    for variable in "abc":
        for t, value in enumerate(evidence[variable]):
            mean, variance = nodes[f"{variable}[{t}]"] if value is None else (value, 0.0)
            assert course.means[variable][t] == pytest.approx(mean, abs=1e-10)
            assert course.variances[variable][t] == pytest.approx(variance, abs=1e-10)


@pytest.mark.parametrize("units", [(1.0, 1e6, 1.0), (1e-6, 1.0, 1e5)])
def test_units_do_not_matter(units):
    seen = {"c": [0.5, None, -1.0, None, 0.1, 2.0, None, 1.0]}
    plain = second_order(3).smooth(seen)
    course = second_order(3, units).smooth({"c": [None if x is None else x * units[2] for x in seen["c"]]})

    for unit, variable in zip(units, "abc", strict=True):
        np.testing.assert_allclose(course.means[variable] / unit, plain.means[variable], atol=1e-10)
        np.testing.assert_allclose(
            course.variances[variable] / unit**2, plain.variances[variable], atol=1e-10
        )


def test_no_more_nodes_are_held_than_lags_reach(monkeypatch):
    sizes = []

    class Measured(windows.Window):
        def add(self, *given):
            super().add(*given)
            sizes.append(len(self.nodes))

    monkeypatch.setattr(windows, "Window", Measured)
    second_order(0).smooth({"c": [0.5, None] * 20})

    assert max(sizes) == 3 * 3  # of three variables now and two steps back
