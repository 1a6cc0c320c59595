"""How a table is written is said by flags, the same for every command and in the words of the options."""

import html

import pytest
from typer.testing import CliRunner

from structlearn.cli import app
from structlearn.cli.table_flags import FLAGS
from structlearn.reading import Reading

runner = CliRunner()


@pytest.fixture
def german(tmp_path):
    path = tmp_path / "t.csv"
    rows = [
        f"{i % 7},{i % 4}25;{i % 5},5;{'ja' if i % 3 else '-9'};2020-01-{1 + i % 28:02}" for i in range(60)
    ]
    path.write_text("\n".join(["a;b;c;d", *rows]), encoding="utf-8")
    return str(path)


SAID = [
    "--dates",
    "weekday",
    "--na",
    "-9",
    "--decimal",
    ",",
    "--separator",
    ";",
    "--header",
    "--encoding",
    "utf-8",
]


@pytest.mark.parametrize("command", ["learn", "describe", "fit"])
def test_every_command_that_reads_a_table_has_every_flag(command):
    said = " ".join(
        runner.invoke(app, [command, "--help"], terminal_width=500, env={"COLUMNS": "500"}).output.split()
    )

    for flag in ("--table", "--kind", "--columns", "--drop", "--transpose", "--discretize", "--bins"):
        assert flag in said
    for name, flag in FLAGS.items():
        assert flag in said
        assert Reading.options[name].says in said


def test_flags_say_how_a_table_is_written(german):
    result = runner.invoke(app, ["describe", german, *SAID])

    assert result.exit_code == 0, result.output
    assert "note" not in result.stderr
    lines = [line.split() for line in result.stdout.splitlines()[2:6]]
    assert [line[:4] for line in lines] == [
        ["a", "continuous*", "–", "0"],
        ["b", "continuous*", "–", "0"],
        ["c", "discrete*", "1", "20"],
        ["d", "discrete*", "7", "0"],
    ]


def test_refusals_and_notes_name_the_flags(german):
    refused = runner.invoke(app, ["learn", german])
    noted = runner.invoke(app, ["describe", german, "--drop", "d"])

    assert refused.exit_code == 1
    assert (
        "--dates weekday or --dates hour a category; --dates text labels; --drop d leaves" in refused.stderr
    )
    assert "structlearn: note: columns 'a', 'b' are text that is read as numbers" in noted.stderr
    assert "--kind a=discrete keeps the text" in noted.stderr


def test_a_word_among_numbers_is_settled_by_the_flag_that_the_message_has(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "a\n" + "\n".join(f"{i / 7:.3f}" for i in range(40)) + "\nlow\nvery low\n", encoding="utf-8"
    )

    refused = runner.invoke(app, ["describe", str(path)])
    read = runner.invoke(app, ["describe", str(path), "--na", "low", "--na", "very low"])

    assert "pass --na low --na 'very low'; pass --kind a=discrete" in refused.stderr
    assert read.exit_code == 0


def test_the_report_has_the_notes_and_the_lines_that_repeat_the_run(german, tmp_path):
    noted, said = tmp_path / "noted.html", tmp_path / "said.html"

    for words in (["--report", str(noted)], ["--decimal", ",", "--report", str(said)]):
        result = runner.invoke(app, ["learn", german, "--drop", "c,d", *words])
        assert result.exit_code == 0, result.output

    assert "are text that is read as numbers" in noted.read_text(encoding="utf-8")
    text = html.unescape(said.read_text(encoding="utf-8"))
    assert "are text that is read as numbers" not in text
    assert "decimal=',')" in text
    assert "--columns a,b --decimal ," in text


def test_a_bundled_table_takes_no_such_flag():
    result = runner.invoke(app, ["describe", "example:iris", "--decimal", ","])

    assert result.exit_code == 2
    assert "--decimal: the bundled tables need none" in result.stderr


def test_a_flag_of_a_wrong_value_is_bad_usage(german):
    result = runner.invoke(app, ["describe", german, "--dates", "century"])

    assert result.exit_code == 2
    assert "'days', 'year', 'month'" in result.stderr


def test_columns_are_cut_by_a_flag_and_the_report_shows_where(tmp_path):
    page = tmp_path / "page.html"
    words = ["example:iris", "--discretize", "width", "--bins", "2"]

    described = runner.invoke(app, ["describe", *words])
    learned = runner.invoke(app, ["learn", *words, "--method", "chow-liu", "--report", str(page)])

    assert "petal width (cm)   discrete       2" in described.stdout
    assert learned.exit_code == 0, learned.output
    text = html.unescape(page.read_text(encoding="utf-8"))
    assert "4 columns cut into bins (width)" in text
    assert "<td>petal width (cm)</td><td>2</td><td>1.3</td>" in text
    assert "sl.discretize(sl.Dataset(sl.example('iris')), method='width', bins=2)" in text
    assert "--discretize width --bins 2" in text


def test_bins_without_a_way_to_cut_are_bad_usage():
    result = runner.invoke(app, ["describe", "example:iris", "--bins", "2"])

    assert result.exit_code == 2
    assert "--bins 2: say --discretize" in result.stderr
