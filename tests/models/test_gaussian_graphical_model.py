"""Gaussian graphical models: printed fits, closed forms, definitions."""

import json
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

import structlearn as sl
from structlearn.learners.regression.graphical_lasso import GraphicalLasso
from structlearn.models.cliques import decomposition, neighbor_sets
from structlearn.models.gaussian_closed_form import decomposable_precision
from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel
from structlearn.numerics.blas_threads import threads_for
from structlearn.numerics.covariance_selection import covariance_selection
from tests.oracles import models as networks
from tests.oracles import precision as oracle

CHAIN = sl.Graph(["1", "2", "3"], undirected=[("1", "2"), ("2", "3")])
CYCLE = sl.Graph(["1", "2", "3", "4"], undirected=[("1", "2"), ("2", "3"), ("3", "4"), ("1", "4")])
# From docs/references/models.md#gaussian-graphical-models.
S3 = np.array([[2, 1.2, 0.9], [1.2, 1.5, 0.6], [0.9, 0.6, 1.8]])
S_CYCLE = np.array([[10.0, 1, 5, 4], [1, 10, 2, 6], [5, 2, 10, 3], [4, 6, 3, 10]])


@pytest.fixture(autouse=True)
def one_thread():
    with threads_for(1):
        yield


def rows_with(covariance, n_rows, mean=0.0):
    """Rows that have exactly this covariance matrix, with divisor n, and mean."""
    noise = np.random.default_rng(0).normal(size=(n_rows, len(covariance)))
    noise -= noise.mean(axis=0)
    white = noise @ np.linalg.inv(np.linalg.cholesky(noise.T @ noise / n_rows)).T
    return white @ np.linalg.cholesky(covariance).T + mean


def table(graph, rows):
    return dict(zip(graph.nodes, rows.T, strict=True))


def test_a_chain_has_the_printed_fit():
    data = table(CHAIN, rows_with(S3, 50, mean=4.0))
    model = GaussianGraphicalModel(CHAIN).fit(data)
    full = GaussianGraphicalModel(sl.Graph("123", undirected=["12", "23", "13"])).fit(data)

    assert model.covariance[0, 2] == pytest.approx(0.48, abs=1e-10)
    assert model.precision[np.triu_indices(3)] == pytest.approx(
        [0.9615384615, -0.7692307692, 0.0, 1.3846153846, -0.2564102564, 0.6410256410], abs=1e-9
    )
    assert model.precision[0, 2] == 0.0
    assert model.mean == pytest.approx([4.0, 4.0, 4.0])
    assert model.log_likelihood(data) == pytest.approx(-235.0750710438, abs=1e-7)
    assert full.log_likelihood(data) == pytest.approx(-232.1974357768, abs=1e-7)
    assert full.partial_correlations[0, 2] == pytest.approx(0.3297390038, abs=1e-9)
    deviance = 2.0 * (full.log_likelihood(data) - model.log_likelihood(data))
    assert deviance == pytest.approx(5.7552705339, abs=1e-8)
    assert deviance == pytest.approx(-50 * math.log(1 - full.partial_correlations[0, 2] ** 2), abs=1e-8)


def test_a_cycle_has_the_printed_fit():
    data = table(CYCLE, rows_with(S_CYCLE, 20))
    model = GaussianGraphicalModel(CYCLE).fit(data)

    assert model.covariance[0, 2] == pytest.approx(1.3142061402, abs=1e-9)
    assert model.covariance[1, 3] == pytest.approx(0.8704715679, abs=1e-9)
    k = model.precision
    assert [k[0, 0], k[0, 1], k[1, 2], k[2, 3], k[0, 3]] == pytest.approx(
        [0.1196574474, -0.0078589575, -0.0199211981, -0.0323749321, -0.0471788790], abs=1e-9
    )
    assert model.log_likelihood(data) == pytest.approx(-202.4641534800, abs=1e-7)
    assert model.n_parameters == 4 + 4 + 4


def closed_form(covariance, graph):
    """Inverses over cliques less separators: docs/references/models.md#gaussian-graphical-models."""
    precision = np.zeros_like(covariance)
    tree = nx.junction_tree(graph)
    for part in tree.nodes:
        # A separator stands there once, between all the cliques that it separates.
        sign = 1.0 if tree.nodes[part]["type"] == "clique" else 1.0 - tree.degree[part]
        place = np.ix_(sorted(part), sorted(part))
        precision[place] += sign * np.linalg.inv(covariance[place])
    return precision


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 9), st.floats(0.1, 0.7))
def test_on_chordal_graphs_the_fit_is_the_closed_form(seed, p, density):
    graph, _ = nx.complete_to_chordal_graph(nx.gnp_random_graph(p, density, seed=seed))
    covariance = oracle.random_correlation(seed, p, 4 * p)
    expected = np.zeros((p, p))
    for part in nx.connected_components(graph):
        nodes = sorted(part)
        place = np.ix_(nodes, nodes)
        relabelled = nx.relabel_nodes(graph.subgraph(nodes), {node: i for i, node in enumerate(nodes)})
        expected[place] = closed_form(covariance[place], relabelled) if len(nodes) > 1 else 1.0

    fit = covariance_selection(covariance, nx.to_numpy_array(graph, nodelist=range(p)) > 0, tolerance=1e-20)
    cliques = decomposition(neighbor_sets(p, graph.edges))

    np.testing.assert_allclose(fit.precision, expected, atol=1e-9)
    np.testing.assert_allclose(decomposable_precision(covariance, cliques), expected, atol=1e-9)


def test_a_singular_clique_has_no_closed_form():
    covariance = np.array([[1.0, 1.0, 0.2], [1.0, 1.0, 0.2], [0.2, 0.2, 1.0]])

    assert decomposable_precision(covariance, [((0, 1), ()), ((2,), ())]) is None


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 10), st.floats(0.1, 0.9))
def test_covariances_of_edges_are_kept_and_precisions_of_others_are_zero(seed, p, density):
    adjacency = nx.to_numpy_array(nx.gnp_random_graph(p, density, seed=seed)) > 0
    covariance = oracle.random_correlation(seed, p, 3 * p)

    fit = covariance_selection(covariance, adjacency, tolerance=1e-20)

    kept = adjacency | np.eye(p, dtype=bool)
    np.testing.assert_allclose(np.linalg.inv(fit.precision)[kept], covariance[kept], atol=1e-8)
    assert not fit.precision[~kept].any()


def test_a_hub_with_more_neighbours_than_rows_has_a_fit():
    # Cliques have two nodes; the neighbours of the hub alone are more than the rows.
    names = [f"x{i}" for i in range(9)]
    star = sl.Graph(names, undirected=[("x0", name) for name in names[1:]])
    rows = np.random.default_rng(0).normal(size=(5, 9))
    model = GaussianGraphicalModel(star).fit(table(star, rows))

    covariance = np.cov(rows, rowvar=False, bias=True)
    assert model.covariance[0] == pytest.approx(covariance[0], abs=1e-8)


def test_samples_have_the_covariance_of_the_model():
    precision = np.array([[2.0, 0.6, 0.0], [0.6, 1.5, -0.5], [0.0, -0.5, 1.0]])
    model = GaussianGraphicalModel(CHAIN, precision, mean=[1.0, -2.0, 3.0])
    drawn = model.sample(200_000, random_state=0)
    rows = np.column_stack(list(drawn.to_dict().values()))

    assert drawn.names == CHAIN.nodes
    covariance = np.linalg.inv(precision)
    variance = np.outer(np.diag(covariance), np.diag(covariance)) + covariance**2
    errors = np.abs(np.cov(rows, rowvar=False) - covariance)
    assert (errors < 5 * np.sqrt(variance / 200_000)).all()
    assert (np.abs(rows.mean(axis=0) - [1, -2, 3]) < 5 * np.sqrt(np.diag(covariance) / 200_000)).all()
    assert model.sample(3, random_state=1).to_dict()["1"].tolist() == (
        model.sample(3, random_state=1).to_dict()["1"].tolist()
    )


def test_densities_and_conditionals_are_those_of_the_definition():
    precision = np.array([[2.0, 0.6, 0.0], [0.6, 1.5, -0.5], [0.0, -0.5, 1.0]])
    model = GaussianGraphicalModel(CHAIN, precision, mean=[1.0, -2.0, 3.0])
    rows = np.random.default_rng(0).normal(size=(7, 3))
    by_scipy = multivariate_normal([1.0, -2.0, 3.0], np.linalg.inv(precision)).logpdf(rows)

    data = table(CHAIN, rows)
    assert model.log_likelihood_rows(data) == pytest.approx(by_scipy)
    weighted = sl.Dataset(data, weights=np.arange(7.0))
    assert model.log_likelihood(weighted) == pytest.approx(np.arange(7.0) @ by_scipy)

    given = model.conditional({"3": 0.5})
    covariance, apart = np.linalg.inv(precision), 0.5 - 3.0
    slopes = covariance[:2, 2] / covariance[2, 2]
    assert given.nodes == ("1", "2")
    assert given.mean == pytest.approx(np.array([1.0, -2.0]) + slopes * apart)
    np.testing.assert_allclose(given.covariance, covariance[:2, :2] - np.outer(slopes, covariance[2, :2]))
    # p(x1, x2, x3) = p(x1, x2 | x3) p(x3)
    joint = model.log_likelihood({"1": [0.2], "2": [0.1], "3": [0.5]})
    alone = multivariate_normal(3.0, covariance[2, 2]).logpdf(0.5)
    assert given.log_likelihood({"1": [0.2], "2": [0.1]}) + alone == pytest.approx(joint)


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 7), st.floats(0.1, 0.9))
def test_margins_and_queries_are_those_of_the_covariance_matrix(seed, p, density):
    rng = np.random.default_rng(seed)
    network = nx.gnp_random_graph(p, density, seed=seed)
    nodes = [f"x{i}" for i in range(p)]
    graph = sl.Graph(nodes, undirected=[(nodes[a], nodes[b]) for a, b in network.edges])
    weights = np.where(nx.to_numpy_array(network) > 0, rng.normal(size=(p, p)), 0.0)
    precision = weights + weights.T + 5.0 * p * np.eye(p)
    mean = rng.normal(size=p)
    model = GaussianGraphicalModel(graph, precision, mean=mean)
    places = rng.permutation(p)
    asked, given = places[: max(p // 2, 1)].tolist(), places[max(p // 2, 1) :][:2].tolist()
    names, covariance = [nodes[i] for i in asked], np.linalg.inv(precision)

    part = model.marginal(names)

    assert part.nodes == tuple(names)
    np.testing.assert_allclose(part.covariance, covariance[np.ix_(asked, asked)], atol=1e-12)
    np.testing.assert_allclose(part.mean, mean[asked])
    # An edge joins two that some path through the others joins.
    for a, b in [(a, b) for a in asked for b in asked if a < b]:
        rest = network.subgraph([a, b, *(i for i in range(p) if i not in asked)])
        assert (part.graph.edge(nodes[a], nodes[b]) is not None) == nx.has_path(rest, a, b)

    values = rng.normal(size=len(given))
    answer = model.query(names, dict(zip([nodes[i] for i in given], values, strict=True)))
    across, among = covariance[np.ix_(asked, given)], covariance[np.ix_(given, given)]
    np.testing.assert_allclose(
        answer.mean, mean[asked] + across @ np.linalg.solve(among, values - mean[given])
    )
    expected = covariance[np.ix_(asked, asked)] - across @ np.linalg.solve(among, across.T)
    np.testing.assert_allclose(answer.covariance, expected, atol=1e-12)
    density = multivariate_normal(mean[given], among).logpdf(values)
    assert answer.log_evidence == pytest.approx(float(density))
    assert model.log_evidence(dict(zip([nodes[i] for i in given], values, strict=True))) == pytest.approx(
        float(density)
    )


def test_a_network_of_regressions_is_the_same_distribution():
    bayesian = networks.unfaithful_gaussians()

    model = GaussianGraphicalModel.from_bayesian(bayesian)

    # From docs/references/models.md#bayesian-networks and docs/references/inference.md#gaussian-evidence.
    assert model.mean == pytest.approx([1.0, 2.5, -1.25])
    np.testing.assert_allclose(model.precision, [[8.25, -4, -4], [-4, 2, 2], [-4, 2, 4]])
    np.testing.assert_allclose(model.covariance, [[4, 8, 0], [8, 17, -0.5], [0, -0.5, 0.5]], atol=1e-12)
    assert model.log_likelihood({"x1": [0.0], "x2": [1.0], "x3": [-1.0]}) == pytest.approx(-3.5068155996)
    assert model.graph == bayesian.graph.moral()
    for question, mean, variance in [
        (("x2", {"x3": 0.0}), 1.25, 16.5),
        (("x1", {"x2": 2.0, "x3": 0.0}), 1.3636363636, 0.1212121212),
        (("x1", {"x3": 0.0}), 1.0, 4.0),
    ]:
        answer = model.query(*question)
        assert answer.mean == pytest.approx([mean])
        assert answer.covariance[0, 0] == pytest.approx(variance)
    with pytest.raises(sl.DataError, match="'asia' has a table distribution"):
        GaussianGraphicalModel.from_bayesian(networks.asia())


def test_what_a_model_knows_survives_files(tmp_path):
    model = GaussianGraphicalModel(CYCLE).fit(table(CYCLE, rows_with(S_CYCLE, 20, mean=1 / 3)))

    text = json.dumps(model.to_dict(), allow_nan=False)

    assert GaussianGraphicalModel.from_dict(CYCLE, json.loads(text)) == model
    model.save(tmp_path / "model.json")
    assert sl.load(tmp_path / "model.json") == model
    assert model.kinds == dict.fromkeys("1234", "continuous")
    known = model.to_dict()
    for missing in known:
        with pytest.raises(sl.DataError, match=f"lacks '{missing}'"):
            GaussianGraphicalModel.from_dict(CYCLE, {name: known[name] for name in known if name != missing})
    for change in (
        {"mean": 3},
        {"edges": [["1", "2"]]},
        {"edges": 5},
        {"mean": dict.fromkeys("1234", 10**400)},
        {"diagonal": dict.fromkeys("1234", "x")},
    ):
        with pytest.raises(sl.DataError, match="wrong type"):
            GaussianGraphicalModel.from_dict(CYCLE, known | change)
    with pytest.raises(sl.DataError, match="'1' and '3' is not 0"):
        GaussianGraphicalModel.from_dict(CYCLE, known | {"edges": [["1", "3", 0.5]]})
    with pytest.raises(sl.DataError, match="positive definite"):
        GaussianGraphicalModel.from_dict(CYCLE, known | {"diagonal": dict.fromkeys("1234", -1.0)})


def test_a_learned_graph_is_refitted_or_its_shrunken_matrix_kept():
    rows = oracle.draw(np.eye(5) + 0.4 * (np.eye(5, k=1) + np.eye(5, k=-1)), 300, seed=0)
    data = table(sl.Graph("ecabd"), rows * [1, 10, 1, 0.1, 1] + 5)
    learner = GraphicalLasso(penalty=0.15).fit(data)

    refitted = GaussianGraphicalModel(learner.graph_).fit(data)
    shrunken = GaussianGraphicalModel(learner.graph_).fit(data, precision=learner.precision_)

    assert refitted.log_likelihood(data) > shrunken.log_likelihood(data)
    deviations = np.array([data[name].std() for name in learner.graph_.nodes])
    np.testing.assert_allclose(
        shrunken.precision * np.outer(deviations, deviations), learner.precision_, atol=1e-10
    )
    np.testing.assert_allclose(shrunken.mean, [data[name].mean() for name in learner.graph_.nodes])


def test_case_weights_count_rows():
    rows = np.random.default_rng(0).normal(size=(20, 3))
    weights = np.random.default_rng(1).integers(0, 4, 20)
    weighted = GaussianGraphicalModel(CHAIN).fit(
        sl.Dataset(table(CHAIN, rows), weights=weights.astype(float))
    )
    repeated = GaussianGraphicalModel(CHAIN).fit(table(CHAIN, np.repeat(rows, weights, axis=0)))

    np.testing.assert_allclose(weighted.precision, repeated.precision)


def test_equality_and_words():
    model = GaussianGraphicalModel(CHAIN, np.eye(3))

    assert model == GaussianGraphicalModel(CHAIN, np.eye(3))
    assert model != GaussianGraphicalModel(CHAIN, np.eye(3), mean=[0, 0, 1])
    assert model != GaussianGraphicalModel(CHAIN)
    assert repr(GaussianGraphicalModel(CHAIN)) == "<GaussianGraphicalModel: 3 nodes, 2 edges, not fitted>"


def test_what_has_no_fit_is_refused_with_the_reason():
    triangle = sl.Graph("abc", undirected=["ab", "bc", "ac"])
    rng = np.random.default_rng(0)
    few = table(triangle, rng.normal(size=(3, 3)))
    with pytest.raises(sl.DataError, match=r"3 rows are too few .* on 'a', 'b', 'c', which are all joined"):
        GaussianGraphicalModel(triangle).fit(few)
    with pytest.raises(sl.DataError, match="column 'b' is constant"):
        GaussianGraphicalModel(triangle).fit(few | {"b": [2.5, 2.5, 2.5]})
    with pytest.raises(sl.DataError, match="'b'"):
        GaussianGraphicalModel(triangle).fit(few | {"b": ["x", "y", "x"]})
    with pytest.raises(sl.DataError, match="lack the columns 'c'"):
        GaussianGraphicalModel(triangle).fit({"a": few["a"], "b": few["b"]})
    with pytest.raises(sl.DataError, match="call fit"):
        GaussianGraphicalModel(triangle).sample(3)


def test_what_is_no_model_is_refused():
    with pytest.raises(sl.DataError, match="moral"):
        GaussianGraphicalModel(sl.Graph("ab", directed=["ab"]))
    with pytest.raises(sl.DataError, match="takes a Graph"):
        GaussianGraphicalModel(np.eye(2))
    with pytest.raises(sl.DataError, match="'1' and '3' is not 0"):
        GaussianGraphicalModel(CHAIN, np.eye(3) + 0.1)
    with pytest.raises(sl.DataError, match="positive definite"):
        GaussianGraphicalModel(CHAIN, -np.eye(3))
    with pytest.raises(sl.DataError, match="square matrix"):
        GaussianGraphicalModel(CHAIN, np.eye(2))
    with pytest.raises(sl.DataError, match="finite number"):
        GaussianGraphicalModel(CHAIN, np.eye(3), mean=[0.0, 1.0])
    model = GaussianGraphicalModel(CHAIN, np.eye(3))
    with pytest.raises(sl.OptionError, match="no node 'x'"):
        model.conditional({"x": 1.0})
    for ask in (model.marginal, model.query):
        with pytest.raises(sl.OptionError, match="no node 'x'"):
            ask(["x"])
        with pytest.raises(sl.OptionError, match="different nodes"):
            ask(["1", "1"])
    with pytest.raises(sl.OptionError, match="query: there is no node 'x'"):
        model.query("1", {"x": 1.0})
    with pytest.raises(sl.OptionError, match="no node is left"):
        model.conditional(dict.fromkeys("123", 0.0))


@pytest.mark.parametrize("said", [np.nan, np.inf, -np.inf, None, "tall", 10**400, [1.0]])
def test_evidence_that_is_no_finite_number_is_refused_by_every_question(said):
    model = GaussianGraphicalModel(CHAIN, np.eye(3))

    for ask in (lambda known: model.query("1", known), model.log_evidence, model.conditional):
        with pytest.raises(sl.DataError, match="'2' is continuous: its evidence is a finite number, not"):
            ask({"2": said})
        with pytest.raises(sl.DataError, match="a mapping of names to numbers, not"):
            ask(["2"])


@pytest.mark.parametrize("units", [(1e-9, 1e-9), (1.0, 1.0), (1e9, 1e9), (1e-9, 1e9)])
def test_a_matrix_is_symmetric_or_not_whatever_its_units(units):
    pair, scale = sl.Graph("ab", undirected=["ab"]), np.sqrt(np.outer(units, units))
    rounded = np.array([[1.0, 0.5], [0.5 + 1e-11, 1.0]])

    assert GaussianGraphicalModel(pair, rounded * scale).precision[0, 1] == 0.5 * scale[0, 1]
    for entry in (-0.5, 0.5001):
        with pytest.raises(sl.DataError, match="symmetric and positive definite"):
            GaussianGraphicalModel(pair, np.array([[1.0, 0.5], [entry, 1.0]]) * scale)


def test_the_most_probable_numbers_are_means_at_the_peak_of_the_density():
    rng = np.random.default_rng(3)
    root = rng.normal(size=(4, 4))
    model = sl.GaussianGraphicalModel(
        sl.Graph("abcd", undirected=["ab", "ac", "ad", "bc", "bd", "cd"]),
        root @ root.T + np.eye(4),
        mean=rng.normal(size=4),
    )

    found = model.map(evidence={"b": 0.7})

    row = {name: [number] for name, number in {**found.states, "b": 0.7}.items()}
    assert found.log_probability == pytest.approx(model.log_likelihood(row))
    assert found.log_evidence == pytest.approx(model.log_evidence({"b": 0.7}))
    for name in "acd":
        for step in (-1e-3, 1e-3):
            assert model.log_likelihood({**row, name: [row[name][0] + step]}) < found.log_probability
