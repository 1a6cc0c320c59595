"""Every kind of graph goes through every format of graphs, networkx and Graphviz, and comes back equal."""

import json

import networkx as nx
import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import ENDINGS, dot, dot_text, graphml, load, structlearn_json
from structlearn.graphs import Edge, Graph
from tests.strategies import KNOWN_OF_EDGES, any_kind_of_graph

OF_GRAPHS = [".json", ".graphml", ".dot"]
LAGGED = Graph(
    ["x[t-1]", "y[t-1]", "x", "y"],
    edges=["x[t-1] --> x", "x[t-1] --> y", "x <-> y", "x --> y"],
    kind="ADMG",
    facts={
        "x[t-1]": {"lag": 1, "chain": ["Patient", {"slot": "doctor"}], "hidden": False},
        "y[t-1]": {"lag": 1, "unit": " mm\r\n"},
        "x": {"lag": 0, "share": 1 / 3, "hidden": True, "note": ""},
    },
)


def through(ending, graph):
    form = ENDINGS[ending]
    return form.read(form.write(graph).encode().decode("utf-8-sig"))


@pytest.mark.parametrize("ending", OF_GRAPHS)
@settings(deadline=None)
@given(graph=any_kind_of_graph())
def test_a_graph_of_any_kind_comes_back_equal(ending, graph):
    back = through(ending, graph)

    assert back == graph
    assert back.nodes == graph.nodes
    assert [str(edge) for edge in back.edges] == [str(edge) for edge in graph.edges]
    assert (back.kind, back.given_kind) == (graph.kind, graph.given_kind)


@pytest.mark.parametrize("ending", OF_GRAPHS)
def test_facts_keep_their_types(ending, tmp_path):
    LAGGED.save(tmp_path / f"lagged{ending}")
    back = load(tmp_path / f"lagged{ending}")

    assert back == LAGGED
    assert repr(back.facts) == repr(LAGGED.facts)


@pytest.mark.parametrize("ending", OF_GRAPHS)
@settings(deadline=None)
@given(graph=any_kind_of_graph(), data=st.data())
def test_what_is_known_of_edges_comes_back(ending, graph, data):
    edges = [Edge(e.source, e.target, e.kind, *data.draw(KNOWN_OF_EDGES)) for e in graph.edges]
    graph = Graph(graph.nodes, edges=edges, facts=graph.facts)

    assert through(ending, graph).edges == graph.edges


@settings(deadline=None)
@given(graph=any_kind_of_graph())
def test_networkx_reads_and_writes_the_same_graph(graph):
    bare = Graph(graph.nodes, edges=graph.edges, kind=graph.given_kind)

    assert Graph.from_networkx(nx.parse_graphml(graphml.write(bare))) == bare
    assert graphml.read("\n".join(nx.generate_graphml(bare.to_networkx()))) == bare


@settings(deadline=None, max_examples=50)
@given(graph=any_kind_of_graph())
def test_what_graphviz_writes_is_read_as_the_same_graph(graph):
    assert dot.read(pygraphviz.AGraph(string=dot_text(graph)).to_string()) == graph


def test_networkx_shows_plain_facts_and_takes_them():
    network = LAGGED.to_networkx()

    assert network.nodes["x"] == {"lag": 0, "share": 1 / 3, "hidden": True, "note": ""}
    assert nx.parse_graphml(graphml.write(LAGGED)).nodes["x[t-1]"]["lag"] == 1
    network.nodes["y"]["drawn by"] = object()
    assert Graph.from_networkx(network) == LAGGED


def test_a_dot_file_draws_the_marks():
    text = dot_text(Graph("abcdef", edges=["a o-> b", "b <-> c", "c --> d", "d --- e", "e o-o f", "f --o a"]))

    assert [line.strip() for line in text.splitlines() if "->" in line] == [
        '"a" -> "b" [dir=both, arrowtail=odot];',
        '"b" -> "c" [dir=both];',
        '"c" -> "d";',
        '"d" -> "e" [dir=none];',
        '"e" -> "f" [dir=both, arrowtail=odot, arrowhead=odot];',
        '"f" -> "a" [arrowhead=odot];',
    ]


def test_heads_of_other_programs_are_arrows():
    text = "digraph { a -> b [dir=both]; c -> d [arrowhead=vee]; e -> f [dir=back, arrowtail=odot] }"

    assert dot.read(text) == Graph("abcdef", edges=["a <-> b", "c --> d", "e o-- f"])


def test_a_json_file_says_the_kind_and_the_facts():
    graph = Graph("ab", edges=["a o-> b"], kind="PAG", facts={"a": {"lag": 1}})

    written = structlearn_json.write(graph)

    assert '"kind": "partially directed"' in written
    assert '"kind": "PAG"' in written
    assert '"lag": 1' in written


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"kind": "MAG", "edges": [{"source": "a", "target": "b", "kind": "nondirected"}]}, "a o–o b"),
        ({"kind": 3}, "wrong type"),
        ({"kind": "tree"}, "a graph is one of DAG"),
        ({"facts": []}, "wrong type"),
        ({"facts": {"z": {"lag": 1}}}, "no node 'z'"),
        ({"facts": {"a": 1}}, "values by name"),
    ],
)
def test_a_wrong_kind_or_fact_in_a_json_file_is_refused(fields, message):
    content = json.loads(structlearn_json.write(Graph("ab")))
    content["graph"] |= fields

    with pytest.raises(DataError, match=message):
        structlearn_json.read(json.dumps(content))


def test_a_fact_in_a_graphml_file_has_its_type_and_errors_their_line():
    text = """<graphml><key id="k" for="node" attr.name="lag" attr.type="int"/>
<graph edgedefault="directed"><node id="a"><data key="k">2</data></node>
<node id="b"><data key="k">two</data></node></graph></graphml>"""

    with pytest.raises(DataError, match="line 3: 'two' is no int"):
        graphml.read(text)
    assert graphml.read(text.replace("two", "3")).facts == {"a": {"lag": 2}, "b": {"lag": 3}}
