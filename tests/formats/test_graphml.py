"""GraphML files are what networkx reads, and what networkx writes is read."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import graphml
from structlearn.graphs import Edge, Graph
from tests.oracles import models as oracle
from tests.strategies import NAMES, partially_directed_graphs, undirected_graphs

KEY = """<key id="k" attr.name="{}"/><graph>
<edge source="a" target="b"><data key="k">x</data></edge></graph>"""


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


@settings(deadline=None)
@given(graph=partially_directed_graphs() | undirected_graphs())
def test_what_networkx_writes_is_read_as_the_same_graph(graph):
    text = "\n".join(nx.generate_graphml(graph.to_networkx()))

    assert graphml.read(text) == graph


def test_what_networkx_knows_of_edges_is_kept():
    text = "\n".join(nx.generate_graphml(nx.DiGraph([("a", "b", {"weight": -1 / 3, "colour": "red"})])))

    assert graphml.read(text).edges == (Edge("a", "b", "directed", weight=-1 / 3),)


def test_what_is_known_of_edges_comes_back():
    graph = Graph(
        "abc",
        directed=[Edge("a", "b", weight=-1 / 3, p_value=1e-17)],
        undirected=[Edge("b", "c", "undirected", confidence=0.9)],
    )

    assert graphml.read(graphml.write(graph)).edges == graph.edges


@pytest.mark.parametrize("line", ['source="a" target="b"', 'source="b" target="a"'])
def test_an_arrow_beside_a_line_of_the_same_pair_is_refused(line):
    text = f"""<graphml><graph edgedefault="directed"> <node id="a"/> <node id="b"/>
      <edge source="a" target="b"/> <edge {line} directed="false"/> </graph></graphml>"""

    with pytest.raises(DataError, match="There are two edges between 'a' and 'b'"):
        graphml.read(text)


def test_an_edge_may_differ_from_the_default_and_a_prefix_may_name_the_language():
    text = """<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
      <g:graph edgedefault="undirected"> <g:desc>two edges</g:desc>
        <g:node id="a"/> <g:node id="b"><g:data key="label">B</g:data></g:node> <g:node id="c"/>
        <g:edge source="a" target="b"/> <g:edge source="b" target="c" directed="true"/>
      </g:graph></g:graphml>"""

    assert graphml.read(text) == Graph("abc", directed=[("b", "c")], undirected=[("a", "b")])


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("<graph>\n<node/></graph>", 2, '<node> lacks id="…"'),
        ('<graph>\n<edge source="a"/></graph>', 2, '<edge> lacks target="…"'),
        ("<graph>\n<hyperedge/></graph>", 2, "an edge of more than two nodes"),
        ('<graph><node id="a">\n<graph/></node></graph>', 2, "a graph inside a node"),
        ("", 1, "should have one <graph>, and has 0"),
        (
            KEY.format("weight"),
            2,
            "the weight of an edge should be a number, not 'x'",
        ),
        (
            KEY.format("kind"),
            2,
            "one of directed, undirected, .* not 'x'",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(body, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        graphml.read(f"<graphml>{body}</graphml>")

    assert str(raised.value).startswith(f"line {line}: ")


@pytest.mark.parametrize(
    ("edge", "reason"), [('source="a" target="x"', "'x'"), ('source="a" target="a" directed="false"', "'a'")]
)
def test_an_edge_without_its_nodes_is_refused(edge, reason):
    with pytest.raises(DataError, match=reason):
        graphml.read(f'<graphml><graph><node id="a"/><edge {edge}/></graph></graphml>')
