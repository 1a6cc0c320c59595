"""DOT texts are what Graphviz reads, and shows as it should."""

import re
from xml.etree import ElementTree as ET

import pygraphviz
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.formats import dot_text
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
