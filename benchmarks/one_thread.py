"""Single figures of one thread: CPU seconds of a warm run and the peak of memory, beside what was aimed at.

`python -m benchmarks.one_thread` writes docs/benchmarks/one-thread.md; with words behind it, it prints the
rows that have one of these in their names. Each row has a process of its own.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.entries.ours import confidence, from_dataset
from benchmarks.entries.ours_undirected import penalised
from benchmarks.machine import described
from benchmarks.race import ONE_THREAD
from benchmarks.tables import Table
from benchmarks.workloads import gaussian, neighborhoods, network, precision, random_discrete

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "one-thread.md"
HEAD = """# One thread

{machine}

CPU seconds of the best of three warm runs (of one, where it takes over 2 s), and the most memory that the
process has had, the table and the compiler included. *Aim* is what was asked for.

| work | CPU | peak, MB | aim |
| --- | ---: | ---: | --- |
"""
LONG_S = 2.0
Work = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """A figure: what is done to which table, what was asked for, and of how many pieces of work it is one."""

    name: str
    prepare: Callable[[Table], Work]
    draw: Callable[[], Table]
    aim: str
    n_pieces: int = 1


def _random_levels() -> Table:
    values = np.random.default_rng(0).integers(0, 3, (1_000, 1_000)).astype(np.uint8)
    names = tuple(f"x{j}" for j in range(1_000))
    return Table(names, values, (("a", "b", "c"),) * 1_000, [], 0.01)


def _local_scores(table: Table) -> Work:
    """A batch of families with three parents each, as a search asks for them: all last parents of some."""
    from benchmarks.entries.ours import dataset
    from structlearn.scores import BIC
    from structlearn.statistics import MemoryStatistics

    statistics, nodes = MemoryStatistics(dataset(table)), np.arange(len(table.names))
    groups = np.random.default_rng(0).permuted(np.tile(nodes, (300, 1)), axis=1)[:, :3].tolist()
    batch = np.array([[*group, last] for group in groups for last in nodes if last not in group])
    return lambda: BIC().local(statistics, batch)


def _all_families(score: str, table: Table) -> Work:
    """The scores of all families with at most three parents."""
    from benchmarks.entries.ours import dataset
    from structlearn.data import Knowledge
    from structlearn.run import Run
    from structlearn.search.local_scores import score_all_families
    from structlearn.search.space import Space
    from structlearn.statistics import MemoryStatistics

    data = dataset(table)

    def work() -> object:
        with Run("families", time_limit_s=None, progress=False) as run:
            space = Space.of("families", MemoryStatistics(data), Knowledge(), run, score=score, max_parents=3)
            return score_all_families(space)

    return work


def _precision_rows() -> Iterable[Row]:
    for p, penalty, aim in (
        (200, 0.106, 0.014),
        (500, 0.12, 0.08),
        (1_000, 0.135, 0.35),
        (2_000, 0.102, 2.2),
    ):
        draw = precision(p, 2_000, penalty=penalty).draw
        yield Row(
            f"graphical lasso, {p:,} columns, 2,000 rows", penalised("GraphicalLasso"), draw, f"{aim} s"
        )


ALARM = network("alarm", 10_000, 37).draw
FIFTEEN = random_discrete(15, 5_000, degree=3).draw
ROWS = (
    Row("Chow–Liu, 1,000 columns, 1,000 rows", from_dataset("ChowLiu"), _random_levels, "0.1 s"),
    Row("local score, 3 parents, one of 10,200, ALARM 10,000 rows", _local_scores, ALARM, "8 µs", 10_200),
    Row("all families, at most 3 parents, BIC, ALARM 10,000 rows", partial(_all_families, "bic"), ALARM, ""),
    Row(
        "all families, at most 3 parents, BDeu, ALARM 10,000 rows", partial(_all_families, "bdeu"), ALARM, ""
    ),
    Row("exact search, any number of parents, BIC, 15 columns", from_dataset("ExactSearch"), FIFTEEN, "1 s"),
    Row(
        "exact search, any number of parents, BDeu, 15 columns",
        from_dataset("ExactSearch", score="bdeu"),
        FIFTEEN,
        "1 s",
    ),
    Row("edge confidence × 100, ALARM 10,000 rows", confidence, ALARM, "2 s"),
    Row(
        "neighbourhoods, 5,000 columns, 500 rows",
        penalised("NeighborhoodSelection"),
        neighborhoods(5_000, 500, penalty=0.15).draw,
        "1.5 s",
    ),
    *_precision_rows(),
    Row("PC, 5,000 columns, 500 rows", from_dataset("PC"), gaussian(5_000, 500, degree=2).draw, "1,000 MB"),
)


def main(words: list[str]) -> None:
    """Measure each row in a process of its own; without words, write the page."""
    head = HEAD.format(machine=described(["structlearn"], "python -m benchmarks.one_thread"))
    lines = [head.rstrip()]
    for number, row in enumerate(ROWS):
        if words and not any(word in row.name for word in words):
            continue
        command = [sys.executable, "-m", "benchmarks.one_thread", f"--row={number}"]
        environment = {**os.environ, **ONE_THREAD, "STRUCTLEARN_COMPILE": "always"}
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        seconds, peak = json.loads(told.stdout.splitlines()[-1])
        lines.append(f"| {row.name} | {_shown(seconds / row.n_pieces)} | {peak:,.0f} | {row.aim} |")
        print(lines[-1], flush=True)
    if not words:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(row: Row) -> tuple[float, float]:
    """CPU seconds of the best run after the first, and the peak of memory in MB."""
    work, taken = row.prepare(row.draw()), []
    work()
    while len(taken) < 3 and not (taken and taken[0] > LONG_S):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def _shown(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1].startswith("--row="):
        print(json.dumps(measure(ROWS[int(sys.argv[1].removeprefix("--row="))])))
    else:
        main(sys.argv[1:])
