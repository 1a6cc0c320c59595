"""Rows of earlier runs, read back from the .csv beside a page, so that tables can be run piecewise."""

import csv
from collections.abc import Sequence
from pathlib import Path

from benchmarks.entries import ENTRIES
from benchmarks.race import Lap
from benchmarks.results_table import MEASURES, NUMBERS
from benchmarks.workloads import WORKLOADS


def kept_laps(path: Path, task: str) -> list[Lap]:
    """The laps that were written there, of tables and entries that the task still has."""
    if not path.exists():
        return []
    workloads = {workload.name: workload for workload in WORKLOADS[task]}
    entries = {(entry.library, entry.method): entry for entry in ENTRIES if entry.task == task}
    laps = []
    with path.open(newline="", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            workload, entry = workloads.get(row["data"]), entries.get((row["library"], row["method"]))
            if workload and entry:
                numbers = {name: _number(row.get(name, "")) for name in NUMBERS}
                measured = {name: _number(row.get(name, "")) for name in MEASURES[task]}
                quality = {name: value for name, value in measured.items() if value is not None}
                laps.append(Lap(workload, entry, row["trouble"], **numbers, quality=quality, run=row["run"]))
    return laps


def joined(task: str, fresh: Sequence[Lap], kept: Sequence[Lap]) -> list[Lap]:
    """Laps in the order of the task's tables; those of a table that was run again are all new."""
    again = {lap.workload.name for lap in fresh}
    laps = [*fresh, *(lap for lap in kept if lap.workload.name not in again)]
    order = {workload.name: place for place, workload in enumerate(WORKLOADS[task])}
    return sorted(laps, key=lambda lap: order[lap.workload.name])


def _number(text: str) -> float | int | None:
    if not text:
        return None
    return int(text) if text.lstrip("-").isdigit() else float(text)
