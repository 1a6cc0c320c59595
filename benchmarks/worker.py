"""One entry on one table in a process of its own: CPU seconds of the first run and of the next ones.

Called as `python -m benchmarks.worker NAME FOLDER MOST_RUNS LIMIT_S`; reads the table in FOLDER and writes
lap.json there, and estimate.mtx where the entry has one. The process ends by a signal when it has
used LIMIT_S seconds after reading the table.
"""

import contextlib
import io
import json
import math
import resource
import sys
import warnings
from importlib import import_module
from pathlib import Path

from scipy.io import mmwrite
from scipy.sparse import coo_array

from benchmarks.entries import ENTRIES, Entry
from benchmarks.entries.entry import Answer
from benchmarks.tables import Table

ENOUGH_S = 8.0


def main(name: str, folder: str, most_runs: str, limit_s: str) -> None:
    """Time the entry of that name."""
    warnings.simplefilter("ignore")
    entry = next(entry for entry in ENTRIES if entry.name == name)
    table = Table.load(Path(folder))
    started = cpu_seconds()
    import_module(entry.library)
    # What a library loads on first use is loaded now, and again none of it later.
    entry.prepare(table)
    import_s = cpu_seconds() - started
    _end_after(float(limit_s))
    before_mib = start_of_peak_mib()
    runs, answer = timed(entry, table, int(most_runs))
    lap = {
        "import_s": import_s,
        "runs": runs,
        "memory_mib": None if before_mib is None else peak_mib() - before_mib,
        "arrows": answer.arrows,
        "lines": answer.lines,
        "n_tests": answer.n_tests,
    }
    if answer.estimate is not None:
        mmwrite(Path(folder) / "estimate.mtx", coo_array(answer.estimate), precision=17)
    (Path(folder) / "lap.json").write_text(json.dumps(lap), encoding="utf-8")


def timed(entry: Entry, table: Table, most_runs: int) -> tuple[list[float], Answer]:
    """CPU seconds of each run, up to `most_runs` or until they have taken long enough; the answer."""
    runs: list[float] = []
    while len(runs) < most_runs and sum(runs) < ENOUGH_S:
        work = entry.prepare(table)
        with contextlib.redirect_stdout(io.StringIO()):
            started = cpu_seconds()
            result = work()
            runs.append(cpu_seconds() - started)
    return runs, entry.read(result, table)


def cpu_seconds() -> float:
    """What the process has used, in user and system time.

    Not time.process_time: under a CPU limit, Linux rounds that to its ticks of some milliseconds.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def start_of_peak_mib() -> float | None:
    """The memory in use, from where `peak_mib` counts anew; None where the system does not tell.

    Not ru_maxrss: that begins with what the parent process had in use.
    """
    reset = Path("/proc/self/clear_refs")
    if not reset.exists():
        return None
    reset.write_text("5", encoding="utf-8")
    return peak_mib()


def peak_mib() -> float:
    """The most memory that was in use, in MiB."""
    told = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(told.partition("VmHWM:")[2].split()[0]) / 1024.0


def _end_after(limit_s: float) -> None:
    used = math.ceil(cpu_seconds() + limit_s)
    resource.setrlimit(resource.RLIMIT_CPU, (used, used + 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
