"""Whole scripts are measured in processes of their own, and tables of every library are read."""

import sys

import pytest

from benchmarks import first_use, whole


@pytest.mark.parametrize("forget", [True, False])
def test_the_cost_of_a_script_is_that_of_its_process(tmp_path, forget):
    path = tmp_path / "table.csv"

    seconds, megabytes = whole._least(sys.executable, "x = b'x' * (30 << 20)", "", path, forget=forget).split(
        " | "
    )

    assert 0.0 < float(seconds) < 5.0
    assert 30 < float(megabytes) < 60


@pytest.mark.parametrize("name", whole.FRAMES)
def test_every_kind_of_table_is_read(monkeypatch, name):
    monkeypatch.setattr(whole, "SIZES", ((50, 2),))

    shown, seconds = whole._frame_row(name, whole.FRAMES[name]).strip("| ").split(" | ")

    assert shown == name
    assert float(seconds) >= 0.0


def test_a_python_without_the_peer_makes_no_row(tmp_path):
    without = tmp_path / "python"
    without.write_text("#!/bin/sh\nexit 1\n")
    without.chmod(0o755)

    assert whole._peer_rows(str(without)) == []


def test_processes_compile_when_it_pays_and_keep_what_they_compile(monkeypatch, tmp_path):
    monkeypatch.setenv("STRUCTLEARN_COMPILE", "always")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    found = first_use.environment(str(tmp_path))

    assert not {"STRUCTLEARN_COMPILE", "PYTHONDONTWRITEBYTECODE"} & set(found)
    assert found["NUMBA_CACHE_DIR"] == str(tmp_path)
