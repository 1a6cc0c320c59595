"""structlearn methods, describe and demo."""

import inspect
from typing import get_args
from xml.etree import ElementTree as ET

import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.api import DEFAULT_METHOD
from structlearn.cli import app
from structlearn.cli.learn import learn
from structlearn.independence.registry import TEST_NAMES
from structlearn.learners.catalog import CATALOG
from structlearn.scores.registry import SCORE_NAMES

runner = CliRunner()


def test_every_method_is_listed_with_its_paper():
    printed = runner.invoke(app, ["methods"]).stdout

    for method in CATALOG.values():
        (line,) = [line for line in printed.splitlines() if line.startswith(f"{method.name} ")]
        assert method.paper in line


@pytest.mark.parametrize("name", CATALOG)
def test_every_option_of_a_method_is_shown_with_its_default(name):
    printed = runner.invoke(app, ["methods", name]).stdout.splitlines()

    for option, declared in CATALOG[name].load().options.items():
        (place,) = [i for i, line in enumerate(printed) if line.split()[:1] == [option]]
        assert printed[place + 1].endswith(f"default {declared.default!r}")


def test_an_unknown_method_is_bad_usage():
    result = runner.invoke(app, ["methods", "nonsense"])

    assert result.exit_code == 2
    assert "'hill-climbing'" in result.stderr


def test_the_default_method_is_the_library_s():
    assert inspect.signature(learn).parameters["method"].default == DEFAULT_METHOD


def test_the_help_of_learn_names_every_score_and_test():
    printed = runner.invoke(app, ["learn", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).stdout

    assert all(name in printed for name in (*SCORE_NAMES, *TEST_NAMES))


FLAGS = {"random_state": "seed", "n_jobs": "jobs"}
ON_THE_COMMAND_LINE = {
    "score": "HillClimbing",
    "test": "PC",
    "alpha": "PC",
    "regulators": "NetworkComponentAnalysis",
    "targets": "HillClimbing",
    "missing": "PC",
    "max_parents": "HillClimbing",
    "tabu": "HillClimbing",
    "restarts": "HillClimbing",
    "time_limit": "PC",
    "random_state": "HillClimbing",
    "n_jobs": "PC",
}


@pytest.mark.parametrize("option", ON_THE_COMMAND_LINE)
def test_a_flag_says_what_the_option_says(option):
    declared = getattr(sl, ON_THE_COMMAND_LINE[option]).options[option]
    flag = inspect.signature(learn).parameters[FLAGS.get(option, option)]
    _, info = get_args(flag.annotation)

    assert info.help.lower().startswith(declared.meaning.lower())


def test_describe_shows_kinds_missing_values_and_warnings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "\n".join(["id,colour,size", *(f"k{i},{'red' if i % 4 else ''},{i * 0.25}" for i in range(40))])
    )

    result = runner.invoke(app, ["describe", str(path), "--kind", "size=continuous"])

    assert result.exit_code == 0
    assert "40 rows, 3 columns" in result.stdout
    rows = {line.split()[0]: line.split() for line in result.stdout.splitlines()[2:5]}
    assert rows["colour"][1:4] == ["discrete*", "1", "10"]
    assert rows["size"][1] == "continuous"
    assert result.stderr.startswith("structlearn: warning: column 'id'")
    assert result.stderr.count("\n") == 1


def test_describe_of_an_unknown_example_is_bad_usage():
    result = runner.invoke(app, ["describe", "example:nothing"])

    assert result.exit_code == 2
    assert "asia" in result.stderr


def test_the_demo_compares_with_the_truth_and_writes_pictures_and_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    result = runner.invoke(app, ["demo", "--report", "demo/page.html"])

    assert result.exit_code == 0, result.stderr
    truth = sl.example("asia").graph
    learned = sl.learn(sl.example("asia").sample(5000, random_state=0))
    assert str(learned.compare(truth)) in result.stdout
    listed = result.stdout.replace("\n", " \n")
    assert all(f" {edge} " in listed for edge in (*learned.to_cpdag().edges, *truth.to_cpdag().edges))
    assert ET.parse(tmp_path / "demo" / "asia.svg").getroot().tag.endswith("svg")  # noqa: S314, ours
    assert (tmp_path / "demo" / "asia.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "demo" / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert sl.load(tmp_path / "demo" / "asia.bif").nodes == truth.nodes
    assert "0.621 in the true one" in result.stdout


def test_the_demo_writes_elsewhere_when_asked(tmp_path):
    result = runner.invoke(
        app, ["demo", "--folder", str(tmp_path / "a/b"), "--report", str(tmp_path / "p.html")]
    )

    assert result.exit_code == 0
    written = {file.name for file in tmp_path.rglob("*") if file.is_file()}
    assert written == {"asia.bif", "asia.svg", "asia.png", "p.html"}


def test_the_demo_refuses_a_file_for_a_folder(tmp_path):
    (tmp_path / "file").write_text("kept")

    result = runner.invoke(app, ["demo", "--folder", str(tmp_path / "file")])

    assert result.exit_code == 2
    assert f"--folder {tmp_path / 'file'}: no folder can be made there" in result.stderr
    assert (tmp_path / "file").read_text() == "kept"
