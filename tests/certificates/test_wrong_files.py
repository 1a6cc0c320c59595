"""Of files that are no certificate, or no table of it, the command says in one line what is wrong."""

import json

import pytest
from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app

runner = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table, its certificate, and files that are not what is asked for."""
    found = tmp_path_factory.mktemp("files")
    sl.example("cancer").sample(200, random_state=0).save(found / "table.csv")
    sl.PC().fit(found / "table.csv").certificate().save(found / "c.json")
    whole = (found / "c.json").read_text()
    (found / "cut.json").write_text(whole[: len(whole) // 2])
    (found / "empty.json").write_text("")
    (found / "latin.json").write_bytes(b'{"name": "caf\xe9"}')
    (found / "list.json").write_text("[1, 2]")
    (found / "part.json").write_text(json.dumps({**json.loads(whole), "table": {}}))
    (found / "form.json").write_text(json.dumps({**json.loads(whole), "separations": 3}))
    (found / "later.json").write_text(json.dumps({**json.loads(whole), "version": 3}))
    (found / "folder").mkdir()
    (found / "empty.csv").write_text("")
    sl.example("asia").sample(200, random_state=0).save(found / "other.csv")
    header, first, *rows = (found / "table.csv").read_text().splitlines()
    tables = {
        "renamed": [header.replace("Smoker", "Smokers"), first, *rows],
        "lacking": [line.partition(",")[2] for line in (header, first, *rows)],
        "shorter": [header, *rows],
        "level": [header, f"maybe,{first.partition(',')[2]}", *rows],
        "numbers": [header, *(f"{i / 7},{row.partition(',')[2]}" for i, row in enumerate([first, *rows]))],
        "changed": [header, *rows[:100], *(row.replace("True", "False") for row in rows[100:]), first],
    }
    for name, lines in tables.items():
        (found / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return found


WRITTEN = "Pass a file that learner.certificate().save(…) wrote."
AGAIN = "Write it again with learner.certificate().save(…)."
LACKS = "The certificate is about another table: this one lacks"


@pytest.mark.parametrize(
    ("certificate", "table", "reason"),
    [
        ("none.json", "table.csv", "none.json: there is no such file. Check the path; it is relative to "),
        ("folder", "table.csv", f"folder is a folder. {WRITTEN}"),
        ("empty.json", "table.csv", f"empty.json is empty. {WRITTEN}"),
        ("cut.json", "table.csv", "it is cut off in line 1. Copy or write it again, whole."),
        ("latin.json", "table.csv", f"byte 14 is no text in UTF-8. {WRITTEN}"),
        ("list.json", "table.csv", f'it lacks "format": "structlearn certificate". {WRITTEN}'),
        (
            "later.json",
            "table.csv",
            "has version 3 and kind 'separating-sets'; this structlearn reads version 2",
        ),
        ("part.json", "table.csv", f"The certificate is not whole: it has no 'columns'. {AGAIN}"),
        (
            "form.json",
            "table.csv",
            "The certificate is not whole: a part of it is of another form (TypeError",
        ),
        ("table.csv", "c.json", "c.json is no table. The certificate comes first: check c.json table.csv."),
        ("table.csv", "table.csv", f"line 1, character 1: it is not JSON. {WRITTEN}"),
        ("c.json", "none.csv", "none.csv: there is no such file."),
        ("c.json", "empty.csv", "empty.csv is empty."),
        ("c.json", "folder", "folder is a folder"),
        ("c.json", "other.csv", f"{LACKS} 'Cancer', 'Dyspnoea', "),
        ("c.json", "renamed.csv", f"{LACKS} 'Smoker' (did you mean 'Smokers'?). Pass the table of the fit"),
        ("c.json", "lacking.csv", LACKS),
        (
            "c.json",
            "numbers.csv",
            "is continuous here, and was discrete. Pass the table of the fit, or say what",
        ),
        ("c.json", "shorter.csv", "is about another table: pass that of the fit."),
        ("c.json", "level.csv", "is about another table: pass that of the fit."),
        ("c.json", "changed.csv", "does not hold: the certificate or the table was changed since the fit."),
    ],
)
def test_a_wrong_file_is_told_in_one_line(certificate, table, reason, folder):
    answer = runner.invoke(app, ["check", str(folder / certificate), str(folder / table)])

    assert answer.exit_code in (1, 2)
    assert isinstance(answer.exception, SystemExit)
    assert answer.stderr.count("\n") == 1
    assert reason in answer.stderr


@pytest.mark.parametrize(
    ("table", "difference"),
    [
        ("shorter.csv", "this one has 199 rows."),
        ("level.csv", "this one has 3 in place of 2 levels of 'Pollution'."),
    ],
)
def test_a_check_says_in_what_a_table_differs(table, difference, folder):
    answer = runner.invoke(app, ["check", str(folder / "c.json"), str(folder / table)])

    assert f"FAILS: the table has 200 rows and 5 columns, as the fit had it; {difference}" in answer.stdout
