"""Knowledge in plain lines says what it says, under any names, on the command line too."""

import pytest
from hypothesis import given, settings
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.formats import plain_knowledge
from tests.strategies import NAMES, knowledges

TEXT = '''
# from the earliest to the latest
tier: age, sex
tier: smoking   # by interview
Tier: cancer, "short, of ""breath"""
require: smoking -> cancer
forbid: sex → cancer
forbid: age -- sex
'''


def test_lines_say_tiers_and_arrows():
    assert plain_knowledge.read(TEXT) == sl.Knowledge(
        required=[("smoking", "cancer")],
        forbidden=[("sex", "cancer"), ("age", "sex"), ("sex", "age")],
        tiers=[["age", "sex"], ["smoking"], ["cancer", 'short, of "breath"']],
    )


@settings(deadline=None)
@given(known=knowledges(NAMES))
def test_knowledge_comes_back_whatever_the_names(known):
    assert plain_knowledge.read(plain_knowledge.write(known)) == known


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a -> b", "line 1: write tier: a, b or require: a -> b"),
        ("\nneed: a -> b", "line 2: write tier"),
        ("tier: a b, , c", "a tier is names with commas between them"),
        ("require: a, b", "write two names with -> or → between them"),
        ("require: a -- b", "write two names with -> or → between them"),
        ("forbid: a -> b -> c", "write two names"),
        ('tier: "a, b', "a double quote has no partner"),
    ],
    ids=str,
)
def test_a_line_that_says_something_else_is_refused_by_its_number(text, message):
    with pytest.raises(sl.DataError, match=message):
        plain_knowledge.read(text)


@pytest.mark.parametrize("name", ["known.knowledge", "known.txt", "known.knowledge.gz"])
def test_knowledge_is_saved_and_loaded_and_learned_with(tmp_path, name):
    known = sl.Knowledge(required=[("lung", "smoke")], tiers=[["lung"], ["asia", "smoke"]])
    path = tmp_path / name

    known.save(path)

    assert sl.load(path) == known
    assert CliRunner().invoke(app, ["convert", str(path), str(tmp_path / "k.knowledge")]).exit_code == 0
    assert sl.load(tmp_path / "k.knowledge") == known
    words = ["learn", "example:asia", "--knowledge", str(path), "--forbid", "tub->asia"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "lung → smoke" in result.stdout


def test_the_command_line_says_where_a_file_does_not_fit(tmp_path):
    graph, known = tmp_path / "g.csv", tmp_path / "k.knowledge"
    sl.Graph("ab", directed=["ab"]).save(graph)
    sl.Knowledge(tiers=["a", "b"]).save(known)
    run = CliRunner().invoke

    no_knowledge = run(app, ["learn", "example:asia", "--knowledge", str(graph)])
    twice = run(app, ["learn", "example:asia", "--knowledge", str(known), "--tiers", "a;b"])
    no_graph = run(app, ["compare", str(known), str(graph)])

    assert "this is a Graph, not knowledge" in no_knowledge.stderr
    assert "has tiers already" in twice.stderr
    assert "holds knowledge, not a graph" in no_graph.stderr
    with pytest.raises(sl.OptionError, match=r"ends in \.knowledge or \.txt"):
        sl.Knowledge().save(tmp_path / "k.json")
    with pytest.raises(sl.DataError, match="holds a Knowledge, not a Graph"):
        sl.Graph("a").save(tmp_path / "g.knowledge")


def test_a_graph_is_compared_with_a_table_of_edges(tmp_path):
    sl.Graph("abc", directed=["ab", "bc"]).save(tmp_path / "g.json")
    (tmp_path / "truth.csv").write_text("from,to\na,b\nc,b\n", encoding="utf-8")

    result = CliRunner().invoke(app, ["compare", str(tmp_path / "g.json"), str(tmp_path / "truth.csv")])

    assert result.exit_code == 0, result.output
    assert "Structural Hamming distance 2" in result.stdout
