"""The page shows the marks of every kind of graph and the facts of its nodes."""

import html as entities
import json
import re

import pytest
from hypothesis import given, settings

import structlearn as sl
from structlearn.report.sections import comparison, edges
from structlearn.report.sections import graph as graph_section
from structlearn.report.subject import Subject
from tests.report.test_markup import Reader
from tests.strategies import any_kind_of_graph


def page_of(graph, truth=None):
    learner = sl.PC()
    learner.graph_, learner.status_, learner.seconds_, learner.trace_ = graph, "Done.", 0.0, {}
    return "".join(
        str(made.body)
        for section in (graph_section.section, edges.section, comparison.section)
        if (made := section(Subject(learner, None, "A page", truth=truth))) is not None
    )


def from_page(html):
    """The graph that a page shows: nodes and facts of the picture, edges of the table."""
    figure = json.loads(entities.unescape(re.search('data-graph="([^"]*)"', html)[1]))
    nodes = figure["nodes"]
    rows = [seen["data-name"] for seen in Reader(html).attributes if "data-edge" in seen]
    facts = {node["name"]: node["facts"] for node in nodes}
    return sl.Graph([node["name"] for node in nodes], edges=rows, facts=facts)


@settings(deadline=None, max_examples=25)
@given(any_kind_of_graph())
def test_a_page_shows_every_mark_and_fact_and_gives_the_graph_back(graph):
    assert from_page(page_of(graph)) == graph


def test_the_table_has_the_sign_of_every_edge():
    graph = sl.Graph("abcdef", edges=["a o-> b", "b <-> c", "c --> d", "d --- e", "e o-o f", "f --o a"])

    signs = re.findall('<td class="mark">([^<]*)</td>', page_of(graph))

    assert sorted(signs) == sorted(["o→", "↔", "→", "—", "o–o", "–o"])


@pytest.mark.parametrize(
    ("edges", "told"),
    [
        (["a --> b", "b --- c"], []),
        (["a o-> b"], ["PAG", "b is no cause of a: a causes b, or something hidden both"]),
        (["a o-o b"], ["PAG", "either may cause the other, or something hidden both"]),
        (["a --> b", "b <-> c"], ["MAG", "a is a cause of b", "something hidden causes both"]),
    ],
)
def test_what_marks_mean_is_told_where_there_are_new_ones(edges, told):
    html = page_of(sl.Graph("abc", edges=edges))

    assert all(words in html for words in told)
    assert html.count("something hidden") == sum("something hidden" in words for words in told)


def test_a_node_says_its_facts_and_its_hidden_causes():
    graph = sl.Graph("ab", edges=["a <-> b"], facts={"a": {"lag": 2}})

    figure = json.loads(entities.unescape(re.search('data-graph="([^"]*)"', page_of(graph))[1]))

    assert figure["nodes"][0]["said"] == "lag 2; with a hidden cause in common: b; Markov blanket (1): b"


def test_marks_are_counted_beside_the_truth():
    graph = sl.Graph("abc", edges=["a o-> b", "b <-> c"])
    html = page_of(graph, truth=sl.Graph("abc", edges=["a o-> b", "c o-> b"]))

    assert re.findall("<td>(tails|arrows|circles)</td><td>(.)</td><td>(.)</td><td>(.)</td>", html) == [
        ("tails", "0", "0", "0"),
        ("arrows", "3", "2", "2"),
        ("circles", "1", "2", "1"),
    ]
