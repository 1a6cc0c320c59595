"""Dependency networks as models: predictions, pseudo-likelihood, files and refusals."""

import math

import numpy as np
import pytest

import structlearn as sl
from structlearn.graphs import Edge
from structlearn.models import DependencyModel, GaussianTreeCPD, LinearGaussianCPD, Split, TableCPD, TreeCPD

GRAPH = sl.Graph("abx", directed=["ab", "ba", "ax"], kind="cyclic")
CPDS = {
    "a": TreeCPD(
        Split("b", [[0.7, 0.3], [0.2, 0.8]], at="on"), labels=["no", "yes"], parents={"b": ["off", "on"]}
    ),
    "b": TableCPD([[0.9, 0.1], [0.4, 0.6]], labels=["off", "on"], parents=["a"]),
    "x": GaussianTreeCPD(Split("a", [(0.0, 1.0), (2.0, 4.0)]), parents={"a": ["no", "yes"]}),
}
ROWS = {"a": ["no", "yes"], "b": ["on", "on"], "x": [1.0, 2.0]}


@pytest.fixture
def model():
    return DependencyModel(GRAPH, CPDS)


def normal(x, mean, variance):
    return -0.5 * (math.log(2 * math.pi * variance) + (x - mean) ** 2 / variance)


def test_the_pseudo_log_likelihood_adds_up_the_local_ones(model):
    first = math.log(0.7) + math.log(0.1) + normal(1.0, 0.0, 1.0)
    second = math.log(0.3) + math.log(0.6) + normal(2.0, 2.0, 4.0)

    assert model.pseudo_log_likelihood(ROWS) == pytest.approx(first + second)
    rows = model.pseudo_log_likelihood_rows(ROWS)
    assert rows["a"] == pytest.approx([math.log(0.7), math.log(0.3)])
    weighted = sl.Dataset(ROWS, weights=[3.0, 0.0])
    assert model.pseudo_log_likelihood(weighted) == pytest.approx(3 * first)


def test_there_is_no_log_likelihood_and_it_says_what_there_is(model):
    with pytest.raises(sl.DataError, match="pseudo_log_likelihood"):
        model.log_likelihood(ROWS)


def test_each_node_is_predicted_from_its_parents(model):
    shares = model.predict_proba(ROWS)

    np.testing.assert_allclose(shares["a"], [[0.7, 0.3], [0.7, 0.3]])
    np.testing.assert_allclose(shares["b"], [[0.9, 0.1], [0.4, 0.6]])
    found = model.predict(ROWS)
    assert found["a"].tolist() == ["no", "no"]
    assert found["b"].tolist() == ["off", "on"]
    assert found["x"].tolist() == [0.0, 2.0]


def test_only_the_parents_of_what_is_predicted_need_be_there(model):
    assert model.predict({"a": ["yes", "no"], "b": [None, "on"]}, "x")["x"].tolist() == [2.0, 0.0]
    with pytest.raises(sl.DataError, match="lack the columns 'a'"):
        model.predict({"b": ["on"]}, "x")
    with pytest.raises(sl.DataError, match=r"predict needs complete data.*'a' \(1\).*ask query"):
        model.predict({"a": ["yes", None]}, "x")
    with pytest.raises(sl.DataError, match="no node 'z'"):
        model.predict(ROWS, "z")
    with pytest.raises(sl.DataError, match="'x' is continuous; predict gives its mean"):
        model.predict_proba(ROWS, "x")


def test_a_node_without_parents_is_predicted_in_every_row():
    alone = DependencyModel(sl.Graph("a"), {"a": TableCPD([0.4, 0.6], labels=[0, 1])})

    assert alone.predict({"a": [0, 0, 1]})["a"].tolist() == [1, 1, 1]


def test_a_file_keeps_everything(model, tmp_path):
    graph = sl.Graph.from_edges("abx", [Edge(a, b, "directed", weight=1.5) for a, b in ("ab", "ba", "ax")])
    kept = DependencyModel(graph, CPDS, order="xba", starts={"x": (2.0, 3.0)})
    kept.save(tmp_path / "model.json")

    again = sl.load(tmp_path / "model.json")

    assert again == kept
    assert again != model
    assert again.order == ("x", "b", "a")
    assert again.starts == {"x": (2.0, 3.0)}
    assert [edge.weight for edge in again.graph.edges] == [1.5] * 3
    assert again.query("a", random_state=0).to_dict() == kept.query("a", random_state=0).to_dict()


def test_the_order_is_given_random_by_seed_or_that_of_the_graph(model):
    assert model.order == ("a", "b", "x")
    assert model.with_order("xab").order == ("x", "a", "b")
    assert model.with_order(3).order == model.with_order(3).order
    assert {model.with_order(seed).order for seed in range(20)} > {("a", "b", "x")}


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: DependencyModel(sl.Graph("ab", undirected=["ab"]), {}), "all arrows"),
        (lambda: DependencyModel("ab", {}), "takes a Graph"),
        (lambda: DependencyModel(GRAPH, {"a": CPDS["a"]}), "lacks the node 'b'"),
        (lambda: DependencyModel(GRAPH, {**CPDS, "z": CPDS["a"]}), "'z', which is no node"),
        (
            lambda: DependencyModel(GRAPH, {**CPDS, "x": LinearGaussianCPD(0, {}, variance=1)}),
            "the graph has",
        ),
        (lambda: DependencyModel(GRAPH, CPDS, order="ab"), "each of the nodes"),
        (lambda: DependencyModel(GRAPH, CPDS, order=-1), "or is a seed"),
    ],
)
def test_what_is_no_dependency_network_is_refused(make, said):
    with pytest.raises(sl.DataError, match=said):
        make()


def test_a_node_that_depends_on_itself_is_refused():
    loop = sl.Graph("a", directed=["aa"], kind="cyclic")
    cpds = {"a": TableCPD([[0.5, 0.5], [0.5, 0.5]], labels=[0, 1], parents=["a"])}

    with pytest.raises(sl.DataError, match="depends on 'a' itself"):
        DependencyModel(loop, cpds)


def test_it_says_what_it_is(model):
    assert repr(model) == "<DependencyModel: 3 nodes, 3 edges, 8 parameters>"
    assert hash(model) == hash(DependencyModel(GRAPH, CPDS))
