"""Run each entry on each table, each in its own process with one thread and a time limit."""

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scipy.io import mmread

from benchmarks.entries import Entry
from benchmarks.entries.r import REntry
from benchmarks.judges import JUDGES
from benchmarks.workloads import Workload

ROOT = Path(__file__).parents[1]
SETTINGS = ("OMP", "OPENBLAS", "MKL", "NUMBA", "VECLIB_MAXIMUM", "POLARS_MAX")
ONE_THREAD = {f"{name}_{'THREADS' if 'MAX' in name else 'NUM_THREADS'}": "1" for name in SETTINGS}
MOST_RUNS = 6  # the first, and five warm ones
PATIENCE = 15  # seconds of the wall clock per second of the limit, on a machine with other work


@dataclass
class Lap:
    """How one entry did on one table; times are CPU seconds, None where there is none.

    `run` says when, where and with what it was measured.
    """

    workload: Workload
    entry: Entry
    trouble: str = ""
    import_s: float | None = None
    first_ever_s: float | None = None
    cold_s: float | None = None
    warm_s: float | None = None
    memory_mib: float | None = None
    quality: dict[str, Any] = field(default_factory=dict)
    run: str = ""


class Course:
    """One table, on disk in a folder, and the processes that learn from it.

    What numba compiles is kept in the folder, for each kind of workload: so the first lap of ours
    on a kind is the first ever, and the courses that follow it have compiled code.
    """

    def __init__(self, workload: Workload, folder: Path, limit_s: float) -> None:
        table = workload.draw()
        self._workload = workload
        self._folder = folder
        self._compiled = folder / f"compiled-{workload.kind}"
        self._limit_s = limit_s
        self._judge = JUDGES[workload.kind](table)
        table.save(folder)

    def run_lap(self, entry: Entry) -> Lap:
        """Time one entry; ours once before, which compiles what is not compiled yet."""
        lap = Lap(self._workload, entry)
        if entry.is_ours:
            is_first = not self._compiled.exists()
            first = self._measured(entry, most_runs=1)
            lap.first_ever_s = first["runs"][0] if is_first and "runs" in first else None
        measured = self._measured(entry, most_runs=MOST_RUNS)
        if "trouble" in measured:
            lap.trouble = measured["trouble"]
            return lap
        runs = measured["runs"]
        lap.import_s, lap.cold_s, lap.warm_s = measured["import_s"], runs[0], min(runs[1:] or runs)
        lap.memory_mib = measured.get("memory_mib")
        lap.quality = self._judge.quality(measured)
        return lap

    def _measured(self, entry: Entry, *, most_runs: int) -> dict[str, Any]:
        """What the process of the entry wrote, or the trouble it had."""
        written, estimate = self._folder / "lap.json", self._folder / "estimate.mtx"
        written.unlink(missing_ok=True)
        estimate.unlink(missing_ok=True)
        patience_s = PATIENCE * self._limit_s + 60
        environment = {
            "NUMBA_CACHE_DIR": str(self._compiled),
            "PYTHONHASHSEED": "0",
            "STRUCTLEARN_COMPILE": "always",  # by default kernels run interpreted until compiling them pays
        }
        try:
            done = subprocess.run(
                _command(entry, self._folder, most_runs, self._limit_s),
                cwd=ROOT,
                env={**os.environ, **ONE_THREAD, **environment},
                capture_output=True,
                text=True,
                timeout=patience_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"trouble": f"> {patience_s:g} s of the wall clock"}
        if written.exists():
            measured = json.loads(written.read_text(encoding="utf-8"))
            return {**measured, "estimate": mmread(estimate) if estimate.exists() else None}
        if done.returncode == -signal.SIGXCPU:
            return {"trouble": f"> {self._limit_s:g} s"}
        complaint = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {"trouble": f"failed: {complaint[:160]}"}


def _command(entry: Entry, folder: Path, most_runs: int, limit_s: float) -> list[str]:
    if isinstance(entry, REntry):
        script = str(ROOT / "benchmarks" / "entries" / "peers.R")
        limited = ["sh", "-c", 'ulimit -t "$0" && exec Rscript "$@"', str(math.ceil(limit_s))]
        return [*limited, script, entry.library, entry.method, str(folder), str(most_runs)]
    worker = [sys.executable, "-m", "benchmarks.worker"]
    return [*worker, entry.name, str(folder), str(most_runs), str(limit_s)]
