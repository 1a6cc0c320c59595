"""Graphs as tables of edges, in files and frames, come back as they were; so do those of other programs."""

import itertools

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.formats import edge_list, load, save
from structlearn.graphs import Edge, Graph
from tests.strategies import KNOWN_OF_EDGES, NAMES, any_kind_of_graph


@st.composite
def known_graphs(draw):
    """Any graph, under any names, with anything known about its edges."""
    graph = draw(any_kind_of_graph())
    names = draw(st.lists(NAMES, min_size=len(graph), max_size=len(graph), unique=True))
    name = dict(zip(graph.nodes, names, strict=True))
    edges = [Edge(name[e.source], name[e.target], e.kind, *draw(KNOWN_OF_EDGES)) for e in graph.edges]
    return Graph(names, edges=edges)


def told(graph):
    return {(e.source, e.target, e.kind, e.weight, e.p_value, e.confidence) for e in graph.edges}


@settings(deadline=None, max_examples=60)
@given(graph=known_graphs(), tabs=st.booleans())
def test_a_graph_of_any_kind_comes_back_with_what_is_known_of_its_edges(graph, tabs):
    write = edge_list.write_tabs if tabs else edge_list.write

    back = edge_list.read(write(graph))

    assert back == graph
    assert told(back.reordered(graph.nodes)) == told(graph)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@settings(deadline=None, max_examples=20)
@given(graph=known_graphs())
def test_a_graph_becomes_a_frame_and_comes_back(library, graph):
    back = Graph.from_frame(graph.to_frame(library), nodes=graph.nodes)

    assert back == graph
    assert told(back) == told(graph)


def test_a_frame_has_a_row_for_each_edge():
    graph = Graph("abc", edges=[Edge("a", "b", weight=0.5), Edge("b", "c", "nondirected")])

    frame = graph.to_frame()

    assert frame.columns.tolist() == ["from", "to", "edge", "weight"]
    assert frame.iloc[0].tolist() == ["a", "b", "-->", 0.5]
    assert frame.iloc[1, :3].tolist() == ["b", "c", "o-o"]
    assert isinstance(graph.to_frame("polars"), pl.DataFrame)
    with pytest.raises(sl.OptionError, match="a library is one of 'pandas', 'polars', 'pyarrow'"):
        graph.to_frame("excel")


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("from,to\na,b\nb,c\n", ["a --> b", "b --> c"]),
        ("Source;Target\r\na;b\r\n", ["a --> b"]),
        ("parent\tchild\tnote\na\tb\tx\n", ["a --> b"]),
        ("a,b\nx,y\n", ["x --- y"]),
        ("from,to\na,b\nb,a\n", ["a --- b"]),
        ("from,to,edge\na,b,o->\nb,c,<--\nc,d,undirected\n", ["a o-> b", "c --> b", "c --- d"]),
        ("from,to,weight\na,b,0.5\n", ["a --> b"]),
        ('"from","to"\n"x, y","z"\n', [("x, y", "-->", "z")]),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:the columns 'note'")
def test_tables_of_edges_of_other_programs_are_read(tmp_path, text, edges):
    path = tmp_path / "truth.csv"
    path.write_text(text, encoding="utf-8", newline="")

    found = sl.load(path)

    assert found == Graph(found.nodes, edges=edges)


def test_columns_that_say_nothing_are_told():
    with pytest.warns(sl.DataWarning, match="the columns 'note' say nothing that a graph holds"):
        Graph.from_frame(pd.DataFrame({"from": ["a"], "to": ["b"], "note": ["x"]}))


def test_nodes_without_edges_are_rows_with_one_end():
    graph = edge_list.read("from,to\na,b\nc,\n")

    assert graph.nodes == ("a", "b", "c")
    assert edge_list.read(edge_list.write(graph)) == graph
    assert Graph.from_frame(pa.table({"from": ["a", "c"], "to": ["b", None]})).nodes == ("a", "b", "c")


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_whole_numbers_are_the_same_names_beside_a_gap(library):
    whole = library({"from": [1, 2, 3], "to": [3, 1, None]})

    assert Graph.from_frame(whole) == Graph("123", directed=["13", "21"])


def test_numbers_that_a_column_of_floats_has_rounded_are_refused():
    with pytest.raises(sl.DataError, match="may have lost digits in a column of floats; give names as text"):
        Graph.from_frame(pd.DataFrame({"from": [1, 2], "to": [2**53 + 1, None]}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("x,y\n1,2\n", r"two columns for their ends, from and to, .* this one has 'x', 'y'.*sl.Dataset"),
        ("from,to\na\n", "record 2 has another number of fields"),
        ("from,to\n,b\n", "Row 0, counted from 0, has nothing in 'from'"),
        ("from,to\na,b\na,b\n", "is there twice"),
        ("a,b\nx,y\ny,x\n", "is there twice"),
        ("from,to,edge\na,b,=>\n", "'=>' is no sign of an edge"),
        ("from,to,weight\na,b,much\n", "weight of an edge is a number, not 'much'"),
        ('from,to\n"a,b\n', "cannot be read"),
    ],
    ids=str,
)
def test_a_table_that_is_none_of_edges_is_refused(tmp_path, text, message):
    path = tmp_path / "truth.csv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(sl.DataError, match=message):
        load(path)


def test_a_node_without_a_name_has_no_place(tmp_path):
    with pytest.raises(sl.DataError, match="a node that is called ''"):
        save(Graph([""]), tmp_path / "g.csv")


def test_a_loop_and_both_arrows_keep_their_signs():
    graph = Graph("ab", directed=["aa", "ab", "ba"])

    assert edge_list.read(edge_list.write(graph)) == graph
    assert Graph.from_frame(graph.to_frame("pyarrow")) == graph


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_names_with_line_ends_of_any_kind_come_back(ending, tmp_path):
    names = ["a\rb", "c\nd", "e\r\nf", "g\r", 'h"i', "j,k", "l\tm"]
    graph = Graph(names, directed=list(itertools.pairwise(names)))

    save(graph, tmp_path / f"g.{ending}")

    assert load(tmp_path / f"g.{ending}") == graph
