"""Facts about nodes stand beside the names, never change, and travel with the graph."""

from functools import reduce

import pytest

from structlearn.errors import DataError
from structlearn.graphs import Graph
from structlearn.graphs.facts import said

FACTS = {"a": {"lag": 1, "chain": ["Patient", {"slot": "doctor"}]}, "b": {"group": "x"}, "c": {}}
NESTED = reduce(lambda deep, _: [deep], range(50), 1)
GRAPH = Graph("abcd", directed=["ab"], undirected=["bc"], facts=FACTS)


def test_facts_are_kept_as_they_were_given():
    assert GRAPH.facts == {"a": {"lag": 1, "chain": ("Patient", {"slot": "doctor"})}, "b": {"group": "x"}}
    assert GRAPH.facts["a"]["lag"] == 1
    assert Graph("ab").facts == {}


def test_facts_do_not_change_with_what_they_were_made_of():
    given = {"a": {"chain": ["x"]}}
    graph = Graph("a", facts=given)
    given["a"]["chain"].append("y")
    given["a"]["lag"] = 2

    assert graph.facts == {"a": {"chain": ("x",)}}
    with pytest.raises(TypeError):
        graph.facts["a"]["lag"] = 1


def test_facts_make_a_difference():
    assert Graph("abcd", directed=["ab"], undirected=["bc"]) != GRAPH
    assert Graph("ab", facts={"a": {"lag": 1}}) != Graph("ab", facts={"a": {"lag": 2}})
    assert Graph("ab", facts={"b": {"x": 1, "y": [2]}}) == Graph(
        "ba", facts={"b": {"y": (2,), "x": 1}, "a": {}}
    )
    assert len({Graph("ab", facts={"b": {"x": 1}}), Graph("ba", facts={"b": {"x": 1}}), Graph("ab")}) == 2


def test_what_is_made_of_a_graph_keeps_the_facts_of_its_nodes():
    made = [
        GRAPH.skeleton(),
        GRAPH.moral(),
        GRAPH.to_dag(),
        GRAPH.to_cpdag(),
        GRAPH.meek_closure(),
        next(GRAPH.members()),
    ]

    assert all(graph.facts == GRAPH.facts for graph in made)
    assert GRAPH.reordered("dcba").facts == GRAPH.facts
    assert GRAPH.subgraph(["b", "c"]).facts == GRAPH.to_mag(latent=["a", "d"]).facts == {"b": {"group": "x"}}


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"z": {"lag": 1}}, "no node 'z'"),
        ({"a": 1}, r"facts\['a'\] should have values by name"),
        ({"a": {"x": float("nan")}}, r"facts\['a'\] has nan"),
        ({"a": {"x": [object]}}, "A fact is text, a finite number"),
        ({"a": {"x": {1: 2}}}, "A fact is text"),
        ({"a": {"x": NESTED}}, "nests too deeply"),
    ],
)
def test_what_is_no_fact_is_refused(facts, message):
    with pytest.raises(DataError, match=message):
        Graph("ab", facts=facts)


def test_facts_read_as_a_line():
    assert said(GRAPH.facts["a"]) == "lag 1, chain Patient (slot doctor)"
