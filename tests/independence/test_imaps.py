"""I-maps state only what holds: judged against every d-separation there is."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import structlearn as sl
from structlearn.errors import DataError, OptionError
from structlearn.graphs.generators import random_dag
from structlearn.independence.imaps import (
    imap_violations,
    is_imap,
    is_minimal_imap,
    minimal_imap,
)
from tests.strategies import dags, undirected_graphs

ASIA = sl.Graph("ATSLBEXD", directed=["AT", "SL", "SB", "TE", "LE", "EX", "ED", "BD"])


@st.composite
def pairs_of_graphs(draw, make, most_nodes=5):
    n_nodes = draw(st.integers(1, most_nodes))
    return draw(make(n_nodes, n_nodes)), draw(dags(n_nodes, n_nodes))


def states_only_what_holds(graph, truth):
    """The definition: every separation in the graph is one in the truth."""
    return all(
        truth.d_separated(x, y, given=given)
        for x, y in combinations(graph.nodes, 2)
        for size in range(len(graph) - 1)
        for given in combinations([name for name in graph.nodes if name not in (x, y)], size)
        if graph.d_separated(x, y, given=given)
    )


def without_edge(graph, left_out):
    return sl.Graph.from_edges(graph.nodes, [edge for edge in graph.edges if edge != left_out])


@settings(deadline=None, max_examples=60)
@given(pairs_of_graphs(dags))
def test_a_dag_is_an_imap_exactly_if_all_it_states_holds(both):
    graph, truth = both

    assert is_imap(graph, truth) == states_only_what_holds(graph, truth)


@settings(deadline=None, max_examples=60)
@given(pairs_of_graphs(undirected_graphs))
def test_an_undirected_graph_is_an_imap_exactly_if_all_it_states_holds(both):
    graph, truth = both

    assert is_imap(graph, sl.Oracle(truth)) == states_only_what_holds(graph, truth)


@settings(deadline=None, max_examples=40)
@given(st.one_of(pairs_of_graphs(dags, 4), pairs_of_graphs(undirected_graphs, 4)))
def test_a_minimal_imap_is_none_without_any_of_its_edges(both):
    graph, truth = both
    expected = is_imap(graph, truth) and not any(
        is_imap(without_edge(graph, edge), truth) for edge in graph.edges
    )

    assert is_minimal_imap(graph, truth) == expected


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=7))
def test_along_its_own_order_the_truth_comes_back(truth):
    assert minimal_imap(truth.topological_order(), truth) == truth


@settings(deadline=None, max_examples=40)
@given(dags(min_nodes=1, max_nodes=6), st.data())
def test_along_any_order_the_result_is_a_minimal_imap(truth, data):
    order = data.draw(st.permutations(truth.nodes))
    found = minimal_imap(order, truth)
    place = {name: i for i, name in enumerate(order)}

    assert all(place[a] < place[b] for a, b in found.directed)
    assert states_only_what_holds(found, truth)
    assert not any(states_only_what_holds(without_edge(found, edge), truth) for edge in found.edges)


@settings(deadline=None, max_examples=30)
@given(dags(min_nodes=1, max_nodes=7))
def test_complete_graphs_and_moral_graphs_are_imaps(truth):
    complete = sl.Graph(truth.nodes, directed=list(combinations(truth.nodes, 2)))

    assert is_imap(complete, truth)
    assert is_minimal_imap(truth.moral(), truth)
    assert is_imap(truth.to_cpdag(), truth)


def test_what_is_violated_is_named():
    graph = sl.Graph("abc", directed=["ab"])
    violated = imap_violations(graph, sl.Graph("abc", directed=["ab", "bc"]))

    assert {(statement.x, statement.y, statement.given) for statement in violated} == {
        ("c", "a", ()),
        ("c", "b", ()),
    }
    assert str(violated[0]).startswith("c ⊥ ")


def test_some_of_the_variables_of_the_truth_will_do():
    chain = sl.Graph("abcd", directed=["ab", "bc", "cd"])

    assert is_imap(sl.Graph("ad", directed=["ad"]), chain)
    assert not is_imap(sl.Graph("ad"), chain)
    assert minimal_imap("dba", chain).directed == (("d", "b"), ("b", "a"))


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
def test_data_tell_an_imap_from_a_graph_that_claims_too_much(kind):
    from structlearn.models.random_models import random_model

    truth = sl.Graph("abcd", directed=["ab", "ac", "bd", "cd"])
    data = random_model(truth, kind=kind, levels=2, concentration=0.5, random_state=3).sample(
        20_000, random_state=1
    )

    assert is_imap(truth, data, alpha=0.001)
    assert is_minimal_imap(truth, data, alpha=0.001)
    assert minimal_imap("abcd", data, alpha=0.001) == truth
    violated = imap_violations(without_edge(truth, truth.edge("b", "d")), data, alpha=0.001)
    assert ("d", "b") in {(statement.x, statement.y) for statement in violated}


def test_a_larger_truth_takes_moments():
    truth = random_dag(60, expected_degree=3, random_state=0)

    assert minimal_imap(truth.topological_order(), truth) == truth


def test_what_is_not_there_is_refused():
    with pytest.raises(DataError, match="is_imap: the source has no 'z'"):
        is_imap(sl.Graph("Az"), ASIA)
    with pytest.raises(OptionError, match="alpha is the significance level"):
        is_imap(ASIA, ASIA, alpha=2)
    with pytest.raises(DataError, match="more than once"):
        minimal_imap("aa", sl.Graph("a"))
