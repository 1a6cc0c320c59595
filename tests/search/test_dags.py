"""DAGs by position: one member stands for its class."""

from hypothesis import given

from structlearn.graphs import Graph
from structlearn.search.dags import graph_of, parents_first, usual_member
from tests.strategies import dags


def parents_in(graph):
    """The parents of every node, by position."""
    return [sorted(graph.nodes.index(name) for name in graph.parents(node)) for node in graph.nodes]


def named(graph, parents):
    """The DAG of parents by position, with the names of a graph."""
    return graph_of(graph.nodes, parents)


@given(dags(max_nodes=5))
def test_the_usual_member_is_that_of_all_members_and_is_one_of_them(dag):
    members = list(dag.to_cpdag().members())

    found = {named(dag, usual_member(parents_in(member))) for member in members}

    assert len(found) == 1
    assert found <= set(members)


def test_arcs_lead_from_nodes_with_many_lines():
    star = Graph("abcd", directed=[("a", "c"), ("c", "b"), ("c", "d")])

    assert named(star, usual_member(parents_in(star))) == Graph("abcd", directed=["ca", "cb", "cd"])


@given(dags())
def test_parents_come_before_their_children(dag):
    parents = parents_in(dag)
    order = parents_first(parents)

    assert sorted(order) == list(range(len(parents)))
    assert all(order.index(u) < order.index(v) for v, members in enumerate(parents) for u in members)
