"""Graphs in time, folded to their variables."""

import pytest

import structlearn as sl
from structlearn.graphs.lags import lag_facts


def in_time(*edges):
    facts = lag_facts("xy", (0, 1, 2))
    return sl.Graph(facts, edges=edges, facts=facts)


def test_nodes_are_ordered_in_time_and_know_their_variable_and_lag():
    graph = in_time()

    assert graph.nodes == ("x[t-2]", "y[t-2]", "x[t-1]", "y[t-1]", "x[t]", "y[t]")
    assert dict(graph.facts["y[t-2]"]) == {"variable": "y", "lag": 2}


def test_arrows_of_all_lags_become_one_with_the_strongest_evidence():
    found = in_time(
        sl.Edge("x[t-1]", "y[t]", weight=0.2, p_value=0.01, confidence=0.4),
        sl.Edge("x[t-2]", "y[t]", weight=-0.5, p_value=0.04, confidence=0.9),
        sl.Edge("x[t-1]", "x[t]"),
    ).summary()

    assert found == sl.Graph("xy", edges=["x --> y", "x --> x"])
    edge = found.edge("x", "y")
    assert (edge.weight, edge.p_value, edge.confidence) == (-0.5, 0.01, 0.9)
    assert found.edge("x", "x").weight is None


def test_a_line_within_a_step_stays_where_no_arrow_joins_the_two():
    line = sl.Edge("x[t]", "y[t]", "undirected")

    assert in_time(line).summary() == sl.Graph("xy", undirected=["xy"])
    assert in_time(line, sl.Edge("y[t-1]", "x[t]")).summary() == sl.Graph("xy", edges=["y --> x"])


def test_a_line_is_two_arrows_beside_a_cycle():
    line, own = sl.Edge("x[t]", "y[t]", "undirected", p_value=0.02), sl.Edge("x[t-1]", "x[t]")

    found = in_time(line, own).summary()

    assert set(found.directed) == {("x", "x"), ("x", "y"), ("y", "x")}
    assert found.edge("y", "x").p_value == 0.02


def test_a_graph_without_lags_is_not_folded():
    with pytest.raises(sl.DataError, match="only graphs in time are folded"):
        sl.Graph("ab").summary()
