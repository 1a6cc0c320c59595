"""Text files of Tetrad are read as it writes them, and written as it reads them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.formats import tetrad
from tests.strategies import any_kind_of_graph, knowledges

# The forms of the two files are those of the manual of Tetrad 7, sections "Graph" and "Knowledge Box".
GRAPH = """
Graph Nodes:
X1;X2;(L);X 4

Graph Edges:
1. X1 --> X2 dd nl
2. X2 o-> X 4 [X2 o-> X 4]:0.9500;[no edge]:0.0500;
3. L <-> X1
4. X 4 --- L

Ambiguous triples (i.e. list of triples for which there is ambiguous data):
1. <X1, X2, L>
"""
KNOWLEDGE = """/knowledge
addtemporal
1 X1 X2
2* X3 X4

forbiddirect
X1 X3

requiredirect
X2 X4
"""


def test_a_graph_of_tetrad_is_read():
    assert tetrad.read(GRAPH) == sl.Graph(
        ["X1", "X2", "L", "X 4"], edges=["X1 --> X2", "X2 o-> X 4", "L <-> X1", "X 4 --- L"]
    )
    assert tetrad.read("Graph Nodes:\na,b\n\nGraph Edges:\n").nodes == ("a", "b")


def test_knowledge_of_tetrad_is_read_and_a_star_forbids_arrows_within_a_tier():
    assert tetrad.read(KNOWLEDGE) == sl.Knowledge(
        required=[("X2", "X4")],
        forbidden=[("X1", "X3"), ("X3", "X4"), ("X4", "X3")],
        tiers=[["X1", "X2"], ["X3", "X4"]],
    )


@settings(deadline=None)
@given(graph=any_kind_of_graph())
def test_a_graph_of_any_kind_comes_back(graph):
    back = tetrad.read(tetrad.write(graph))

    assert (back.nodes, [str(e) for e in back.edges]) == (graph.nodes, [str(e) for e in graph.edges])


NAMES = st.text("abcXYZ_019é.", min_size=1, max_size=4)


@settings(deadline=None)
@given(known=knowledges(NAMES))
def test_knowledge_comes_back(known):
    assert tetrad.read(tetrad.write(known)) == known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "begins with 'Graph Nodes:' or '/knowledge'"),
        ("a,b\n1,2\n", "A table of data is for sl.Dataset"),
        ("Graph Nodes:\na;b\n", "no line 'Graph Edges:'"),
        ("Graph Nodes:\na;b\n\nGraph Edges:\n1. a --> c\n", "'a --> c' is no edge between two of the nodes"),
        ("/knowledge\nX1 X2\n", "has the parts addtemporal, forbiddirect and requiredirect, not 'X1 X2'"),
        ("/knowledge\naddtemporal\nX1 X2\n", "a tier begins with its number, not with 'X1'"),
        ("/knowledge\naddtemporal\n1- X1\n", "causes of the next tier alone cannot be said"),
        (f"/knowledge\naddtemporal\n1* {'x ' * 1001}", "more than 1,000 names, too many for pairs"),
        ("/knowledge\nforbiddirect\nX1\n", "has two names in a line, not 'X1'"),
    ],
    ids=lambda text: text[:40],
)
def test_what_is_no_file_of_tetrad_is_refused(text, message):
    with pytest.raises(sl.DataError, match=message):
        tetrad.read(text)


@pytest.mark.parametrize("name", ["", " a", "a;b", "a,b", "(a)", "a --> b", "a\nb"])
def test_names_that_tetrad_would_read_otherwise_are_refused(name):
    with pytest.raises(sl.DataError, match="no place for"):
        tetrad.write(sl.Graph([name]))


def test_knowledge_has_no_blanks_in_names_there():
    with pytest.raises(sl.DataError, match="no place for 'a b'"):
        tetrad.write(sl.Knowledge([("a b", "c")]))
