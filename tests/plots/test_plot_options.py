"""Every option of a picture does what it says, on every kind of graph, and is refused with a sentence."""

import ctypes
import os
import re

import numpy as np
import pygraphviz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.errors import DataError, OptionError
from structlearn.graphs import Edge, Graph
from structlearn.graphs.generators import random_dag
from structlearn.plots import dot, svg
from structlearn.plots.apart import apart
from structlearn.plots.graphviz import silent
from structlearn.plots.look import ACCENT, GROUP_FILLS
from tests.data_files import true_graph
from tests.plots.test_graph_picture import _box, _meet, groups, text_of, title_of
from tests.strategies import graphs

NAMES = ['say "hi"', "größe", "new\nline", "<b>"]
KINDS = {
    "DAG": Graph(NAMES, directed=[(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2])]),
    "CPDAG": Graph(
        NAMES,
        directed=[(NAMES[0], NAMES[1]), (NAMES[2], NAMES[1])],
        undirected=[(NAMES[2], NAMES[3])],
        kind="PDAG",
    ),
    "undirected": Graph(NAMES, undirected=[(NAMES[0], NAMES[1]), (NAMES[1], NAMES[2])]),
    "cyclic": Graph(NAMES, directed=[(NAMES[0], NAMES[1]), (NAMES[1], NAMES[0]), (NAMES[2], NAMES[2])]),
    "PAG": Graph(NAMES, edges=[(NAMES[0], "o->", NAMES[1]), (NAMES[1], "o-o", NAMES[3])]),
    "empty": Graph(NAMES),
    "without nodes": Graph([]),
}
OPTIONS = {
    "layers": {"layout": "dot", "direction": "up"},
    "springs": {"layout": "sfdp"},
    "pairs": {"layout": "neato", "size": 3},
    "circles": {"layout": "circo", "size": (4, 2.5)},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("graph", KINDS.values(), ids=KINDS)
def test_every_layout_shows_every_node_and_edge_of_every_kind_of_graph(graph, options):
    text = svg(graph, highlight=graph.nodes[:1], groups={"some": graph.nodes[1:3]}, **options)

    nodes, edges = named(text, "node"), groups(text, "edge")
    assert [title_of(nodes[f"node-{i}"]) for i in range(len(graph))] == [
        name.replace("\n", "\ufffd") for name in graph.nodes
    ]
    assert set(edges) == {f"edge-{i}" for i in range(len(graph.edges))}


def named(text, kind):
    """The groups of a kind, whatever colour class they have beside it."""
    return groups(re.sub(r'class="node group-\d+"', 'class="node"', text), kind)


@settings(deadline=None, max_examples=15)
@given(graphs(max_nodes=6), st.sampled_from(["dot", "sfdp", "neato", "circo"]), st.data())
def test_what_is_highlighted_stands_out_and_nothing_else(graph, layout, data):
    lit = data.draw(st.sets(st.sampled_from(graph.nodes))) if len(graph) else set()
    edges = data.draw(st.sets(st.sampled_from(graph.edges))) if graph.edges else set()

    page = pygraphviz.AGraph(
        string=dot(graph, layout=layout, highlight=[*lit, *((edge.source, edge.target) for edge in edges)])
    )

    assert {node for node in page.nodes() if node.attr["fillcolor"] == ACCENT} == {
        f"node-{graph.nodes.index(name)}" for name in lit
    }
    pairs = [{edge.source, edge.target} for edge in edges]
    assert {edge.attr["id"] for edge in page.edges() if edge.attr["color"] == ACCENT} == {
        f"edge-{i}" for i, edge in enumerate(graph.edges) if {edge.source, edge.target} in pairs
    }


def test_one_name_is_a_highlight_too():
    assert dot(Graph("ab"), highlight="a") == dot(Graph("ab"), highlight=["a"]) != dot(Graph("ab"))


def test_layers_run_the_way_they_are_told():
    chain = Graph("abc", directed=["ab", "bc"])

    def middles(direction):
        boxes = [_box(node) for node in groups(svg(chain, direction=direction), "node").values()]
        return [(low + high for low, high in ((b[0], b[1]), (b[2], b[3]))) for b in boxes]

    down, right = ([tuple(place) for place in middles(way)] for way in ("down", "right"))
    up, left = ([tuple(place) for place in middles(way)] for way in ("up", "left"))
    assert down == sorted(down, key=lambda place: place[1])
    assert up == sorted(up, key=lambda place: -place[1])
    assert right == sorted(right, key=lambda place: place[0])
    assert left == sorted(left, key=lambda place: -place[0])


def test_a_wide_graph_of_layers_is_turned_and_a_high_one_is_not():
    wide = true_graph("water")
    high = Graph("abcdefg", directed=["ab", "bc", "cd", "de", "ef", "fg"])

    assert shape(svg(wide)) < 2.5 < shape(svg(wide, direction="down"))
    assert svg(high) == svg(high, direction="down")


def test_a_graph_that_is_a_strip_in_layers_both_ways_has_springs():
    star = true_graph("bnrep-suffocation")

    assert min(shape(svg(star, direction=way)) for way in ("down", "right")) > 2.5 >= shape(svg(star))
    assert svg(star) == svg(star, layout="neato")


def shape(text):
    """How many times as wide as high, or as high as wide, a picture is."""
    width, height = size(text)
    return max(width / height, height / width)


def size(text):
    return tuple(map(float, re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', text).groups()))


@pytest.mark.parametrize(("asked", "most"), [(5, (360, 360)), ((8, 2), (576, 144))])
def test_a_picture_fits_into_the_size_that_is_asked_for(asked, most):
    width, height = size(svg(KINDS["DAG"], size=asked))

    assert width <= most[0] + 1
    assert height <= most[1] + 1
    assert width > most[0] - 8 or height > most[1] - 8  # and fills it one way


def test_groups_have_boxes_in_layers_and_colours_elsewhere():
    graph = Graph("abcd", directed=["ab", "cd"])
    asked = {"first & best": "a", "rest": ["b", "c"]}

    boxed, coloured = svg(graph, groups=asked), svg(graph, groups=asked, layout="neato")

    assert [title_of(box) for box in groups(boxed, "cluster").values()] == list(asked)
    assert not groups(coloured, "cluster")
    fills = [node.find("{*}path").get("fill") for node in named(coloured, "node").values()]
    assert fills == [GROUP_FILLS[0], GROUP_FILLS[1], GROUP_FILLS[1], fills[3]]
    assert fills[3] not in GROUP_FILLS
    assert "first &amp; best" in coloured  # the legend


def test_groups_may_be_the_values_of_a_fact_or_none():
    graph = Graph("abc", facts={"a": {"wing": "left"}, "b": {"lag": 1}})

    assert [title_of(box) for box in groups(svg(graph, groups="wing", layout="dot"), "cluster").values()] == [
        "wing left"
    ]
    assert not groups(svg(graph, groups={}, layout="dot"), "cluster")
    assert len(groups(svg(graph, layout="dot"), "cluster")) == 1  # lag


def test_edges_are_labelled_with_what_is_asked_for():
    edges = [Edge("a", "b", weight=-0.123, confidence=0.9), Edge("b", "c", weight=2.0, p_value=0.01)]
    graph = Graph.from_edges("abc", edges)

    def written(labels):
        return [text_of(edge).strip() for edge in groups(svg(graph, labels=labels), "edge").values()]

    assert written("weight") == ["-0.12", "2"]
    assert written("confidence") == ["90%", ""]
    assert written("p_value") == ["", "0.01"]
    assert written(None) == ["", ""]


def test_a_thick_line_hides_no_sign_of_the_number_beside_it():
    graph = Graph.from_edges("ab", [Edge("a", "b", weight=-3.0)])

    (edge,) = groups(svg(graph, labels="weight", layout="dot"), "edge").values()

    # Graphviz begins the label where the line is; half of the thickest line is narrower than a blank.
    assert text_of(edge).replace("\xa0", " ") == " -3 "


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.none() | st.floats(-2, 2), min_size=3, max_size=3),
    st.sampled_from(["weight", "confidence", "p_value"]),
    st.floats(0.01, 2),
)
def test_a_threshold_leaves_the_strong_edges_and_every_node(values, measure, threshold):
    values = [value if value is None or measure == "weight" else min(abs(value), 1.0) for value in values]
    edges = [Edge("a", to, **{measure: value}) for to, value in zip("bcd", values, strict=True)]
    graph = Graph.from_edges("abcd", edges)
    if all(value is None for value in values):
        with pytest.raises(DataError, match="none is stronger than another"):
            dot(graph, threshold=threshold)
        return

    page = pygraphviz.AGraph(string=dot(graph, threshold=threshold))

    strong = [
        to
        for to, value in zip("bcd", values, strict=True)
        if value is not None and (value <= threshold if measure == "p_value" else abs(value) >= threshold)
    ]
    assert sorted(end for _, end in page.edges()) == [f"node-{'abcd'.index(to)}" for to in strong]
    assert page.number_of_nodes() == 4


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"layout": "dots"}, r"plot\(layout='dots'\) \(did you mean 'dot'\?\): layout is how the nodes"),
        ({"direction": "north"}, "direction is which way the layers run, one of 'down', 'right'"),
        ({"direction": "up", "layout": "circo"}, "layout 'circo' has no direction; use layout='dot'"),
        ({"size": -1}, "size is the inches that the picture fits into, a number larger than 0, or"),
        ({"size": (1, 2, 3)}, r"\(width, height\) of two numbers"),
        (
            {"highlight": "alpa"},
            r"no node 'alpa' \(did you mean 'alpha'\?\); the nodes are 'alpha', 'b', 'c'",
        ),
        ({"highlight": [3]}, "3 is neither a name nor a pair of names"),
        ({"highlight": 3}, "a name, or a list of names and of pairs"),
        ({"highlight": [("c", "alpha")]}, "no edge between 'alpha' and 'c'"),
        ({"groups": {"one": ["alpa"]}}, "did you mean 'alpha'"),
        ({"groups": {"one": ["b"], "two": ["b"]}}, "'b' is in 'one' and in 'two'"),
        ({"groups": "wing"}, "no fact 'wing'; there are no facts"),
        ({"groups": 3}, "the name of a fact, or names by title"),
        ({"labels": "wieght"}, r"did you mean 'weight'"),
        ({"threshold": 0}, "how strong an edge must be to be drawn, a number larger than 0"),
        ({"treshold": 1}, r"plot has no option 'treshold' \(did you mean 'threshold'\?\)"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_a_sentence(options, said):
    with pytest.raises(OptionError, match=said):
        Graph(["alpha", "b", "c"], directed=[("alpha", "b")]).plot(**options)


def test_labels_that_no_edge_has_are_refused_and_those_there_are_named():
    graph = Graph.from_edges("ab", [Edge("a", "b", weight=1.0)])

    with pytest.raises(DataError, match=r"no edge of this graph has a confidence; they have weight\."):
        graph.plot(labels="confidence")
    assert Graph("ab").plot(labels="confidence", threshold=0.5).svg()  # nothing to label is nothing wrong


@pytest.mark.parametrize(
    ("n_nodes", "kind"),
    [(61, "erdos-renyi"), (109, "erdos-renyi"), (120, "scale-free"), (441, "erdos-renyi")],
)
def test_a_sparse_graph_of_many_nodes_is_a_page_and_no_strip(n_nodes, kind):
    assert_a_page(random_dag(n_nodes, kind=kind, random_state=n_nodes))


@pytest.mark.slow
@pytest.mark.parametrize("n_nodes", [60, 109, 441, 800, 1200])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["erdos-renyi", "scale-free", "small-world"])
def test_sparse_graphs_of_any_size_and_kind_are_pages(n_nodes, seed, kind):
    graph = random_dag(n_nodes, kind=kind, random_state=seed)

    for each in (graph, graph.skeleton()):
        assert_a_page(each)


def assert_a_page(graph):
    text = svg(graph)

    boxes = np.array([_box(node) for node in groups(text, "node").values()])
    assert len(boxes) == len(graph)
    assert shape(text) <= 2.5
    assert not any(_meet(a, b) for i, a in enumerate(boxes) for b in boxes[:i][near(boxes[:i], a)])
    covered = ((boxes[:, 1] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 2])).sum() / np.prod(size(text))
    assert 0.02 < covered < 0.4  # room for arrows, and names that can be found


def near(boxes, box):
    return np.abs(boxes[:, 0] - box[0]) < 200


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 40), st.integers(0, 2**32), st.booleans())
def test_boxes_pushed_apart_have_a_gap_between_every_two(n_boxes, seed, at_one_place):
    random = np.random.default_rng(seed)
    centres = np.zeros((n_boxes, 2)) if at_one_place else random.normal(size=(n_boxes, 2))
    sizes = random.uniform(5, 80, size=(n_boxes, 2))

    placed = apart(centres, sizes, gap=9)

    between = np.abs(placed[:, None] - placed[None]) - (sizes[:, None] + sizes[None]) / 2
    pairs = np.triu_indices(n_boxes, 1)
    assert (between.max(axis=2)[pairs] > 9 - 1e-9).all()


def test_nodes_without_edges_stand_in_rows_below_the_others():
    graph = random_dag(150, random_state=3)
    lone = [i for i, name in enumerate(graph.nodes) if not graph.markov_blanket(name)]

    nodes = groups(svg(graph), "node")
    boxes = [_box(nodes[f"node-{i}"]) for i in range(150)]  # y runs downwards
    lowest = max(box[3] for i, box in enumerate(boxes) if i not in lone)
    assert len(lone) > 5
    assert all(boxes[i][2] > lowest for i in lone)
    assert len({boxes[i][2] for i in lone}) <= 3  # rows


def test_a_missing_edge_of_the_truth_joins_its_ends():
    names = [f"n{i}" for i in range(70)]
    graph = Graph(names, directed=[("n0", "n1")])
    truth = Graph(names, directed=[("n0", "n1"), ("n1", "n2")])

    edges = groups(svg(graph, truth=truth), "edge")

    assert set(edges) == {"edge-0", "missing-0"}


@pytest.mark.skipif(os.name == "nt", reason="the random numbers of C are elsewhere on Windows")
def test_springs_between_near_nodes_do_not_depend_on_what_was_drawn_before():
    graph = random_dag(30, random_state=1)

    pictures = []
    for seed in (3, 4):
        ctypes.CDLL(None).srand(seed)
        pictures.append(svg(graph, layout="sfdp"))

    assert pictures[0] == pictures[1]


def test_nothing_of_fonts_or_graphviz_is_said_on_standard_error_and_other_lines_are(capfd):
    with silent():
        os.write(2, b"Fontconfig warning: unknown element\nfrom another thread\nWarning: node a\n")
    svg(random_dag(70, random_state=0), layout="sfdp")

    assert capfd.readouterr().err == "from another thread\n"


def test_a_legend_names_the_first_groups_and_says_that_there_are_more():
    names = [f"n{i}" for i in range(20)]

    text = dot(Graph(names), layout="neato", groups={f"g{i}": [name] for i, name in enumerate(names)})

    legend = text.split("label=<")[1]
    assert re.findall(r"g\d+", legend) == [f"g{i}" for i in range(18)]
    assert "…" in legend


def test_lines_between_many_nodes_are_drawn_below_their_names():
    drawn = svg(random_dag(70, random_state=0))

    assert drawn.rindex('id="edge-') < drawn.index('id="node-')
