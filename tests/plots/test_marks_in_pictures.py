"""A picture shows the marks of every kind of graph and the facts of its nodes."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from structlearn.graphs import Graph
from structlearn.graphs.facts import said
from structlearn.plots import svg
from structlearn.plots.look import VERDICTS
from tests.strategies import any_kind_of_graph

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {">": "polygon", "o": "ellipse"}


def groups(text, kind):
    page = ET.fromstring(text)  # noqa: S314, our own
    return {g.get("id"): g for g in page.iter(f"{SVG}g") if g.get("class") == kind}


def title_of(group):
    return group.find(f"{SVG}title").text or ""


def text_of(group):
    return "".join(part.text or "" for part in group.iter(f"{SVG}text"))


def from_picture(text):
    """The graph that a picture shows, without its facts."""
    nodes, edges = groups(text, "node"), groups(text, "edge")
    return Graph(
        [text_of(nodes[f"node-{i}"]) for i in range(len(nodes))],
        edges=[title_of(edges[f"edge-{i}"]) for i in range(len(edges))],
    )


@settings(deadline=None, max_examples=40)
@given(any_kind_of_graph())
def test_a_picture_shows_every_mark_and_gives_the_graph_back(graph):
    text = svg(graph)
    edges, nodes = groups(text, "edge"), groups(text, "node")

    assert from_picture(text) == Graph(graph.nodes, edges=graph.edges)
    for i, edge in enumerate(graph.edges):
        for mark, shape in SHAPES.items():
            assert len(list(edges[f"edge-{i}"].iter(f"{SVG}{shape}"))) == edge.marks.count(mark)
    for i, name in enumerate(graph.nodes):
        facts = graph.facts.get(name)
        assert title_of(nodes[f"node-{i}"]) == (f"{name} ({said(facts)})" if facts else name)


@pytest.mark.parametrize(
    ("fact", "values", "titles"),
    [
        ("group", ["genes", "genes", "proteins"], ["genes", "proteins"]),
        ("lag", [1, 1, 0], ["lag 1", "lag 0"]),
        ("module", [7, None, 7], ["module 7"]),
        ("note", ["x", "y", "z"], []),
    ],
)
@pytest.mark.parametrize("edges", [["a --> b", "b o-> c"], ["a --- b", "b --- c"]])
def test_nodes_that_belong_together_stand_in_a_box(fact, values, titles, edges):
    facts = {name: {fact: value} for name, value in zip("abc", values, strict=True)}

    boxes = groups(svg(Graph("abc", edges=edges, facts=facts)), "cluster")

    assert [title_of(boxes[f"group-{i}"]) for i in range(len(boxes))] == titles
    assert [text_of(boxes[f"group-{i}"]) for i in range(len(boxes))] == titles


def test_marks_are_judged_beside_the_truth():
    learned = Graph("abc", edges=["a o-> b", "b <-> c"])

    edges = groups(svg(learned, truth=Graph("abc", edges=["a o-o b", "b <-> c", "a <-> c"])), "edge")
    strokes = {name: edge.find(f"{SVG}path").get("stroke") for name, edge in edges.items()}

    assert strokes == {
        "edge-0": VERDICTS["misdirected"],
        "edge-1": VERDICTS["right"],
        "missing-0": VERDICTS["missing"],
    }
