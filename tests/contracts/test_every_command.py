"""Every method learns the same graph from a file on the command line as from the table in Python."""

import json

from typer.testing import CliRunner

import structlearn as sl
from structlearn.cli import app
from tests.contracts.conftest import given_to, learner_of


def test_the_command_line_learns_what_python_does(method, table, tmp_path):
    rows, found = tmp_path / "rows.csv", tmp_path / "graph.json"
    sl.Dataset(table).save(rows)
    words = ["learn", rows, "-m", method.name, "-o", found, "--quiet"]
    learner = learner_of(method)
    if "random_state" in learner.options:
        learner.set_params(random_state=0)
        words += ["--seed", 0]
    for name, choice in given_to(method).items():
        (tmp_path / "given.json").write_text(json.dumps(choice(table)))
        words += [f"--{name}", tmp_path / "given.json"]

    result = CliRunner().invoke(app, [str(word) for word in words])

    assert result.exit_code == 0, result.output
    assert sl.load(found) == learner.fit(rows).graph_
