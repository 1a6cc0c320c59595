"""A Markov network is fitted as closed forms, enumeration and the conditions of a maximum say."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.models.factors_fit import closed_form, proportional_fit
from structlearn.models.factors_layout import Layout
from structlearn.models.log_linear_fit import ExactObjective, LinearTables, PseudoObjective, best_weights
from structlearn.models.markov_network import MarkovNetwork
from tests.oracles import factors as oracle
from tests.oracles import log_linear

SEEDS = st.integers(0, 2**32)
TRIANGLE = sl.Graph("abc", undirected=["ab", "bc", "ac"])
CHAIN = sl.Graph("abc", undirected=["ab", "bc"])
RING = sl.Graph("abcd", undirected=["ab", "bc", "cd", "ad"])

# From docs/references/models.md#log-linear-models: counts of three binary columns, the last one fastest.
COUNTS = np.array([10, 20, 15, 5, 8, 12, 30, 20], dtype=float).reshape(2, 2, 2)
FITTED = [
    11.4168214327, 18.5831785673, 13.5831785673, 6.4168214327, 6.5831785673, 13.4168214327,
    31.4168214327, 18.5831785673,
]  # fmt: skip


def weighted(nodes, counts):
    """A row for each joint state, with its count as a case weight; zeros too."""
    codes = np.array(list(np.ndindex(counts.shape))).T
    return sl.Dataset(
        dict(zip(nodes, codes, strict=True)), weights=counts.ravel(), kinds=dict.fromkeys(nodes, "discrete")
    )


WORKED = weighted("abc", COUNTS)


def ones(*names):
    return sl.Feature(dict.fromkeys(names, 1))


def fitted_counts(model, data):
    return data.weights.sum() * np.exp(model.log_likelihood_rows(data))


PAIRS = [
    MarkovNetwork(TRIANGLE, ["ab", "bc", "ac"]),
    MarkovNetwork(TRIANGLE, features=[ones(*names) for names in ("a", "b", "c", "ab", "bc", "ac")]),
]


@pytest.mark.parametrize("model", PAIRS, ids=["tables", "weights"])
def test_all_pairs_have_the_fit_of_the_references(model):
    model.fit(WORKED)

    assert fitted_counts(model, WORKED) == pytest.approx(FITTED, abs=1e-7)
    assert model.log_likelihood(WORKED) == pytest.approx(-235.1762057917, abs=1e-9)
    assert model.n_parameters == 6
    saturated = MarkovNetwork(TRIANGLE).fit(WORKED)
    assert saturated.n_parameters == 7
    deviance = 2 * (saturated.log_likelihood(WORKED) - model.log_likelihood(WORKED))
    assert deviance == pytest.approx(1.3812293787, abs=1e-9)
    joint = model.marginal([*"abc"])
    ratios = joint[:, 0, 0] * joint[:, 1, 1] / (joint[:, 0, 1] * joint[:, 1, 0])
    assert ratios == pytest.approx([0.2902309692, 0.2902309692], abs=1e-9)
    assert (model.objective, model.boundary) == ("exact", False)


def test_a_chain_has_the_closed_form_of_the_references():
    closed = MarkovNetwork(CHAIN).fit(WORKED)
    by_weights = MarkovNetwork(CHAIN, features=[ones(*names) for names in ("a", "b", "c", "ab", "bc")]).fit(
        WORKED
    )
    expected = COUNTS.sum(2)[:, :, None] * COUNTS.sum(0)[None] / COUNTS.sum((0, 2))[None, :, None]

    for model in (closed, by_weights):
        assert fitted_counts(model, WORKED) == pytest.approx(expected.ravel(), abs=1e-7)
        assert model.log_likelihood(WORKED) == pytest.approx(-235.3265154922, abs=1e-9)
        assert model.n_parameters == 5
    deviance = 2 * (
        MarkovNetwork(TRIANGLE).fit(WORKED).log_likelihood(WORKED) - closed.log_likelihood(WORKED)
    )
    assert deviance == pytest.approx(1.6818487798, abs=1e-9)
    assert closed.status == "The closed form of a decomposable graph."
    assert closed.log_partition == pytest.approx(0.0, abs=1e-12)


def random_counts(seed, shape, zeros):
    rng = np.random.default_rng(seed)
    counts = rng.integers(1, 30, shape).astype(float)
    return counts * (rng.random(shape) >= zeros)


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.15]), smoothing=st.sampled_from([0.0, 2.5]))
def test_tables_of_a_ring_are_those_of_scaling_the_whole_joint(seed, zeros, smoothing):
    counts = random_counts(seed, (2, 3, 2, 2), zeros)
    smoothed = (counts + smoothing / counts.size) / (counts.sum() + smoothing)
    targets = {axes: oracle.marginal(smoothed, axes) for axes in [(0, 1), (1, 2), (2, 3), (0, 3)]}
    expected = oracle.iterative_scaling(counts.shape, targets)

    model = MarkovNetwork(RING).fit(weighted("abcd", counts), smoothing=smoothing)

    assert model.marginal([*"abcd"]) == pytest.approx(expected, abs=1e-8)
    assert model.boundary == any((target == 0).any() for target in targets.values())
    for (i, j), target in targets.items():
        assert model.marginal(["abcd"[i], "abcd"[j]]) == pytest.approx(target, abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(seed=SEEDS, zeros=st.sampled_from([0.0, 0.4]))
def test_on_a_decomposable_graph_two_sweeps_reach_the_closed_form(seed, zeros):
    shape = (2, 3, 2, 2, 3)
    counts = random_counts(seed, shape, zeros)
    joint = counts / counts.sum()
    # Two triangles that share an edge, and a leaf: more than one clique in the junction tree.
    layout = Layout((*shape, 40), ((0, 1, 2), (1, 2, 3), (3, 4), (5,)))
    shares = [oracle.marginal(joint, scope) for scope in layout.scopes[:3]] + [np.full(40, 1 / 40)]

    closed = closed_form(layout, shares)
    fitted = proportional_fit(layout, shares)

    assert len(layout.tree.cliques) > 1
    assert fitted.n_sweeps <= 2
    expected = np.zeros(shape)
    for a, b, c, d, e in np.ndindex(shape):
        over = shares[1].sum(axis=2)[b, c] * shares[2].sum(axis=1)[d]
        expected[a, b, c, d, e] = (
            shares[0][a, b, c] * shares[1][b, c, d] * shares[2][d, e] / over if over else 0
        )
    for tables in (closed, fitted.tables):
        own = tables[0][:, :, :, None, None] * tables[1][None, :, :, :, None] * tables[2][None, None, None]
        assert own / own.sum() == pytest.approx(expected / expected.sum(), abs=1e-12)


def test_a_state_that_never_occurs_is_impossible_and_said_to_be():
    data = {"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 0]}

    model = MarkovNetwork(CHAIN).fit(data)

    assert model.boundary
    assert "never occur" in model.status
    assert model.log_likelihood({"a": [1], "b": [0], "c": [0]}) == -math.inf
    # P(a=0, b=1) P(c=1 | b=1)
    assert model.log_likelihood({"a": [0], "b": [1], "c": [1]}) == pytest.approx(math.log(1 / 3 * 1 / 2))
    smoothed = MarkovNetwork(CHAIN).fit(data, smoothing=8.0)
    assert not smoothed.boundary
    expected = (0 + 2) / 11 * (1 + 2) / (1 + 4)
    assert smoothed.log_likelihood({"a": [1], "b": [0], "c": [0]}) == pytest.approx(math.log(expected))


def test_a_likelihood_without_maximum_is_said_to_have_none():
    # Every two states occur together, and yet never all three are alike.
    rows = [row for row in itertools.product([0, 1], repeat=3) if 0 < sum(row) < 3]
    data = dict(zip("abc", np.array(rows).T, strict=True))

    model = MarkovNetwork(TRIANGLE, ["ab", "bc", "ac"]).fit(data)

    assert model.boundary
    assert "has no maximum" in model.status
    with pytest.raises(sl.DataError, match=r"grows without limit.*smoothing"):
        MarkovNetwork(TRIANGLE, features=PAIRS[1].features).fit(data)


@pytest.mark.parametrize("objective", ["exact", "pseudo"])
def test_a_feature_that_never_occurs_is_refused_and_a_ridge_helps(objective):
    data = {"a": [0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 0]}
    model = MarkovNetwork(
        sl.Graph("ab", undirected=["ab"]), features=[sl.Feature({"a": 0, "b": 1}), ones("b")]
    )

    with pytest.raises(sl.DataError, match=r"'a': 0, 'b': 1.* grows without limit"):
        model.fit(data, objective=objective)

    assert -5 < model.fit(data, objective=objective, ridge=0.5).features[0].weight < -0.1


def random_features(seed, levels):
    """Different features of one to three columns, in any states."""
    rng = np.random.default_rng(seed)
    found = {}
    for _ in range(6):
        columns = tuple(sorted(rng.permutation(len(levels))[: rng.integers(1, 4)].tolist()))
        found[columns, tuple(int(rng.integers(levels[c])) for c in columns)] = None
    return list(found)


def objectives(seed, levels, features):
    rng = np.random.default_rng(seed)
    codes = np.array(list(itertools.product(*map(range, levels))))
    shares = rng.dirichlet(np.ones(len(codes)))
    layout = Layout(tuple(levels), tuple(dict.fromkeys(columns for columns, _ in features)))
    tables = LinearTables.of_features(layout, np.zeros(layout.n_cells), features)
    cells = np.concatenate([
        oracle.marginal(shares.reshape(levels), scope).ravel() for scope in layout.scopes
    ])  # fmt: skip
    rows = {tuple(row): share for row, share in zip(codes.tolist(), shares.tolist(), strict=True)}
    return ExactObjective(tables, cells), PseudoObjective(tables, codes, shares), rows


@settings(deadline=None, max_examples=15)
@given(seed=SEEDS)
def test_values_and_gradients_are_those_of_the_definition(seed):
    levels = [2, 3, 2, 2]
    places = random_features(seed, levels)
    features = [dict(zip(*place, strict=True)) for place in places]
    weights = np.random.default_rng(seed).normal(size=len(places))
    exact, pseudo, rows = objectives(seed, levels, places)

    for objective, definition in (
        (exact, log_linear.log_likelihood),
        (pseudo, log_linear.log_pseudo_likelihood),
    ):
        value, gradient = objective.at(weights)
        assert value == pytest.approx(definition(levels, rows, features, weights))
        for place in range(len(places)):
            slope = log_linear.slope(lambda w, d=definition: d(levels, rows, features, w), weights, place)
            assert gradient[place] == pytest.approx(slope, rel=1e-6, abs=1e-8)


@settings(deadline=None, max_examples=8)
@given(seed=SEEDS)
def test_weights_match_the_means_of_the_data_by_newton_and_by_l_bfgs(seed):
    levels = [2, 3, 2, 2]
    places = random_features(seed, levels)
    exact, pseudo, rows = objectives(seed, levels, places)
    features = [dict(zip(*place, strict=True)) for place in places]

    weights, slope = best_weights(exact)

    assert slope < 1e-8
    joint = log_linear.probabilities(levels, features, weights)
    for feature in features:
        assert log_linear.mean(joint, feature) == pytest.approx(log_linear.mean(rows, feature), abs=1e-8)
    exact.__dict__["states"] = None  # too many, as it were
    others, _ = best_weights(exact)
    other = log_linear.probabilities(levels, features, others)
    assert [other[row] for row in joint] == pytest.approx(list(joint.values()), abs=1e-7)
    best, _ = best_weights(pseudo)
    assert np.abs(pseudo.at(best)[1]).max() < 1e-7


def test_redundant_features_get_the_weights_of_least_norm():
    graph = sl.Graph("a")
    data = {"a": ["x", "y", "y", "y"]}

    model = MarkovNetwork(graph, features=[sl.Feature({"a": "x"}), sl.Feature({"a": "y"})]).fit(data)

    # Only the difference, log 3, is known; the least norm splits it in half.
    assert [feature.weight for feature in model.features] == pytest.approx(
        [-math.log(3) / 2, math.log(3) / 2]
    )
    assert model.n_parameters == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("objective", ["exact", "pseudo"])
@pytest.mark.kernels
def test_the_exact_distribution_as_data_gives_itself_back(seed, objective):
    truth = oracle.random_model(seed, n_nodes=4, density=0.8)
    joint = oracle.joint(truth)
    data = sl.Dataset(oracle.table_of(truth), weights=1000 * joint.ravel())
    scopes = [names for names, _ in truth.factors()]

    model = MarkovNetwork(truth.graph, scopes, labels=truth.labels).fit(data, objective=objective)

    assert model.objective == objective
    assert model.marginal(truth.nodes) == pytest.approx(joint, abs=1e-6)
    assert model.n_parameters == truth.n_parameters


def test_tables_fitted_in_turn_have_every_share_in_a_ring_of_several_cliques():
    levels, ring = (5,) * 5, ((0, 1), (1, 2), (2, 3), (3, 4), (0, 4))
    layout = Layout(levels, ring)
    joint = np.random.default_rng(0).random(levels)
    shares = [oracle.marginal(joint / joint.sum(), scope) for scope in ring]

    tables = proportional_fit(layout, shares).tables

    assert len(layout.tree.cliques) == 3
    own = np.ones(levels)
    for scope, table in zip(ring, tables, strict=True):
        own = own * table.reshape([levels[j] if j in scope else 1 for j in range(5)])
    for scope, expected in zip(ring, shares, strict=True):
        assert oracle.marginal(own / own.sum(), scope) == pytest.approx(expected, abs=1e-7)


def test_a_ridge_on_tables_has_the_conditions_of_its_optimum():
    counts = random_counts(3, (2, 3), 0.0)
    graph = sl.Graph("ab", undirected=["ab"])

    model = MarkovNetwork(graph).fit(weighted("ab", counts), ridge=2.0)

    table = dict(model.factors())["a", "b"]
    slopes = counts - counts.sum() * model.marginal([*"ab"])
    assert slopes == pytest.approx(2 * 2.0 * np.log(table), abs=1e-5)


@pytest.mark.parametrize("options", [{}, {"features": [sl.Feature({"a": 1}), sl.Feature({"a": 1, "b": 1})]}])
def test_beside_a_ridge_pseudo_rows_count_as_rows_do(options):
    counts = random_counts(3, (2, 3), 0.0)
    graph = sl.Graph("ab", undirected=["ab"])

    smoothed = MarkovNetwork(graph, **options).fit(weighted("ab", counts), ridge=2.0, smoothing=12.0)
    added = MarkovNetwork(graph, **options).fit(weighted("ab", counts + 12.0 / counts.size), ridge=2.0)

    assert smoothed.marginal([*"ab"]) == pytest.approx(added.marginal([*"ab"]), abs=1e-9)


def test_factors_beside_features_stay_as_they_are():
    counts = random_counts(1, (2, 2), 0.0)
    graph = sl.Graph("ab", undirected=["ab"])
    table = np.array([[1.0, 2.0], [3.0, 0.5]])

    model = MarkovNetwork(graph, [sl.Factor("ab", table)], features=[ones("a"), ones("b")])
    model.fit(weighted("ab", counts))

    joint = model.marginal([*"ab"])
    ratio = joint[0, 0] * joint[1, 1] / (joint[0, 1] * joint[1, 0])
    assert ratio == pytest.approx(1.0 * 0.5 / (2.0 * 3.0))
    for axis in (0, 1):
        assert joint.sum(axis=axis) == pytest.approx(counts.sum(axis=axis) / counts.sum())
    with pytest.raises(sl.DataError, match="impossible by the zeros"):
        MarkovNetwork(graph, [sl.Factor("ab", [[1, 0], [1, 1]])], features=[ones("a")]).fit(
            weighted("ab", counts)
        )


def test_a_wide_graph_is_fitted_by_pseudo_likelihood_and_says_so():
    nodes = [f"s{i:02}" for i in range(24)]
    pairs = list(itertools.combinations(nodes, 2))
    graph = sl.Graph(nodes, undirected=pairs)
    rng = np.random.default_rng(0)
    data = sl.Dataset(dict(zip(nodes, rng.integers(0, 2, (24, 30)), strict=True)))

    model = MarkovNetwork(graph, pairs).fit(data, ridge=10.0)

    assert model.objective == "pseudo"
    assert "because the graph has a tree-width of about 23" in model.status
    assert "not reached" not in model.status
    assert model.pseudo_log_likelihood(data) > -24 * 30 * math.log(2)
    with pytest.raises(sl.DataError, match=r"fit\(objective='exact'\): .*objective='pseudo'"):
        MarkovNetwork(graph, pairs).fit(data, objective="exact")
    with pytest.raises(sl.OptionError, match=r"smoothing=1.*ridge"):
        MarkovNetwork(graph, pairs).fit(data, smoothing=1.0)
    weights = MarkovNetwork(graph, features=[sl.Feature(dict.fromkeys(edge, 1)) for edge in pairs])
    assert weights.fit(data, ridge=10.0).objective == "pseudo"


def test_a_pseudo_likelihood_beyond_floats_is_refused_with_what_gives_it_a_maximum(monkeypatch):
    """Fewer rows than a node has neighbours: some line parts its states, as far as floats reach."""
    monkeypatch.setattr("structlearn.models.markov_network_fit.HIGHEST_LOG", 10.0)
    nodes = [f"s{i:02}" for i in range(24)]
    pairs = list(itertools.combinations(nodes, 2))
    data = sl.Dataset(dict(zip(nodes, np.random.default_rng(0).integers(0, 2, (24, 20)), strict=True)))

    with pytest.raises(sl.DataError, match=r"no maximum.*ridge=1"):
        MarkovNetwork(sl.Graph(nodes, undirected=pairs), pairs).fit(data)


def test_labels_and_case_weights_of_the_data_count():
    data = {"b": ["wet", "wet", "dry", "wet"], "a": ["no", "yes", "no", "yes"]}
    model = MarkovNetwork(sl.Graph("ab", undirected=["ab"])).fit(
        sl.Dataset(data, weights=[1.0, 2.0, 3.0, 0.0])
    )

    assert model.labels == {"a": ("no", "yes"), "b": ("dry", "wet")}
    assert model.marginal([*"ab"]) == pytest.approx(np.array([[3, 1], [0, 2]]) / 6)
    again = model.fit(sl.Dataset(model.sample(2000, random_state=0)))
    assert again.labels == model.labels
    given = MarkovNetwork(
        sl.Graph("ab", undirected=["ab"]), labels={"a": ["yes", "no", "maybe"], "b": ["wet", "dry"]}
    )
    assert given.fit(data).marginal([*"a"]) == pytest.approx([0.5, 0.5, 0.0])


def test_options_and_columns_that_do_not_fit_are_refused():
    model = MarkovNetwork(CHAIN)
    with pytest.raises(sl.OptionError, match="smoothing"):
        model.fit(WORKED, smoothing=-1.0)
    with pytest.raises(sl.OptionError, match="objective"):
        model.fit(WORKED, objective="best")
    with pytest.raises(sl.DataError, match="lack the columns 'c'"):
        model.fit({"a": [0, 1], "b": [0, 1]})
    with pytest.raises(sl.DataError, match="'a' = 7"):
        MarkovNetwork(CHAIN, features=[sl.Feature({"a": 7})]).fit(WORKED)
    nodes = [f"x{i:02}" for i in range(40)]
    dense = sl.Graph(nodes, undirected=itertools.combinations(nodes, 2))
    with pytest.raises(sl.DataError, match="cells"):
        MarkovNetwork(dense).fit({node: [0, 1] for node in nodes})
