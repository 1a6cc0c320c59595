"""Pictures show every node and edge of the graph, whatever their names."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.plots import dot, plot_graph, svg
from structlearn.plots.drawing import Drawing
from structlearn.plots.layouts import engine_for
from structlearn.plots.look import THICKEST, THINNEST, USUAL, VERDICTS
from tests.data_files import true_graph
from tests.strategies import graphs

SVG = "{http://www.w3.org/2000/svg}"
AWKWARD = [
    'say "hi"',
    "<b>bold</b>",
    "a & b &amp; c",
    "back\\",
    "\\N",
    "two words",
    "größe",
    "日本",
    "",
    "--",
]
MIXED = Graph("abcd", directed=["ab", "cb"], undirected=["cd"])


def groups(text, kind):
    page = ET.fromstring(text)  # noqa: S314, our own
    return {g.get("id"): g for g in page.iter(f"{SVG}g") if g.get("class") == kind}


def text_of(group):
    return "".join(part.text or "" for part in group.iter(f"{SVG}text"))


def title_of(group):
    return group.find(f"{SVG}title").text


def heads_of(group):
    return len(list(group.iter(f"{SVG}polygon")))


@settings(deadline=None, max_examples=25)
@given(graphs(max_nodes=5))
def test_every_node_and_edge_has_its_place_for_an_id(graph):
    text = svg(graph)
    nodes, edges = groups(text, "node"), groups(text, "edge")

    assert [text_of(nodes[f"node-{i}"]) for i in range(len(graph))] == list(graph.nodes)
    assert [title_of(edges[f"edge-{i}"]) for i in range(len(graph.edges))] == [str(e) for e in graph.edges]
    assert (len(nodes), len(edges)) == (len(graph), len(graph.edges))
    for i, edge in enumerate(graph.edges):
        assert heads_of(edges[f"edge-{i}"]) == (edge.kind == "directed")


def test_awkward_names_are_shown_as_they_are():
    graph = Graph(AWKWARD, directed=list(pairwise(AWKWARD)))

    nodes = groups(svg(graph), "node")

    # SVG writes blanks at the ends of a text as no-break spaces; inside it keeps them.
    assert [text_of(nodes[f"node-{i}"]).replace("\xa0", " ") for i in range(len(AWKWARD))] == AWKWARD
    assert [title_of(nodes[f"node-{i}"]) or "" for i in range(len(AWKWARD))] == AWKWARD


def test_letters_that_cannot_be_shown_leave_a_mark():
    nodes = groups(svg(Graph(["nul\x00", "new\nline"])), "node")

    assert {text_of(node) for node in nodes.values()} == {"nul\ufffd", "new\ufffdline"}


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(max_size=6), unique=True, max_size=4))
def test_no_name_breaks_the_text_or_the_picture(names):
    graph = Graph(names, directed=list(pairwise(names)))

    assert len(groups(svg(graph), "node")) == len(names)
    assert pygraphviz.AGraph(string=dot(graph)).number_of_edges() == len(graph.edges)


def test_a_name_of_any_length_is_shown_in_part_and_told_in_the_title():
    name = "x" * 200_000

    (node,) = groups(svg(Graph([name])), "node").values()

    assert text_of(node) == "x" * 199 + "…"
    assert title_of(node) == name


def test_what_graphviz_refuses_is_said_in_a_sentence(monkeypatch):
    def refuse(*_, **__):
        raise ValueError("Graphviz raised a layout error.")

    monkeypatch.setattr(pygraphviz.AGraph, "draw", refuse)

    with pytest.raises(DataError, match=r"cannot be drawn: Graphviz says: Graphviz raised a layout error\."):
        svg(MIXED)


def engine(graph):
    return engine_for(Drawing.of(graph))


def test_arrows_that_would_pass_thousands_of_layers_are_drawn_by_springs():
    names = [f"n{i}" for i in range(40)]
    dense = Graph(names, directed=[(a, b) for i, b in enumerate(names) for a in names[:i]])

    assert engine(dense) == "neato"
    assert engine(dense.subgraph(names[:20])) == "dot"
    assert engine(true_graph("alarm")) == "dot"
    assert engine(Graph("ab", directed=["ab", "ba"])) == "dot"  # no order, no layers to count


def test_thousands_of_lone_nodes_stand_in_rows():
    names = [f"n{i}" for i in range(3000)]

    boxes = [_box(node) for node in groups(svg(Graph(names, undirected=[names[:2]])), "node").values()]

    assert len({(left, low) for left, _, low, _ in boxes}) == 3000
    assert 20 < len({low for _, _, low, _ in boxes}) < 1000


@pytest.mark.parametrize("draw", [lambda: plot_graph("ab"), lambda: plot_graph(MIXED, truth="abcd")])
def test_what_is_no_graph_is_refused(draw):
    with pytest.raises(OptionError, match="draws a Graph, not a str"):
        draw()


@pytest.mark.parametrize("graph", [Graph([]), Graph(["one"]), Graph("abcdefgh"), MIXED])
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_every_format_is_written_whole(graph, ending, start, tmp_path):
    path = tmp_path / f"picture.{ending}"

    graph.plot(path)

    assert path.read_bytes().startswith(start)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_another_ending_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(OptionError, match=r"\.svg, \.png, \.pdf"):
        plot_graph(MIXED, tmp_path / "picture.gif")
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(OptionError, match="nowhere"):
        plot_graph(MIXED, tmp_path / "nowhere" / "picture.svg")


def test_a_picture_shows_itself_in_a_notebook_and_can_be_saved(tmp_path):
    picture = plot_graph(MIXED)

    assert picture._repr_svg_() == MIXED._repr_svg_() == svg(MIXED)
    assert picture.save(tmp_path / "later.svg").read_text() == svg(MIXED)


def test_an_svg_can_stand_inside_a_page():
    text = svg(MIXED)

    assert text.startswith("<svg")
    assert "<?xml" not in text
    assert "<!DOCTYPE" not in text
    assert "max-width: 100%" in text


def test_the_same_graph_gives_the_same_picture():
    undirected = Graph("abcdef", undirected=["ab", "bc", "cd", "da", "ef", "be"])

    assert svg(undirected) == svg(undirected)


def widths(*edges):
    names = sorted({name for edge in edges for name in (edge.source, edge.target)})
    graph = pygraphviz.AGraph(string=dot(Graph.from_edges(names, edges)))
    return {edge.attr["id"]: float(edge.attr["penwidth"]) for edge in graph.edges()}


@pytest.mark.parametrize(
    ("known", "values"),
    [("weight", (-4.0, 2.0, 0.0)), ("confidence", (1.0, 0.5, 0.0)), ("p_value", (1e-10, 1e-5, 1.0))],
)
def test_strong_edges_are_thick(known, values):
    drawn = widths(*(Edge("a", to, **{known: value}) for to, value in zip("bcd", values, strict=True)))

    middle = (THINNEST + THICKEST) / 2
    assert list(drawn.values()) == pytest.approx([THICKEST, middle, THINNEST])


def test_edges_without_evidence_are_all_alike():
    assert set(widths(Edge("a", "b"), Edge("b", "c")).values()) == {USUAL}


@pytest.mark.parametrize("value", [float("inf"), 0.0])
def test_odd_weights_still_draw(value):
    drawn = widths(Edge("a", "b", weight=value), Edge("b", "c", weight=1.0))

    assert all(THINNEST <= width <= THICKEST for width in drawn.values())


def test_what_is_known_about_an_edge_is_in_its_title():
    text = svg(Graph("ab", directed=[Edge("a", "b", p_value=0.0123, confidence=0.9)]))

    assert title_of(groups(text, "edge")["edge-0"]) == "a → b (p 0.0123, confidence 0.9)"


def test_beside_the_truth_each_edge_has_the_colour_of_its_verdict():
    truth = Graph("abcde", directed=["ac", "bc", "cd", "de"])
    learned = Graph("abcde", directed=["ac", "bc", "dc", "be"])

    edges = groups(svg(learned, truth=truth), "edge")
    strokes = {name: edge.find(f"{SVG}path").get("stroke") for name, edge in edges.items()}

    assert strokes == {
        "edge-0": VERDICTS["right"],  # a → c
        "edge-1": VERDICTS["right"],  # b → c
        "edge-2": VERDICTS["extra"],  # b → e
        "edge-3": VERDICTS["misdirected"],  # d → c
        "missing-0": VERDICTS["missing"],  # d → e
    }
    assert edges["missing-0"].find(f"{SVG}path").get("stroke-dasharray")


def test_an_equivalent_graph_is_all_right():
    edges = groups(svg(Graph("ab", directed=["ba"]), truth=Graph("ab", directed=["ab"])), "edge")

    assert edges["edge-0"].find(f"{SVG}path").get("stroke") == VERDICTS["right"]


def test_the_truth_needs_the_same_nodes():
    with pytest.raises(DataError, match="same nodes"):
        MIXED.plot(truth=Graph("ab"))


def test_nodes_of_a_real_network_do_not_overlap():
    alarm = true_graph("alarm")

    for graph in (alarm, alarm.skeleton()):
        boxes = [_box(node) for node in groups(svg(graph), "node").values()]
        assert len(boxes) == 37
        assert not any(_meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i])


def _box(node):
    corners = node.find(f"{SVG}path").get("d").replace("M", " ").replace("C", " ").split()
    xs, ys = zip(*(map(float, corner.split(",")) for corner in corners), strict=True)
    return min(xs), max(xs), min(ys), max(ys)


def _meet(a, b):
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
