"""structlearn describe of a table with dates."""

import re

import pytest
from typer.testing import CliRunner

from structlearn.cli import app

runner = CliRunner()


@pytest.mark.parametrize(("flags", "n_levels"), [([], 3), (["--dates", "weekday"], 2)])
def test_a_look_at_dates_needs_no_choice_of_what_to_make_of_them(tmp_path, flags, n_levels):
    path = tmp_path / "visits.csv"
    path.write_text("day,visits\n2024-01-01,3\n2024-01-02,5\n2024-01-08,4\n")
    shown = runner.invoke(app, ["describe", str(path), *flags])
    assert shown.exit_code == 0, shown.stderr
    # The first and the last are Mondays.
    assert re.search(rf"^day +discrete\* +{n_levels} ", shown.stdout, re.MULTILINE), shown.stdout
    assert ("note: column 'day' holds dates or times: learn asks what --dates" in shown.stderr) == (not flags)


def test_learning_still_asks(tmp_path):
    path = tmp_path / "visits.csv"
    path.write_text("day,visits\n2024-01-01,3\n2024-01-02,5\n2024-01-08,4\n")
    answer = runner.invoke(app, ["learn", str(path)])
    assert answer.exit_code != 0
    assert "--dates days" in answer.stderr
