"""A Markov network scores, sums and keeps what the product over all states says."""

import itertools
import json
import math
import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.data import DiscreteColumn
from structlearn.models.cliques import decomposition, maximal_cliques, neighbor_sets
from structlearn.models.factors_parameters import count_in_tables, count_in_weights
from tests.oracles import factors as oracle
from tests.oracles import models as networks

pytestmark = pytest.mark.kernels

SEEDS = st.integers(0, 2**32)
RING = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])
TWO_EACH = {"a": [0, 1], "b": [0, 1]}
SAME, OTHER = [[100, 1], [1, 100]], [[1, 100], [100, 1]]


def ring_of_four(scale=1.0):
    return sl.MarkovNetwork(
        RING,
        [
            sl.Factor("ab", scale * np.array([[30.0, 5], [1, 10]])),
            sl.Factor("bc", SAME),
            sl.Factor("cd", OTHER),
            sl.Factor("da", SAME),
        ],
    )


def grid(n, coupling=0.0):
    nodes = {(i, j): f"{i},{j}" for i in range(n) for j in range(n)}
    right = [(nodes[i, j], nodes[i, j + 1]) for i, j in nodes if j + 1 < n]
    down = [(nodes[i, j], nodes[i + 1, j]) for i, j in nodes if i + 1 < n]
    table = np.exp(coupling * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    factors = [sl.Factor(pair, table) for pair in right + down]
    return sl.MarkovNetwork(sl.Graph(nodes.values(), undirected=right + down), factors)


def test_a_ring_of_four_has_the_printed_numbers():
    model = ring_of_four()
    joint = model.marginal([*"abcd"])

    assert math.exp(model.log_partition) == pytest.approx(7201840, rel=1e-12)
    assert model.marginal([*"ab"])[0, 1] == pytest.approx(0.6944753008, abs=1e-10)
    assert model.marginal([*"b"])[1] == pytest.approx(0.7361327105, abs=1e-10)
    assert model.marginal([*"bc"])[1, 0] / model.marginal([*"c"])[0] == pytest.approx(0.0593788761, abs=1e-10)
    assert model.n_parameters == 8
    assert joint == pytest.approx(oracle.joint(model))


def test_scaling_a_factor_moves_the_partition_and_no_probability():
    model, scaled = ring_of_four(), ring_of_four(scale=7.3)
    rows = oracle.table_of(model)

    assert scaled.log_partition - model.log_partition == pytest.approx(math.log(7.3), abs=1e-12)
    assert scaled.log_likelihood_rows(rows) == pytest.approx(model.log_likelihood_rows(rows), abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.3]), n_nodes=st.integers(1, 5))
def test_probabilities_and_margins_are_those_of_enumeration(seed, zeros, n_nodes):
    model = oracle.random_model(seed, n_nodes=n_nodes, zeros=zeros)
    joint = oracle.joint(model)
    axes = np.random.default_rng(seed).permutation(n_nodes)[: 1 + seed % n_nodes].tolist()

    with np.errstate(divide="ignore"):
        expected = np.log(joint.ravel())
    assert model.log_likelihood_rows(oracle.table_of(model)) == pytest.approx(expected)
    assert model.log_partition == pytest.approx(oracle.log_partition(model))
    found = model.marginal([model.nodes[axis] for axis in axes])
    assert found == pytest.approx(oracle.marginal(joint, axes))


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.3]))
def test_the_pseudo_likelihood_is_the_product_of_the_conditionals(seed, zeros):
    model = oracle.random_model(seed, zeros=zeros)
    joint = oracle.joint(model)
    with np.errstate(divide="ignore"):
        conditionals = [np.log(oracle.conditional(joint, axis)).ravel() for axis in range(joint.ndim)]
    possible = joint.ravel() > 0
    weights = np.where(possible, np.random.default_rng(seed).random(joint.size), 0.0)
    expected = weights[possible] @ np.sum(conditionals, axis=0)[possible]

    rows = sl.Dataset(oracle.table_of(model), weights=weights)

    assert model.pseudo_log_likelihood(rows) == pytest.approx(expected)
    if not possible.all():
        assert model.pseudo_log_likelihood(oracle.table_of(model)) == -math.inf
        assert model.log_likelihood(oracle.table_of(model)) == -math.inf
        assert math.isfinite(model.log_likelihood(rows))


def test_features_and_factors_multiply():
    graph = sl.Graph("abc", undirected=["ab", "bc", "ac"])
    model = sl.MarkovNetwork(
        graph,
        [sl.Factor("ca", [[1.0, 2.0], [3.0, 0.5], [1.5, 1.0]])],
        features=[
            sl.Feature({"b": "no", "a": 1}, weight=0.7),
            sl.Feature({"b": "yes"}, weight=-0.2),
            sl.Feature({"a": 1, "b": "yes", "c": "z"}, weight=1.1),
            sl.Feature({"a": 1, "b": "no"}, weight=0.1),
        ],
        labels={"a": [0, 1], "b": ["yes", "no"], "c": ["x", "y", "z"]},
    )
    joint = oracle.joint(model)

    assert np.exp(model.log_likelihood_rows(oracle.table_of(model))) == pytest.approx(joint.ravel())
    product = np.ones(joint.shape)
    for names, table in model.factors():
        axes = [graph.nodes.index(name) for name in names]
        ordered = table.transpose(np.argsort(axes))
        product = product * ordered.reshape([joint.shape[i] if i in axes else 1 for i in range(3)])
    assert product / product.sum() == pytest.approx(joint)
    assert product.sum() == pytest.approx(math.exp(model.log_partition))


def test_every_node_is_in_a_factor_for_the_inference_layer():
    model = sl.MarkovNetwork(
        sl.Graph("abc", undirected=["ab"]), features=[sl.Feature({"a": 1}, 0.5)],
        labels={"a": [0, 1], "b": [0, 1, 2], "c": ["only"]},
    )  # fmt: skip

    named = {name for names, _ in model.factors() for name in names}

    assert named == {"a", "b", "c"}
    assert model.marginal([*"b"]) == pytest.approx(np.ones(3) / 3)
    assert model.marginal([*"ca"]) == pytest.approx(
        np.array([[1 / (1 + math.exp(0.5)), 1 / (1 + math.exp(-0.5))]])
    )


@pytest.mark.parametrize("zeros", [0.0, 0.3])
def test_questions_are_answered_as_enumeration_says(zeros):
    model = oracle.random_model(11, n_nodes=5, zeros=zeros)
    joint = oracle.joint(model)

    answer = model.query(["x3", "x0"], {"x1": "s0"})

    given = oracle.marginal(joint[:, 0], [2, 0])
    assert answer.probabilities == pytest.approx(given / given.sum())
    assert model.log_evidence({"x1": "s0"}) == pytest.approx(math.log(given.sum()))
    best = dict(zip(model.nodes, oracle.states(model)[joint.argmax()], strict=True))
    assert model.map().states == best


def test_a_network_of_tables_is_the_same_distribution():
    bayesian = networks.asia()

    model = sl.MarkovNetwork.from_bayesian(bayesian)

    assert model.graph == bayesian.graph.moral()
    assert model.log_partition == pytest.approx(0.0, abs=1e-12)
    joint = networks.joint(bayesian)
    rows = dict(zip(bayesian.nodes, map(list, zip(*joint, strict=True)), strict=True))
    assert np.exp(model.log_likelihood_rows(rows)) == pytest.approx(list(joint.values()), abs=1e-15)
    rows = bayesian.sample(50, random_state=0)
    assert model.log_likelihood(rows) == pytest.approx(bayesian.log_likelihood(rows))
    with pytest.raises(sl.DataError, match="'x1' has a linear-gaussian distribution"):
        sl.MarkovNetwork.from_bayesian(networks.unfaithful_gaussians())


def test_a_learned_log_linear_model_becomes_a_network_in_one_call():
    data = networks.random_tables(3).sample(400, random_state=0)
    learner = sl.LogLinearMRF(penalty=8.0, adaptive=False).fit(data)

    model = sl.MarkovNetwork(learner.graph_, features=learner.features_, labels=learner.labels_)

    paid = 8.0 * sum(abs(w) for states, w in learner.features_.items() if len(states) > 1)
    assert model.log_likelihood(data) - paid == pytest.approx(learner.score_, abs=1e-6)
    assert model.fit(data).log_likelihood(data) > learner.score_


def test_a_state_that_no_row_has_is_none_of_a_learned_model():
    a, b = np.random.default_rng(0).integers(0, 2, (2, 200))
    columns = [DiscreteColumn("a", a, ("x", "y", "never")), DiscreteColumn("b", a ^ (b & a), (0, 1))]
    data = sl.Dataset.from_columns(columns)

    learner = sl.LogLinearMRF().fit(data)

    assert learner.labels_ == {"a": ("x", "y"), "b": (0, 1)}


def test_wide_graphs_are_refused_with_their_width_and_the_way_out():
    ten, thirty = grid(10, 0.3), grid(30, 0.3)
    rows = {node: [0, 1] for node in thirty.nodes}

    assert ten.log_partition > 100 * math.log(2)
    with pytest.raises(sl.DataError, match=r"tree-width of about \d\d.*cells.*pseudo_log_likelihood"):
        thirty.log_likelihood(rows)
    with pytest.raises(sl.DataError, match=r"sample\(method='exact'\).*method='gibbs'"):
        thirty.sample(2, method="exact")
    # Each node of a row of equal states has d neighbours that pull to it.
    degrees = [len(thirty.graph.neighbors(node)) for node in thirty.nodes]
    expected = -2 * sum(math.log1p(math.exp(-2 * 0.3 * d)) for d in degrees)
    assert thirty.pseudo_log_likelihood(rows) == pytest.approx(expected)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n_nodes=st.integers(1, 9), density=st.floats(0.1, 0.9))
def test_cliques_and_separators_are_those_of_networkx(seed, n_nodes, density):
    network = nx.gnp_random_graph(n_nodes, density, seed=seed % 2**31)
    chordal, _ = nx.complete_to_chordal_graph(network)

    for one in (network, chordal):
        found = decomposition(neighbor_sets(n_nodes, one.edges))
        graph = sl.Graph(map(str, range(n_nodes)), undirected=[(str(a), str(b)) for a, b in one.edges])
        cliques = {tuple(sorted(clique)) for clique in nx.find_cliques(one)}
        assert set(maximal_cliques(graph)) == cliques
        assert (found is not None) == (n_nodes < 4 or nx.is_chordal(one))
        if found is not None:
            assert [clique for clique, _ in found] == maximal_cliques(graph)
            for i, (clique, separator) in enumerate(found):
                before = {node for earlier, _ in found[:i] for node in earlier}
                assert set(separator) == before & set(clique)
                assert not i or any(set(separator) <= set(earlier) for earlier, _ in found[:i])


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS)
def test_parameters_are_counted_as_the_definition_says(seed):
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, 4, 5).tolist()
    scopes = [tuple(rng.permutation(5)[: rng.integers(1, 4)].tolist()) for _ in range(rng.integers(0, 5))]
    places = [tuple(sorted(scope)) for scope in scopes * 2]
    features = [(scope, tuple(int(rng.integers(levels[c])) for c in scope)) for scope in places]

    assert count_in_tables(scopes, levels) == oracle.n_in_tables(scopes, levels)
    assert count_in_weights(features, levels) == oracle.n_in_weights(features, levels)


def test_what_a_model_knows_survives_files_and_pickling(tmp_path):
    model = oracle.random_model(5)
    both = sl.MarkovNetwork(
        model.graph, [sl.Factor(["x0"], [1.0, 0.1])], features=[sl.Feature({"x1": "s1"}, 1 / 3)],
        labels={node: ["s0", "s1"] for node in model.nodes},
    )  # fmt: skip

    fitted = sl.MarkovNetwork(model.graph).fit(model.sample(50, random_state=0))
    weighed = sl.MarkovNetwork(RING, features=[sl.Feature({"a": 1})]).fit(
        ring_of_four().sample(50, random_state=0)
    )
    for one in (model, both, ring_of_four(), fitted, weighed):
        text = json.dumps(one.to_dict(), allow_nan=False)
        assert sl.MarkovNetwork.from_dict(one.graph, json.loads(text)) == one
        one.save(tmp_path / "model.json")
        assert sl.load(tmp_path / "model.json") == one
        assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301, our own bytes
    assert model != both
    assert model != sl.MarkovNetwork(model.graph)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"labels": {}}, "lacks 'factors'"),
        ({"factors": [{"names": ["a"]}], "labels": {}}, "lacks 'table'"),
        ({"factors": 3, "labels": {}}, "wrong type"),
        ({"factors": [7], "labels": {}}, "wrong type"),
        ({"factors": [{"names": ["a"], "table": [1, -1]}], "labels": {}}, "not below 0"),
        ({"factors": [{"names": ["a"], "table": [1]}], "labels": TWO_EACH}, "1 rows for 'a'"),
        ({"factors": [], "features": [{"states": {"a": 1}}], "labels": {}}, "lacks 'weight'"),
        ({"factors": [], "features": [{"states": {"a": 5}, "weight": 1}], "labels": TWO_EACH}, "'a' = 5"),
        ({"factors": [], "features": [], "labels": 5}, "labels are a mapping"),
    ],
)  # fmt: skip
def test_a_broken_dict_is_refused(known, message):
    with pytest.raises(sl.DataError, match=message):
        sl.MarkovNetwork.from_dict(sl.Graph("ab", undirected=["ab"]), known)


def test_what_a_model_is_made_of_is_checked():
    graph = sl.Graph("abc", undirected=["ab", "bc"])
    ones = np.ones((2, 2))
    with pytest.raises(sl.DataError, match="takes a Graph"):
        sl.MarkovNetwork({"a": ["b"]})
    with pytest.raises(sl.DataError, match="moral"):
        sl.MarkovNetwork(sl.Graph("ab", directed=["ab"]))
    with pytest.raises(sl.DataError, match="'a' and 'c', which the graph does not join"):
        sl.MarkovNetwork(graph, [sl.Factor("ac", ones)])
    with pytest.raises(sl.DataError, match="'z', which is no node"):
        sl.MarkovNetwork(graph, [sl.Factor("az", ones)])
    with pytest.raises(sl.DataError, match="does not join"):
        sl.MarkovNetwork(graph, features=[sl.Feature({"a": 0, "c": 0})])
    with pytest.raises(sl.DataError, match="some nodes are in no factor"):
        sl.MarkovNetwork(graph, [sl.Factor("ab", ones)])
    with pytest.raises(sl.DataError, match="2 rows for 'b', which has 3"):
        sl.MarkovNetwork(graph, [sl.Factor("ab", ones), sl.Factor("bc", np.ones((3, 2)))])
    with pytest.raises(sl.DataError, match="labels lacks the node 'b'"):
        sl.MarkovNetwork(graph, labels={"a": [0, 1]})
    with pytest.raises(sl.DataError, match="labels has 'z'"):
        sl.MarkovNetwork(graph, labels={node: [0, 1] for node in "abcz"})
    with pytest.raises(sl.DataError, match="'a' needs one or more different"):
        sl.MarkovNetwork(graph, labels={node: [0, 0] for node in "abc"})
    with pytest.raises(sl.DataError, match="different nodes"):
        sl.MarkovNetwork(graph, ["aa"])
    with pytest.raises(sl.DataError, match="every factor needs a table"):
        sl.MarkovNetwork(graph, ["ab"], features=[sl.Feature({"a": 1})])
    with pytest.raises(sl.DataError, match="of the type Feature"):
        sl.MarkovNetwork(graph, features=["a"])
    with pytest.raises(sl.DataError, match="call fit"):
        sl.MarkovNetwork(graph).sample(3)
    with pytest.raises(sl.DataError, match="no states yet"):
        sl.MarkovNetwork(graph, features=[sl.Feature({"a": 1})]).sample(3)
    never = [sl.Factor("ab", [[1, 0], [0, 1]]), sl.Factor("ab", [[0, 1], [1, 0]])]
    with pytest.raises(sl.DataError, match="no joint state that is possible"):
        sl.MarkovNetwork(sl.Graph("ab", undirected=["ab"]), never).sample(3)
    with pytest.raises(sl.DataError, match="There is no node 'z'"):
        ring_of_four().marginal("z")


def test_what_a_factor_or_a_feature_is_made_of_is_checked():
    for table in ([[1, 2], [3]], [1.0, 2.0], [[1.0, math.nan], [1, 1]], [[1, -1], [1, 1]], [[0, 0], [0, 0]]):
        with pytest.raises(sl.DataError, match="Factor of a, b"):
            sl.Factor("ab", table)
    for names in ([], ["a", "a"], [1]):
        with pytest.raises(sl.DataError, match="names are one or more different nodes"):
            sl.Factor(names, [1.0])
    for weight in (math.inf, "1", [1.0], True, 10**400):
        with pytest.raises(sl.DataError, match="finite number"):
            sl.Feature({"a": 1}, weight)
    with pytest.raises(sl.DataError, match="mapping of one node or more"):
        sl.Feature({})
    with pytest.raises(ValueError, match="read-only"):
        sl.Factor("a", [1.0, 2.0]).table[0] = 3.0
    assert sl.Factor("a", [1, 2]) == sl.Factor("a", [1.0, 2.0])
    assert len({sl.Factor("a", [1, 2]), sl.Factor("a", [1, 2]), sl.Factor("b", [1, 2])}) == 2
    assert len({sl.Feature({"a": 1, "b": 2}, 1.0), sl.Feature({"b": 2, "a": 1}, 1.0)}) == 1


def test_words_for_people():
    graph = sl.Graph("ab", undirected=["ab"])

    assert repr(sl.MarkovNetwork(graph)) == "<MarkovNetwork: 2 nodes, 1 edge, not fitted>"
    feature = sl.Feature({"a": 1, "b": 1}, 0.5)
    model = sl.MarkovNetwork(graph, features=[feature], labels={"a": [0, 1], "b": [0, 1]})
    assert repr(model) == "<MarkovNetwork: 2 nodes, 1 edge, 1 feature, 1 parameters>"
    assert repr(ring_of_four()) == "<MarkovNetwork: 4 nodes, 4 edges, 4 factors, 8 parameters>"
    assert model.kinds == {"a": "discrete", "b": "discrete"}
    assert model.status == "The parameters were given."
    assert sl.MarkovNetwork(graph).status == "Not fitted yet."
    assert model.objective is None


def test_labels_may_read_the_same_in_data_and_features():
    graph = sl.Graph("ab", undirected=["ab"])
    model = sl.MarkovNetwork(
        graph, features=[sl.Feature({"a": "1", "b": 1}, 1.0)], labels={"a": [0, 1], "b": ["0", "1"]}
    )

    rows = {"a": ["0", "0", "1", "1"], "b": [0, 1, 0, 1]}

    e = math.e
    assert np.exp(model.log_likelihood_rows(rows)) == pytest.approx(np.array([1, 1, 1, e]) / (3 + e))
    with pytest.raises(sl.DataError, match="none of the model's states"):
        model.log_likelihood({"a": ["2"], "b": ["0"]})


def test_pairs_of_states_that_occur_anywhere_are_enough_for_a_margin():
    # A long chain takes a junction tree; its ends are in no clique together.
    nodes = [f"x{i:02}" for i in range(14)]
    rng = np.random.default_rng(0)
    tables = [rng.random((2, 2)) for _ in nodes[1:]]
    chain = sl.Graph(nodes, undirected=itertools.pairwise(nodes))
    model = sl.MarkovNetwork(chain, map(sl.Factor, itertools.pairwise(nodes), tables))

    product = np.linalg.multi_dot(tables)

    assert model.marginal([nodes[-1], nodes[0]]) == pytest.approx(product.T / product.sum())
    assert model.log_partition == pytest.approx(math.log(product.sum()))
