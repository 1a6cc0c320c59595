"""A network fits, samples and scores rows as the product of its families says."""

import math
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare, multivariate_normal

from structlearn.data import Dataset
from structlearn.errors import DataError, OptionError
from structlearn.graphs import Graph
from structlearn.models import LinearGaussianCPD, TableCPD
from structlearn.models.bayesian_network import BayesianNetwork
from tests.oracles import models as oracle


def rows_of(dataset):
    columns = dataset.to_dict()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@pytest.fixture
def rain():
    return oracle.network(
        {
            "rain": TableCPD([0.8, 0.2], labels=["no", "yes"]),
            "grass": TableCPD([[0.9, 0.1], [0.0, 1.0]], labels=["dry", "wet"], parents=["rain"]),
        }
    )


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_the_log_likelihood_is_the_product_over_rows_and_nodes(seed):
    model = oracle.random_tables(seed)
    data = model.sample(30, random_state=seed)

    assert model.log_likelihood(data) == pytest.approx(oracle.log_likelihood(model, rows_of(data)))


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32), smoothing=st.sampled_from([0.0, 1.0, 7.5]), weighted=st.booleans())
def test_every_row_of_a_fitted_table_is_the_smoothed_share(seed, smoothing, weighted):
    truth = oracle.random_tables(seed)
    weights = np.random.default_rng(seed).integers(0, 4, 40) + 0.5 if weighted else None
    data = Dataset(truth.sample(40, random_state=seed), weights=weights)

    fitted = BayesianNetwork(truth.graph).fit(data, smoothing=smoothing)

    rows = rows_of(data)
    for node, cpd in fitted.cpds.items():
        alpha = smoothing / cpd.probabilities.size
        for cell in np.ndindex(cpd.probabilities.shape[:-1]):
            states = {parent: fitted.labels[parent][k] for parent, k in zip(cpd.parents, cell, strict=True)}
            expected = oracle.estimated_row(rows, node, states, cpd.labels, weights=weights, alpha=alpha)
            assert cpd.probabilities[cell] == pytest.approx(expected)


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 2**32))
def test_the_probabilities_of_all_rows_sum_to_one(seed):
    model = oracle.random_tables(seed, n_nodes=5)
    states = list(oracle.joint(model))
    table = {node: [state[j] for state in states] for j, node in enumerate(model.nodes)}

    assert np.exp(model.log_likelihood_rows(table)).sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_samples_fit_the_enumerated_joint_distribution(seed):
    model = oracle.random_tables(seed)
    joint = oracle.joint(model)

    drawn = model.sample(20_000, random_state=seed).to_dict()

    seen = Counter(zip(*(drawn[node] for node in model.nodes), strict=True))
    expected = {state: 20_000 * probability for state, probability in joint.items()}
    # Cells too small for the chi-square approximation are counted together.
    small = [state for state, n in expected.items() if n < 5]
    counts = [seen[state] for state in expected if state not in small] + [sum(seen[s] for s in small)]
    means = [n for state, n in expected.items() if state not in small] + [sum(expected[s] for s in small)]
    kept = [(n, mean) for n, mean in zip(counts, means, strict=True) if mean > 0]
    assert chisquare(*zip(*kept, strict=True)).pvalue > 1e-4


def test_samples_of_asia_have_its_published_marginals():
    drawn = oracle.asia().sample(200_000, random_state=0).to_dict()

    marginals = {
        "tub": 0.0104, "lung": 0.055, "bronc": 0.45, "either": 0.064828, "xray": 0.11029,
        "dysp": 0.43597,
    }  # fmt: skip
    for node, p in marginals.items():
        assert (drawn[node] == "yes").mean() == pytest.approx(p, abs=4.5 * math.sqrt(p * (1 - p) / 200_000))


def test_estimates_approach_the_truth_as_the_square_root_of_the_rows():
    truth = oracle.random_tables(5)

    def error(n):
        fitted = BayesianNetwork(truth.graph).fit(truth.sample(n, random_state=n))
        gaps = [
            (fitted.cpds[node].probabilities - cpd.probabilities).ravel() for node, cpd in truth.cpds.items()
        ]
        return math.sqrt(np.mean(np.concatenate(gaps) ** 2))

    # A hundred times the rows: a tenth of the error, within a factor of two.
    assert 1 / 20 < error(200_000) / error(2_000) < 1 / 5


def test_a_gaussian_network_is_the_multivariate_normal_it_implies():
    model = oracle.unfaithful_gaussians()
    points = np.random.default_rng(0).normal(0, 3, (50, 3))

    rows = model.log_likelihood_rows(dict(zip(model.nodes, points.T, strict=True)))

    # By hand from the three equations.
    mean, covariance = [1, 2.5, -1.25], [[4, 8, 0], [8, 17, -0.5], [0, -0.5, 0.5]]
    np.testing.assert_allclose(rows, multivariate_normal.logpdf(points, mean, covariance), rtol=1e-9)


def test_gaussian_samples_have_the_implied_moments_and_give_the_parameters_back():
    model = oracle.unfaithful_gaussians()
    data = model.sample(100_000, random_state=2)

    fitted = BayesianNetwork(model.graph).fit(data)

    drawn = np.column_stack(list(data.to_dict().values()))
    # Four standard errors of a covariance of size up to 17 are below 0.31.
    np.testing.assert_allclose(drawn.mean(axis=0), [1, 2.5, -1.25], atol=0.06)
    np.testing.assert_allclose(np.cov(drawn.T), [[4, 8, 0], [8, 17, -0.5], [0, -0.5, 0.5]], atol=0.31)
    for node, cpd in model.cpds.items():
        assert fitted.cpds[node].coefficients == pytest.approx(cpd.coefficients, abs=0.02)
        assert fitted.cpds[node].variance == pytest.approx(cpd.variance, rel=0.02)
    assert fitted.n_parameters == 2 + 3 + 4


def test_the_same_seed_gives_the_same_rows():
    model = oracle.asia()

    assert model.sample(100, random_state=7) == model.sample(100, random_state=7)
    assert model.sample(100, random_state=7) != model.sample(100, random_state=8)
    assert model.sample(100, random_state=np.random.default_rng(7)) == model.sample(100, random_state=7)


def test_a_sample_becomes_a_frame_and_is_taken_back(rain):
    frame = pd.DataFrame(rain.sample(50, random_state=0).to_dict())

    assert list(frame.columns) == ["rain", "grass"]
    assert rain.log_likelihood(frame[["grass", "rain"]]) == rain.log_likelihood(frame)


def test_a_partially_directed_graph_is_extended_to_a_dag():
    model = BayesianNetwork(Graph(["a", "b", "c"], undirected=[("a", "b"), ("b", "c")]))

    assert model.graph.is_dag
    assert model.graph.to_cpdag() == Graph(["a", "b", "c"], undirected=[("a", "b"), ("b", "c")])


def test_a_graph_with_a_cycle_is_refused():
    with pytest.raises(DataError, match="cycle"):
        BayesianNetwork(Graph(["a", "b", "c"], directed=[("a", "b"), ("b", "c"), ("c", "a")]))


def test_something_that_is_no_graph_is_refused():
    with pytest.raises(DataError, match="takes a Graph, not a list"):
        BayesianNetwork(["a", "b"])


def test_a_network_without_distributions_says_to_call_fit(tmp_path):
    model = BayesianNetwork(Graph(["a"]))

    for use in (
        lambda: model.sample(3),
        lambda: model.log_likelihood({"a": ["x"]}),
        lambda: model.n_parameters,
        lambda: model.save(tmp_path / "a.json"),
    ):
        with pytest.raises(DataError, match="call fit"):
            use()
    assert "not fitted" in repr(model)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("use", [BayesianNetwork.fit, BayesianNetwork.log_likelihood])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"rain": ["no", "yes"]}, "lack the columns 'grass'"),
        ({"rain": ["no", "yes"], "grass": ["dry", "wet"], "id": [1, 2]}, "'id' are no nodes"),
        ({"rain": ["no", None], "grass": ["dry", "wet"]}, r"missing .* 'rain' \(1\)"),
    ],
)
def test_data_that_do_not_match_the_nodes_are_refused_by_name(rain, use, data, reason):
    with pytest.raises(DataError, match=reason):
        use(rain, data)


def test_a_kind_that_does_not_suit_the_column_is_refused():
    graph = Graph(["group", "height"], directed=[("group", "height")])
    data = {"group": ["a", "b", "a"], "height": [1.5, 1.7, 1.9]}

    with pytest.raises(OptionError, match="takes continuous parents, and 'height' has others"):
        BayesianNetwork(graph, {"height": "linear-gaussian"}).fit(data)
    with pytest.raises(DataError, match="'group' is given as continuous"):
        BayesianNetwork(graph, {"group": "linear-gaussian"}).fit(data)


def test_labels_that_read_the_same_are_the_states_of_the_model():
    cpds = {"a": TableCPD([0.5, 0.5], labels=["0", "1"])}

    model = BayesianNetwork(Graph("a"), cpds).fit({"a": [1, 1, 0, 1]})

    assert model.labels == {"a": ("0", "1")}
    np.testing.assert_allclose(model.cpds["a"].probabilities, [0.25, 0.75])


def test_an_unknown_kind_is_refused_with_those_there_are():
    with pytest.raises(OptionError, match=r"'oak'.*'table'"):
        BayesianNetwork(Graph("ab"), {"a": "oak"})
    with pytest.raises(OptionError, match="give a CPD"):
        BayesianNetwork(Graph("ab"), {"a": 3})


def test_a_wish_for_one_node_leaves_the_others_to_their_columns():
    data = {"a": ["x", "y", "y"], "b": ["u", "u", "v"]}
    graph = Graph("ab", directed=["ab"])

    def smoothed(family, **_options):
        return TableCPD.fit(family, smoothing=2.0)

    model = BayesianNetwork(graph, {"b": smoothed})

    smooth = BayesianNetwork(graph).fit(data, smoothing=2.0).cpds
    assert model.fit(data).cpds == {"a": BayesianNetwork(graph).fit(data).cpds["a"], "b": smooth["b"]}


def test_a_network_that_is_fitted_anew_keeps_its_states_and_their_order(rain):
    again = BayesianNetwork(rain.graph, rain.cpds).fit({"rain": ["yes", "no"], "grass": ["wet", "wet"]})

    assert again.labels == rain.labels
    with pytest.raises(DataError, match="'snow'"):
        BayesianNetwork(rain.graph, rain.cpds).fit({"rain": ["snow", "no"], "grass": ["wet", "wet"]})


def test_kinds_may_differ_between_families_that_are_not_joined():
    graph = Graph(["a", "b", "x", "y"], directed=[("a", "b"), ("x", "y")])
    rng = np.random.default_rng(0)
    data = {"a": list("uvuv"), "b": list("stts"), "x": rng.normal(size=4), "y": rng.normal(size=4)}

    model = BayesianNetwork(graph).fit(data)

    assert model.kinds == {"a": "discrete", "b": "discrete", "x": "continuous", "y": "continuous"}
    assert model.labels == {"a": ("u", "v"), "b": ("s", "t")}
    assert model.sample(5, random_state=0).kinds == model.kinds


def test_an_impossible_row_has_log_likelihood_minus_infinity(rain):
    impossible = {"rain": ["no", "yes"], "grass": ["dry", "dry"]}

    assert rain.log_likelihood(impossible) == -math.inf
    assert rain.log_likelihood_rows(impossible).tolist() == pytest.approx([math.log(0.72), -math.inf])


def test_an_impossible_row_of_weight_zero_does_not_count(rain):
    data = Dataset({"rain": ["no", "yes"], "grass": ["dry", "dry"]}, weights=[2.0, 0.0])

    assert rain.log_likelihood(data) == pytest.approx(2 * math.log(0.72))


def test_an_unknown_state_is_refused_by_name(rain):
    with pytest.raises(DataError, match=r"'grass' has the value 'blue' in row 1.*'dry', 'wet'"):
        rain.log_likelihood({"rain": ["no", "no"], "grass": ["dry", "blue"]})


def test_states_are_matched_by_label_whatever_their_order_or_type():
    model = oracle.network({"x": TableCPD([0.5, 0.25, 0.25], labels=["2", "0", "1"])})

    assert model.log_likelihood_rows({"x": [0, 2, 2]}) == pytest.approx(np.log([0.25, 0.5, 0.5]))
    assert model.log_likelihood_rows({"x": ["0", "2", "2"]}) == pytest.approx(np.log([0.25, 0.5, 0.5]))


def test_a_listed_state_that_never_occurs_keeps_its_place():
    states = pd.Categorical(["lo", "hi"], categories=["lo", "mid", "hi"])

    model = BayesianNetwork(Graph(["x"])).fit(pd.DataFrame({"x": states}))

    assert model.labels == {"x": ("lo", "mid", "hi")}
    assert model.cpds["x"].probabilities.tolist() == [0.5, 0.0, 0.5]


@pytest.mark.parametrize(
    ("cpds", "reason"),
    [
        ({"a": TableCPD([1.0], labels=["s"])}, "lacks the node 'b'"),
        ({"c": TableCPD([1.0], labels=["s"])}, "no node of the graph"),
        ({"a": TableCPD([1.0], labels=["s"]), "b": TableCPD([1.0], labels=["t"])}, "has the parents"),
        (
            {
                "a": TableCPD([1.0], labels=["s"]),
                "b": TableCPD([[1.0], [1.0]], labels=["t"], parents=["a"]),
            },
            "2 rows for its parent 'a', which has 1 states",
        ),
        (
            {
                "a": LinearGaussianCPD(0.0, {}, variance=1.0),
                "b": TableCPD([[1.0]], labels=["t"], parents=["a"]),
            },
            "takes discrete parents, and 'a' is continuous",
        ),
    ],
)
def test_distributions_that_do_not_fit_the_graph_are_refused(cpds, reason):
    with pytest.raises(DataError, match=reason):
        BayesianNetwork(Graph(["a", "b"], directed=[("a", "b")]), cpds)


@pytest.mark.parametrize("smoothing", [-1, math.nan, math.inf, "1", None])
def test_smoothing_is_a_number_from_zero(rain, smoothing):
    with pytest.raises(OptionError, match="smoothing"):
        rain.fit({"rain": ["no"], "grass": ["dry"]}, smoothing=smoothing)


@pytest.mark.parametrize("n", [0, -1, 2.5, True])
def test_the_number_of_rows_is_a_positive_whole_number(rain, n):
    with pytest.raises(OptionError, match="n is the number of rows"):
        rain.sample(n)


def test_networks_are_equal_when_graphs_and_distributions_are(rain):
    other = BayesianNetwork(rain.graph, rain.cpds)

    assert rain == other
    assert rain != BayesianNetwork(rain.graph)
    assert rain != other.fit({"rain": ["no", "yes"], "grass": ["dry", "wet"]})
    assert rain != rain.graph


def test_a_network_survives_pickling(rain):
    assert pickle.loads(pickle.dumps(rain)) == rain  # noqa: S301, made here
