"""An Ising model fits, samples and scores rows as the sum over all states says."""

import itertools
import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import structlearn as sl
from structlearn.data import Dataset
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.models.ising_model import IsingModel


def cycle(n, coupling, field=0.0):
    nodes = [f"s{i}" for i in range(n)]
    edges = [(nodes[i], nodes[(i + 1) % n]) for i in range(n)]
    return uniform(Graph(nodes, undirected=edges), coupling, field)


def grid(n, coupling, field=0.0):
    nodes = {(i, j): f"{i},{j}" for i in range(n) for j in range(n)}
    right = [(nodes[i, j], nodes[i, j + 1]) for i, j in nodes if j + 1 < n]
    down = [(nodes[i, j], nodes[i + 1, j]) for i, j in nodes if i + 1 < n]
    return uniform(Graph(nodes.values(), undirected=right + down), coupling, field)


def uniform(graph, coupling, field):
    return IsingModel(graph, dict.fromkeys(graph.nodes, field), dict.fromkeys(graph.undirected, coupling))


def random_model(seed, n_nodes=5, scale=0.6):
    rng = np.random.default_rng(seed)
    nodes = [f"s{i}" for i in range(n_nodes)]
    pairs = [pair for pair in itertools.combinations(nodes, 2) if rng.random() < 0.6]
    return IsingModel(
        Graph(nodes, undirected=pairs),
        {node: scale * rng.normal() for node in nodes},
        {pair: scale * rng.normal() for pair in pairs},
    )


def all_rows(model):
    states = np.array(list(itertools.product([-1, 1], repeat=len(model.nodes))))
    return dict(zip(model.nodes, states.T, strict=True))


def joint(model):
    """The probability of every row of -1 and 1, by the definition."""
    weights = []
    for state in itertools.product([-1, 1], repeat=len(model.nodes)):
        spin = dict(zip(model.nodes, state, strict=True))
        pulls = [h * spin[node] for node, h in model.fields.items()]
        pulls += [j * spin[a] * spin[b] for (a, b), j in model.couplings.items()]
        weights.append(math.exp(math.fsum(pulls)))
    return np.array(weights) / math.fsum(weights)


@pytest.fixture
def worked():
    """From docs/references/models.md#ising-models, in the coding 0 and 1."""
    graph = Graph("abc", undirected=[("a", "b"), ("b", "c"), ("a", "c")])
    couplings = {("a", "b"): 0.8, ("b", "c"): -0.5, ("a", "c"): 0.4}
    return IsingModel(graph, {"a": 0.3, "b": -0.2, "c": 0.1}, couplings, coding="zero-one")


def test_both_codings_are_those_of_the_references(worked):
    spins = worked.recoded("plus-minus")

    assert worked.log_partition == pytest.approx(2.4821795401, abs=1e-10)
    assert spins.log_partition == pytest.approx(2.2071795401, abs=1e-10)
    assert spins.fields == pytest.approx({"a": 0.45, "b": -0.025, "c": 0.025}, abs=1e-14)
    assert spins.couplings == pytest.approx({("a", "b"): 0.2, ("b", "c"): -0.125, ("a", "c"): 0.1}, abs=1e-14)
    assert spins.recoded("zero-one").fields == pytest.approx(worked.fields, abs=1e-14)
    for model in (worked, spins):
        assert model.log_likelihood({"a": [1], "b": [1], "c": [1]}) == pytest.approx(math.log(0.2055266561))


def test_the_means_of_the_references(worked):
    states = np.array(list(itertools.product([0, 1], repeat=3)))

    p = np.exp(worked.log_likelihood_rows(dict(zip("abc", states.T, strict=True))))

    assert p @ states == pytest.approx([0.7098169414, 0.5253263886, 0.5297031401])


# From docs/references/models.md#ising-models: the partition functions of cycles and grids.
PARTITIONS = [
    (cycle(4, 0.5), 3.2976420048), (cycle(3, 0.5), 2.5339001345), (grid(3, 0.5), 7.8915245022),
    (grid(8, 0.4, 0.1), 57.0823978690), (grid(8, 0.2), 46.6663234256),
]  # fmt: skip


@pytest.mark.parametrize(("model", "log_partition"), PARTITIONS, ids=repr)
def test_log_partitions_are_those_of_the_references(model, log_partition):
    assert model.log_partition == pytest.approx(log_partition, abs=1e-9)


# From docs/references/models.md#ising-models: the correlations of two nodes of cycles and of the 3 by 3
# grid, with coupling 0.5 and no field.
CORRELATIONS = [
    (cycle(4, 0.5), ("s0", "s1"), 0.5363436040), (cycle(3, 0.5), ("s0", "s1"), 0.6149794590),
    (grid(3, 0.5), ("0,0", "0,1"), 0.5660523907), (grid(3, 0.5), ("1,1", "0,1"), 0.6259845219),
    (grid(3, 0.5), ("0,0", "2,2"), 0.2630094347),
]  # fmt: skip


@pytest.mark.parametrize(("model", "pair", "correlation"), CORRELATIONS, ids=repr)
def test_correlations_are_those_of_the_references(model, pair, correlation):
    table = model.marginal(pair)

    assert table[0, 0] + table[1, 1] - table[0, 1] - table[1, 0] == pytest.approx(correlation, abs=1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_the_product_of_the_factors_is_the_distribution(seed):
    model = random_model(seed)
    spins = {name: i for i, name in enumerate(model.nodes)}
    product = np.ones([2] * 5)
    for names, table in model.factors():
        axes = [spins[name] for name in names]
        product *= table.reshape([2 if i in axes else 1 for i in range(5)])

    assert product / product.sum() == pytest.approx(joint(model).reshape([2] * 5))
    assert product.sum() == pytest.approx(math.exp(model.log_partition))
    assert [names for names, _ in model.recoded("zero-one").factors()] == [
        *zip(model.nodes),
        *model.couplings,
    ]


def test_questions_are_answered_as_enumeration_says():
    model = random_model(2)
    table = joint(model).reshape([2] * 5)

    answer = model.query(["s1", "s0"], {"s3": -1})

    given = table[:, :, :, 0].sum(axis=(2, 3))
    assert answer.probabilities == pytest.approx(given.T / given.sum())
    assert model.log_evidence({"s3": -1, "s4": 1}) == pytest.approx(math.log(table[:, :, :, 0, 1].sum()))
    best = np.unravel_index(table.argmax(), table.shape)
    assert model.map().states == {f"s{i}": (-1, 1)[code] for i, code in enumerate(best)}
    with pytest.raises(DataError, match="no node 'z'"):
        model.marginal(["z"])


@pytest.mark.parametrize("coding", ["plus-minus", "zero-one"])
def test_what_a_model_knows_survives_files(coding, tmp_path):
    known = random_model(7).recoded(coding)
    labelled = IsingModel(
        Graph("ab", undirected=["ab"]), couplings={("a", "b"): 0.1}, labels={"a": ("n", "y"), "b": (0, 1)}
    )
    plain = IsingModel(Graph("ab"), {"a": 0.3, "b": 1 / 3}, coding=coding)

    for model in (known, labelled, plain):
        text = json.dumps(model.to_dict(), allow_nan=False)
        assert IsingModel.from_dict(model.graph, json.loads(text)) == model
        model.save(tmp_path / "model.json")
        assert sl.load(tmp_path / "model.json") == model
    assert known.kinds == dict.fromkeys(known.nodes, "discrete")
    with pytest.raises(DataError, match="no parameters yet"):
        IsingModel(known.graph).to_dict()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"coding": "spin"}, "wrong type"),
        ({"fields": {"a": 0.0}}, "fields lacks the node 'b'"),
        ({"couplings": []}, "couplings lacks the edge"),
        ({"couplings": 3}, "wrong type"),
        ({"couplings": [["a", "b"]]}, "wrong type"),
        ({"couplings": [["a", "b", "x"]]}, "wrong type"),
        ({"labels": {"a": [1]}}, "two different labels"),
        ({"fields": 3}, "wrong type"),
        ({"fields": {"a": 10**400, "b": 0.0}}, "wrong type"),
    ],
)
def test_a_broken_dict_is_refused(change, message):
    graph = Graph("ab", undirected=["ab"])
    known = {"coding": "zero-one", "fields": {"a": 0.0, "b": 1.0}, "couplings": [["a", "b", 0.5]]}

    with pytest.raises(DataError, match=message):
        IsingModel.from_dict(graph, known | change)
    for missing in known:
        with pytest.raises(DataError, match=f"lacks '{missing}'"):
            IsingModel.from_dict(graph, {name: known[name] for name in known if name != missing})


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_probabilities_are_those_of_enumeration(seed):
    model = random_model(seed)

    assert np.exp(model.log_likelihood_rows(all_rows(model))) == pytest.approx(joint(model))


def test_the_pseudo_likelihood_is_the_product_of_the_conditionals():
    model, rows = random_model(1), all_rows(random_model(1))
    p = joint(model)
    table = p.reshape([2] * 5)

    conditionals = [np.log(table / table.sum(axis=axis, keepdims=True)).ravel() for axis in range(5)]

    assert model.pseudo_log_likelihood(rows) == pytest.approx(np.sum(conditionals))
    weighted = Dataset(rows, weights=p)
    assert model.pseudo_log_likelihood(weighted) == pytest.approx(p @ np.sum(conditionals, axis=0))


@pytest.mark.parametrize("objective", ["exact", "pseudo"])
@pytest.mark.parametrize("seed", range(3))
def test_exact_moments_give_the_parameters_back(seed, objective):
    model = random_model(seed)

    fitted = IsingModel(model.graph).fit(Dataset(all_rows(model), weights=joint(model)), objective=objective)

    assert fitted.objective == objective
    assert fitted.fields == pytest.approx(model.fields, abs=1e-6)
    assert fitted.couplings == pytest.approx(model.couplings, abs=1e-6)


# From docs/references/models.md#log-linear-models: counts of three binary columns, the last one fastest.
COUNTS = [10, 20, 15, 5, 8, 12, 30, 20]


@pytest.mark.parametrize(
    ("edges", "log_likelihood"),
    [(["ab", "bc", "ac"], -235.1762057917), (["ab", "bc"], -235.3265154922)],
    ids=["all pairs", "a chain"],
)
def test_fitted_likelihoods_are_those_of_the_references(edges, log_likelihood):
    states = np.array(list(itertools.product([0, 1], repeat=3)))
    data = Dataset(dict(zip("abc", states.T, strict=True)), weights=COUNTS)

    fitted = IsingModel(Graph("abc", undirected=[tuple(edge) for edge in edges]), coding="zero-one").fit(data)

    assert fitted.log_likelihood(data) == pytest.approx(log_likelihood, abs=1e-8)
    assert fitted.n_parameters == 3 + len(edges)
    if len(edges) == 3:
        counts = [
            11.4168214327, 18.5831785673, 13.5831785673, 6.4168214327, 6.5831785673, 13.4168214327,
            31.4168214327, 18.5831785673,
        ]  # fmt: skip
        assert 120 * np.exp(fitted.log_likelihood_rows(data)) == pytest.approx(counts, abs=1e-5)


def test_a_wide_graph_is_fitted_by_pseudo_likelihood_and_scored_only_by_it():
    nodes = [f"s{i:02}" for i in range(30)]
    rng = np.random.default_rng(0)
    data = dict(zip(nodes, rng.integers(0, 2, (30, 200)), strict=True))
    graph = Graph(nodes, undirected=itertools.combinations(nodes, 2))

    fitted = IsingModel(graph).fit(data, ridge=20.0)

    assert fitted.objective == "pseudo"
    assert fitted.pseudo_log_likelihood(data) > -30 * 200 * math.log(2)
    for refused in (fitted.log_likelihood, fitted.log_likelihood_rows):
        with pytest.raises(DataError, match=r"tree-width of about 29.*pseudo_log_likelihood"):
            refused(data)
    with pytest.raises(DataError, match=r"sample\(method='exact'\).*method='gibbs'"):
        fitted.sample(3, method="exact")
    with pytest.raises(DataError, match=r"fit\(objective='exact'\).*objective='pseudo'"):
        IsingModel(graph).fit(data, objective="exact", ridge=1.0)
    assert fitted.sample(3, sweeps=5, random_state=0).n_rows == 3


@pytest.mark.parametrize("method", ["exact", "gibbs"])
@pytest.mark.parametrize("seed", [1, 2])
def test_samples_fit_the_enumerated_distribution(method, seed):
    model = random_model(seed)
    drawn = model.sample(2000, method=method, sweeps=20, random_state=seed).to_dict()

    place = sum((drawn[node] > 0) * 2 ** (4 - j) for j, node in enumerate(model.nodes))

    expected = 2000 * joint(model)
    enough = expected >= 5
    seen = np.bincount(place, minlength=32)
    counts, means = [*seen[enough], seen[~enough].sum()], [*expected[enough], expected[~enough].sum()]
    kept = [(n, mean) for n, mean in zip(counts, means, strict=True) if mean > 0]
    assert chisquare(*zip(*kept, strict=True)).pvalue > 1e-4


def test_samples_of_a_large_cycle_have_its_correlations():
    # Twelve nodes take a junction tree. With t = tanh J two nodes k apart have the correlation
    # (t^k + t^(n−k)) / (1 + t^n); docs/references/models.md#ising-models has it for neighbours.
    t = math.tanh(0.8)
    drawn = cycle(12, 0.8).sample(20_000, random_state=0).to_dict()

    for k in range(1, 7):
        expected = (t**k + t ** (12 - k)) / (1 + t**12)
        error = math.sqrt((1 - expected**2) / 20_000)
        assert np.mean(drawn["s0"] * drawn[f"s{k}"]) == pytest.approx(expected, abs=4.5 * error)


def test_labels_of_the_data_are_kept_in_fits_and_samples():
    rng = np.random.default_rng(0)
    rain = rng.random(500) < 0.4
    wet = np.where(rng.random(500) < 0.1, ~rain, rain)
    data = {"wet": np.array(["dry", "wet"])[wet * 1], "rain": np.array(["no", "yes"])[rain * 1]}

    model = IsingModel(Graph(["rain", "wet"], undirected=[("rain", "wet")])).fit(data)

    assert model.labels == {"rain": ("no", "yes"), "wet": ("dry", "wet")}
    assert model.couplings["rain", "wet"] > 0
    sample = model.sample(400, random_state=0)
    assert sample.labels == model.labels
    # Two columns: the fit is the table of their counts.
    expected = sum(math.log(np.mean((rain == r) & (wet == w))) for r, w in zip(rain, wet, strict=True))
    assert model.log_likelihood(data) == pytest.approx(expected)
    assert model.fit(sample).labels == model.labels


def test_without_refitting_the_weights_of_the_edges_stay():
    model = random_model(4)
    edges = [Edge(a, b, "undirected", weight=0.5 * w) for (a, b), w in model.couplings.items()]
    shrunk = Graph.from_edges(model.nodes, edges)
    data = Dataset(all_rows(model), weights=joint(model))

    kept = IsingModel(shrunk).fit(data, refit=False)

    assert kept.couplings == pytest.approx({edge: 0.5 * w for edge, w in model.couplings.items()})
    means = {node: joint(model) @ column for node, column in all_rows(model).items()}
    own = {node: joint(kept) @ column for node, column in all_rows(kept).items()}
    assert own == pytest.approx(means, abs=1e-6)
    with pytest.raises(DataError, match="has no weight"):
        IsingModel(model.graph).fit(data, refit=False)


def test_an_empty_cell_is_refused_and_a_ridge_helps():
    data = {"a": [0, 0, 1, 1, 1], "b": [0, 0, 1, 1, 0]}
    graph = Graph("ab", undirected=[("a", "b")])

    with pytest.raises(DataError, match=r"'a' and 'b' are joined.*ridge"):
        IsingModel(graph).fit(data)

    coupling = IsingModel(graph).fit(data, ridge=1.0).couplings["a", "b"]
    # At the optimum the slope of the log-likelihood is twice the coupling.
    model = IsingModel(graph).fit(data, ridge=1.0)
    correlation = joint(model) @ np.prod(list(all_rows(model).values()), axis=0)
    assert 5 * (3 / 5 - correlation) == pytest.approx(2 * coupling, abs=1e-6)


def test_couplings_that_grow_without_limit_are_refused():
    # Of three nodes never all are alike: every two show all pairs of states, and yet there is no maximum.
    rows = [row for row in itertools.product([0, 1], repeat=3) if 0 < sum(row) < 3]
    data = dict(zip("abc", np.array(rows).T, strict=True))
    graph = Graph("abc", undirected=[("a", "b"), ("b", "c"), ("a", "c")])

    with pytest.raises(DataError, match=r"'a' and 'b' grows without limit.*ridge"):
        IsingModel(graph).fit(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": [0, 1, 2], "b": [0, 1, 1]}, r"'a' has 3 values, and an Ising model takes two"),
        ({"a": [0, 0, 0], "b": [0, 1, 1]}, r"'a' has 1 value, and an Ising model takes two"),
        ({"a": [0, 1, 1]}, "lack the columns 'b'"),
    ],
)
def test_columns_that_do_not_fit_are_named(data, message):
    with pytest.raises(DataError, match=message):
        IsingModel(Graph("ab", undirected=[("a", "b")])).fit(data)


def test_a_state_that_no_row_has_is_named():
    graph = Graph("ab", undirected=[("a", "b")])
    labels = {"a": ("no", "yes"), "b": ("no", "yes")}

    with pytest.raises(DataError, match="'a' has a single value"):
        IsingModel(graph, labels=labels).fit({"a": ["no", "no"], "b": ["no", "yes"]})


def test_unknown_labels_and_options_are_refused():
    model = cycle(3, 0.5)

    with pytest.raises(DataError, match="none of the model's states"):
        model.log_likelihood({"s0": [1], "s1": [7], "s2": [1]})
    with pytest.raises(OptionError, match="coding"):
        IsingModel(model.graph, coding="spin")
    with pytest.raises(OptionError, match="sweeps"):
        model.sample(3, sweeps=0)


def test_what_a_model_is_made_of_is_checked():
    graph = Graph("ab", undirected=[("a", "b")])
    whole = {"a": 0.0, "b": 0.0}

    with pytest.raises(DataError, match="undirected graph"):
        IsingModel(Graph("ab", directed=[("a", "b")]))
    with pytest.raises(DataError, match="takes a Graph"):
        IsingModel({"a": ["b"]})
    with pytest.raises(DataError, match="fields lacks the node 'b'"):
        IsingModel(graph, {"a": 0.0}, {("a", "b"): 1.0})
    with pytest.raises(DataError, match="fields has 'c'"):
        IsingModel(graph, {**whole, "c": 1.0}, {("a", "b"): 1.0})
    with pytest.raises(DataError, match="couplings lacks the edge"):
        IsingModel(graph, whole)
    with pytest.raises(DataError, match="no edge of the graph"):
        IsingModel(graph, whole, {("a", "b"): 1.0, ("a", "c"): 1.0})
    with pytest.raises(DataError, match="two different labels"):
        IsingModel(graph, labels={"a": ("x", "x"), "b": (0, 1)})
    with pytest.raises(DataError, match="no parameters yet"):
        IsingModel(graph).sample(3)
    assert IsingModel(graph, whole, {("b", "a"): 1.0}).couplings == {("a", "b"): 1.0}


def test_models_are_equal_by_their_parameters_and_survive_pickling():
    model = random_model(3)

    assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301, our own bytes
    assert model != random_model(5)
    assert IsingModel(model.graph) != model
    assert repr(cycle(3, 0.5)) == "<IsingModel: 3 nodes, 3 edges, 6 parameters>"
    assert repr(IsingModel(cycle(3, 0.5).graph)) == "<IsingModel: 3 nodes, 3 edges, not fitted>"


def test_the_same_seed_gives_the_same_rows():
    model = cycle(4, 0.5)

    for method in ("exact", "gibbs"):
        draws = [model.sample(30, method=method, sweeps=5, random_state=seed) for seed in (7, 7, 8)]
        assert draws[0] == draws[1]
        assert draws[0] != draws[2]


def test_a_graph_without_edges_is_independent_coins():
    data = {"a": [0, 1, 1, 1], "b": [0, 0, 1, 1]}

    model = IsingModel(Graph("ab"), coding="zero-one").fit(data)

    assert model.fields == pytest.approx({"a": math.log(3), "b": 0.0})
    assert model.log_likelihood(data) == pytest.approx(
        3 * math.log(0.75) + math.log(0.25) + 4 * math.log(0.5)
    )
    assert model.sample(5, method="gibbs", sweeps=2, random_state=0).n_rows == 5


def test_couplings_alone_mean_no_fields():
    graph = Graph(["a", "b"], undirected=[("a", "b")])

    assert IsingModel(graph, couplings={("a", "b"): 0.5}).fields == {"a": 0.0, "b": 0.0}
