"""Our JSON gives graphs and networks back exactly, and refuses everything else with a reason."""

import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError
from structlearn.formats import bif, load, structlearn_json
from structlearn.graphs import Edge, Graph
from structlearn.models import BayesianNetwork, LinearGaussianCPD, TableCPD
from structlearn.models.factors import Factor, Feature
from structlearn.models.gaussian_graphical_model import GaussianGraphicalModel
from structlearn.models.ising_model import IsingModel
from structlearn.models.markov_network import MarkovNetwork
from tests.oracles import models as oracle
from tests.strategies import KNOWN_OF_EDGES, graphs


def changed(thing, **fields):
    return json.dumps({**json.loads(structlearn_json.write(thing)), **fields})


@given(graph=graphs(), data=st.data())
def test_a_graph_comes_back_with_all_that_is_known_of_its_edges(graph, data):
    edges = [Edge(e.source, e.target, e.kind, *data.draw(KNOWN_OF_EDGES)) for e in graph.edges]
    graph = Graph.from_edges(graph.nodes, edges)

    back = structlearn_json.read(structlearn_json.write(graph))

    assert back.nodes == graph.nodes
    assert back.edges == graph.edges


@settings(deadline=None, max_examples=50)
@given(model=oracle.networks(st.text(max_size=5)))
def test_a_network_of_tables_comes_back_exactly(model):
    assert structlearn_json.read(structlearn_json.write(model)) == model


def test_a_gaussian_network_comes_back_exactly():
    model = oracle.network(
        {
            "x": LinearGaussianCPD(1 / 3, {}, variance=0.1),
            "y": LinearGaussianCPD(-1e-300, {"x": math.pi}, variance=2.0, rank=0),
        }
    )

    assert structlearn_json.read(structlearn_json.write(model)) == model


def other_models():
    chain = Graph("abc", undirected=[("a", "b"), ("b", "c")])
    yes = dict.fromkeys("abc", ("no", "yes"))
    precision = [[1.0, 0.4, 0.0], [0.4, 1.0, 1 / 3], [0.0, 1 / 3, 1.0]]
    factors = [Factor("ab", [[1, 2.5], [1 / 3, 0]]), Factor("cb", [[1, 2], [3, 4]])]
    features = [Feature({"a": "yes", "b": "no"}, -1 / 3)]
    couplings = {("a", "b"): 1 / 3, ("b", "c"): -0.5}
    return {
        "markov-network": MarkovNetwork(chain, factors, labels=yes),
        "log-linear": MarkovNetwork(chain, features=features, labels=yes),
        "ising-model": IsingModel(chain, {"a": 0.1, "b": 0.0, "c": -1.0}, couplings, labels=yes),
        "zero-one": IsingModel(chain, {"a": 0.1, "b": 0.0, "c": -1.0}, couplings, coding="zero-one"),
        "gaussian-graphical-model": GaussianGraphicalModel(chain, precision, mean=[1 / 3, 0.0, 1e300]),
    }


@pytest.mark.parametrize("name", other_models())
def test_models_of_every_kind_come_back_exactly(tmp_path, name):
    model = other_models()[name]

    model.save(tmp_path / "model.json")

    assert load(tmp_path / "model.json") == model


@pytest.mark.parametrize("form", ["tree", "softmax", "noisy-or", "sigmoid", "table"])
def test_networks_of_every_discrete_kind_come_back_and_become_tables_elsewhere(form):
    data = sl.example("asia").sample(500, random_state=0)
    graph = Graph(["either", "bronc", "dysp"], directed=[("either", "dysp"), ("bronc", "dysp")])
    columns = {name: [int(state == "yes") for state in data.to_dict()[name]] for name in graph.nodes}
    model = BayesianNetwork(graph, {"dysp": form}).fit(
        sl.Dataset(columns, kinds=dict.fromkeys(columns, "discrete"))
    )

    assert structlearn_json.read(structlearn_json.write(model)) == model
    table = bif.read(bif.write(model)).cpds["dysp"]
    assert table.form == "table"
    assert table.probabilities.tolist() == model.cpds["dysp"].as_table().tolist()


def test_labels_keep_their_types():
    labels = ("1", 2, 2.5, True)
    model = oracle.network({"x": TableCPD([0.25] * 4, labels=labels)})

    back = structlearn_json.read(structlearn_json.write(model)).labels["x"]

    assert [(type(label), label) for label in back] == [(type(label), label) for label in labels]


def test_a_file_says_what_it_is():
    content = json.loads(structlearn_json.write(Graph(["a", "b"], directed=[Edge("a", "b", weight=0.5)])))

    assert content == {
        "format": "structlearn",
        "version": 1,
        "kind": "graph",
        "graph": {
            "nodes": ["a", "b"],
            "edges": [{"source": "a", "target": "b", "kind": "directed", "weight": 0.5}],
        },
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1: this is not JSON"),
        ('{"a": 1,\n b}', "line 2: this is not JSON"),
        ("[1, 2]", "should be an object"),
        ("[" * 100_000, "nests too deeply|not JSON"),
        ("9" * 5000, "a number cannot be read"),
        ('{"nodes": []}', 'lacks "format"'),
        (changed(Graph("ab"), version=2), "version 2 of the format"),
        (changed(Graph("ab"), kind="tree"), "kind"),
        (changed(Graph("ab"), graph=[]), "wrong type"),
        (changed(Graph("ab"), graph={"nodes": ["a"]}), 'lacks "edges"'),
        (changed(Graph("ab"), graph={"nodes": ["a", "a"], "edges": []}), "more than once"),
        (changed(Graph("ab"), graph={"nodes": [1], "edges": []}), "strings"),
        (changed(Graph("ab"), graph={"nodes": ["a"], "edges": ["a"]}), "an edge should be an object"),
        (changed(Graph("ab"), kind="bayesian-network"), 'lacks "cpds"'),
        (changed(Graph("a"), kind="bayesian-network", cpds={"a": 1}), "should be an object"),
        (changed(Graph("a"), kind="bayesian-network", cpds={"a": {"form": "x"}}), "known are 'table'"),
        (changed(Graph("a"), kind="bayesian-network", cpds={"a": {"form": "table"}}), "'a' lacks"),
        (changed(Graph("a"), kind="bayesian-network", cpds={}), "lacks the node 'a'"),
        ('{"format": "structlearn", "version": NaN}', "NaN"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(text, reason):
    with pytest.raises(DataError, match=reason):
        structlearn_json.read(text)


@pytest.mark.parametrize(
    ("edge", "reason"),
    [
        ({"source": "a", "target": "b"}, 'lacks "kind"'),
        ({"source": "a", "target": "b", "kind": "dotted"}, "'dotted'"),
        ({"source": "a", "target": "c", "kind": "directed"}, "no node 'c'"),
        ({"source": "a", "target": "b", "kind": "directed", "weight": "heavy"}, "wrong type"),
        ({"source": "a", "target": "b", "kind": "directed", "weight": True}, "wrong type"),
    ],
)
def test_a_wrong_edge_is_refused(edge, reason):
    with pytest.raises(DataError, match=reason):
        structlearn_json.read(changed(Graph("ab"), graph={"nodes": ["a", "b"], "edges": [edge]}))


@pytest.mark.parametrize("seed", range(300))
def test_a_file_with_any_value_exchanged_is_read_or_refused(seed):
    rng = random.Random(seed)  # noqa: S311, no secrets here
    model = rng.choice(
        [oracle.unfaithful_gaussians(), oracle.random_tables(seed % 5), *other_models().values()]
    )
    content = json.loads(structlearn_json.write(model))
    place = rng.choice(list(places(content)))
    values = [None, True, -1, 10**400, 0.3, "x", "", [], [[1]], {}, {"x": 1}, ["x", 1]]
    replace(content, place, rng.choice(values))

    try:
        structlearn_json.read(json.dumps(content))
    except DataError as error:
        assert len(str(error)) > 10  # noqa: PT017, either end will do


def places(content, path=()):
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


def replace(content, place, value):
    for key in place[:-1]:
        content = content[key]
    content[place[-1]] = value


def test_numbers_that_json_lacks_are_not_written():
    with pytest.raises(DataError, match="NaN"):
        structlearn_json.write(Graph(["a", "b"], directed=[Edge("a", "b", weight=math.inf)]))


def test_a_graph_of_many_edges_is_written_in_one_line(monkeypatch):
    monkeypatch.setattr(structlearn_json, "MOST_INDENTED", 1)
    graph = sl.Graph("abc", directed=["ab", "bc"])

    text = structlearn_json.write(graph)

    assert text.count("\n") == 1
    assert structlearn_json.read(text) == graph
