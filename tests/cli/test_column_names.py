"""Columns whose names have blanks around them can be named on the command line."""

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()


@pytest.fixture
def spaced(tmp_path):
    """A chain age, sex, income, with a blank behind each comma."""
    rng, rows = np.random.default_rng(1), ["age, sex, income"]
    for age, differs, again in zip(rng.random(300) < 0.5, *(rng.random((2, 300)) < 0.1), strict=True):
        sex = age ^ differs
        rows.append(f"{'uv'[int(age)]},{'st'[int(sex)]},{'xy'[int(sex ^ again)]}")
    path = tmp_path / "spaced.csv"
    path.write_text("\n".join(rows))
    return str(path)


@pytest.mark.parametrize("name", [" sex", "sex", "sex ", "age, sex", "age,sex"])
@pytest.mark.parametrize("flag", ["--drop", "--columns"])
def test_a_name_is_taken_with_its_blanks_or_without(spaced, flag, name):
    result = runner.invoke(app, ["describe", spaced, flag, name])
    named = {"age", " sex"} if "age" in name else {" sex"}
    kept = named if flag == "--columns" else {"age", " sex", " income"} - named

    assert result.exit_code == 0, result.stderr
    assert {line.rpartition("  discrete")[0].rstrip() for line in result.stdout.splitlines()[2:-1]} == kept


def test_of_names_that_differ_in_blanks_the_one_that_was_typed_is_meant(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("sex, sex,b\n" + "u,x,1\nv,y,0\n" * 20)
    result = runner.invoke(app, ["describe", str(path), "--columns", " sex"])

    assert "x 50%" in result.stdout
    assert "u 50%" not in result.stdout


@pytest.mark.parametrize("flags", [["--columns", "age,income, net"], ["--drop", "sex, age"]])
def test_a_name_with_a_comma_in_it_is_found_among_others(flags, tmp_path):
    (tmp_path / "t.csv").write_text('age,sex,"sex, age","income, net"\n' + "u,x,0,1\nv,y,1,1\nu,y,1,0\n" * 20)
    result = runner.invoke(app, ["describe", str(tmp_path / "t.csv"), *flags])
    left_out = {"sex, age", "sex"} if "--columns" in flags else {"sex, age"}

    assert result.exit_code == 0, result.stderr
    kept = {line.rpartition("  discrete")[0].rstrip() for line in result.stdout.splitlines()[2:-1]}
    assert kept == {"age", "sex", "sex, age", "income, net"} - left_out


def test_tiers_take_names_with_commas_in_them(tmp_path):
    (tmp_path / "t.csv").write_text('b,"a, net",c\n' + "u,x,0\nv,y,1\n" * 20 + "u,x,1\nv,y,0\n")
    flags = ["--tiers", "c;a, net,b", "-o", str(tmp_path / "g.json")]
    result = runner.invoke(app, ["learn", str(tmp_path / "t.csv"), *flags])

    assert result.exit_code == 0, result.stderr
    edges = sl.load(tmp_path / "g.json").directed
    assert edges
    assert all(target != "c" for _, target in edges)


@pytest.mark.parametrize("around", [[], ["--confidence", "4", "--seed", "1"]])
@pytest.mark.parametrize("name", [" sex", "sex"])
def test_knowledge_names_columns_with_their_blanks_or_without(spaced, tmp_path, name, around):
    out = tmp_path / "g.json"
    arrow = ["--require", f" income->{name}", "--tiers", f"income;age,{name}", "--kind", f"{name}=discrete"]
    result = runner.invoke(app, ["learn", spaced, *arrow, *around, "-o", str(out)])

    assert result.exit_code == 0, result.stderr
    assert (" income", " sex") in sl.load(out).directed


@pytest.mark.parametrize("pair", ["age, sex", "age,sex"])
def test_why_takes_names_with_their_blanks_or_without(spaced, pair):
    result = runner.invoke(app, ["learn", spaced, "--why", pair])

    assert result.exit_code == 0, result.stderr
    assert "Why age,  sex:" in result.stdout


@pytest.mark.parametrize(
    "flags",
    [
        ["--weights", "{}w", "--columns", "{}u,v", "--kind", "{}u=discrete"],
        ["--weights", "{}w", "--columns", "{}v,{}t"],
        ["--targets", "{}set"],
        ["--targets", "{}set", "--confidence", "3", "--seed", "1"],
        ["--method", "dynamic-network", "--time", "{}t", "--series", "{}id", "--drop", "{}set"],
    ],
    ids=" ".join,
)
def test_columns_that_say_something_of_a_row_are_named_with_their_blanks_or_without(tmp_path, flags):
    rng = np.random.default_rng(0)
    u, v = rng.choice(list("xy"), size=(2, 120))
    rows = [f"{u[i]},{v[i]},{1 + i % 3},{i % 12},{i // 12},{'u' * (i % 5 == 0)}" for i in range(120)]
    path = tmp_path / "rows.csv"

    def scored(names, blank):
        path.write_text("\n".join([names, *rows]))
        result = runner.invoke(app, ["learn", str(path), *(flag.replace("{}", blank) for flag in flags)])
        assert result.exit_code == 0, result.stderr
        return [line.rpartition(" ")[0].split(". ")[0] for line in result.stdout.splitlines()[2:]]

    expected = scored("u,v,w,t,id,set", "")
    for blank in ("", " ", "  "):
        found = scored("u, v, w, t, id, set" if "--targets" not in flags else "u,v, w, t, id, set", blank)
        assert [" ".join(line.split()) for line in found] == [" ".join(line.split()) for line in expected]


@pytest.mark.parametrize("where", [[], ["--where", "engine"]])
def test_the_index_of_a_frame_can_be_named(where, tmp_path):
    path = tmp_path / "rows.parquet"
    frame = pd.DataFrame({"a": list("xyxyyx"), "b": list("uuvvuv")}, index=[3, 1, 0, 5, 2, 4])
    frame.to_parquet(path)
    dropped = runner.invoke(app, ["describe", str(path), "--drop", "__index_level_0__,b", *where])
    kept = runner.invoke(app, ["describe", str(path), "--columns", "a,__index_level_0__", *where])

    assert dropped.stdout.startswith("6 rows, 1 column\n")
    assert dropped.stderr == ""
    assert kept.stdout.startswith("6 rows, 2 columns\n")
