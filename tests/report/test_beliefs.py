"""The report shows what a fitted model believes, and what each finding makes of it."""

import html
import json
import re

import pytest

import structlearn as sl
from structlearn.models import LinearGaussianCPD, SoftmaxCPD, TableCPD
from structlearn.report.sections import beliefs
from structlearn.report.subject import Subject
from tests.oracles.models import asia, network


def section_of(model):
    return beliefs.section(Subject(None, None, "title", model))


def findings_of(body):
    return json.loads(html.unescape(re.search(r'data-findings="([^"]*)"', body)[1]))


def test_the_page_knows_every_single_finding():
    model = asia()

    found = findings_of(section_of(model).body)

    assert [node["name"] for node in found["nodes"]] == list(model.nodes)
    assert len(found["after"]) == 16
    lung = model.nodes.index("lung")
    assert found["prior"][lung] == pytest.approx(model.query("lung").probabilities, abs=5e-5)
    given_smoke = found["after"][2 * model.nodes.index("smoke")]
    assert given_smoke[lung] == pytest.approx([0.1, 0.9])


def test_without_a_model_there_is_no_such_section():
    assert section_of(None) is None


def test_many_nodes_are_left_out_with_a_sentence():
    large = network({f"n{k}": TableCPD([0.5, 0.5], labels=[0, 1]) for k in range(41)})

    body = section_of(large).body

    assert "at most 40 nodes, and this one has 41" in body
    assert "<svg" not in body


def test_numbers_are_drawn_without_findings():
    body = section_of(network({"a": LinearGaussianCPD(1.0, {}, variance=4.0)})).body

    assert "1 ± 2" in body
    assert "data-findings" not in body
    assert beliefs.FIXED in body


def test_many_states_are_drawn_without_findings():
    body = section_of(network({"a": TableCPD([0.0025] * 400, labels=range(400))})).body

    assert "<svg" in body
    assert "data-findings" not in body


def test_a_model_without_exact_probabilities_is_drawn_from_weighted_rows():
    model = network(
        {"x": LinearGaussianCPD(0.0, {}, variance=1.0), "y": SoftmaxCPD([0, 1], {"x": [0, 2]}, labels=[0, 1])}
    )

    shares = re.findall(r"(\d+\.\d)%", section_of(model).body)

    assert sum(map(float, shares)) == pytest.approx(100, abs=0.11)
    assert float(shares[1]) == pytest.approx(64.8, abs=1.5)  # by quadrature of N(0, 1) / (1 + exp(-1 - 2x))


def test_a_model_that_is_too_wide_says_so(monkeypatch):
    def refuse(_):
        raise sl.DataError("too large")

    monkeypatch.setattr(beliefs, "beliefs_of", refuse)
    monkeypatch.setattr(beliefs, "single_findings", lambda _: None)

    assert beliefs.WIDE in section_of(asia()).body


def test_names_cannot_break_out_of_the_page():
    graph = sl.Graph(['"><script>'])
    model = sl.BayesianNetwork(graph, {'"><script>': TableCPD([0.5, 0.5], labels=["<i>", "</script>"])})

    body = section_of(model).body

    assert "<script" not in body
    assert "<i>" not in body
    assert findings_of(body)["nodes"] == [{"name": '"><script>', "states": ["<i>", "</script>"]}]
