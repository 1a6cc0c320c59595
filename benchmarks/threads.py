"""What `n_jobs` brings: how long one waits with one job, and with more.

`python -m benchmarks.threads` writes docs/benchmarks/threads.md; with words behind it, it prints the rows
that have one of these in their names. Each row has a process of its own.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.entries.ours import dataset
from benchmarks.machine import described
from benchmarks.race import ONE_THREAD
from benchmarks.tables import Table
from benchmarks.workloads import gaussian, neighborhoods, network

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "threads.md"
KEPT = "## Waited for, on 16 cores"  # where the part of the page begins that another machine wrote
HEAD = """# Threads

{machine}

Seconds of the clock, the best of five warm runs in turns (of two, where one takes over 2 s); the library of
linear algebra has one thread. What small batches ask for is not worth a thread, and what Python does in one
keeps the others waiting for the interpreter. Of tables with 32,768 rows or more, each thread counts rows of
its own.

| work | {jobs} | times as fast |
| --- | {marks} ---: |
"""
JOBS = [n for n in (1, 2, 4, 8, 16) if n <= (os.cpu_count() or 1)]
N_RUNS, N_LONG_RUNS = 5, 2
LONG_S = 2.0
Work = Callable[[int], object]


class Row(NamedTuple):
    """A piece of work, given the number of jobs, on a table."""

    name: str
    prepare: Callable[[Table], Work]
    draw: Callable[[], Table]


def fitted(learner: str) -> Callable[[Table], Work]:
    """Fit a learner to the table."""

    def prepare(table: Table) -> Work:
        import structlearn as sl

        data, options = dataset(table), {"penalty": table.penalty} if table.penalty else {}
        return lambda n_jobs: getattr(sl, learner)(n_jobs=n_jobs, progress=False, **options).fit(data)

    return prepare


def gains(table: Table) -> Work:
    """What each lone arc brings."""
    from structlearn.learners.score.trees.pair_gains import pair_gains
    from structlearn.run import Run
    from structlearn.scores import BIC
    from structlearn.statistics import MemoryStatistics

    data = dataset(table)

    def work(n_jobs: int) -> object:
        with Run("gains", time_limit_s=None, progress=False) as run:
            return pair_gains(BIC(), MemoryStatistics(data, n_jobs=n_jobs), run)

    return work


def _three_levels(n_columns: int) -> Table:
    values = np.random.default_rng(0).integers(0, 3, (10_000, n_columns)).astype(np.uint8)
    return Table(tuple(f"x{j}" for j in range(n_columns)), values, (("a", "b", "c"),) * n_columns, [], 0.01)


def _pairs_of(*widths: int) -> Iterator[Row]:
    for n_columns in widths:
        name = f"gains of all pairs, {n_columns:,} columns of three levels, 10,000 rows"
        yield Row(name, gains, partial(_three_levels, n_columns))


ROWS = (
    Row("PC, ALARM, 100,000 rows", fitted("PC"), network("alarm", 100_000, 37).draw),
    Row("PC, ALARM, 1,000,000 rows", fitted("PC"), network("alarm", 1_000_000, 37).draw),
    Row("PC, 1,000 continuous columns, 1,000 rows", fitted("PC"), gaussian(1_000, 1_000, degree=3).draw),
    Row("PC, 5,000 continuous columns, 500 rows", fitted("PC"), gaussian(5_000, 500, degree=3).draw),
    Row(
        "GreedyEquivalence, ALARM, 100,000 rows",
        fitted("GreedyEquivalence"),
        network("alarm", 100_000, 37).draw,
    ),
    Row(
        "GreedyEquivalence, ALARM, 1,000,000 rows",
        fitted("GreedyEquivalence"),
        network("alarm", 1_000_000, 37).draw,
    ),
    Row(
        "gains of all pairs, 1,000 columns of three levels, 10,000 rows", gains, partial(_three_levels, 1_000)
    ),
    Row(
        "gains of all pairs, 3,000 columns of three levels, 10,000 rows", gains, partial(_three_levels, 3_000)
    ),
    Row(
        "NeighborhoodSelection, 5,000 columns, 500 rows",
        fitted("NeighborhoodSelection"),
        neighborhoods(5_000, 500, penalty=0.15).draw,
    ),
)


def main(words: list[str]) -> None:
    """Measure each row in a process of its own; without words, write the page."""
    machine = described(["structlearn"], "python -m benchmarks.threads")
    jobs, marks = " | ".join(map(str, JOBS)), "---: | " * len(JOBS)
    lines = [HEAD.format(machine=machine, jobs=jobs, marks=marks.strip()).rstrip()]
    for number, row in enumerate(ROWS):
        if words and not any(word in row.name for word in words):
            continue
        command = [sys.executable, "-m", "benchmarks.threads", f"--row={number}"]
        environment = {**os.environ, **ONE_THREAD, "STRUCTLEARN_COMPILE": "always"}
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        seconds = json.loads(told.stdout.splitlines()[-1])
        waited = " | ".join(f"{each:.3g}" for each in seconds)
        lines.append(f"| {row.name} | {waited} | {seconds[0] / min(seconds[1:] or seconds):.2f} |")
        print(lines[-1], flush=True)
    if not words:
        _, kept, elsewhere = PAGE.read_text(encoding="utf-8").partition(KEPT)
        PAGE.write_text("\n".join([*lines, "", kept + elsewhere]), encoding="utf-8")


def measure(row: Row) -> list[float]:
    """The seconds that each number of jobs takes."""
    work = row.prepare(row.draw())
    seconds: list[list[float]] = [[] for _ in JOBS]
    for n_jobs in JOBS:
        work(n_jobs)
    while len(seconds[0]) < (N_LONG_RUNS if seconds[0] and seconds[0][0] > LONG_S else N_RUNS):
        for n_jobs, found in zip(JOBS, seconds, strict=True):
            start = time.perf_counter()
            work(n_jobs)
            found.append(time.perf_counter() - start)
    return [min(found) for found in seconds]


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("--row="):
        print(json.dumps(measure(ROWS[int(sys.argv[1].removeprefix("--row="))])))
    else:
        main(sys.argv[1:])
