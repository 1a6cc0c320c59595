"""What people wait for before and after a search: whole scripts, and tables of every library.

`python -m benchmarks.whole [PYTHON]` writes benchmarks/results/whole.md. PYTHON is one that has pyAgrum,
where this one has not.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import structlearn as sl
from benchmarks.first_use import environment, rows_of
from benchmarks.machine import described
from structlearn.api import known_method
from structlearn.cli.warmup import CODE

PAGE = Path(__file__).parent / "results" / "whole.md"
METHODS = ("hill-climbing", "boss", "pc")
OURS = "import sys, structlearn as sl; getattr(sl, sys.argv[1])().fit(sl.Dataset(sys.argv[2]))"
PEER = (
    "import sys, pyagrum; learner = pyagrum.BNLearner(sys.argv[2]); "
    "learner.useScoreBIC(); learner.useGreedyHillClimbing(); learner.learnDAG()"
)
# The largest memory that `resource` has may be that of the process which started this one.
COST = """
import resource
used = resource.getrusage(resource.RUSAGE_SELF)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(used.ru_utime + used.ru_stime, int(peak.split()[1]) / 1024)
"""
N_RUNS = 3
SIZES = ((10_000, 100), (10_000, 1_000))
CODES = 4

Frame = Callable[[np.ndarray, list[str]], Any]
FRAMES: dict[str, Frame] = {
    "integer array": lambda a, _: a,
    "dict of arrays": lambda a, names: dict(zip(names, a.T, strict=True)),
    "pandas, integers": lambda a, names: pd.DataFrame(a, columns=names),
    "pandas, integers as categories": lambda a, names: pd.DataFrame(a, columns=names).astype("category"),
    "pandas, text": lambda a, names: pd.DataFrame(a.astype(str), columns=names),
    "polars, integers": lambda a, names: pl.DataFrame(a, schema=names),
    "polars, categories": lambda a, names: pl.DataFrame(a, schema=names).cast(pl.String).cast(pl.Categorical),
    "polars, text": lambda a, names: pl.DataFrame(a, schema=names).cast(pl.String),
    "arrow, integers": lambda a, names: pa.table(dict(zip(names, a.T, strict=True))),
    "arrow, dictionaries of integers": lambda a, names: pa.table(
        {name: pa.array(column).dictionary_encode() for name, column in zip(names, a.T, strict=True)}
    ),
    "arrow, text": lambda a, names: pa.table(
        {name: column.astype(str) for name, column in zip(names, a.T, strict=True)}
    ),
}


def main(python: str) -> None:
    """Measure all, and write the page."""
    warnings.simplefilter("ignore")
    lines = [
        "# Whole scripts and tables",
        "",
        described(["structlearn"], "python -m benchmarks.whole"),
        "",
        "CPU seconds and largest memory of a process that starts, reads 10,000 rows of ALARM from CSV,",
        f"learns and ends, the least of {N_RUNS}: with nothing compiled, and after `structlearn warmup`.",
        "",
        "| script | nothing compiled, s | MiB | warmed up, s | MiB |",
        "| --- | --- | --- | --- | --- |",
        *(_script_row(name) for name in METHODS),
        *_peer_rows(python),
        "",
        "CPU seconds to make a `Dataset`, the least of three.",
        "",
        f"| table | {' | '.join(f'{rows:,} × {columns:,}' for rows, columns in SIZES)} |",
        "| --- | --- | --- |",
        *(_frame_row(name, make) for name, make in FRAMES.items()),
    ]
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _script_row(name: str) -> str:
    method, cells = known_method(name), []
    for warm in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "alarm.csv")
            rows_of(method, "alarm").save(path)
            if warm:
                own = environment(folder) | {"STRUCTLEARN_COMPILE": "always"}
                command = [sys.executable, "-c", CODE.format(name=name)]
                subprocess.run(command, env=own, stdout=subprocess.PIPE, check=True)
            cells.append(_least(sys.executable, OURS, method.learner, path, forget=not warm))
    return f"| {name} | {' | '.join(cells)} |"


def _peer_rows(python: str) -> list[str]:
    found = subprocess.run([python, "-c", "import pyagrum"], check=False, stderr=subprocess.PIPE)
    if found.returncode:
        return []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "alarm.csv")
        rows_of(known_method("boss"), "alarm").save(path)
        return [f"| pyagrum: greedy hill climbing | {_least(python, PEER, '', path, forget=False)} | | |"]


def _least(python: str, code: str, name: str, path: Path, *, forget: bool) -> str:
    """CPU seconds and MiB of a script; machine code that it leaves on disk is lost if it is to `forget`."""
    costs = []
    for _ in range(N_RUNS):
        folder = tempfile.mkdtemp(dir=path.parent) if forget else str(path.parent)
        own = environment(folder) | {"PYTHONPYCACHEPREFIX": str(path.parent / "bytecode")}
        command = [python, "-c", code + COST, name, str(path)]
        ended = subprocess.run(command, env=own, stdout=subprocess.PIPE, text=True, check=True)
        costs.append(tuple(map(float, ended.stdout.split())))
    seconds, megabytes = min(costs)
    return f"{seconds:.2f} | {megabytes:.0f}"


def _frame_row(name: str, make: Frame) -> str:
    return f"| {name} | {' | '.join(f'{_seconds_to_read(make, *size):.3f}' for size in SIZES)} |"


def _seconds_to_read(make: Frame, n_rows: int, n_columns: int) -> float:
    codes = np.random.default_rng(0).integers(CODES, size=(n_rows, n_columns))
    table = make(codes, [f"c{j}" for j in range(n_columns)])
    seconds = []
    for _ in range(3):
        started = time.process_time()
        sl.Dataset(table)
        seconds.append(time.process_time() - started)
    return min(seconds)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else sys.executable)
