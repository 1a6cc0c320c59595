"""Nothing is written over what is read, nor one result over another."""

import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A table with links to it, and what is known of it."""
    monkeypatch.chdir(tmp_path)
    network = sl.example("earthquake")
    network.save(tmp_path / "m.json")
    sl.Knowledge(required=[("Burglary", "Alarm")]).save(tmp_path / "k.txt")
    network.sample(50, random_state=0).save(tmp_path / "t.csv")
    (tmp_path / "link.csv").symlink_to("t.csv")
    (tmp_path / "hard.csv").hardlink_to(tmp_path / "t.csv")
    (tmp_path / "parts").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["learn", "t.csv", "-o", "t.csv"],
        ["learn", "t.csv", "-o", "parts/../t.csv"],
        ["learn", "t.csv", "-o", "link.csv"],
        ["learn", "link.csv", "-o", "t.csv"],
        ["learn", "t.csv", "-o", "hard.csv"],
        ["learn", "?.csv", "-o", "t.csv"],
        ["learn", "t.csv", "--knowledge", "k.txt", "-o", "k.txt"],
        ["fit", "m.json", "t.csv", "-o", "m.json"],
        ["impute", "m.json", "t.csv", "-o", "t.csv"],
        ["predict", "m.json", "t.csv", "--target", "Alarm", "-o", "link.csv"],
        ["convert", "m.json", "./m.json"],
    ],
    ids=" ".join,
)
def test_a_file_that_is_read_is_not_written_to(folder, arguments, monkeypatch):
    monkeypatch.setattr(sl.BOSS, "fit", None)  # refused before the search
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    result = runner.invoke(app, arguments)

    assert result.exit_code == 2
    assert "this file is read, and would be lost by writing to it" in result.stderr
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("second", ["g.json", "parts/../g.json", "late.json"])
def test_two_results_need_two_files(folder, second):
    (folder / "late.json").symlink_to("g.json")  # which is not there yet
    result = runner.invoke(app, ["learn", "t.csv", "-o", "g.json", "-o", second])

    assert result.exit_code == 2
    assert f"{second}: two results would be written to this file" in result.stderr
    assert not (folder / "g.json").exists()


def test_an_earlier_result_may_be_written_again(folder):
    flags = ["learn", "t.csv", "-o", "g.json", "-o", "g.svg", "--report", "r.html"]

    assert [runner.invoke(app, flags).exit_code for _ in range(2)] == [0, 0]
    assert sl.load(folder / "g.json").nodes == sl.example("earthquake").graph.nodes


@pytest.mark.parametrize(
    ("arguments", "work"),
    [
        (["sample", "m.json"], "sample"),
        (["impute", "m.json", "t.csv"], "impute"),
        (["predict", "m.json", "t.csv", "--target", "Alarm"], "predict"),
        (["fit", "m.json", "t.csv"], "fit"),
    ],
    ids=["sample", "impute", "predict", "fit"],
)
@pytest.mark.parametrize("output", ["x.svg", "x.dot", "x", "parts", "nowhere/x.csv", "nowhere/x.json"])
def test_what_cannot_be_written_is_refused_before_the_work(folder, arguments, work, output, monkeypatch):
    monkeypatch.setattr(sl.BayesianNetwork, work, None)
    result = runner.invoke(app, [*arguments, "-o", output])

    assert result.exit_code == 2
    assert output in result.stderr
    assert not (folder / output).is_file()


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".dot", ".graphml", ".txt", ".csv.gz"])
def test_a_model_is_not_fitted_to_be_written_without_its_distributions(folder, ending):
    result = runner.invoke(app, ["fit", "m.json", "t.csv", "-o", f"x{ending}"])

    assert result.exit_code == 2
    assert "must end in one of .json, .bif" in result.stderr
    assert not (folder / f"x{ending}").exists()


@pytest.mark.parametrize("ending", [".csv", ".dot", ".graphml", ".json", ".bif", ".json.gz"])
def test_convert_says_where_a_model_loses_its_distributions(folder, ending):
    result = runner.invoke(app, ["convert", "m.json", f"x{ending}"])

    is_lost = isinstance(sl.load(folder / f"x{ending}"), sl.Graph)
    assert ("the graph without its distributions" in result.stdout) == is_lost
