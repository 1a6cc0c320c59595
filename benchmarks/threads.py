"""What `n_jobs` can bring at most: how much of a method's CPU seconds its threads share.

`python -m benchmarks.threads` writes docs/benchmarks/threads.md; with words behind it, it prints the rows
that have one of these in their names. Each row has a process of its own.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from benchmarks.entries.ours import dataset
from benchmarks.machine import described
from benchmarks.race import ONE_THREAD
from benchmarks.tables import Table
from benchmarks.workloads import gaussian, neighborhoods, network

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "threads.md"
HEAD = """# Threads

{machine}

CPU seconds, not time: the best of three warm runs (of one, where it takes over 2 s) with `n_jobs=2`, and with
one job beside it. *In threads* is what threads of ours share, *products* the product of a matrix with itself,
which the library of linear algebra shares among threads of its own (here it had one), *alone* the rest. *At
most* is computed: how many times as fast 2 and 16 cores could be if what is shared were shared evenly and
nobody waited, the seconds of one job over those. What Python does inside a thread keeps the others waiting
for the interpreter; it is counted as shared.

| work | one job | in threads | products | alone | at most, 2 | at most, 16 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
N_RUNS = 3
LONG_S = 2.0
Work = Callable[[int], object]


class Row(NamedTuple):
    """A piece of work, given the number of jobs, on a table."""

    name: str
    prepare: Callable[[Table], Work]
    draw: Callable[[], Table]


@dataclass
class Account:
    """The CPU seconds of work in threads, and of products."""

    in_threads: float = 0.0
    products: float = 0.0
    lock: Lock = field(default_factory=Lock)

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same work, whose seconds are added up under a name."""

        def measured(*arguments: Any) -> Any:
            start = time.thread_time()
            try:
                return work(*arguments)
            finally:
                with self.lock:
                    setattr(self, name, getattr(self, name) + time.thread_time() - start)

        return measured


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


def _random_levels() -> Table:
    values = np.random.default_rng(0).integers(0, 3, (10_000, 1_000)).astype(np.uint8)
    return Table(tuple(f"x{j}" for j in range(1_000)), values, (("a", "b", "c"),) * 1_000, [], 0.01)


ROWS = (
    Row("PC, ALARM, 100,000 rows", fitted("PC"), network("alarm", 100_000, 37).draw),
    Row("PC, 1,000 continuous columns, 1,000 rows", fitted("PC"), gaussian(1_000, 1_000, degree=3).draw),
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
    Row("gains of all pairs, 1,000 columns of three levels, 10,000 rows", gains, _random_levels),
    Row(
        "NeighborhoodSelection, 5,000 columns, 500 rows",
        fitted("NeighborhoodSelection"),
        neighborhoods(5_000, 500, penalty=0.15).draw,
    ),
)


def main(words: list[str]) -> None:
    """Measure each row in a process of its own; without words, write the page."""
    head = HEAD.format(machine=described(["structlearn"], "python -m benchmarks.threads"))
    lines = [head.rstrip()]
    for number, row in enumerate(ROWS):
        if words and not any(word in row.name for word in words):
            continue
        command = [sys.executable, "-m", "benchmarks.threads", f"--row={number}"]
        environment = {**os.environ, **ONE_THREAD, "STRUCTLEARN_COMPILE": "always"}
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        lines.append(_shown(row.name, *json.loads(told.stdout.splitlines()[-1])))
        print(lines[-1], flush=True)
    if not words:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(row: Row) -> tuple[float, float, float, float]:
    """CPU seconds with one job; with two, those in threads, of products, and elsewhere."""
    from structlearn.statistics import blocks, memory

    account = Account()

    class Watched(ThreadPoolExecutor):
        def submit(self, call: Callable[..., Any], *arguments: Any) -> Future[Any]:  # type: ignore[override]  # as it is called
            return super().submit(account.timed("in_threads", call), *arguments)

    vars(blocks)["ThreadPoolExecutor"] = Watched  # to see its work
    vars(memory)["_products"] = account.timed("products", vars(memory)["_products"])
    work = row.prepare(row.draw())
    one: list[float] = []
    two: list[tuple[float, float, float]] = []
    work(2)
    while len(two) < N_RUNS and not (one and one[0] > LONG_S):
        start = time.process_time()
        work(1)
        one.append(time.process_time() - start)
        account.in_threads = account.products = 0.0
        start = time.process_time()
        work(2)
        alone = time.process_time() - start - account.in_threads - account.products
        two.append((account.in_threads, account.products, alone))
    return min(one), *min(two, key=sum)


def _shown(name: str, one: float, in_threads: float, products: float, alone: float) -> str:
    shared = in_threads + products
    at_most = [one / (alone + shared / n_cores) for n_cores in (2, 16)]
    seconds = " | ".join(f"{each:.3g} s" for each in (one, in_threads, products, alone))
    return f"| {name} | {seconds} | {at_most[0]:.2f} | {at_most[1]:.1f} |"


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("--row="):
        print(json.dumps(measure(ROWS[int(sys.argv[1].removeprefix("--row="))])))
    else:
        main(sys.argv[1:])
