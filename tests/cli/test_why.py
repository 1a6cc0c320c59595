"""structlearn learn --why and --confidence."""

import re

import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()
LEARN = ["learn", "example:earthquake", "-m", "hill-climbing"]


def test_why_prints_what_the_graph_says():
    printed = runner.invoke(app, [*LEARN, "--why", "Alarm, Burglary", "--why", "JohnCalls,MaryCalls"]).stdout
    data = sl.example("earthquake").sample(5000, random_state=0)
    graph = sl.HillClimbing().fit(data).graph_
    for pair in (("Alarm", "Burglary"), ("JohnCalls", "MaryCalls")):
        for sentence in graph.why(*pair, data=data).sentences:
            assert f"  {sentence}\n" in printed


@pytest.mark.parametrize("text", ["Alarm", "Alarm,", "a,b,c"])
def test_a_pair_that_is_no_pair_is_refused_before_the_search(text):
    answer = runner.invoke(app, [*LEARN, "--why", text])
    assert answer.exit_code == 2
    assert "write two columns with a comma between them" in answer.stderr


def test_a_slip_in_a_name_is_refused_before_the_search(monkeypatch):
    monkeypatch.setattr(sl.HillClimbing, "fit", None)
    answer = runner.invoke(app, [*LEARN, "--why", "Alarm,Burglry"])
    assert answer.exit_code == 2
    assert "--why: there is no column 'Burglry' (did you mean 'Burglary'?)" in answer.stderr


def test_confidence_says_the_share_of_resamples_of_each_edge(tmp_path):
    out = tmp_path / "g.json"
    flags = ["--confidence", "6", "--seed", "1", "--score", "bdeu", "-o", str(out)]
    answer = runner.invoke(app, [*LEARN, *flags])
    data = sl.example("earthquake").sample(5000, random_state=0)
    learner = sl.EdgeConfidence(sl.HillClimbing(score="bdeu"), n_resamples=6, random_state=1).fit(data)
    for edge in learner.graph_.edges:
        full = round(10 * edge.confidence)
        line = f"{edge} .*{'█' * full}{'░' * (10 - full)} confidence {edge.confidence:.1%}"
        assert re.search(line, answer.stdout)
    kept = sl.load(out)
    assert kept == learner.graph_
    assert [edge.confidence for edge in kept.edges] == [edge.confidence for edge in learner.graph_.edges]


def test_confidence_of_a_method_without_a_seed_takes_the_seed_for_its_rows():
    answer = runner.invoke(
        app, ["learn", "example:earthquake", "-m", "pc", "--confidence", "2", "--seed", "1"]
    )
    assert answer.exit_code == 0, answer.stderr
    assert "EdgeConfidence on" in answer.stdout


def test_no_resamples_are_refused():
    answer = runner.invoke(app, [*LEARN, "--confidence", "0"])
    assert answer.exit_code == 2
    assert "n_resamples" in answer.stderr
