"""Edges without which the score would be better are weak, and what is no number is not written as one."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import structlearn as sl
from structlearn.plots.drawing import Drawing
from structlearn.plots.look import THICKEST, THINNEST, edge_widths
from structlearn.report.sections import edges, trace
from structlearn.report.subject import Subject
from structlearn.why import Record

WEIGHTS = {("a", "b"): 5.0, ("b", "c"): -12.33, ("c", "d"): 1.0}


def weighted(means):
    """A chain of which the middle arrow has a weight below 0."""
    made = [sl.Edge(*ends, "directed", weight) for ends, weight in WEIGHTS.items()]
    return sl.Graph("abcd", edges=made).with_record(Record("K2", weight_means=means))


@dataclass
class Fitted:
    """What a page asks of a learner."""

    graph_: sl.Graph
    weight_means: str


@pytest.mark.parametrize(("means", "strength"), [("score gain", lambda w: w), ("weight", abs)])
def test_a_loss_is_weak_and_a_weight_below_0_is_not(means, strength):
    graph = weighted(means)
    strengths = {(edge.source, edge.target): strength(edge.weight) for edge in graph.edges}
    order = sorted(strengths, key=strengths.get, reverse=True)
    largest = max(strengths.values())

    assert [(each.source, each.target) for each in graph.ranking()] == order
    widths = dict(zip(strengths, edge_widths(graph), strict=True))
    body = str(edges.section(Subject(Fitted(graph, means), None, "t")).body)
    for ends, size in strengths.items():
        share = max(size, 0.0) / largest
        assert widths[ends] == pytest.approx(THINNEST + (THICKEST - THINNEST) * share)
        assert f"--share: {share:.3f}" in body
    drawn = Drawing.of(graph, threshold=2.0).graph
    assert {(e.source, e.target) for e in drawn.edges} == {ends for ends in order if strengths[ends] >= 2.0}
    assert edge_widths(drawn)[0] == widths[drawn.edges[0].source, drawn.edges[0].target]


def test_a_loss_is_said_as_what_the_score_would_win():
    assert "Without it the score would be 12.33 higher." in str(weighted("score gain").why("b", "c"))
    assert "Without it the score would be 5.00 lower." in str(weighted("score gain").why("a", "b"))


def test_steps_without_a_number_are_dashes_or_left_out():
    steps = {
        "penalty": np.array([0.1, 0.2]),
        "criterion": np.array([np.nan, np.nan]),
        "gap": np.array([np.nan, 1.0]),
    }
    body = str(trace.section(Subject(SimpleNamespace(trace_=steps), None, "t")).body)

    assert "nan" not in body
    assert "criterion" not in body
    assert "<td>–</td>" in body


def test_a_given_penalty_has_no_criterion_on_the_page():
    rows = np.random.default_rng(0).normal(size=(100, 3))
    for learner in (sl.GraphicalLasso(penalty=0.1), sl.NeighborhoodSelection(penalty=0.1)):
        section = trace.section(Subject(learner.fit(rows), None, "t"))
        assert section is None or "nan" not in str(section.body)
