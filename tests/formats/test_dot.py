"""DOT texts are what Graphviz reads, and shows as it should; what Graphviz writes is read."""

import re
from xml.etree import ElementTree as ET

import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError
from structlearn.formats import dot, dot_text
from structlearn.graphs import Graph
from tests.strategies import NAMES, partially_directed_graphs, undirected_graphs

ODD = (
    NAMES | st.text('\\"<>;-%&', min_size=1, max_size=4) | st.sampled_from(["&amp;", "&#37;", "%%", "a&lt;b"])
)


def read(text):
    return pygraphviz.AGraph(string=text)


def unescaped(name):
    marks = {"&amp;": "&", "&#37;": "%", "\\\\": "\\"}
    return re.sub(r"&amp;|&#37;|\\\\", lambda found: marks[found[0]], name)


@settings(deadline=None, max_examples=50)
@given(graph=partially_directed_graphs() | undirected_graphs())
def test_graphviz_reads_the_same_graph(graph):
    back = read(dot_text(graph))

    assert tuple(back.nodes()) == graph.nodes
    lines = {frozenset(e) for e in back.edges() if not back.is_directed() or e.attr["dir"] == "none"}
    arrows = {tuple(e) for e in back.edges() if back.is_directed() and e.attr["dir"] != "none"}
    assert lines == {frozenset(pair) for pair in graph.undirected}
    assert arrows == set(graph.directed)


@settings(deadline=None, max_examples=50)
@given(names=st.lists(ODD, min_size=2, max_size=3, unique=True))
def test_odd_names_stay_apart_and_whole(names):
    back = read(dot_text(Graph(names, directed=[(names[0], names[1])])))

    assert [unescaped(name) for name in back.nodes()] == names
    assert len(back.edges()) == 1


def test_a_picture_shows_each_name_as_it_is():
    names = ["a\\nb", 'say "x"', "%", "R&D", "&lt;", "naïve → 100%"]

    svg = read(dot_text(Graph(names))).draw(format="svg", prog="dot").decode()

    texts = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314, drawn here
    assert sorted(text.text for text in texts) == sorted(names)


def test_chains_groups_ports_and_attributes_are_understood():
    graph = dot.read(
        r"""
# a line for the preprocessor
        strict DiGraph "my graph" {
            rankdir=LR; node [shape=box, label=<<b>x</b>; y>]   // how to draw
            a -> b:port:n -> c [color=red];
            subgraph cluster_1 { label = "c \" d"; d e }
            {f; g} -> d /* four
            more */ d -> {h}
            "two " + "words" -- -1.5 [weight=3]
            a -> e [dir=none]; e -> f [dir="back"] ; g -> h [dir=both arrowtail=none]
        }
        """
    )

    assert graph.nodes == ("a", "b", "c", "d", "e", "f", "g", "h", "two words", "-1.5")
    assert set(graph.directed) == {
        *[("a", "b"), ("b", "c"), ("f", "d"), ("g", "d"), ("d", "h"), ("f", "e"), ("g", "h")]
    }
    assert set(graph.undirected) == {("a", "e"), ("two words", "-1.5")}


def test_a_default_for_edges_holds_in_its_group_from_there_on():
    graph = dot.read("digraph { a -> b; { edge [dir=none] c -> d } e -> f; edge [arrowhead=none]; g -> h }")

    assert graph.directed == (("a", "b"), ("e", "f"))
    assert graph.undirected == (("c", "d"), ("g", "h"))


def test_an_edge_that_is_there_twice_is_one():
    assert dot.read("graph { a -- b; b -- a; a -- b }") == Graph("ab", undirected=[("a", "b")])


@settings(deadline=None, max_examples=50)
@given(graph=partially_directed_graphs() | undirected_graphs())
def test_what_graphviz_writes_is_read_as_the_same_graph(graph):
    assert dot.read(read(dot_text(graph)).to_string()) == graph


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "expected 'graph' or 'digraph', found the end of the file"),
        ("tree {}", 1, "found 'tree'"),
        ("digraph {\n a ->\n", 3, "expected a node or '}', found the end of the file"),
        ("digraph {\n a -> }", 2, "found '}'"),
        ("digraph {\n a -> node }", 2, "found 'node'; a node of that name needs quotes"),
        ("digraph {\n a [color=] }", 2, "expected a value, found ']'"),
        ("digraph {}\n x", 2, "expected the end of the file, found 'x'"),
        ("graph {\n a -- a }", 2, "an edge from 'a' to itself has one arrow"),
        ("digraph {\n a -> a [dir=both] }", 2, "an edge from 'a' to itself has one arrow"),
        ('digraph {\n a [facts="{"] }', 2, "the facts of a node or an edge should be JSON, not '{'"),
        ('digraph {\n a -> b [facts="{"] }', 2, "the facts of a node or an edge should be JSON, not '{'"),
        ('digraph {\n a -> b [facts="[1]"] }', 2, "the facts of an edge have values for weight, p_value"),
        ('digraph {\n a -> b [facts="{\\"size\\": 1}"] }', 2, "the facts of an edge have values for weight"),
        ('digraph {\n a -> b [facts="{\\"weight\\": []}"] }', 2, "'a' and 'b' has weight \\[\\]"),
        ("digraph {\n <a", 2, "no end '>'"),
        ('digraph {\n "a', 2, "expected a node"),
        ("digraph { /* ", 1, "no end"),
        ("digraph " + "{" * 100, 1, "the groups nest too deeply"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(text, line, reason):
    with pytest.raises(DataError, match=reason) as raised:
        dot.read(text)

    assert str(raised.value).startswith(f"line {line}: ")


def test_an_arrow_and_a_line_between_the_same_nodes_are_refused():
    with pytest.raises(DataError, match="'a'"):
        dot.read("digraph { a -> b; a -- b }")


def test_groups_joined_by_too_many_edges_are_refused():
    names = " ".join(f"v{i}" for i in range(1100))
    others = names.replace("v", "w")

    with pytest.raises(DataError, match="more than 200,000 edges"):
        dot.read(f"graph {{ {{ {names} }} -- {{ {others} }} }}")
