"""structlearn warmup compiles ahead, in processes of their own."""

import os
import re
import subprocess
import sys
from importlib import import_module

import pytest
from typer.testing import CliRunner

from structlearn import learn
from structlearn.cli import app
from structlearn.learners.catalog import CATALOG
from structlearn.scores.all_families import MOST_COLUMNS
from structlearn.search.orders.placed_order import WINDOW

runner = CliRunner()
warmup = import_module("structlearn.cli.warmup")  # the package has the command under this name


@pytest.mark.compiled
def test_what_is_compiled_ahead_is_there_from_then_on(tmp_path):
    command = [sys.executable, "-c", "from structlearn.cli import main; main()", "warmup", "ica-lingam"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}

    first, second = (
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )

    (n_compiled,) = re.findall(r"ica-lingam: (\d+) compiled in [\d.]+ s, 0 were there", first)
    assert int(n_compiled) > 0
    assert f"Compiled {n_compiled} kernels for 1 methods" in first
    assert f"ica-lingam: 0 compiled in 0.0 s, {n_compiled} were there" in second
    assert list(tmp_path.rglob("*.nbc"))


def test_every_method_of_tables_is_warmed_up_by_default(monkeypatch):
    asked = []

    def noted(method):
        asked.append(method.name)
        return {"kernels": [method.name, "shared"], "seconds": 0.25, "n_there": 2}

    monkeypatch.setattr(warmup, "_in_a_process", noted)

    said = runner.invoke(app, ["warmup", "--jobs", "1"]).stdout

    of_tables = [name for name, method in CATALOG.items() if method.takes != ("database",)]
    assert asked == of_tables
    assert "boss: 2 compiled in 0.2 s, 2 were there" in said
    assert "relational-model: left out, it learns from a database" in said
    assert f"Compiled {len(of_tables) + 1} kernels for {len(of_tables)} methods" in said


def test_methods_have_the_names_that_other_libraries_give_them(monkeypatch):
    monkeypatch.setattr(warmup, "_in_a_process", lambda _: {"kernels": [], "seconds": 0.0, "n_there": 0})

    assert "hill-climbing: 0 compiled" in runner.invoke(app, ["warmup", "hc"]).stdout


def test_a_method_that_fails_is_named_and_the_others_go_on(monkeypatch):
    code = "import sys; sys.exit('no room on disk') if {name!r} == 'pc' else print('{{}}')".replace(
        "{{}}", '{{"kernels": ["k"], "seconds": 0.5, "n_there": 0}}'
    )
    monkeypatch.setattr(warmup, "CODE", code)

    result = runner.invoke(app, ["warmup", "pc", "k2"])

    assert result.exit_code == 1
    assert result.stderr == "pc: failed, no room on disk\n"
    assert "k2: 1 compiled in 0.5 s, 0 were there" in result.stdout
    assert "Compiled 1 kernels for 1 methods" in result.stdout


def test_the_table_has_too_many_columns_for_shorter_ways():
    assert max(MOST_COLUMNS, WINDOW) < warmup.N_COLUMNS


def test_an_unknown_method_is_bad_usage():
    result = runner.invoke(app, ["warmup", "hill-climing"])

    assert result.exit_code == 2
    assert "did you mean 'hill-climbing'" in result.stderr


@pytest.mark.parametrize("name", [name for name, each in CATALOG.items() if each.rows != "samples"])
@pytest.mark.filterwarnings("ignore:.*may be Gaussian:structlearn.DataWarning")
def test_rows_that_follow_each_other_are_learned_from(name):
    method = CATALOG[name]
    for kind in ("discrete", "continuous"):
        if kind in method.takes:
            assert learn(warmup._table(kind, method.rows), name).nodes
