"""Files that say who regulates whom, on the command line."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from structlearn.cli.regulators import read_regulators
from structlearn.errors import DataError

runner = CliRunner()
KNOWN = {"one": ["a", "b"], "two": ["c"]}


@pytest.fixture
def table(tmp_path):
    """Two activities: a and b follow the first, c the second."""
    first, second = np.random.default_rng(0).normal(size=(2, 30))
    path = tmp_path / "table.csv"
    sl.Dataset({"a": first, "b": -2.0 * first + 0.1 * second, "c": second}).save(path)
    return path


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("r.csv", "one,a\none,b\ntwo,c\n", KNOWN),
        ("r.csv", "Regulator,gene,sign\none,a,+\none,b,-\n\ntwo,c,+\n", KNOWN),
        ("r.tsv", "TF\tgene\none\ta\none\tb\ntwo\tc\n", KNOWN),
        ("r.csv", "Gene,Regulator,sign\na,one,+\nb,one,-\nc,two,+\n", KNOWN),
        ("r.csv", "one;a\none;b\ntwo;c\n", KNOWN),
        ("r.csv", "Regulator;gene;weight\none;a;0,5\none;b;-1,25\ntwo;c;3,0\n", KNOWN),
        ("r.csv", "one;a;0,5\none;b;-1,25\ntwo;c;3,0\n", KNOWN),
        ("r.txt", "one\ta\none\tb\ntwo\tc\n", KNOWN),
        ("r.csv", "one\ntwo\n", ["one", "two"]),
        ("r.csv", "the first\nthe second\n", ["the first", "the second"]),
        ("r.json", json.dumps(KNOWN), KNOWN),
        ("r.json", json.dumps([["one", "a"], ["one", "b"], ["two", "c"]]), KNOWN),
        ("r.txt", "regulator\none\ntwo\n", ["one", "two"]),
        ("r.json", '["one", "two"]', ["one", "two"]),
    ],
    ids=str,
)
def test_pairs_become_genes_by_regulator_and_names_a_list(tmp_path, name, text, expected):
    assert read_regulators(written(tmp_path, name, text)) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.csv", "one,a\ntwo\n", "line 2 has no gene"),
        ("r.csv", "one,a\n\ntwo,\n", "line 3 has no gene"),
        ("r.csv", "regulator,gene\n", "names nobody"),
        ("r.csv", "gene,regulator\na,one\nb\n", "line 3 has no gene"),
        ("r.json", "{one}", "no JSON"),
    ],
    ids=str,
)
def test_a_file_that_says_nothing_is_refused_with_its_line(tmp_path, name, text, message):
    with pytest.raises(DataError, match=rf"--regulators .*r\.\w+: .*{message}"):
        read_regulators(written(tmp_path, name, text))


def test_the_command_learns_as_the_library_does(tmp_path, table):
    known = written(tmp_path, "known.csv", "one,a\none,b\ntwo,c\n")
    learn = ["learn", str(table), "-m", "network-component-analysis", "--regulators", str(known)]

    printed = runner.invoke(app, learn)

    assert printed.exit_code == 0, printed.stderr
    edges = sl.NetworkComponentAnalysis(regulators=KNOWN).fit(table).graph_.directed
    assert set(edges) == {("one", "a"), ("one", "b"), ("two", "c")}
    assert all(f"{source} → {target}" in printed.stdout for source, target in edges)


def test_a_list_of_names_goes_to_methods_that_take_one(tmp_path, table):
    names = written(tmp_path, "names.txt", "a\n")

    printed = runner.invoke(app, ["learn", str(table), "-m", "aracne", "--regulators", str(names)])

    assert printed.exit_code == 0, printed.stderr
    assert "a — b" in printed.stdout


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        ([], 2, "NetworkComponentAnalysis needs --regulators, which genes each regulator acts on: a mapping"),
        (["--regulators", "nowhere.csv"], 1, "nowhere.csv"),
        (["--regulators", "NAMES"], 2, "a mapping from regulators to lists of their genes"),
    ],
    ids=str,
)
def test_what_is_lacking_or_of_another_form_is_one_line(tmp_path, table, flags, code, said):
    names = str(written(tmp_path, "names.txt", "a\nb\n"))
    flags = [names if flag == "NAMES" else flag for flag in flags]

    result = runner.invoke(app, ["learn", str(table), "-m", "network-component-analysis", *flags])

    assert result.exit_code == code
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_modules_are_learned_with_a_list_of_regulators_and_their_number(tmp_path):
    rng = np.random.default_rng(0)
    columns = {"r": rng.normal(size=60), "s": rng.normal(size=60)}
    columns |= {name: 2.0 * (columns["r"] > 0) + 0.3 * rng.normal(size=60) for name in "abc"}
    sl.Dataset(columns).save(tmp_path / "table.csv")
    names = written(tmp_path, "names.txt", "r\ns\n")
    learn = ["learn", str(tmp_path / "table.csv"), "-m", "module-network", "--regulators", str(names)]

    printed = runner.invoke(app, [*learn, "--set", "n_modules=2"])

    assert printed.exit_code == 0, printed.stderr
    assert all(f"r → {name}" in printed.stdout for name in "abc")
