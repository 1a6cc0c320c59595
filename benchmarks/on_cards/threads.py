"""What threads bring on the processor beside the card."""

import os
from collections.abc import Iterator

import numpy as np

import structlearn as sl
from benchmarks.gpu_pairs import sparse_table
from benchmarks.on_cards.measuring import best_of
from benchmarks.tables import Table
from benchmarks.threads import Work, gains

JOBS = tuple(n for n in (1, 2, 4, 8, 16) if n <= (os.cpu_count() or 1))
HEAD = f"""## Threads of the processor beside it

Seconds of work on the processor alone, by `n_jobs`.

| work | {" | ".join(map(str, JOBS))} |
| --- | {" | ".join("---:" for _ in JOBS)} |
"""


def rows() -> Iterator[str]:
    """A line for each piece of work."""
    for name, work in WORKS.items():
        work(1)  # compiles what there is to compile
        yield f"| {name} | " + " | ".join(f"{best_of(lambda n=n: work(n)):.2f}" for n in JOBS) + " |"  # noqa: B023, called at once


def _pc() -> Work:
    table = sl.Dataset(sparse_table(5_000, 500))
    return lambda n_jobs: sl.PC(alpha=0.01, n_jobs=n_jobs, progress=False).fit(table)


def _random_levels(p: int) -> Table:
    values = np.random.default_rng(0).integers(0, 3, (10_000, p)).astype(np.uint8)
    return Table(tuple(f"x{j}" for j in range(p)), values, (("a", "b", "c"),) * p, [], 0.01)


WORKS = {
    "PC, 5,000 continuous columns, 500 rows": _pc(),
    "gains of all pairs, 4,000 columns of three levels, 10,000 rows": gains(_random_levels(4_000)),
}
