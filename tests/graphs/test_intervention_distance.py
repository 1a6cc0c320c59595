"""The structural intervention distance agrees with paths, with moments and with its paper."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from structlearn.graphs import Graph
from structlearn.graphs.generators import random_dag
from tests.oracles import interventions as oracle
from tests.strategies import dags, partially_directed_graphs

# Example 1 of Peters and Bühlmann (2015): X1 → X2, both into Y1, Y2 and Y3.
PAPER = Graph("12abc", directed=["12", "1a", "1b", "1c", "2a", "2b", "2c"])


@st.composite
def pairs_of_dags(draw, most_nodes=5):
    n_nodes = draw(st.integers(0, most_nodes))
    return draw(dags(n_nodes, n_nodes)), draw(dags(n_nodes, n_nodes))


def arrows_of(graph):
    place = {name: i for i, name in enumerate(graph.nodes)}
    return [(place[a], place[b]) for a, b in graph.directed]


def test_the_papers_example_has_its_distances():
    more = Graph("12abc", directed=[*PAPER.directed, "ab"])
    turned = Graph("12abc", directed=["21", "1a", "1b", "1c", "2a", "2b", "2c"])

    assert more.compare(PAPER).sid == 0
    assert turned.compare(PAPER).sid == 8


def test_one_turned_arrow_is_two_wrong_effects_and_an_empty_graph_one_or_two():
    chain = Graph("ab", directed=["ab"])

    assert Graph("ab", directed=["ba"]).compare(chain).sid == 2
    # Without edges a has the right effect on b, but b is thought to have one on a.
    assert Graph("ab").compare(chain).sid == 1
    assert chain.compare(Graph("ab")).sid == 0


@settings(max_examples=150, deadline=None)
@given(pairs_of_dags())
def test_it_counts_what_the_paths_of_the_truth_say(both):
    judged, true = both
    expected = oracle.distance_by_paths(len(true), arrows_of(judged), arrows_of(true))

    assert judged.compare(true).sid == expected


@settings(max_examples=150, deadline=None)
@given(pairs_of_dags(most_nodes=7))
def test_it_counts_the_effects_that_differ_in_a_gaussian_model(both):
    judged, true = both
    expected = oracle.distance_by_moments(len(true), arrows_of(judged), arrows_of(true))

    assert judged.compare(true).sid == expected


@pytest.mark.parametrize("degree", [1.0, 2.5, 5.0])
def test_larger_graphs_agree_with_a_gaussian_model(degree):
    for seed in range(5):
        judged = random_dag(14, expected_degree=degree, random_state=seed)
        true = random_dag(14, expected_degree=3, random_state=100 + seed)
        expected = oracle.distance_by_moments(14, arrows_of(judged), arrows_of(true), seed)
        assert judged.compare(true).sid == expected


@settings(deadline=None)
@given(pairs_of_dags(most_nodes=8))
def test_it_is_a_number_of_ordered_pairs(both):
    n_nodes = len(both[0])

    assert 0 <= both[0].compare(both[1]).sid <= n_nodes * (n_nodes - 1)


@settings(deadline=None)
@given(dags(max_nodes=8), st.data())
def test_the_truth_and_every_dag_around_it_have_distance_zero(true, data):
    order = true.topological_order()
    absent = [pair for pair in combinations(order, 2) if pair not in true.directed]
    more = data.draw(st.lists(st.sampled_from(absent), unique=True)) if absent else []

    assert true.compare(true).sid == 0
    assert Graph(true.nodes, directed=[*true.directed, *more]).compare(true).sid == 0


@settings(deadline=None)
@given(pairs_of_dags(most_nodes=5))
def test_distance_zero_means_that_nothing_true_is_missing(both):
    judged, true = both

    # Proposition 8 of the paper: SID = 0 exactly if the truth is a subgraph.
    assert (judged.compare(true).sid == 0) == (set(true.directed) <= set(judged.directed))


def test_it_is_not_symmetric():
    chain, empty = Graph("abc", directed=["ab", "bc"]), Graph("abc")

    assert chain.compare(empty).sid == 0
    assert empty.compare(chain).sid > 0


@settings(deadline=None)
@given(partially_directed_graphs(max_nodes=5), st.data())
def test_a_class_has_the_range_of_its_members(graph, data):
    true = data.draw(dags(len(graph), len(graph)))
    members = [member.compare(true).sid for member in graph.members()]
    expected = (min(members), max(members)) if members else None

    if not graph.is_dag:
        assert graph.compare(true).sid == expected


def test_the_range_of_a_larger_class_is_that_of_its_members():
    for seed in range(12):
        true = random_dag(12, expected_degree=2.5, random_state=seed)
        pattern = random_dag(12, expected_degree=3, random_state=50 + seed).to_cpdag()
        distances = [member.compare(true).sid for member in pattern.members()]
        if not pattern.is_dag:
            assert pattern.compare(true).sid == (min(distances), max(distances))


def test_parents_from_outside_count_in_every_part():
    # u and w point into each node of a — b — c, which has three members.
    lines = Graph("uwabc", directed=["ua", "ub", "uc", "wa", "wb", "wc"], undirected=["ab", "bc"])
    for seed in range(30):
        true = random_dag(5, expected_degree=2, names="uwabc", random_state=seed)
        distances = [member.compare(true).sid for member in lines.members()]
        assert len(distances) == 3
        assert lines.compare(true).sid == (min(distances), max(distances))


def test_the_order_of_nodes_does_not_matter():
    judged = random_dag(15, expected_degree=3, random_state=1)
    true = random_dag(15, expected_degree=3, random_state=2)

    assert judged.compare(true.reordered(true.nodes[::-1])).sid == judged.compare(true).sid


def test_there_is_none_where_it_has_no_meaning():
    chain = Graph("abc", directed=["ab", "bc"])

    assert chain.compare(chain.to_cpdag()).sid is None
    assert Graph("abc", directed=["ab", "bc", "ca"]).compare(chain).sid is None
    assert Graph("abcd", undirected=["ab", "bc", "cd", "ad"]).compare(Graph("abcd")).sid is None


def test_a_class_too_large_is_left_alone():
    names = [f"x{i}" for i in range(40)]
    complete = Graph(names, undirected=list(combinations(names, 2)))

    assert complete.compare(random_dag(40, names=names, random_state=0)).sid is None


def test_a_complete_class_of_six_reaches_from_nothing_wrong_to_its_worst_order():
    true = random_dag(6, expected_degree=2, random_state=3)
    complete = Graph(true.nodes, undirected=list(combinations(true.nodes, 2)))
    distances = [member.compare(true).sid for member in complete.members()]

    assert len(distances) == 720
    assert complete.compare(true).sid == (0, max(distances))
