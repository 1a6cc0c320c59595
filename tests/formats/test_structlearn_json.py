"""Our JSON gives graphs and networks back exactly, and refuses everything else with a reason."""

import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import structlearn_json
from structlearn.graphs import Edge, Graph
from structlearn.models import LinearGaussianCPD, TableCPD
from tests.oracles import models as oracle
from tests.strategies import graphs

NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


def changed(thing, **fields):
    return json.dumps({**json.loads(structlearn_json.write(thing)), **fields})


@given(graph=graphs(), data=st.data())
def test_a_graph_comes_back_with_all_that_is_known_of_its_edges(graph, data):
    edges = [Edge(e.source, e.target, e.kind, *(data.draw(NUMBERS) for _ in range(3))) for e in graph.edges]
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


@pytest.mark.parametrize("seed", range(200))
def test_a_file_with_any_value_exchanged_is_read_or_refused(seed):
    rng = random.Random(seed)  # noqa: S311, no secrets here
    gaussian = seed % 2
    model = oracle.unfaithful_gaussians() if gaussian else oracle.random_tables(seed % 5)
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
