"""What marks say of causes, beside every path and every DAG that a MAG stands for."""

from itertools import permutations

import pytest
from hypothesis import given, settings

from structlearn.graphs import Graph
from structlearn.graphs.causes import (
    is_visible,
    possible_ancestors,
    possible_descendants,
    possible_links,
)
from tests.graphs.test_mags import graph_of
from tests.oracles import mag_classes, mixed_graphs
from tests.strategies import pags, partially_directed_graphs


def may_step(edge, *, lines_are_open):
    """Whether an edge (a, mark at a, mark at b, b) may be a → b in some graph of the class."""
    _, at_a, at_b, _ = edge
    if (at_a, at_b) == ("-", "-"):
        return lines_are_open
    return at_a != ">" and at_b != "-"


def reached(graph, start, *, lines_are_open):
    """The ends of all paths whose every step is possible."""
    edges = mixed_graphs.of_graph(graph)
    return {start} | {
        end
        for end in range(len(graph))
        if end != start
        and any(
            all(may_step(step, lines_are_open=lines_are_open) for step in path)
            for path in mixed_graphs.paths(edges, start, end)
        )
    }


@settings(deadline=None, max_examples=50)
@given(pags(min_nodes=1, max_nodes=5))
def test_possible_descendants_are_the_ends_of_paths_that_may_be_directed(graph):
    possible = possible_links(graph.links, lines_are_open=False)
    below = [reached(graph, start, lines_are_open=False) for start in range(len(graph))]

    assert [possible_descendants(possible, [node]) for node in range(len(graph))] == below
    for end in range(len(graph)):
        assert possible_ancestors(possible, [end]) == {a for a in range(len(graph)) if end in below[a]}


@settings(deadline=None, max_examples=50)
@given(partially_directed_graphs(max_nodes=5))
def test_the_lines_of_a_class_may_be_arrows_either_way(graph):
    possible = possible_links(graph.links, lines_are_open=True)

    for start in range(len(graph)):
        assert possible_descendants(possible, [start]) == reached(graph, start, lines_are_open=True)


def with_hidden_cause(mag, a, b):
    """The DAG of a MAG without lines, with a hidden node for each arc and one that causes a and b."""
    edges = mixed_graphs.canonical(mag)
    dag = set(mixed_graphs.arrows(edges)) | {(99, a), (99, b)}
    for place, (x, *_, y) in enumerate(edge for edge in edges if edge[1:3] == (">", ">")):
        dag |= {(100 + place, x), (100 + place, y)}
    return dag


@pytest.mark.parametrize("each", [37, pytest.param(1, marks=pytest.mark.slow)])
def test_an_arrow_of_a_mag_is_visible_if_a_hidden_common_cause_would_change_the_mag(each):
    n_visible = n_arrows = 0
    for bits in mag_classes.all_classes(4, with_lines=False).marks[::each]:
        mag = mag_classes.edges_of(bits)
        links = graph_of(4, mag, "MAG").links
        for a, b in mixed_graphs.arrows(mag):
            hidden = mixed_graphs.mag_of_dag(with_hidden_cause(mag, a, b), range(4))
            is_ruled_out = mixed_graphs.canonical(hidden) != mixed_graphs.canonical(mag)
            assert is_visible(links, a, b) == is_ruled_out
            n_visible, n_arrows = n_visible + is_ruled_out, n_arrows + 1
    assert 0 < n_visible < n_arrows


def test_no_step_leads_against_an_arrow_or_along_a_line_of_selected_rows():
    graph = Graph("abcd", edges=["a o-> b", "b --- c", "c --o d"], kind="PAG")
    steps = {tuple(arrow) for arrow in possible_links(graph.links, lines_are_open=False).arrows.tolist()}

    assert steps == {(0, 1), (2, 3)}
    assert all((a, b) not in steps for a, b in permutations(range(4), 2) if (a, b) not in {(0, 1), (2, 3)})
