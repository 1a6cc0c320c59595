"""structlearn learn --why and --confidence."""

import re
from importlib import import_module

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


def test_what_was_asked_for_is_written_before_the_question_why(tmp_path, monkeypatch):
    def failing(*_):
        raise sl.DataError("no answer")

    monkeypatch.setattr(import_module("structlearn.cli.learn"), "say_why", failing)
    out, page = tmp_path / "g.json", tmp_path / "r.html"
    answer = runner.invoke(app, [*LEARN, "--why", "Alarm,Burglary", "-o", str(out), "--report", str(page)])

    assert answer.exit_code == 1
    assert "no answer" in answer.stderr
    assert sl.load(out).nodes
    assert page.exists()


@pytest.mark.parametrize(
    ("method", "pair", "said"),
    [
        ("hill-climbing", "Alarm,weather", "there is no column 'weather'"),
        ("hill-climbing", "Alarm,Alarm", "names one column twice"),
        ("pcmci", "Alarm,Burglary", r"there is no node 'Alarm' .*Alarm\[t\]"),
        ("pcmci", "Alarm[t],weather[t-1]", r"there is no node 'weather\[t\]'"),
    ],
)
def test_names_of_no_node_are_refused_before_the_search(method, pair, said, monkeypatch):
    for learner in (sl.HillClimbing, sl.PCMCI, sl.EdgeConfidence):
        monkeypatch.setattr(learner, "fit", None)
    for around in ([], ["--confidence", "3"]):
        answer = runner.invoke(app, ["learn", "example:earthquake", "-m", method, "--why", pair, *around])
        assert answer.exit_code == 2, answer.exception
        assert re.search(said, answer.stderr)


def test_what_sets_rows_apart_is_no_node(tmp_path, monkeypatch):
    monkeypatch.setattr(sl.HillClimbing, "fit", None)
    path = tmp_path / "t.csv"
    path.write_text("a,b,set\n" + "x,y,a\nu,v,\n" * 20)
    answer = runner.invoke(
        app, ["learn", str(path), "-m", "hill-climbing", "--targets", "set", "--why", "a,set"]
    )
    assert "there is no column 'set'" in answer.stderr


def test_names_with_commas_are_told_apart_by_the_columns(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('"a,1","b,2",c\n' + "x,y,z\nu,v,w\nx,y,w\n" * 20)
    answer = runner.invoke(app, ["learn", str(path), "-m", "hill-climbing", "--why", "a,1,b,2"])
    assert answer.exit_code == 0, answer.stderr
    assert "Why a,1, b,2:" in answer.stdout
    path.write_text('"a,b",c,a,"b,c"\n' + "x,y,z,q\nu,v,w,r\nx,y,w,r\n" * 20)
    answer = runner.invoke(app, ["learn", str(path), "-m", "hill-climbing", "--why", "a,b,c"])
    assert "can be read in 2 ways" in answer.stderr


def gapped_file(tmp_path):
    rows = sl.example("earthquake").sample(400, random_state=0)
    lines = [
        ",".join(rows.names),
        *(",".join(row) for row in zip(*(c.decoded() for c in rows.columns), strict=True)),
    ]
    lines[3:40:4] = ["," + line.partition(",")[2] for line in lines[3:40:4]]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    return tmp_path / "t.csv"


@pytest.mark.parametrize("flags", [["-m", "pc"], ["-m", "hill-climbing"], ["-m", "pc", "--confidence", "3"]])
def test_rows_left_out_are_left_out_of_scores_and_networks_too(flags, tmp_path):
    table, out = gapped_file(tmp_path), tmp_path / "m.bif"
    asked = ["--set", "missing=drop", "--why", "Alarm,JohnCalls", "-o", str(out)]
    answer = runner.invoke(app, ["learn", str(table), *flags, *asked])
    assert answer.exit_code == 0, answer.stderr
    assert "JohnCalls changes the score" in answer.stdout
    whole = tmp_path / "whole.csv"
    lines = [line for line in table.read_text().splitlines() if not line.startswith(",")]
    whole.write_text("\n".join(lines))
    known = sl.load(out)
    expected = sl.BayesianNetwork(known.graph).fit(whole)
    found = known.query(["Alarm"], evidence={"JohnCalls": "True"})
    assert str(found) == str(expected.query(["Alarm"], evidence={"JohnCalls": "True"}))


def test_a_network_that_could_not_be_fitted_is_refused_before_the_search(tmp_path, monkeypatch):
    monkeypatch.setattr(sl.PC, "fit", None)
    table = gapped_file(tmp_path)
    answer = runner.invoke(
        app, ["learn", str(table), "-m", "pc", "--set", "missing=testwise", "-o", str(tmp_path / "m.bif")]
    )
    assert answer.exit_code == 1
    assert "fitted to rows without gaps" in answer.stderr


def test_what_is_estimated_by_expectations_is_so_in_the_network_too(tmp_path):
    out = tmp_path / "m.bif"
    flags = ["-m", "hill-climbing", "--set", "missing=em", "-o", str(out)]
    answer = runner.invoke(app, ["learn", str(gapped_file(tmp_path)), *flags])
    assert answer.exit_code == 0, answer.stderr
    assert sl.load(out).graph.nodes
