"""Graphs in time, unrolled step by step, and folded whatever the lags and the edges are."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs.lags import lag_facts, lagged_name, slice_name, summary_of, unrolled

LAGGED = [(a, lag, b) for a, lag, b in product("xyz", (1, 3), "xyz")] + [("x", 0, "y"), ("y", 0, "z")]
ARCS = st.lists(st.sampled_from(LAGGED), unique=True, max_size=8)


def in_time(arcs):
    facts = lag_facts("xyz", (0, 1, 3))
    directed = [(lagged_name(a, lag), lagged_name(b, 0)) for a, lag, b in arcs]
    return sl.Graph(facts, directed=directed, facts=facts)


FIRST = sl.Graph(
    [slice_name(v, t) for t in range(3) for v in "xyz"], directed=[("x[0]", "y[0]"), ("x[1]", "z[2]")]
)


@given(arcs=ARCS, n_slices=st.integers(0, 7))
@settings(max_examples=40, deadline=None)
def test_every_arc_is_there_once_for_each_step_that_has_its_past(arcs, n_slices):
    found = unrolled(in_time(arcs), FIRST, n_slices)

    later = {
        (slice_name(a, t - lag), slice_name(b, t)) for a, lag, b in arcs for t in range(3, max(n_slices, 3))
    }
    begun = {
        arc for arc, last in ((("x[0]", "y[0]"), 0), (("x[1]", "z[2]"), 2)) if last < n_slices
    }  # the first steps have their own arcs, as far as the steps go
    assert set(found.directed) == later | begun
    assert found.nodes == tuple(slice_name(v, t) for t in range(n_slices) for v in "xyz")


@given(arcs=ARCS)
@settings(max_examples=40, deadline=None)
def test_a_folded_graph_has_each_pair_of_variables_that_some_lag_joins(arcs):
    found = summary_of(in_time(arcs))

    assert found.nodes == ("x", "y", "z")
    assert set(found.directed) == {(a, b) for a, _, b in arcs}


def test_two_variables_that_follow_each_other_stand_in_a_cycle_and_keep_their_weights():
    facts = lag_facts("xy", (0, 1))
    edges = [
        sl.Edge("x[t-1]", "y[t]", weight=2.0),
        sl.Edge("y[t-1]", "x[t]", weight=-3.0),
        sl.Edge("y[t-1]", "y[t]", confidence=0.5),
    ]

    found = sl.Graph(facts, edges=edges, facts=facts).summary()

    assert [found.edge(*pair).weight for pair in ("xy", "yx", "yy")] == [2.0, -3.0, None]
    assert found.edge("y", "y").confidence == 0.5


def test_a_graph_of_which_only_some_nodes_stand_in_time_is_not_folded():
    facts = {"x[t]": {"variable": "x", "lag": 0}, "w": {"variable": "w"}}

    with pytest.raises(sl.DataError, match="whose nodes have the facts 'variable' and 'lag'"):
        sl.Graph(facts, facts=facts).summary()
