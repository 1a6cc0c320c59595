"""GraphML files are what networkx reads."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import graphml
from structlearn.graphs import Edge, Graph
from tests.oracles import models as oracle
from tests.strategies import NAMES, partially_directed_graphs, undirected_graphs


@settings(deadline=None)
@given(graph=partially_directed_graphs() | undirected_graphs())
def test_networkx_reads_the_same_graph(graph):
    back = nx.parse_graphml(graphml.write(graph))

    assert Graph.from_networkx(back) == graph


@settings(deadline=None)
@given(names=st.lists(NAMES | st.text("\n\r\t<&>'\"", min_size=1), min_size=2, max_size=4, unique=True))
def test_odd_names_come_through(names):
    back = nx.parse_graphml(graphml.write(Graph(names, directed=[(names[0], names[1])])))

    assert list(back.nodes) == names
    assert list(back.edges) == [(names[0], names[1])]


def test_what_is_known_of_an_edge_comes_through_with_every_digit():
    edge = Edge("a", "b", weight=-1 / 3, p_value=1e-17, confidence=0.9)

    back = nx.parse_graphml(graphml.write(Graph("abc", directed=[edge], undirected=[("b", "c")])))

    assert back.edges["a", "b"] == {"kind": "directed", "weight": -1 / 3, "p_value": 1e-17, "confidence": 0.9}
    assert back.edges["b", "c"] == back.edges["c", "b"] == {"kind": "undirected"}


def test_a_network_gives_its_graph():
    model = oracle.asia()

    assert graphml.write(model) == graphml.write(model.graph)


def test_a_name_that_xml_cannot_hold_is_refused():
    with pytest.raises(DataError, match=r"'\\x00'"):
        graphml.write(Graph(["a\x00"]))
