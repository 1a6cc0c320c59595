"""--transpose turns a table that has its variables in rows."""

import pytest
from typer.testing import CliRunner

from structlearn.cli import app

runner = CliRunner()


@pytest.fixture
def expression(tmp_path):
    """Three genes in rows, eight samples in columns."""
    path = tmp_path / "expression.csv"
    lines = ["gene," + ",".join(f"sample{j}" for j in range(8))]
    lines += [
        f"gene{i}," + ",".join(f"{(i + 2) * (j % 3) + 0.5 * j * i:.1f}" for j in range(8)) for i in range(3)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_describe_says_what_to_do_in_flags(expression):
    result = runner.invoke(app, ["describe", expression])
    said = " ".join(result.stderr.split())
    assert "looks transposed" in said
    assert "pass --transpose, where column 'gene' names the variables; --no-transpose says that" in said


def test_transpose_makes_columns_of_the_rows(expression):
    result = runner.invoke(app, ["describe", expression, "--transpose", "--kind", "gene1=continuous"])
    assert result.stdout.splitlines()[0] == "8 rows, 3 columns"
    assert "transposed" not in result.stderr


def test_no_transpose_takes_the_table_as_it_is(expression):
    result = runner.invoke(app, ["describe", expression, "--no-transpose"])
    assert result.stdout.splitlines()[0] == "3 rows, 9 columns"
    assert "transposed" not in result.stderr


def test_the_report_of_a_turned_table_says_how_to_do_it_again(expression, tmp_path):
    page = tmp_path / "page.html"
    words = [
        "learn",
        expression,
        "--transpose",
        "--drop",
        "gene0",
        "--method",
        "chow-liu",
        "--report",
        str(page),
    ]
    assert runner.invoke(app, words).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "transpose=True).select(" in text
    assert "--columns gene1,gene2 --transpose" in text


def test_bundled_tables_are_upright():
    result = runner.invoke(app, ["describe", "example:iris", "--transpose"])
    assert result.exit_code != 0
    assert "samples in rows" in result.stderr
