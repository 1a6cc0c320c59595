"""Expectation-maximisation climbs as its definition says, and ends where closed forms say."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.data import ContinuousColumn, Dataset, DiscreteColumn
from structlearn.errors import DataError, DataWarning, OptionError
from structlearn.graphs import Graph
from structlearn.models import BayesianNetwork, TableCPD, expectation_maximisation, hidden_rows
from structlearn.numerics import junction_tree
from tests.oracles import expectation_maximisation as oracle
from tests.oracles import models

SEEDS = st.integers(0, 2**32)


def punched(data, share, seed):
    """The same table with a share of its values missing."""
    rng = np.random.default_rng(seed)
    columns = []
    for column in data.columns:
        gone = rng.random(data.n_rows) < share
        gone[0] = False
        codes = np.where(gone, 0, column.codes).astype(column.codes.dtype)
        columns.append(DiscreteColumn(column.name, codes, column.labels, gone if gone.any() else None))
    return Dataset.from_columns(columns, weights=data.weights)


def rows_of(dataset):
    columns = dataset.to_dict()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def gappy_model(seed, n_nodes=4, n_rows=25, share=0.3):
    truth = models.random_tables(seed, n_nodes=n_nodes)
    return truth, punched(truth.sample(n_rows, random_state=seed), share, seed)


@pytest.mark.parametrize("most_states", [2**12, 4, 0], ids=["by states", "both", "by a tree"])
@pytest.mark.parametrize("smoothing", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_each_step_is_that_of_the_definition(monkeypatch, seed, smoothing, most_states):
    monkeypatch.setattr(hidden_rows, "MOST_STATES", most_states)
    monkeypatch.setattr(expectation_maximisation, "MOST_ITERATIONS", 4)
    monkeypatch.setattr(expectation_maximisation, "TOLERANCE", -1.0)
    monkeypatch.setattr(hidden_rows, "BATCH_CELLS", 2**12)
    truth, data = gappy_model(seed, n_nodes=7, n_rows=30, share=0.25)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, data.n_rows)

    with pytest.warns(DataWarning, match="stopped after 4 iterations"):
        fitted = BayesianNetwork(truth.graph).fit(
            Dataset(data, weights=weights), smoothing=smoothing, missing="em"
        )

    rows = rows_of(data)
    expected = oracle.start(fitted, rows, weights)
    for step in range(5):
        total = oracle.log_likelihood(expected, rows, weights)
        assert fitted.em_.log_likelihoods[step] == pytest.approx(total, rel=1e-10)
        if step < 4:
            expected = oracle.maximised(expected, rows, weights=weights, smoothing=smoothing)
    for node, cpd in expected.cpds.items():
        np.testing.assert_allclose(fitted.cpds[node].probabilities, cpd.probabilities, atol=1e-10)
    assert not fitted.em_.converged
    assert fitted.em_.status == "Stopped after 4 iterations, before the log-likelihood settled."


@pytest.mark.filterwarnings("ignore:.*before the log-likelihood")  # a flat maximum may take longer
@settings(deadline=None, max_examples=25)
@given(seed=SEEDS, smoothing=st.sampled_from([0.0, 2.0]))
def test_the_objective_never_falls_and_the_last_one_is_that_of_the_model(seed, smoothing):
    truth, data = gappy_model(seed)

    model = BayesianNetwork(truth.graph).fit(data, smoothing=smoothing, missing="em")

    if not data.missing:
        assert model.em_ is None
        return
    run = model.em_
    steps = np.diff(run.objectives)
    assert (steps >= -1e-10 * np.abs(run.objectives[1:])).all()
    assert run.log_likelihoods[-1] == pytest.approx(oracle.log_likelihood(model, rows_of(data)), rel=1e-10)
    lacking = [node for node in data.names if {node, *model.graph.parents(node)} & set(data.missing)]
    tables = [model.cpds[node].probabilities for node in lacking] if smoothing else []
    prior = sum(smoothing / table.size * np.log(table).sum() for table in tables)
    assert run.objectives[-1] - run.log_likelihoods[-1] == pytest.approx(prior, abs=1e-9)
    assert run.converged
    assert run.status.startswith(f"The log-likelihood settled after {run.n_iterations} iteration")


@settings(deadline=None, max_examples=20)
@given(seed=SEEDS, smoothing=st.sampled_from([0.0, 1.5]))
def test_without_gaps_it_is_the_usual_estimate(seed, smoothing):
    truth = models.random_tables(seed)
    data = truth.sample(40, random_state=seed)

    by_em = BayesianNetwork(truth.graph).fit(data, smoothing=smoothing, missing="em")

    assert by_em == BayesianNetwork(truth.graph).fit(data, smoothing=smoothing)
    assert by_em.em_ is None


def test_where_only_the_child_lacks_values_the_estimate_has_a_closed_form():
    """Its parent is estimated from all rows, the child from those that have it."""
    a = ["x"] * 60 + ["y"] * 40
    b = ["u"] * 20 + ["v"] * 20 + [None] * 20 + ["u"] * 24 + ["v"] * 8 + [None] * 8
    graph = Graph(["a", "b"], directed=[("a", "b")])

    model = BayesianNetwork(graph).fit({"a": a, "b": b}, missing="em")

    np.testing.assert_allclose(model.cpds["a"].probabilities, [0.6, 0.4], rtol=1e-14)
    np.testing.assert_allclose(model.cpds["b"].probabilities, [[0.5, 0.5], [0.75, 0.25]], atol=1e-4)


def test_two_children_of_a_hidden_node_reach_the_likelihood_of_their_joint_table():
    """A hidden node of two states makes any table of two binary columns: 2 × 2 has rank 2."""
    counts = {("u", "s"): 30, ("u", "t"): 10, ("v", "s"): 5, ("v", "t"): 25}
    rows = [pair for pair, n in counts.items() for _ in range(n)]
    data = {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    graph = Graph(["h", "a", "b"], directed=[("h", "a"), ("h", "b")])

    model = BayesianNetwork(graph, {"h": TableCPD([0.5, 0.5], labels=["0", "1"]), "a": "table"}).fit(
        data, missing="em"
    )

    best = sum(n * math.log(n / 70) for n in counts.values())
    assert best - 1e-3 < model.em_.log_likelihoods[-1] <= best + 1e-9


def test_a_hidden_node_begins_with_the_tables_it_was_given():
    graph = Graph(["h", "a"], directed=[("h", "a")])
    given = {
        "h": TableCPD([0.3, 0.7], labels=["0", "1"]),
        "a": TableCPD([[0.9, 0.1], [0.2, 0.8]], labels=["u", "v"], parents=["h"]),
    }

    model = BayesianNetwork(graph, given).fit({"a": ["u", "u", "v"]}, missing="em")

    rows = [{"h": None, "a": state} for state in "uuv"]
    assert model.em_.log_likelihoods[0] == pytest.approx(
        oracle.log_likelihood(BayesianNetwork(graph, given), rows), rel=1e-12
    )


def test_a_categorical_column_may_lack_all_its_values():
    hidden = pd.Categorical([None] * 4, categories=["0", "1"])
    graph = Graph(["h", "a"], directed=[("h", "a")])

    model = BayesianNetwork(graph).fit(pd.DataFrame({"h": hidden, "a": ["u", "u", "v", "v"]}), missing="em")

    assert model.labels["h"] == ("0", "1")
    assert model.em_.log_likelihoods[-1] == pytest.approx(4 * math.log(0.5), abs=1e-6)


def test_a_weight_of_two_is_two_rows():
    truth, data = gappy_model(3, share=0.2)
    rows = np.arange(data.n_rows)
    doubled = data.take(np.concatenate([rows, rows[:10]]))
    weighted = Dataset(data, weights=np.where(rows < 10, 2.0, 1.0))

    once, twice = (BayesianNetwork(truth.graph).fit(table, missing="em") for table in (weighted, doubled))

    for node in truth.nodes:
        np.testing.assert_allclose(once.cpds[node].probabilities, twice.cpds[node].probabilities, atol=1e-12)


def test_families_that_lack_nothing_may_have_any_distribution():
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    gone = np.arange(50) % 5 == 0
    data = Dataset.from_columns(
        [
            ContinuousColumn("x", x),
            ContinuousColumn("y", 2 * x + rng.normal(size=50)),
            DiscreteColumn("d", (np.arange(50) % 2).astype(np.uint8), ("0", "1"), gone),
        ]
    )

    model = BayesianNetwork(Graph(["x", "y", "d"], directed=[("x", "y")])).fit(data, missing="em")

    alone = BayesianNetwork(Graph(["x", "y"], directed=[("x", "y")])).fit(data.select(["x", "y"]))
    assert model.cpds["y"].coefficients["x"] == pytest.approx(alone.cpds["y"].coefficients["x"], rel=1e-12)
    shares = np.array([20, 20]) / 40
    total = alone.log_likelihood(data.select(["x", "y"])) + 40 * np.log(shares).mean()
    assert model.em_.log_likelihoods[-1] == pytest.approx(total, rel=1e-7)


def test_continuous_gaps_are_refused():
    data = {"x": [1.5, None, 2.5, 0.5, 7.25], "y": [1.0, 2.0, 3.5, 0.25, 9.5]}

    with pytest.raises(DataError, match=r"'x' lack values, and only discrete columns may"):
        BayesianNetwork(Graph(["x", "y"], directed=[("x", "y")])).fit(data, missing="em")


def test_other_distributions_than_tables_are_refused_where_values_are_missing():
    data = {"a": ["u", None, "v", "u"], "b": ["s", "t", "t", "s"]}
    graph = Graph(["a", "b"], directed=[("a", "b")])

    with pytest.raises(DataError, match="'b' or its parents lack values, and then only a table"):
        BayesianNetwork(graph, {"b": "tree"}).fit(data, missing="em")


def test_a_column_without_any_value_needs_its_states():
    graph = Graph(["h", "a"], directed=[("h", "a")])

    with pytest.raises(DataError, match=r"lack the columns 'h'.*needs its states: give it a TableCPD"):
        BayesianNetwork(graph).fit({"a": ["u", "v"]}, missing="em")
    with pytest.raises(DataError, match="'h' has no values"):
        BayesianNetwork(graph).fit({"h": [None, None], "a": ["u", "v"]}, missing="em")


def test_gaps_are_still_refused_unless_asked_for():
    with pytest.raises(DataError, match="fit needs complete data"):
        BayesianNetwork(Graph(["a"])).fit({"a": ["u", None, "v"]})
    with pytest.raises(OptionError, match="missing is what to do about missing values"):
        BayesianNetwork(Graph(["a"])).fit({"a": ["u", None, "v"]}, missing="drop")


def test_a_row_that_the_first_tables_rule_out_is_refused():
    graph = Graph(["h", "a"], directed=[("h", "a")])
    given = {
        "h": TableCPD([0.5, 0.5], labels=["0", "1"]),
        "a": TableCPD([[1.0, 0.0], [1.0, 0.0]], labels=["u", "v"], parents=["h"]),
    }

    with pytest.raises(DataError, match="impossible under the tables that it begins with"):
        BayesianNetwork(graph, given).fit({"a": ["u", "v"]}, missing="em")


def test_gaps_that_hang_together_too_widely_are_refused_with_the_size(monkeypatch):
    monkeypatch.setattr(hidden_rows, "MOST_STATES", 1)
    monkeypatch.setattr(junction_tree, "MOST_CELLS", 16)
    truth, data = gappy_model(0, n_nodes=7, n_rows=30)

    with pytest.raises(DataError, match=r"fit\(missing='em'\): the graph has a tree-width of about .* cells"):
        BayesianNetwork(truth.graph).fit(data, missing="em")


def test_small_groups_of_gaps_need_no_tree(monkeypatch):
    truth, data = gappy_model(0, n_nodes=7, n_rows=30)
    model = BayesianNetwork(truth.graph).fit(data, missing="em")
    monkeypatch.setattr(hidden_rows, "FEW_STATES", 1)
    monkeypatch.setattr(junction_tree, "MOST_CELLS", 16)

    without = BayesianNetwork(truth.graph).fit(data, missing="em")

    np.testing.assert_allclose(without.em_.log_likelihoods, model.em_.log_likelihoods, rtol=1e-10)


def test_gaps_at_random_leave_estimates_near_the_truth():
    """The rarest states of parents are left about 350 times: a standard error of 0.025."""
    truth = models.asia()
    whole = truth.sample(20_000, random_state=0)

    model = BayesianNetwork(truth.graph).fit(punched(whole, 0.2, 1), missing="em")

    for node in ("smoke", "bronc", "dysp", "xray"):
        exact, found = truth.cpds[node], model.cpds[node]
        assert model.labels[node] == truth.labels[node]
        order = [found.parents.index(parent) for parent in exact.parents]
        table = found.probabilities.transpose([*order, len(order)])
        np.testing.assert_allclose(table, exact.probabilities, atol=0.1)


def test_a_category_that_no_row_has_is_no_state_of_the_rows_without_a_value():
    cpds = {"a": TableCPD([0.5, 0.5], labels=["no", "yes"])}
    column = DiscreteColumn(
        "a", np.array([2, 0, 1], np.uint8), ("maybe", "no", "yes"), np.array([False, True, False])
    )

    model = BayesianNetwork(Graph("a"), cpds).fit(Dataset.from_columns([column]), missing="em")

    np.testing.assert_allclose(model.cpds["a"].probabilities, [0.5, 0.5], atol=1e-6)
