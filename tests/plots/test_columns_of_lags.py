"""Columns of a picture in time: one for each lag that there is, in the order of time, not of the nodes."""

import re

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.plots import dot


def ranks(text):
    """The numbers of the nodes of each column."""
    return [
        [int(n) for n in re.findall(r"node-(\d+)", row)] for row in re.findall(r"rank=same; (.*?) }", text)
    ]


def unseen(text):
    """The lines that nobody sees, which hold the columns in order."""
    return [(int(a), int(b)) for a, b in re.findall(r'"node-(\d+)" -> "node-(\d+)" \[style=invis', text)]


def test_lags_that_are_not_there_have_no_column():
    facts = lag_facts("xyz", (0, 3))

    text = dot(sl.Graph(facts, facts=facts))

    assert ranks(text) == [[0, 1, 2], [3, 4, 5]]
    assert unseen(text) == [(0, 3), (1, 4), (2, 5)]  # each variable is held beside itself later


def test_lines_within_a_step_stand_in_columns_too():
    facts = lag_facts("xy", (0, 1))

    assert ranks(dot(sl.Graph(facts, undirected=[("x[t]", "y[t]")], facts=facts))) == [[0, 1], [2, 3]]


def test_nodes_in_any_order_stand_in_the_column_of_their_lag():
    facts = lag_facts("xy", (0, 1))
    nodes = ["y[t]", "x[t-1]", "x[t]", "y[t-1]"]

    assert ranks(dot(sl.Graph(nodes, facts=facts))) == [[1, 3], [0, 2]]


def test_a_graph_of_which_some_nodes_have_no_lag_has_no_columns():
    facts = lag_facts("x", (0, 1))

    assert ranks(dot(sl.Graph([*facts, "other"], facts=facts))) == []
    assert ranks(dot(sl.Graph([]))) == []


def test_names_that_would_end_a_label_are_drawn():
    facts = lag_facts(['a"b', "<c>"], (0, 1))
    graph = sl.Graph(facts, directed=[('a"b[t-1]', "<c>[t]")], facts=facts)

    text = dot(graph)

    assert ranks(text) == [[0, 1], [2, 3]]
    assert '"node-0" -> "node-3"' in text
    assert '"a"b' not in text
