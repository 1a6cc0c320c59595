"""The terminal speaks of flags, and only of what is kept."""

import duckdb
import pytest
from typer.testing import CliRunner

from structlearn.cli import app
from structlearn.cli.flag_words import FLAGS, in_flags

runner = CliRunner()


@pytest.fixture
def table(tmp_path):
    """A number and a text for each row, a column without anything, and two that are worth a look."""
    rows = [f"{i},n{i},,{i % 2},{i * 7 % 3}" for i in range(40)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["id,the name,empty,a,b", *rows]))
    return str(path)


def test_of_what_is_dropped_nothing_is_said(table):
    result = runner.invoke(app, ["learn", table, "--drop", "id,the name,empty"])

    assert result.exit_code == 0
    assert result.stderr == ""


@pytest.mark.parametrize("flags", [["--drop", "when,list"], ["--columns", "a", "--columns", "b"]])
def test_what_is_not_kept_of_a_file_is_not_looked_at(flags, tmp_path):
    path = str(tmp_path / "rows.parquet")
    wanted = "i % 2 AS a, i % 3 AS b, DATE '2020-01-01' AS \"when\", [i] AS list"
    duckdb.sql(f"SELECT {wanted} FROM range(30) t(i)").write_parquet(path)  # noqa: S608, our own words

    result = runner.invoke(app, ["describe", path, *flags])

    assert result.exit_code == 0, result.output
    assert "30 rows, 2 columns" in result.output


def test_columns_are_dropped_by_one_flag_or_by_several(table):
    one, several = (
        runner.invoke(app, ["describe", table, *flags])
        for flags in (["--drop", "id,empty,a"], ["--drop", "id", "--drop", "empty", "--drop", "a"])
    )

    assert one.exit_code == 0
    assert one.stdout == several.stdout


def test_a_name_with_a_comma_is_said_alone_or_among_others(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('"height, cm",a,b\n' + "1.5,x,u\n2.5,y,v\n" * 20)
    chosen = runner.invoke(app, ["describe", str(path), "--columns", "a,height, cm"])
    kept = runner.invoke(app, ["describe", str(path), "--drop", "height, cm"])

    assert "height, cm" in chosen.stdout
    assert chosen.exit_code == 0
    assert "height" not in kept.stdout
    assert kept.exit_code == 0


def test_every_column_that_cannot_be_read_has_a_line_of_its_own(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("\n".join([",".join(f"c{j}" for j in range(12)), *([",,,,,,,,,,0.5,x"] * 20)]))
    result = runner.invoke(app, ["learn", str(path)])

    assert result.exit_code == 1
    lines = result.stderr.splitlines()
    assert lines[0] == "structlearn: Column 'c0' has no values: all 20 are missing. Drop it: --drop c0."
    assert len(lines) == 9
    assert lines[-1] == "structlearn: and 2 columns more that cannot be read as they are."


def test_of_what_is_not_asked_for_nothing_is_said(table):
    result = runner.invoke(app, ["describe", table, "--columns", "b,a"])

    assert result.stderr == ""
    assert [line.split()[0] for line in result.stdout.splitlines()[2:4]] == ["b", "a"]


def test_a_kind_of_what_is_dropped_is_no_matter_but_one_of_nothing_is(table):
    fine = runner.invoke(app, ["learn", table, "--drop", "id,the name,empty", "--kind", "id=discrete"])
    wrong = runner.invoke(app, ["learn", table, "--drop", "id", "--kind", "nobody=discrete"])

    assert fine.exit_code == 0
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("structlearn: --kind: there is no column 'nobody'")


def test_an_identifier_is_warned_of_with_the_flag(table):
    result = runner.invoke(app, ["describe", table, "--drop", "empty"])

    assert (
        "leave it out with --drop id, or pass --kind id=continuous if it is a measurement." in result.stderr
    )
    assert (
        "leave it out with --drop 'the name', or pass --kind 'the name=discrete' if it is a category."
        in result.stderr
    )
    assert result.stdout.rstrip().endswith("* inferred from the values; say --kind COLUMN=KIND to choose")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (
            "Leave them out, or say otherwise with kinds={…}.",
            "Leave them out, or say otherwise with --kind COLUMN=KIND.",
        ),
        ("use missing='testwise'.", "use --missing testwise."),
        ("Use test='g2', or whole weights.", "Use --test g2, or whole weights."),
        ("give time_limit=0.5 or n_jobs=2.", "give --time-limit 0.5 or --jobs 2."),
        ("PC(alpha=5): alpha is a level.", "PC(alpha=5): alpha is a level."),
        (
            "Dataset(t, missing='drop', alpha=5) and max_parents=3",
            "Dataset(t, missing='drop', alpha=5) and --max-parents 3",
        ),
        ("--set patience=30 is given twice", "--set patience=30 is given twice"),
        ("--kind a=discrete", "--kind a=discrete"),
        ("it's alpha=5 of the user's 'alpha=6'.", "it's --alpha 5 of the user's 'alpha=6'."),
        ("drop=['drop=', \"it's na=3\"]", """--drop 'drop=,it'"'"'s na=3'"""),
        ("PC(target='time=2 (days)'): no column", "PC(target='time=2 (days)'): no column"),
        (
            "read the table with where='memory' and no filter.",
            "read the table with --where memory and no filter.",
        ),
        ("leave it out with columns=[…], or filter=….", "leave it out with --columns …, or --filter …."),
        (
            "fit with smoothing=…, or choose one with table=….",
            "fit with smoothing=…, or choose one with --table ….",
        ),
        ("weights: there is no column 'w'", "--weights: there is no column 'w'"),
        ("postgresql://host/db?timeout=10: no table", "postgresql://host/db?timeout=10: no table"),
    ],
)
def test_options_become_flags_but_not_in_what_was_called(said, heard):
    assert in_flags(said) == heard


@pytest.fixture
def odd_names(tmp_path, monkeypatch):
    """A folder and columns that look like options."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "year=2024").mkdir()
    rows = [f"{i % 2},{'xy'[i % 3 == 0]},{i % 2 * (i % 7 > 0)},{i * 37 % 101 / 4}" for i in range(60)]
    (tmp_path / "year=2024" / "d.csv").write_text("\n".join(["sex=1,time=2,na=3,drop=", *rows]))
    return "year=2024/d.csv"


def test_columns_that_look_like_options_keep_their_names(odd_names):
    result = runner.invoke(app, ["describe", odd_names])

    lines = result.stdout.splitlines()
    assert [line.split()[0] for line in lines[2:6]] == ["sex=1", "time=2", "na=3", "drop="]
    assert lines[-1].endswith("say --kind COLUMN=KIND to choose")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["learn", "year=2024/nope.csv"], "structlearn: year=2024/nope.csv: there is no such file."),
        (["learn", "a time=2 b.csv"], "structlearn: a time=2 b.csv: there is no such file."),
        (["learn", "year=2024/d.csv", "-o", "year=2025/g.json"], "there is no folder year=2025; make"),
        (["query", "example:asia", "--given", "w, kg=1,5"], "--given w, kg=1,5: write NODE=STATE"),
        (["learn", "year=2024/d.csv", "--drop", "time=3"], "no column 'time=3' (did you mean 'time=2'?)"),
        (
            ["learn", "year=2024/d.csv", "--require", "sex=1->na=3", "--forbid", "sex=1->na=3"],
            "Knowledge: sex=1 → na=3 is both required and forbidden.",
        ),
    ],
)
def test_what_the_user_wrote_is_repeated_as_it_is(odd_names, arguments, words):  # noqa: ARG001, it is there
    result = runner.invoke(app, arguments)

    assert result.exit_code in (1, 2)
    assert words in result.stderr


def test_every_flag_is_one_of_the_command():
    result = runner.invoke(app, ["learn", "--help"], env={"COLUMNS": "200"})

    assert all(flag in result.stdout for flag in FLAGS.values())
