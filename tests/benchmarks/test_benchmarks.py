"""The benchmarks measure what they say: ours only, on tables that take no time."""

import csv
import io
import math

import numpy as np
import pytest

from benchmarks import __main__ as program
from benchmarks.entries import ENTRIES
from benchmarks.judges import DagJudge
from benchmarks.race import Course, Lap
from benchmarks.results_table import as_csv, markdown, summary
from benchmarks.tables import Table
from benchmarks.worker import timed
from benchmarks.workloads import Workload, gaussian

COINS = Table(
    names=("a", "b"),
    values=np.array([[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [1, 0]], dtype=np.uint8),
    labels=(("no", "yes"), ("no", "yes")),
    truth=[("a", "b")],
    alpha=0.5,
    penalty=0.25,
)
SMALL = Workload("coins", "discrete", 6, 2, lambda: COINS)
LARGE = Workload("more coins", "discrete", 7, 2, lambda: COINS)
OURS = [entry for entry in ENTRIES if entry.is_ours]
PEER = next(entry for entry in ENTRIES if entry.library == "pyagrum")


def written(arrows, lines=()):
    """What a process writes about the graph that it found."""
    return {"arrows": arrows, "lines": list(lines), "n_tests": None}


def test_a_table_comes_back_from_disk_as_it_was(tmp_path):
    COINS.save(tmp_path)
    found = Table.load(tmp_path)

    assert found.values.tolist() == COINS.values.tolist()
    assert (found.names, found.labels, found.truth) == (COINS.names, COINS.labels, COINS.truth)
    assert (found.alpha, found.penalty) == (COINS.alpha, COINS.penalty)
    assert found.frame()["b"].tolist() == ["no", "no", "yes", "yes", "yes", "no"]


@pytest.mark.parametrize("entry", [e for e in OURS if e.task != "undirected"], ids=lambda entry: entry.name)
@pytest.mark.parametrize("workload", [SMALL, gaussian(3, 50, degree=2)], ids=lambda workload: workload.kind)
def test_each_entry_of_ours_runs_as_often_as_asked(entry, workload):
    table = workload.draw()

    runs, answer = timed(entry, table, 3)

    assert len(runs) == 3
    assert min(runs) >= 0
    assert {name for pair in answer.arrows + answer.lines for name in pair} <= set(table.names)


def test_a_lap_in_its_own_process_has_cold_and_warm_times(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # an empty cache would compile for ten seconds

    lap = Course(SMALL, tmp_path, 60).run_lap(OURS[0])

    assert lap.trouble == ""
    assert min(lap.import_s, lap.first_ever_s, lap.cold_s, lap.warm_s) > 0
    assert lap.quality["edges"] == 0  # an edge gains 0.34 of log-likelihood and costs ln(6) ÷ 2


def test_a_process_over_its_limit_is_said_to_be(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    course = Course(gaussian(60, 60, degree=2), tmp_path, 0.01)

    assert course._measured(OURS[0], most_runs=1) == {"trouble": "> 0.01 s"}


def test_a_process_that_fails_is_quoted(tmp_path):
    course = Course(SMALL, tmp_path, 60)
    (tmp_path / "meaning.json").unlink()

    assert course._measured(OURS[0], most_runs=1)["trouble"].startswith("failed: FileNotFoundError")


def test_the_judge_finds_nothing_wrong_with_the_truth():
    quality = DagJudge(COINS).quality(written([["a", "b"]]))
    log_likelihood = 6 * math.log(1 / 2) + 2 * (2 * math.log(2 / 3) + math.log(1 / 3))

    assert (quality["shd"], quality["skeleton_f1"]) == (0, 1.0)
    assert quality["bic"] == pytest.approx(log_likelihood - 3 / 2 * math.log(6))


def test_the_judge_misses_the_edge_of_an_empty_graph():
    quality = DagJudge(COINS).quality(written([]))

    assert (quality["shd"], quality["skeleton_f1"]) == (1, 0.0)


def test_ratios_are_to_our_first_entry_on_the_same_table():
    laps = [
        Lap(SMALL, OURS[0], cold_s=2.0, warm_s=0.5),
        Lap(SMALL, PEER, cold_s=6.0, warm_s=2.0),
        Lap(LARGE, OURS[0], cold_s=1.0, warm_s=1.0),
        Lap(LARGE, PEER, trouble="> 9 s"),
    ]

    rows = [line.strip("| ").split(" | ") for line in markdown("search", laps).splitlines()]
    in_short = summary("search", laps).splitlines()

    assert [cell.strip() for cell in rows[3][6:8]] == ["3", "4"]
    assert "> 9 s" in rows[5]
    assert f"{PEER.name} | 2 | 4" in in_short[2]
    assert "none within the limit" in in_short[3]


def test_the_csv_has_a_row_per_lap_in_full_precision():
    laps = [Lap(SMALL, OURS[0], warm_s=1 / 3), Lap(SMALL, PEER, trouble="> 9 s")]

    rows = list(csv.DictReader(io.StringIO(as_csv(laps, "search"))))

    assert float(rows[0]["warm_s"]) == 1 / 3
    assert (rows[1]["library"], rows[1]["trouble"]) == ("pyagrum", "> 9 s")


def test_what_was_over_the_limit_is_not_run_on_a_larger_table(monkeypatch):
    calls = []

    def slow(course, entry):
        calls.append(course._workload)
        return Lap(course._workload, entry, trouble="> 9 s")

    monkeypatch.setattr(Course, "run_lap", slow)

    *_, laps = program.run(OURS[:1], [LARGE, SMALL, LARGE], limit_s=9)

    assert calls == [LARGE, SMALL]
    assert laps[2].trouble == "not run: > 9 s on more coins"
