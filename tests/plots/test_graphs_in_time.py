"""Graphs in time are drawn in columns, one for each lag, the furthest back on the left."""

import re

import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts
from structlearn.plots import dot, svg

FACTS = lag_facts("xy", (0, 1, 2))
GRAPH = sl.Graph(FACTS, directed=[("x[t-1]", "y[t]"), ("x[t]", "y[t]")], facts=FACTS)


def test_nodes_of_one_lag_have_one_rank_and_layers_run_to_the_right():
    text = dot(GRAPH)

    assert 'rankdir="LR"' in text
    assert re.findall(r"rank=same; (.*?) }", text) == [
        '"node-0"; "node-1"',
        '"node-2"; "node-3"',
        '"node-4"; "node-5"',
    ]
    assert "cluster" not in text
    assert 'rankdir="TB"' in dot(GRAPH, direction="down")
    assert 'rankdir="TB"' in dot(GRAPH.summary())


def test_columns_stand_from_left_to_right_and_variables_in_rows():
    drawn = svg(GRAPH)
    places = {
        name: (float(x), float(y))
        for x, y, name in re.findall(r'<text[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>([xy]\[t[^<]*)<', drawn)
    }

    assert len(places) == 6
    for variable in "xy":
        old, last, now = (places[f"{variable}[t{lag}]"] for lag in ("-2", "-1", ""))
        assert old[0] < last[0] < now[0]
        assert old[1] == pytest.approx(now[1], abs=15.0)
    assert abs(places["x[t]"][0] - places["y[t]"][0]) < 15.0


def test_another_layout_has_colours_as_any_graph():
    assert "rank=same" not in dot(GRAPH, layout="neato")
