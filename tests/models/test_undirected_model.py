"""What Markov networks and Ising models share: the same distribution answers the same, as either."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

import structlearn as sl
from structlearn.models.undirected_graph import checked_graph, refuse_unjoined
from structlearn.models.undirected_model import UndirectedModel

pytestmark = pytest.mark.kernels

RING = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])


def twins(seed):
    """An Ising model, and the Markov network of its factors."""
    rng = np.random.default_rng(seed)
    fields = dict(zip("abcd", rng.normal(size=4).tolist(), strict=True))
    couplings = dict(zip(RING.undirected, rng.normal(size=4).tolist(), strict=True))
    ising = sl.IsingModel(RING, fields, couplings)
    factors = [sl.Factor(names, table) for names, table in ising.factors()]
    return ising, sl.MarkovNetwork(RING, factors, labels=ising.labels)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32 - 1))
def test_an_ising_model_is_the_markov_network_of_its_factors(seed):
    ising, markov = twins(seed)
    rows = {name: [-1, 1, 1, -1] if name in "ab" else [1, 1, -1, -1] for name in "abcd"}

    assert isinstance(ising, UndirectedModel)
    assert isinstance(markov, UndirectedModel)
    assert ising.log_partition == pytest.approx(markov.log_partition, abs=1e-9)
    assert ising.log_likelihood(rows) == pytest.approx(markov.log_likelihood(rows), abs=1e-9)
    np.testing.assert_allclose(ising.log_likelihood_rows(rows), markov.log_likelihood_rows(rows), atol=1e-9)
    assert ising.pseudo_log_likelihood(rows) == pytest.approx(markov.pseudo_log_likelihood(rows), abs=1e-9)
    np.testing.assert_allclose(ising.marginal(["a", "c"]), markov.marginal(["a", "c"]), atol=1e-9)
    assert ising.map().log_probability == pytest.approx(markov.map().log_probability, abs=1e-9)


def test_exact_samples_of_twins_are_the_same_rows():
    ising, markov = twins(0)

    first, second = (model.sample(50, random_state=3).to_dict() for model in (ising, markov))

    assert {name: list(column) for name, column in first.items()} == {
        name: list(column) for name, column in second.items()
    }


@pytest.mark.parametrize("options", [{"n": 0}, {"n": 5, "method": "magic"}, {"n": 5, "sweeps": 0}])
@pytest.mark.parametrize("which", [0, 1], ids=["ising", "markov"])
def test_both_refuse_the_same_options(which, options):
    model = twins(1)[which]

    with pytest.raises(sl.OptionError, match="sample"):
        model.sample(**options)


def test_models_are_equal_by_what_they_say_and_only_to_their_own_kind():
    ising, markov = twins(2)

    assert ising == twins(2)[0]
    assert markov == twins(2)[1]
    assert ising != twins(3)[0]
    assert ising != markov
    with pytest.raises(TypeError, match="unhashable"):
        hash(ising)


def test_both_say_what_they_have_and_what_they_lack():
    assert repr(twins(0)[0]) == "<IsingModel: 4 nodes, 4 edges, 8 parameters>"
    assert repr(sl.IsingModel(RING)) == "<IsingModel: 4 nodes, 4 edges, not fitted>"
    assert repr(sl.MarkovNetwork(RING)) == "<MarkovNetwork: 4 nodes, 4 edges, not fitted>"
    with pytest.raises(sl.DataError, match="call fit"):
        sl.IsingModel(RING).sample(3)


def test_what_is_too_wide_for_a_sum_has_a_pseudo_likelihood():
    n = 30
    names = [f"x{i}" for i in range(n)]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    graph = sl.Graph(names, undirected=pairs)
    model = sl.IsingModel(graph, dict.fromkeys(names, 0.0), dict.fromkeys(graph.undirected, 0.0))
    row = {name: [1] for name in names}

    with pytest.raises(sl.DataError, match="pseudo_log_likelihood"):
        model.log_likelihood(row)
    with pytest.raises(sl.DataError, match="Use method='gibbs'"):
        model.sample(2, method="exact")
    assert model.pseudo_log_likelihood(row) == pytest.approx(n * math.log(0.5))
    assert model.sample(4, sweeps=2, random_state=0).n_rows == 4


def test_only_undirected_graphs_and_joined_nodes_will_do():
    assert checked_graph(RING, "Model") is RING
    with pytest.raises(sl.DataError, match="Model takes a Graph, not a list"):
        checked_graph([], "Model")
    with pytest.raises(sl.DataError, match=r"a → b has a direction.*graph.moral"):
        checked_graph(sl.Graph("ab", directed=["ab"]), "Model")
    refuse_unjoined(RING, ("a", "b"), "The factor")
    with pytest.raises(sl.DataError, match="The factor has 'a' and 'c', which the graph does not join"):
        refuse_unjoined(RING, ("a", "c"), "The factor")
    with pytest.raises(sl.DataError, match="The factor has 'z', which is no node"):
        refuse_unjoined(RING, ("a", "z"), "The factor")


def hard(seed, size):
    """A model whose weights are of this size, and the log weight of each of its 16 joint states."""
    rng = np.random.default_rng(seed)
    fields, pulls = (rng.integers(-3, 4, size=4) * size + rng.normal(size=4) for _ in range(2))
    edges = [tuple("abcd".index(node) for node in pair) for pair in RING.undirected]
    rows = np.array(list(itertools.product([-1, 1], repeat=4)))
    if seed % 2:
        logs = rows @ fields + sum(
            j * rows[:, a] * rows[:, b] for j, (a, b) in zip(pulls, edges, strict=True)
        )
        pairs = dict(zip(RING.undirected, pulls.tolist(), strict=True))
        return sl.IsingModel(RING, dict(zip("abcd", fields.tolist(), strict=True)), pairs), rows, logs
    features = [sl.Feature({name: 1}, w) for name, w in zip("abcd", fields, strict=True)]
    features += [
        sl.Feature(dict.fromkeys(pair, 1), w) for pair, w in zip(RING.undirected, pulls, strict=True)
    ]
    on = rows > 0
    logs = on @ fields + sum(j * (on[:, a] & on[:, b]) for j, (a, b) in zip(pulls, edges, strict=True))
    return sl.MarkovNetwork(RING, features=features, labels=dict.fromkeys("abcd", (-1, 1))), rows, logs


@pytest.mark.parametrize("size", [1.0, 40.0, 900.0, 1e5])
@pytest.mark.parametrize("seed", range(6))
def test_weights_beyond_floats_have_the_answers_of_their_logarithms(seed, size):
    model, rows, logs = hard(seed, size)
    total = logsumexp(logs)
    is_a, is_b = rows[:, 0] == -1, rows[:, 1] == 1

    most = model.map()
    assert list(most.states.values()) == rows[logs.argmax()].tolist()
    assert most.log_probability == pytest.approx(logs.max() - total, abs=1e-8)
    assert model.log_evidence({"a": -1}) == pytest.approx(logsumexp(logs[is_a]) - total, rel=1e-9, abs=1e-8)
    share = math.exp(logsumexp(logs[is_a & is_b]) - logsumexp(logs[is_b]))
    for found in (model.query("a", {"b": 1}).probabilities, model.predict_proba({"b": [1]}, "a")["a"][0]):
        np.testing.assert_allclose(found, [share, 1 - share], atol=1e-8)
    soft = model.query("a", {"b": [0.5, 0.5]}).probabilities
    np.testing.assert_allclose(soft, model.query("a").probabilities, atol=1e-8)
    assert model.log_partition == pytest.approx(total)
    assert sl.inference.log_partition(model) == pytest.approx(total)
    assert all(np.isfinite(table).all() for _, table in model.factors())


def test_methods_of_tables_say_where_weights_are_beyond_floats():
    pulls = sl.IsingModel(sl.Graph("ab", undirected=["ab"]), {"a": 800.0, "b": -800.0}, {("a", "b"): 400.0})

    for method in ("gibbs", "loopy"):
        with pytest.raises(sl.DataError, match=r"too far apart for floats. Use method='exact'"):
            pulls.query("a", method=method)
