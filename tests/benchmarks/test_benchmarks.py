"""The benchmarks measure what they say: ours only, on tables that take no time."""

import csv
import io
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as program
from benchmarks.entries import ENTRIES
from benchmarks.entries.ours import N_RESAMPLES
from benchmarks.entries.resampling import read_counts, resampled
from benchmarks.judges import DagJudge
from benchmarks.kept import joined, kept_laps
from benchmarks.race import Course, Lap
from benchmarks.results_table import MEASURES, QUALITY, SUMMARY, as_csv, markdown, summary
from benchmarks.tables import Table
from benchmarks.worker import peak_mib, start_of_peak_mib, timed
from benchmarks.workloads import WORKLOADS, Workload, gaussian, random_discrete

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


@pytest.mark.filterwarnings("ignore:.*rows per level")  # six coins are few
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


def test_rows_of_tables_that_were_not_run_stay_and_say_from_which_run(tmp_path):
    first, second = WORKLOADS["search"][:2]
    path = tmp_path / "search.csv"
    old = [
        Lap(table, OURS[0], warm_s=0.5, quality={"bic": -1.25, "edges": 7}, run="old")
        for table in (first, second)
    ]
    path.write_text(as_csv(old, "search"))

    laps = joined("search", [Lap(first, OURS[0], warm_s=9.0, run="new")], kept_laps(path, "search"))

    assert [(lap.workload, lap.warm_s, lap.run) for lap in laps] == [
        (first, 9.0, "new"),
        (second, 0.5, "old"),
    ]
    assert laps[1].quality == {"bic": -1.25, "edges": 7}
    assert [line.split(" | ")[-1] for line in markdown("search", laps).splitlines()[2:]] == ["1 |", "2 |"]


def test_a_run_of_one_table_leaves_the_others_on_the_page(tmp_path, monkeypatch):
    tables = {"earthquake": WORKLOADS["search"][0], "asia": WORKLOADS["search"][1]}
    monkeypatch.setattr(Course, "__init__", lambda course, workload, *_: setattr(course, "on", workload))
    monkeypatch.setattr(
        Course, "run_lap", lambda course, entry: Lap(course.on, entry, cold_s=1.0, warm_s=1.0)
    )

    for name in tables:
        program.main(["search", "--tables", name, "--output", str(tmp_path / "search.md")])

    page = (tmp_path / "search.md").read_text()
    rows = list(csv.DictReader(io.StringIO((tmp_path / "search.csv").read_text())))
    assert {row["data"] for row in rows} == {table.name for table in tables.values()}
    assert "1. Machine" in page
    assert "--tables earthquake" in page
    assert "2. Machine" in page
    assert "--tables asia" in page


def test_what_is_known_of_a_trouble_comes_back(tmp_path):
    path = tmp_path / "pc.csv"
    entry = next(entry for entry in OURS if entry.task == "pc")
    path.write_text(as_csv([Lap(WORKLOADS["pc"][0], entry, trouble="> 9 s", run="a, b")], "pc"))

    (lap,) = kept_laps(path, "pc")

    assert (lap.trouble, lap.warm_s, lap.quality, lap.run) == ("> 9 s", None, {}, "a, b")


def test_nothing_is_kept_where_nothing_was_written(tmp_path):
    assert kept_laps(tmp_path / "search.csv", "search") == []


@pytest.mark.parametrize("task", WORKLOADS)
def test_every_task_can_be_tabled_and_has_an_entry_of_ours(task):
    entry = next(entry for entry in OURS if entry.task == task)

    assert len(summary(task, []).splitlines()) == len(markdown(task, []).splitlines()) == 2
    assert set(QUALITY[task]) - {"us_per_test", "above_best", "below_best", "memory_mib"} <= set(
        MEASURES[task]
    )
    assert SUMMARY[task] in MEASURES[task]
    assert entry.is_installed


def test_a_worse_score_shows_by_how_much():
    entry = next(entry for entry in OURS if entry.task == "exact")
    laps = [Lap(SMALL, entry, quality={"bic": bic}) for bic in (-10.0, -12.5)] + [
        Lap(SMALL, entry, trouble="> 9 s")
    ]
    heads, _, *rows = [line.strip("| ").split(" | ") for line in markdown("exact", laps).splitlines()]

    assert [row[heads.index("below the best here")] for row in rows] == ["0.0", "2.5", ""]


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only Linux tells")
def test_the_memory_of_a_search_is_what_it_adds():
    before = start_of_peak_mib()
    rows = np.ones(8 * 2**20)  # 64 MiB
    after = peak_mib()
    del rows

    assert 60 < after - before < 80


def test_resampling_counts_what_is_learnt_from_rows_drawn_anew():
    seen = []

    def learn(rows):
        seen.append(rows["a"].tolist())
        return [("a", "b")]

    counts = resampled(learn, COINS.frame())

    assert counts == {("a", "b"): N_RESAMPLES}
    assert all(len(rows) == 6 for rows in seen)
    assert len({tuple(rows) for rows in seen}) > N_RESAMPLES / 4


def test_an_arc_that_would_close_a_cycle_is_left_out():
    table = Table(("a", "b", "c"), np.zeros((1, 3), dtype=np.uint8), (("x",),) * 3, [], 0.1)
    counts = Counter({("a", "b"): 90, ("b", "c"): 80, ("c", "a"): 70, ("b", "a"): 5, ("a", "c"): 2})

    assert set(read_counts(counts, table).arrows) == {("a", "b"), ("b", "c")}


def test_a_pair_in_less_than_half_of_the_resamples_is_no_edge():
    counts = Counter({("a", "b"): N_RESAMPLES // 2 - 6, ("b", "a"): 5})

    assert read_counts(counts, COINS).arrows == []
    assert read_counts(counts + Counter({("b", "a"): 1}), COINS).arrows == [("a", "b")]


def test_random_networks_need_no_file():
    table = random_discrete(6, 200, degree=2).draw()

    assert table.values.shape == (200, 6)
    assert all(
        len(labels) == len(set(codes)) for labels, codes in zip(table.labels, table.values.T, strict=True)
    )
