"""What `graph.why` says of directions and of ways in time is true of all graphs that fit as well."""

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.graphs.lags import lag_facts, lagged_name, slice_name, unrolled
from structlearn.why import Record
from tests.strategies import dags

OPEN = "cannot tell its direction"


def links(dag, changed):
    """The skeleton and colliders that are left where arrows into what was set are cut."""
    left = [(a, b) for a, b in dag.directed if b not in changed]
    joined = {frozenset(pair) for pair in left}
    colliders = {(frozenset((a, c)), b) for a, b in left for c, d in left if b == d and a < c}
    return joined, {found for found in colliders if found[0] not in joined}


@given(dags(min_nodes=2, max_nodes=5), st.data())
def test_rows_in_which_something_was_set_tell_directions(graph, data):
    sets = data.draw(st.lists(st.lists(st.sampled_from(graph.nodes), unique=True), max_size=2))
    experiments = tuple(map(tuple, sets))
    learned = graph.with_record(Record("HillClimbing", experiments=experiments))
    as_good = [
        member
        for member in graph.to_cpdag().members()
        if all(links(member, set(each)) == links(graph, set(each)) for each in experiments)
    ]

    for edge in graph.edges:
        turned = any(member.edge(edge.target, edge.source) for member in as_good)
        assert (OPEN in str(learned.why(edge.source, edge.target))) == turned


@pytest.mark.parametrize("learner", [sl.HillClimbing, sl.PC, sl.BOSS], ids=lambda kind: kind.__name__)
def test_what_was_set_is_remembered_with_the_graph(learner):
    rng = np.random.default_rng(0)
    is_set = np.arange(600) < 300
    a = np.where(is_set, rng.normal(size=600) * 2, rng.normal(size=600))
    b = a + 0.5 * rng.normal(size=600)
    graph = learner(targets={"a": is_set}).fit({"a": a, "b": b}).graph_

    assert "Rows in which a was set or changed, and b was not, tell" in str(graph.why("a", "b"))


def test_resamples_remember_what_was_set_too():
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    table = {"a": a, "b": a + 0.5 * rng.normal(size=400), "set": ["a"] * 200 + [None] * 200}
    learner = sl.EdgeConfidence(sl.HillClimbing(targets="set"), n_resamples=3, random_state=0).fit(table)

    assert "Rows in which a was set or changed" in str(learner.graph_.why("a", "b"))


def test_noise_tells_directions_unless_resamples_keep_the_class_alone():
    rng = np.random.default_rng(0)
    a = rng.uniform(-1, 1, 500)
    table = {"a": a, "b": a + rng.uniform(-0.3, 0.3, 500)}
    learner = sl.DirectLiNGAM()

    assert "noise that is not Gaussian" in str(learner.fit(table).graph_.why("a", "b"))
    for directions in ("graph", "class"):
        around = sl.EdgeConfidence(learner, n_resamples=3, directions=directions, random_state=0).fit(table)
        assert ("noise" in str(around.graph_.why("a", "b"))) == (directions == "graph")


@st.composite
def graphs_in_time(draw):
    """Arrows into now from up to two steps ago, and within now along the order of the names."""
    variables, lags = "xyz"[: draw(st.integers(1, 3))], draw(st.sampled_from([(0, 1), (0, 1, 2), (0, 1, 3)]))
    possible = [
        (lagged_name(a, lag), lagged_name(b, 0))
        for a in variables
        for b in variables
        for lag in lags
        if lag > 0 or a < b
    ]
    arrows = [arrow for arrow in possible if draw(st.booleans())]
    facts = lag_facts(variables, lags)
    return sl.Graph(facts, directed=arrows, facts=facts)


@settings(deadline=None)
@given(graphs_in_time())
def test_time_directs_what_lies_between_times_and_what_follows_from_it(graph):
    lag = {node: facts["lag"] for node, facts in graph.facts.items()}
    in_order = [
        member for member in graph.to_cpdag().members() if all(lag[a] >= lag[b] for a, b in member.directed)
    ]
    for edge in graph.edges:
        said = str(graph.why(edge.source, edge.target))
        assert (OPEN in said) == any(member.edge(edge.target, edge.source) for member in in_order)
        assert ("Time tells" in said) == (lag[edge.source] > lag[edge.target])


@settings(deadline=None)
@given(graphs_in_time(), st.data())
def test_pairs_of_any_time_are_separated_and_joined_as_in_many_steps(graph, data):
    a, b = data.draw(st.permutations(graph.nodes).map(lambda nodes: nodes[:2]))
    now, n_slices = 12, 24
    known = graph.facts
    variables = sorted({facts["variable"] for facts in known.values()})
    first = sl.Graph([slice_name(v, s) for s in range(3) for v in variables])
    steps = unrolled(graph, first, n_slices)
    later = min(known[a]["lag"], known[b]["lag"])

    def at(name):
        variable, lag = re.fullmatch(r"(.)\[t([+-]\d+)?\]", name).groups(default="0")
        return slice_name(variable, now + int(lag))

    ends = [slice_name(known[node]["variable"], now - known[node]["lag"] + later) for node in (a, b)]
    said = str(graph.why(a, b))
    whole = nx.Graph([*steps.directed])
    whole.add_nodes_from(steps.nodes)
    if ends[1] in whole[ends[0]]:
        assert "has no edge" not in said
    elif "No path joins them" in said:
        assert not nx.has_path(whole, *ends)
    else:
        way = [at(name) for name in said.rpartition("is ")[2][:-1].split(" ")[::2]]
        assert (way[0], way[-1]) == tuple(ends)
        assert len(way) == 1 + nx.shortest_path_length(whole, *ends)
        between = re.search(r"By the graph they are independent (given (.*)\.|as long)", said)
        given_nodes = [at(name) for name in between[2].split(", ")] if between[2] else []
        assert steps.d_separated(*ends, given=given_nodes)


def test_a_table_has_no_column_of_another_time():
    facts = lag_facts("x", (0, 1))
    graph = sl.Graph(facts, directed=[("x[t-1]", "x[t]")], facts=facts)
    with pytest.raises(sl.OptionError, match=r"why\(data=…\): x\[t-1\] is a column at some time"):
        graph.why("x[t-1]", "x[t]", data={"x": [0, 1, 0, 1]})


@settings(deadline=None, max_examples=50)
@given(dags(min_nodes=2, max_nodes=5), st.data())
def test_a_turn_is_scored_where_it_closes_no_cycle(dag, data):
    graph = data.draw(st.sampled_from([dag, dag.to_cpdag()]))
    table = {name: np.random.default_rng(i).normal(size=20) for i, name in enumerate(graph.nodes)}
    members = list(graph.members()) if graph.kind == "CPDAG" else [dag]
    for edge in graph.edges:
        a, b = edge.source, edge.target
        said = str(graph.why(a, b, data=table))
        for cause, effect in ((a, b), (b, a)):
            is_free = False
            for member in members:
                ways = nx.DiGraph([arc for arc in member.directed if set(arc) != {a, b}])
                ways.add_nodes_from(graph.nodes)
                is_free |= not nx.has_path(ways, effect, cause)
            assert (f"{cause} → {effect} would close a directed cycle" in said) == (not is_free)
            assert (f"{cause} → {effect} changes the score" in said) == is_free


def gapped_rows():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 500)
    b = np.where(rng.random(500) < 0.2, 1 - a, a)
    c = np.where(rng.random(500) < 0.2, 1 - b, b)
    names = {"a": a, "b": b, "c": c}
    return {
        name: [None if i % 11 == j else int(v) for i, v in enumerate(x)]
        for j, (name, x) in enumerate(names.items())
    }


@pytest.mark.parametrize(
    ("learner", "score", "missing"),
    [
        (sl.HillClimbing(missing="drop"), "bic", "drop"),
        (sl.HillClimbing(missing="familywise", score="pnal"), "pnal", "familywise"),
        (sl.PC(missing="testwise"), "bic", "drop"),
        (sl.EdgeConfidence(sl.K2(missing="drop"), n_resamples=3, random_state=0), "k2", "drop"),
        (sl.EdgeConfidence(sl.K2(), n_resamples=3, missing="drop", random_state=0), "k2", "drop"),
    ],
)
def test_rows_with_gaps_are_scored_as_the_method_had_them(learner, score, missing):
    rows = gapped_rows()
    graph = learner.fit(rows).graph_
    dag = graph.to_dag()
    a, b = dag.directed[0]
    without = sl.Graph(dag.nodes, directed=[arc for arc in dag.directed if arc != (a, b)])
    gain = sl.score(dag, rows, score, missing=missing) - sl.score(without, rows, score, missing=missing)

    assert f"{a} → {b} changes the score '{score}' of {b}'s family by {gain:+,.2f}." in str(
        graph.why(a, b, data=rows)
    )


@pytest.mark.parametrize("around", [False, True])
def test_rows_in_which_something_was_set_are_scored_so(around):
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    b = np.where(np.arange(400) < 100, rng.normal(size=400), a + rng.normal(size=400))
    rows = {"a": a, "b": b, "set": ["b"] * 100 + [None] * 300}
    learner = sl.HillClimbing(targets="set")
    learner = sl.EdgeConfidence(learner, n_resamples=3, random_state=0) if around else learner
    graph = learner.fit(rows).graph_
    joined, empty = sl.Graph("ab", directed=["ab"]), sl.Graph("ab")
    gain = sl.score(joined, rows, targets="set") - sl.score(empty, rows, targets="set")

    assert f"b's family by {gain:+,.2f}." in str(graph.why("a", "b", data=rows))
    plain = sl.score(joined, {"a": a, "b": b}) - sl.score(empty, {"a": a, "b": b})
    assert f"b's family by {plain:+,.2f}." in str(graph.why("a", "b", data={"a": a, "b": b}))
