"""The tables of distributions on the page: of a model, or shares of the rows."""

import re
import warnings

import numpy as np
import pytest

import structlearn as sl
from structlearn.report import write_report
from structlearn.report.sections import distributions
from structlearn.report.subject import Subject
from tests.report.test_page import section

COINS = {"a": ["x"] * 6 + ["y"] * 4, "b": ["u", "u", "u", "u", "v", "v", "u", "v", "v", "v"]}


def subject_of(graph, rows, **others):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ten rows are few
        data = sl.Dataset(rows)
        learner = sl.HillClimbing().fit(data)
    learner.graph_ = graph
    return Subject(learner, data, "title", **others)


def test_shares_are_those_of_the_rows():
    found = distributions.shares(subject_of(sl.Graph("ab", directed=["ab"]), COINS))

    # Of six rows with x four have u; of four with y one has.
    assert found["a"].probabilities.tolist() == pytest.approx([0.6, 0.4])
    assert found["b"].probabilities.tolist() == [pytest.approx([4 / 6, 2 / 6]), pytest.approx([0.25, 0.75])]
    page = distributions.section(subject_of(sl.Graph("ab", directed=["ab"]), COINS)).body
    assert re.findall(r"<td[^>]*>([^<]*)</td>", page)[-6:] == [
        "x",
        "0.6667",
        "0.3333",
        "y",
        "0.2500",
        "0.7500",
    ]
    assert "<strong>b</strong> given a" in page


def test_a_continuous_node_has_its_regression():
    x = np.arange(8.0)
    rows = {"x": x, "y": 2.0 * x + 1.0 + np.array([1, -1, 1, -1, -1, 1, -1, 1]) / 2}

    found = distributions.shares(subject_of(sl.Graph("xy", directed=["xy"]), rows))

    assert str(found["y"]) in distributions.section(
        subject_of(sl.Graph("xy", directed=["xy"]), rows)
    ).body.replace("&#x27;", "'")
    assert found["y"].form == "linear-gaussian"


@pytest.mark.parametrize(
    "graph",
    [
        sl.Graph("ab", undirected=["ab"]),
        sl.Graph("ab", directed=["ab", "ba"]),
        sl.Graph("ab", edges=["a o-> b"]),
        sl.Graph("ac", directed=["ac"]),
    ],
    ids=["undirected", "cyclic", "PAG", "other nodes"],
)
def test_a_graph_that_names_no_parents_has_no_such_section(graph):
    assert distributions.section(subject_of(graph, COINS)) is None


def test_an_equivalence_class_has_those_of_one_of_its_graphs():
    rows = {**COINS, "c": ["s", "t"] * 5}
    graph = sl.Graph("abc", directed=["ab", "cb"], kind="CPDAG")

    assert set(distributions.shares(subject_of(graph, rows))) == set("abc")


def test_a_model_has_its_own_and_long_tables_are_cut(tmp_path):
    rng = np.random.default_rng(0)
    rows = {name: rng.integers(0, 3, 200).astype(str) for name in "abcd"}
    graph = sl.Graph("abcd", directed=["ad", "bd", "cd"])
    subject = subject_of(graph, rows)
    model = sl.BayesianNetwork(graph).fit(subject.dataset, smoothing=1.0)

    page = write_report(tmp_path / "page.html", subject.learner, model=model).read_text(encoding="utf-8")

    table = section(page, "distributions")
    assert "as the model has it" in table
    assert "… and 7 more" in table  # of 27 joint states of the parents
    assert f"{model.cpds['a'].probabilities[0]:.4f}" in table


def test_a_family_of_too_many_cells_and_nodes_beyond_a_hundred_are_left_out(monkeypatch):
    monkeypatch.setattr(distributions, "MOST_CELLS", 3)
    graph = sl.Graph("ab", directed=["ab"])
    assert set(distributions.shares(subject_of(graph, COINS))) == {"a"}

    monkeypatch.setattr(distributions, "MOST_NODES", 1)
    page = distributions.section(subject_of(graph, COINS)).body
    assert "Not shown: 1 node." in page
